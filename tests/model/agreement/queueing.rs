//! Workers and queues.

use super::*;

#[test]
fn a_single_worker_with_impatient_clients() {
    let value = agreed(&format!("{POISSON}{BUSY}{PATIENT}"));
    assert!(value(Id::Retries) > 0.0 && value(Id::BacklogPeak) > 3.0);
    assert!(value(Id::Utilisation) > 0.8);
}

/// With many clients whose first requests alone are fused; and each with five of them.
#[test]
fn closed_clients_that_give_up() {
    for abandoned in ["served", "dropped"] {
        let value = agreed(&format!(
            r#"
[workload]
clients = 40
closed = {{ requests = 5, start = {{ over = "1s" }}, think = {{ exponential = {{ mean = "200ms" }} }} }}
[network]
delay = {{ normal = {{ mean = "5ms", sd = "1ms" }} }}
{BUSY}abandoned = "{abandoned}"
{PATIENT}"#
        ));
        assert_eq!(value(Id::Requests), 200.0);
        assert!(value(Id::Retries) > 20.0, "{abandoned}: {}", value(Id::Retries));
    }
}

/// A dropped attempt leaves its worker to others: more gets done.
#[test]
fn attempts_that_are_dropped() {
    let run =
        |abandoned: &str| agreed(&format!("{POISSON}{BUSY}abandoned = \"{abandoned}\"\n{PATIENT}"));
    let (served, dropped) = (run("served"), run("dropped"));
    assert!(dropped(Id::QueueMean) < served(Id::QueueMean));
    assert!(dropped(Id::Retries) > 0.0);
}

#[test]
fn a_queue_that_is_full() {
    for (workers, queue) in [(1, 0), (1, 3), (3, 2)] {
        let value = agreed(&format!(
            "{POISSON}[[route]]\nname = \"a\"\nworkers = {workers}\nqueue = {queue}\n\
             service = {{ exponential = {{ mean = \"60ms\" }} }}\n\
             full = {{ reply = \"generic-503\", latency = \"2ms\" }}\n{PATIENT}"
        ));
        assert!(value(Id::BlockingRatio) > 0.0);
        assert!(value(Id::BacklogPeak) <= f64::from(queue));
    }
}

#[test]
fn service_by_laws_of_all_kinds() {
    for law in [
        "\"20ms\"",
        "{ lognormal = { median = \"10ms\", p99 = \"200ms\" } }",
        "{ uniform = { min = \"0s\", max = \"40ms\" } }",
        "{ normal = { mean = \"20ms\", sd = \"20ms\" } }",
    ] {
        let route = format!("[[route]]\nname = \"a\"\nworkers = 2\nservice = {law}\n");
        assert!(agreed(&format!("{POISSON}{route}{PATIENT}"))(Id::Succeeded) > 500.0);
    }
}
