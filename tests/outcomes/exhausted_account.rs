//! Once an account is spent, a policy that reads the code makes one upstream call a request, and
//! one that looks at the status makes as many as it may.

use retrial_policy::TerminalOutcome;

use super::{packaged, requests, seconds};

/// Attempts of each request that began after the account ran dry and has ended.
fn calls_after(plan: &retrial::experiment::plan::Plan, policy: &str) -> Vec<u32> {
    let replications = requests(plan, policy);
    let rows = replications.iter().flatten().filter(|row| row.start >= seconds(31));
    rows.filter(|row| row.end.is_some()).map(|row| row.attempts).collect()
}

#[test]
fn one_call_a_request_is_enough_to_know() {
    let plan = packaged("exhausted-account", &[]);
    let calls = calls_after(&plan, "reads-the-code");
    assert!(calls.len() > 30 * 80 * 20, "{}", calls.len());
    assert!(calls.iter().all(|calls| *calls == 1));
    for rows in requests(&plan, "reads-the-code") {
        let ends =
            rows.iter().filter(|row| row.start >= seconds(31)).filter_map(|r| r.end.as_ref());
        for end in ends {
            assert_eq!(end.outcome, TerminalOutcome::Stopped);
            assert_eq!(end.code.as_deref(), Some("insufficient_quota"));
        }
    }
}

#[test]
fn the_runaway_pays_five_times() {
    let plan = packaged("exhausted-account", &[]);
    let calls = calls_after(&plan, "retries-every-429");
    assert!(calls.iter().all(|calls| *calls == 5));
}

#[test]
fn with_credit_left_nobody_stops_and_nobody_pays_more() {
    let plan = packaged("exhausted-account", &["route.primary.fault=[]"]);
    for policy in &plan.policies {
        for rows in requests(&plan, policy) {
            let ends = rows.iter().filter_map(|row| row.end.as_ref());
            assert!(ends.clone().all(|end| end.outcome == TerminalOutcome::Succeeded));
            assert!(rows.iter().all(|row| row.attempts == 1), "{policy}");
        }
    }
}
