//! What the targets have in common: how an input is taken apart, and what must hold of a reading.

use retrial_policy::providers::{Library, Provider};
use retrial_policy::replies::{Reading, Reply};
use retrial_policy::stream::Protocol;
use retrial_policy::{
    Action, Bound, Call, CallKey, Class, Hint, Instant, Nanos, Policy, PolicySpec, Replay, Request,
    Signal, Unlimited,
};

/// Protocols by the first byte of a stream; otherwise it is to be recognised.
pub const PROTOCOLS: [Protocol; 7] = [
    Protocol::Anthropic,
    Protocol::OpenAiChat,
    Protocol::OpenAiResponses,
    Protocol::Gemini,
    Protocol::Bedrock,
    Protocol::Cohere,
    Protocol::Ollama,
];

/// All embedded tables.
pub fn providers() -> Vec<Provider> {
    let library = Library::embedded();
    library.tables().iter().filter_map(|table| library.provider(table.name())).collect()
}

/// The table's number, then the status in two bytes, then as HTTP has it: a header a line, an
/// empty line, the body.
pub fn response(input: &[u8]) -> Option<(u8, Reply)> {
    let [table, high, low, rest @ ..] = input else { return None };
    let text = String::from_utf8_lossy(rest);
    let (head, body) = text.split_once("\n\n").unwrap_or(("", &text));
    let headers = head.lines().filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_string()));
    let status = u16::from_be_bytes([*high, *low]);
    Some((*table, Reply::response(status, headers, body.to_string())))
}

/// The inverse of [`response`].
pub fn input(table: u8, reply: &Reply) -> Vec<u8> {
    let mut input = vec![table];
    input.extend(reply.status().unwrap_or(500).to_be_bytes());
    for (name, value) in reply.headers() {
        input.extend(format!("{name}: {value}\n").bytes());
    }
    input.extend(b"\n\n");
    input.extend(reply.body().bytes());
    input
}

/// Everything that must hold of any reply's reading, and of what a call makes of it.
pub fn check(provider: &Provider, reply: &Reply) -> Reading {
    let reading = provider.read(reply);
    assert_eq!(reading, provider.read(reply), "the same reply, the same reading");
    assert_ne!(reading.hint, Some(Hint(Nanos::ZERO)));
    assert_eq!(reading.hint.is_some(), reading.wait_source.is_some());
    assert!(reading.code.is_some() || !reading.unknown_code);

    let policy = Policy::new(PolicySpec {
        replay: Replay { safe: true, idempotency_key: true },
        ..PolicySpec::default()
    })
    .expect("a plain policy is valid");
    let now = Instant::from_nanos(0);
    let (mut call, _) =
        Call::start(&policy, Request::default(), CallKey::new(7), &mut Unlimited, now);
    let outcome = reading.outcome();
    let decision = call.on_outcome(&policy, &reading, &outcome, now, &mut Unlimited, &mut ());

    let (action, class) = (decision.action(), reading.classification.class);
    let is_answer = class == Class::Ok && reading.signal != Signal::TurnPaused;
    assert_eq!(action == Action::Accept, is_answer, "{reading:?}");
    if class == Class::Ok {
        let status = reply.status().expect("there is no answer without a response");
        assert!((200..=299).contains(&status), "{reading:?}");
    }
    let is_dead = match class {
        Class::InvalidRequest
        | Class::Auth
        | Class::Exhausted
        | Class::Content
        | Class::TooLarge => true,
        Class::Ok
        | Class::Transient
        | Class::Throttled
        | Class::Conflict
        | Class::OutcomeUnknown
        | Class::Unknown => false,
    };
    // The server's own word goes before the bound of a reply that nobody knows.
    let is_bound = reading.classification.bound == Bound::Never && !reading.granted;
    if is_dead || class != Class::Ok && (is_bound || reading.vetoed) {
        assert!(decision.wait().is_none(), "{action:?} after {reading:?}");
    }
    if let (Action::RetryAfterHint, Some(wait)) = (action, decision.wait()) {
        let Hint(asked) = reading.hint.expect("what is obeyed was said");
        assert!(wait.delay >= asked, "{asked:?}, but {:?}", wait.delay);
    }
    reading
}
