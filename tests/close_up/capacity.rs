//! What a route can serve, from its parameters: workers ÷ mean service, the rate of its limits, and
//! nothing while it is out.

use retrial_policy::Instant;

use crate::written::cell_of;

fn capacity(route: &str, at_s: u64) -> Option<f64> {
    let text = format!(
        r#"
        stop_after = "10s"
        [workload]
        clients = 1
        open = {{ arrivals = {{ every = "1s" }} }}
        tokens = {{ input = {{ uniform = {{ min = 100, max = 300 }} }}, output = 50 }}
        [[route]]
        name = "primary"
        {route}
        [policies.p]
        backoff = {{ kind = "none" }}
        limits = {{ deadline = "unlimited" }}
        "#
    );
    let cell = cell_of(&text, &[]);
    cell.scenario.capacity().per_s(Instant::from_nanos(at_s * 1_000_000_000))
}

#[test]
fn workers_divided_by_the_mean_service() {
    assert_eq!(capacity("workers = 10\nservice = \"100ms\"", 0), Some(100.0));
    assert_eq!(capacity("service = \"100ms\"", 0), None, "workers are unlimited");
    let by_token = "workers = 2\nservice = { tokens = { first = \"100ms\", per_input = \"1ms\", \
                    per_output = \"2ms\" } }";
    // 100 + 200 · 1 + 50 · 2 = 400 ms.
    assert_eq!(capacity(by_token, 0), Some(5.0));
}

#[test]
fn faults_take_some_of_it() {
    let faults = "workers = 10\nservice = \"100ms\"\n\
        [[route.fault]]\nfrom = \"1s\"\nuntil = \"2s\"\nworkers = 5\n\
        [[route.fault]]\nfrom = \"3s\"\nuntil = \"4s\"\nslow = 4.0\n\
        [[route.fault]]\nfrom = \"5s\"\nuntil = \"6s\"\nreply = \"generic-503\"\n\
        [[route.fault]]\nfrom = \"7s\"\nuntil = \"8s\"\nshare = 0.5\nreply = \"generic-503\"";
    let found = [0, 1, 2, 3, 5, 7].map(|at| capacity(faults, at).unwrap());
    assert_eq!(found, [100.0, 50.0, 100.0, 25.0, 0.0, 100.0]);
}

#[test]
fn the_tightest_limit_counts() {
    let over = "over = { reply = \"generic-429\" }";
    let limits = format!(
        "[[route.limit]]\nrequests = 120\nper = \"1m\"\n{over}\n\
         [[route.limit]]\ninput_tokens = 200\nper = \"1s\"\n{over}"
    );
    // Two requests a second, or 200 tokens a second at 200 tokens each.
    assert_eq!(capacity(&limits, 0), Some(1.0));
}
