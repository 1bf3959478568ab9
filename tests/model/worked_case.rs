//! Two clients and a network that takes 10 ms each way, worked out by hand.

use retrial::model::occ_row::{COMMITTED, CONFLICT};
use retrial_policy::TerminalOutcome;

use super::log::{Log, Told};
use super::{TEN_MS, ms, on_trial, policy, scenario};

fn succeeded(attempt: u32) -> Told {
    Told::Ended { attempt, in_time: true, outcome: TerminalOutcome::Succeeded }
}

/// Both read version 0 at 10 ms and write at 30; the first write commits, the second is refused
/// and told so at 40. After the wait its client reads at +10, writes at +30 and is done at +40.
fn both_clients_go_as_worked_out(backoff: &str, wait_ms: u64) {
    let policy = policy("\"unlimited\"", &format!("[backoff]\n{backoff}"));
    let log = Log::of(&scenario(2, TEN_MS), &on_trial(&policy));

    let writes = log.0.iter().filter(|(_, _, told)| matches!(told, Told::Arrived { .. }));
    let (_, winner, _) = *writes.min_by_key(|(at, _, _)| *at).unwrap();
    assert_eq!(
        log.of_client(winner),
        [
            (ms(0), Told::Began),
            (ms(0), Told::Sent { attempt: 1 }),
            (ms(30), Told::Arrived { attempt: 1 }),
            (ms(40), Told::Replied { attempt: 1, status: COMMITTED }),
            (ms(40), succeeded(1)),
        ]
    );
    let again = 40 + wait_ms;
    assert_eq!(
        log.of_client(1 - winner),
        [
            (ms(0), Told::Began),
            (ms(0), Told::Sent { attempt: 1 }),
            (ms(30), Told::Arrived { attempt: 1 }),
            (ms(30), Told::Rejected { attempt: 1 }),
            (ms(40), Told::Replied { attempt: 1, status: CONFLICT }),
            (ms(40), Told::Waits { attempt: 1, until: ms(again) }),
            (ms(again), Told::Sent { attempt: 2 }),
            (ms(again + 30), Told::Arrived { attempt: 2 }),
            (ms(again + 40), Told::Replied { attempt: 2, status: COMMITTED }),
            (ms(again + 40), succeeded(2)),
        ]
    );
    assert_eq!(log.0.len(), 15, "and nobody else is told anything");
}

#[test]
fn without_backoff() {
    both_clients_go_as_worked_out("kind = \"none\"", 0);
}

#[test]
fn with_a_constant_backoff() {
    both_clients_go_as_worked_out("kind = \"constant\"\nbase = \"5ms\"", 5);
}
