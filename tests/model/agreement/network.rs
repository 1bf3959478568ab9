//! Messages that are lost, and further routes.

use super::*;

#[test]
fn lost_attempts_and_replies() {
    for route in ["service = \"20ms\"\n", "kind = \"occ\"\n"] {
        let lossy = POISSON.replace("[network]", "[network]\nlost = 0.05\nlost_replies = 0.1");
        let value = agreed(&format!("{lossy}[[route]]\nname = \"a\"\n{route}{PATIENT}"));
        assert!(value(Id::Retries) > 0.0);
        assert!(value(Id::Duplicates) > 0.0);
    }
}

/// Without a timeout a lost message is waited for in vain.
#[test]
fn lost_attempts_that_nobody_gives_up() {
    let lossy = POISSON.replace("[network]", "[network]\nlost = 0.5");
    let endless = PATIENT
        .replace("deadline = \"5s\", attempt_timeout = \"300ms\"", "deadline = \"unlimited\"");
    let value = agreed(&format!("{lossy}[[route]]\nname = \"a\"\n{endless}"));
    assert!(value(Id::Unfinished) > 300.0);
}

#[test]
fn fallback_to_further_routes() {
    let value = agreed(&format!(
        r#"{POISSON}
[[route]]
name = "a"
workers = 1
queue = 1
service = "60ms"
[[route]]
name = "unused"
[[route]]
name = "b"
workers = 1
queue = 2
service = {{ exponential = {{ mean = "30ms" }} }}
[[route.limit]]
requests = 20
per = "1s"
over = {{ reply = "generic-429", retry_after = "exact" }}
[[route]]
name = "c"
kind = "occ"
{PATIENT}
fallback = {{ routes = ["b", "c"], after_attempts = 2 }}
"#
    ));
    assert!(value(Id::Fallbacks) > 10.0 && value(Id::Retries) > 10.0);
}
