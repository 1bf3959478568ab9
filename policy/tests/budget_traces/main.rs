//! The budgets against recordings of the libraries that they follow, step by step.
//!
//! Each family replays its recordings and lists every step at which what a library did and what
//! the budget does are not the same. The lists stand in the tests with their reasons: what is in
//! none of them is the same to the last token.

#[path = "../support/mod.rs"]
mod support;

mod adaptive_limiter;
mod failure_tokens;
mod plain_buckets;
mod quotas;
mod recording;
mod shed_by_chance;
mod windows;

use std::collections::BTreeSet;

use recording::Recording;

/// What can't be replayed, and why.
const LEFT_OUT: [(&str, &str); 1] =
    [("grpc_js.config_reload_rescales", "a policy never changes under its budget")];

#[test]
fn every_recording_is_replayed_or_left_out_for_a_reason() {
    let all = Recording::all();
    assert_eq!(all.len(), 29);
    assert_eq!(all.iter().map(|recording| recording.steps.len()).sum::<usize>(), 2_039);
    let replayed = [
        &quotas::TRACES[..],
        &failure_tokens::TRACES,
        &windows::TRACES,
        &shed_by_chance::TRACES,
        &plain_buckets::TRACES,
        &adaptive_limiter::TRACES,
    ];
    let known: Vec<&str> =
        replayed.into_iter().flatten().copied().chain(LEFT_OUT.map(|(name, _)| name)).collect();
    let names: BTreeSet<&str> = all.iter().map(|recording| recording.name.as_str()).collect();
    assert_eq!(known.iter().copied().collect::<BTreeSet<_>>(), names);
    assert_eq!(known.len(), names.len(), "one family each");
}
