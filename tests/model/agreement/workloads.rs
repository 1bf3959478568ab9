//! Every way in which requests begin.

use super::*;

fn under(workload: &str) -> impl Fn(Id) -> f64 + use<> {
    agreed(&with_workload(workload))
}

fn with_workload(workload: &str) -> String {
    format!(
        "stop_after = \"10s\"\n[workload]\nclients = 7\n{workload}\n[network]\ndelay = \"3ms\"\n\
         {BUSY}queue = 4\n{PATIENT}"
    )
}

/// Twenty a second, the first at once, at the end of the run inclusive.
#[test]
fn every() {
    assert_eq!(under("open = { arrivals = { every = \"50ms\" } }")(Id::Requests), 200.0);
}

/// Seven clients, five periods.
#[test]
fn cron() {
    for spread in ["0s", "500ms"] {
        let cron = format!("{{ cron = {{ period = \"2s\", spread = \"{spread}\" }} }}");
        let value = under(&format!("open = {{ arrivals = {cron}, until = \"9s\" }}"));
        assert_eq!(value(Id::Requests), 35.0);
    }
}

#[test]
fn renewals() {
    for law in ["gamma", "weibull"] {
        let value = under(&format!(
            "open = {{ arrivals = {{ {law} = {{ rate = \"40/s\", cv = 2.0 }} }} }}"
        ));
        assert!(value(Id::Requests) > 200.0);
    }
}

#[test]
fn several_streams_at_once() {
    let value = under(
        "open = [\n{ arrivals = { poisson = \"20/s\" } },\n\
         { arrivals = { every = \"5ms\" }, from = \"2s\", until = \"3s\" },\n\
         { arrivals = { cron = { period = \"1s\" } }, from = \"1s\", until = \"4s\" },\n]",
    );
    assert!(value(Id::Requests) > 200.0 + 21.0);
}

#[test]
fn a_closed_loop_without_end() {
    let value =
        under("closed = { requests = \"unlimited\", think = \"20ms\", start = { over = \"1s\" } }");
    assert!(value(Id::Requests) > 200.0);
}

/// A recording with a coarse clock: rows are spread over its ticks.
#[test]
fn a_trace_with_sizes() {
    let rows: String =
        (0..300).map(|row| format!("{},{},{}\n", row / 10 * 200, row % 7, row % 5)).collect();
    let trace = format!("t_ms,input_tokens,output_tokens\n{rows}");
    for speed in ["1.0", "3.0"] {
        let text = with_workload(&format!("trace = {{ file = \"t.csv\", speed = {speed} }}"))
            .replace("queue = 4", "[[route.limit]]\ntokens = 200\nper = \"1s\"");
        let value = agreed_with(&text, &[("t.csv", &trace)]);
        assert_eq!(value(Id::Requests), 300.0);
        assert!(value(Id::SpendTokens) > 100.0);
    }
}

#[test]
fn clients_that_hold_requests_back() {
    for most in [1, 2] {
        let value = under(&format!(
            "open = {{ arrivals = {{ poisson = \"45/s\" }} }}\nconcurrency = {most}"
        ));
        assert!(value(Id::Succeeded) > 200.0);
    }
}

#[test]
fn a_warm_up() {
    let text = format!(
        "warmup = \"4s\"\n{}",
        with_workload("open = { arrivals = { poisson = \"45/s\" } }")
    );
    let value = agreed(&text);
    assert!((200.0..350.0).contains(&value(Id::Requests)));
}
