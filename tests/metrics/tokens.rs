//! Tokens are charged for what is served: those sent when service begins, those received when it
//! ends.

use super::*;

fn run(rest: &str, trace: &str) -> impl Fn(Id) -> Option<f64> + use<> {
    metrics_with(
        &format!(
            "{rest}\n[policies.p]\nbackoff.kind = \"none\"\nlimits = {{ max_attempts = 2, \
             deadline = \"unlimited\", attempt_timeout = \"1200ms\" }}\nreplay.safe = true\n"
        ),
        &[("t.csv", &format!("t_ms,input_tokens,output_tokens\n{trace}"))],
    )
}

const WORKLOAD: &str =
    "[workload]\nclients = 1\ntrace = { file = \"t.csv\" }\n[[route]]\nname = \"a\"";

/// One worker, 1 s each. At 1.5 s the first is done (100 + 50) and the second has begun (200).
#[test]
fn service_that_is_cut_off_has_cost_its_input() {
    let value = run(
        &format!("stop_after = \"1500ms\"\n{WORKLOAD}\nworkers = 1\nservice = \"1s\""),
        "0,100,50\n500,200,80\n",
    );
    assert_metrics(value, &[(Id::SpendTokens, 350.0)]);
}

/// A request of 100 and 50 that takes 2 s is given up after 1.2 and repeated, in vain. What is
/// served to its end costs all of it, twice; what is dropped its input.
#[test]
fn waste_is_charged_too() {
    for (abandoned, tokens) in [("served", 300.0), ("dropped", 200.0)] {
        let route = format!("{WORKLOAD}\nservice = \"2s\"\nabandoned = \"{abandoned}\"");
        let value = run(&route, "0,100,50\n");
        let figures = [(Id::Attempts, 2.0), (Id::GaveUpAttempts, 1.0), (Id::SpendTokens, tokens)];
        assert_metrics(value, &figures);
    }
}

/// 150 of 200 tokens a minute are gone when the second comes; it is refused, and so is its retry.
#[test]
fn refusals_cost_nothing() {
    for amount in ["tokens = 200", "input_tokens = 120", "output_tokens = 60", "spend = 200"] {
        let limit = format!("[[route.limit]]\n{amount}\nper = \"1m\"");
        let over = "over = { reply = \"generic-429\" }";
        let value = run(&format!("{WORKLOAD}\n{limit}\n{over}"), "0,100,50\n500,100,50\n");
        let figures =
            [(Id::Attempts, 3.0), (Id::BlockingRatio, 2.0 / 3.0), (Id::SpendTokens, 150.0)];
        assert_metrics(value, &figures);
    }
}

#[test]
fn requests_without_size_spend_nothing_that_could_be_counted() {
    let text = format!("{WORKLOAD}\n").replace("trace = { file = \"t.csv\" }", "closed = {}");
    assert_eq!(run(&text, "")(Id::SpendTokens), None);
}
