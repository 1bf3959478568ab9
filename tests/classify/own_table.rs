//! A user's own table.

use super::Folder;

/// A table whose one row makes a spent quota a matter of waiting.
const OWN: &str = r#"title = "Our gateway"
reviewed = 2026-01-31
extends = ["openai"]

[[row]]
id = "refilled-nightly"
status = 429
code = "insufficient_quota"
class = "throttled"
wait = "30s"
note = "our gateway refills the quota by itself"
source = "https://wiki.example/quota"
example = { status = 429, body = '{"error":{"code":"insufficient_quota"}}' }
"#;

const BODY: &str = r#"{"error":{"code":"insufficient_quota","type":"insufficient_quota"}}"#;
const FLAGS: [&str; 5] = ["--table", "gateway.toml", "--status", "429", "--json"];

#[test]
fn a_row_of_ones_own_goes_before_those_it_extends() {
    let folder = Folder::new().with("gateway.toml", OWN);
    let text = folder.classify(&FLAGS, BODY);
    assert_eq!(
        text,
        concat!(
            r#"{"class":"throttled","action":"retry_after_hint","retry_after_s":30.0,"#,
            r#""table":"gateway","rule":"refilled-nightly","raw_status":429,"#,
            r#""raw_code":"insufficient_quota","request_id":null,"rejected_param":null,"#,
            r#""owner":null,"reason":"throttled"}"#,
            "\n"
        )
    );
    let billing = r#"{"error":{"code":"billing_not_active"}}"#;
    let text = folder.classify(&FLAGS, billing);
    assert!(text.contains(r#""table":"openai","rule":"billing-inactive""#), "{text}");
}

/// A table that does not say what it extends takes what `--provider` names.
#[test]
fn the_provider_is_what_a_table_extends_by_default() {
    let folder = Folder::new().with("gateway.toml", OWN.replace("extends = [\"openai\"]\n", ""));
    let billing = r#"{"error":{"code":"billing_not_active"}}"#;
    let text = folder.classify(&[&FLAGS[..], &["--provider", "openai"]].concat(), billing);
    assert!(text.contains(r#""table":"openai""#), "{text}");
}

#[test]
fn an_unsound_table_is_shown_where_it_is_wrong() {
    let folder = Folder::new()
        .with("gateway.toml", OWN.replace("\"throttled\"", "\"throtled\""))
        .with("empty.toml", OWN.replace("status = 429\ncode = \"insufficient_quota\"\n", ""));
    for command in [&["classify", "--status", "429", "--table"][..], &["providers", "--table"]] {
        let complaint = folder.refusal(&[command, &["gateway.toml"]].concat(), "");
        assert!(complaint.starts_with("error: unknown class `throtled`, expected one of"));
        assert!(complaint.contains("--> gateway.toml:9:9\n"), "{complaint}");
        assert!(complaint.contains("9 | class = \"throtled\"\n"), "{complaint}");
        let complaint = folder.refusal(&[command, &["empty.toml"]].concat(), "");
        assert!(complaint.contains("`refilled-nightly` holds for every reply"), "{complaint}");
        assert!(complaint.contains("--> empty.toml:6:1\n"), "{complaint}");
        let complaint = folder.refusal(&[command, &["nope.toml"]].concat(), "");
        assert_eq!(complaint, "error: can't read the table `nope.toml`: there is no such file\n");
    }
}

/// An account that is spent from the start.
const EXPERIMENT: &str = r#"
seed = 1
replications = 1

[workload]
clients = 4
closed = { requests = 1, start = "together" }

[network]
delay = "1ms"

[[route]]
name = "api"
provider = "openai"
workers = 5
service = "10ms"

[[route.fault]]
from = "0s"
reply = "openai-429-quota"

[policies.p]
backoff = { kind = "exponential", base = "10ms", cap = "1s", jitter = "full" }
limits = { max_attempts = 3, deadline = "unlimited" }
"#;

/// Attempts that four requests make, by what the command prints.
fn attempts(folder: &Folder) -> String {
    let answer =
        folder.retrial(&["run", "x.toml", "--format", "csv", "--no-charts", "--quiet"], "");
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    let row = answer.stdout.lines().find(|line| line.starts_with("p,attempts,"));
    row.unwrap().split(',').nth(3).unwrap().to_string()
}

/// What a table says of a reply is what clients do about it in a simulation: a spent account is
/// called once by each, one that is only slow down to the last attempt.
#[test]
fn a_table_in_a_route_changes_a_run() {
    let folder = Folder::new().with("x.toml", EXPERIMENT);
    assert_eq!(attempts(&folder), "4");
    let own = EXPERIMENT.replace("workers = 5", "table = \"gateway.toml\"\nworkers = 5");
    let folder = Folder::new().with("x.toml", own).with("gateway.toml", OWN);
    assert_eq!(attempts(&folder), "12");
}

#[test]
fn an_unsound_table_in_a_route_is_named_with_line_and_column() {
    let own = EXPERIMENT.replace("workers = 5", "table = \"gateway.toml\"\nworkers = 5");
    let unsound = OWN.replace("\"throttled\"", "\"throtled\"");
    let folder = Folder::new().with("x.toml", own).with("gateway.toml", unsound);
    let complaint = folder.refusal(&["run", "x.toml", "--out", "out"], "");
    let start =
        "error: can't use the table `gateway.toml`: line 9, column 9: unknown class `throtled`";
    assert!(complaint.starts_with(start), "{complaint}");
    assert!(complaint.contains("--> x.toml:15:9\n"), "{complaint}");
    assert!(!folder.path().join("out").exists());
}
