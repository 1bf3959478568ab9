//! A user's own tables: what is refused, where and with which words; what extending one and taking
//! the place of one means; and the retry header of another API, as a row.
#![cfg(feature = "replies")]

use retrial_policy::providers::{Library, Provider};
use retrial_policy::replies::Reply;
use retrial_policy::*;

/// Three lines; the rows of a test begin in the fourth.
const HEAD: &str = "title = \"Own\"\nreviewed = 2026-11-30\nsources = [\"https://example.com/\"]\n";

/// A row with these conditions in its third line. Seven lines.
fn row(id: &str, conditions: &str, class: &str) -> String {
    let example = "example = { status = 500 }";
    format!(
        "[[row]]\nid = \"{id}\"\n{conditions}\nclass = \"{class}\"\nnote = \"n\"\n{example}\n\n"
    )
}

/// The line and the message with which a table is refused.
fn refused(text: &str) -> (usize, String) {
    match Library::embedded().with("own", text, None) {
        Ok(_) => panic!("loaded, but should not be:\n{text}"),
        Err(error) => (error.line, error.message),
    }
}

fn own(name: &str, text: &str) -> Provider {
    let library = Library::embedded().with(name, text, None);
    library.unwrap_or_else(|error| panic!("{error}:\n{text}")).own()
}

/// Table, row and class that a reply is decided by.
fn decided(provider: &Provider, status: u16, body: &str) -> (String, String, Class) {
    let reading = provider.read(&Reply::response(status, [], body.to_string()));
    (reading.decided_by.table, reading.decided_by.row, reading.classification.class)
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let one = |conditions, class| format!("{HEAD}{}", row("a", conditions, class));
    let two = |first: [&str; 2], second: [&str; 2]| {
        let (first, second) =
            (row(first[0], first[1], "auth"), row(second[0], second[1], "content"));
        format!("{HEAD}{first}{second}")
    };
    for (what, text, line, says) in [
        (
            "an unreachable row",
            two(["wide", "code = \"*limit*\""], ["narrow", "code = \"rate_limit\""]),
            12,
            "row `narrow` can never be reached: `wide` in line 5 holds wherever it does",
        ),
        (
            "the same conditions twice",
            two(["first", "status = 499"], ["second", "status = 499"]),
            12,
            "row `second` can never be reached: `first` in line 5",
        ),
        (
            "the same name twice",
            two(["a", "status = 498"], ["a", "status = 499"]),
            12,
            "row `a` is there twice, first in line 5",
        ),
        (
            "an unknown class",
            one("status = 499", "tired"),
            7,
            "unknown class `tired`, expected one of",
        ),
        (
            "a status that would be repeated",
            one("status = 400", "transient"),
            5,
            "row `a` would have every 400 repeated",
        ),
        (
            "an empty list",
            one("status = []", "auth"),
            6,
            "an empty list matches nothing: leave the key out",
        ),
        ("a row that asks nothing", one("", "auth"), 5, "row `a` holds for every reply"),
        (
            "a place that is none",
            one("at = \"error..reason\"\ncode = \"x\"", "auth"),
            6,
            "`error..reason` is no place",
        ),
        ("a place without a value", one("at = \"error.reason\"", "auth"), 6, "at: needs `code`"),
        ("a `*` inside", one("code = \"a*b\"", "auth"), 6, "`a*b` is no code"),
        (
            "an unknown table",
            format!("{HEAD}extends = [\"nobody\"]\n{}", row("a", "status = 499", "auth")),
            4,
            "extends: no table is called `nobody`; there are anthropic",
        ),
        ("an unknown key", one("statuses = 499", "auth"), 6, "unknown field `statuses`"),
        (
            "a promise that has no effect",
            one("status = 599\nreplay = \"safe\"", "transient"),
            7,
            "replay: \"safe\" goes with class = \"outcome_unknown\" only",
        ),
        (
            "a note on an answer without one",
            one("status = 599\ntruncated = true", "auth"),
            7,
            "truncated: goes with class = \"ok\" only",
        ),
    ] {
        let (found, message) = refused(&text);
        assert!(found == line && message.contains(says), "{what}: line {found}: {message}");
    }
    let safe = one("status = 599\nreplay = \"safe\"", "outcome_unknown");
    assert!(Library::embedded().with("own", &safe, None).is_ok());
}

#[test]
fn a_table_that_extends_another_goes_before_it() {
    let text = format!("{HEAD}extends = [\"openai\"]\n{}", row("busy", "status = 429", "auth"));
    let provider = own("mine", &text);
    assert_eq!(decided(&provider, 429, ""), ("mine".into(), "busy".into(), Class::Auth));
    let quota =
        r#"{"error":{"code":"insufficient_quota","type":"insufficient_quota","message":""}}"#;
    let (table, _, class) = decided(&provider, 429, quota);
    assert_eq!((table.as_str(), class), ("openai", Class::Exhausted));
    assert_eq!(decided(&provider, 404, "").0, "generic");
    // The base is extended where the table says nothing.
    let silent = format!("{HEAD}{}", row("busy", "status = 429", "auth"));
    let library = Library::embedded().with("mine", &silent, Some("openai")).unwrap();
    assert_eq!(library.own().table().extends(), ["openai"]);
}

#[test]
fn a_table_takes_the_place_of_its_namesake() {
    let text = format!("{HEAD}{}", row("busy", "status = 503", "auth"));
    let library = Library::embedded().with("openai", &text, None).unwrap();
    assert_eq!(library.tables().len(), Library::embedded().tables().len());
    let replaced = library.provider("openai").unwrap();
    assert_eq!(decided(&replaced, 503, ""), ("openai".into(), "busy".into(), Class::Auth));
    assert_eq!(replaced.table().title(), "Own");
    // Others that extend it extend the new one.
    let azure = library.provider("azure_openai").unwrap();
    assert!(azure.table().extends().contains(&"openai".to_string()));
    assert_eq!(decided(&azure, 503, "").2, decided(&replaced, 503, "").2);
    // It may also extend its namesake, which goes on.
    let text = format!("{HEAD}extends = [\"openai\"]\n{}", row("busy", "status = 503", "auth"));
    let library = Library::embedded().with("openai", &text, None).unwrap();
    assert_eq!(library.tables().len(), Library::embedded().tables().len() + 1);
    assert_eq!(decided(&library.own(), 503, "").1, "busy");
    assert_eq!(
        decided(&library.own(), 500, ""),
        decided(&Provider::find("openai").unwrap(), 500, "")
    );
}

/// Stripe's header says whether a retry can help; it holds under any table, and a row may look at it.
#[test]
fn a_servers_own_no_goes_before_a_row_that_repeats() {
    let provider = own("stripe", &format!("{HEAD}{}", row("busy", "status = 503", "transient")));
    let read = |header: &str| {
        let headers = [("Stripe-Should-Retry".to_string(), header.to_string())];
        provider.read(&Reply::response(503, headers, String::new()))
    };
    let action = |header: &str, routes: &[&str]| {
        let policy = Policy::new(PolicySpec {
            fallback: Fallback {
                routes: routes.iter().map(|route| route.to_string()).collect(),
                ..Fallback::default()
            },
            ..PolicySpec::default()
        })
        .unwrap();
        let (reading, now) = (read(header), Instant::from_nanos(0));
        let request = Request::default();
        let (mut call, _) = Call::start(&policy, request, CallKey::new(7), &mut Unlimited, now);
        call.on_outcome(&policy, &reading, &reading.outcome(), now, &mut Unlimited, &mut ())
            .action()
    };
    assert_eq!(action("false", &[]), Action::Stop);
    assert_eq!(action("false", &["other"]), Action::Fallback);
    assert_eq!(action("true", &[]), Action::RetrySameRoute);
    let no = "header = { stripe-should-retry = \"false\" }\nretries = \"never\"";
    let told = own("stripe", &format!("{HEAD}{}", row("no", no, "transient")));
    let headers = [("Stripe-Should-Retry".to_string(), "false".to_string())];
    let reading = told.read(&Reply::response(503, headers, String::new()));
    assert_eq!(reading.decided_by.row, "no");
    assert!(reading.vetoed && reading.classification.bound == Bound::Never);
}
