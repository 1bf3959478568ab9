//! The row under optimistic concurrency control, judged from outside.

use retrial::model::occ_row::COMMITTED;
use retrial_policy::{Instant, Nanos};

use super::log::{Log, Told};
use super::{NORMAL, TEN_MS, ms, scenario, support};

/// Read and write of an attempt, and whether the write was accepted.
struct Span {
    /// The client and its attempt.
    id: (u32, u32),
    read: Instant,
    write: Instant,
    committed: bool,
}

/// With 10 ms each way a read reaches the row 20 ms before the write. A write is accepted exactly
/// if no other was accepted since its read: one success a version.
#[test]
fn a_write_is_accepted_exactly_if_none_was_since_its_read() {
    let plan = support::aws_occ(&["workload.clients=60"]);
    for cell in &plan.cells {
        let log = Log::of(&scenario(60, TEN_MS), &cell.subjects()[0]);
        let replies = log.0.iter().filter_map(|(at, client, told)| match *told {
            Told::Replied { attempt, status } => Some(Span {
                id: (*client, attempt),
                read: Instant::from_nanos(at.as_nanos() - 30_000_000),
                write: Instant::from_nanos(at.as_nanos() - 10_000_000),
                committed: status == COMMITTED,
            }),
            _ => None,
        });
        let spans: Vec<_> = replies.collect();
        let commits: Vec<_> = spans.iter().filter(|span| span.committed).collect();
        assert_eq!(commits.len(), 60, "each client succeeds once");
        for span in &spans {
            let others = commits.iter().filter(|other| other.id != span.id);
            // Which came first at one instant can't be seen from here: such cases prove nothing.
            let (mut between, mut tied) = (false, false);
            for commit in others.map(|other| other.write) {
                between |= span.read < commit && commit < span.write;
                tied |= commit == span.read || commit == span.write;
            }
            if between {
                assert!(!span.committed, "{:?} missed a commit", span.id);
            } else if !tied {
                assert!(span.committed, "{:?} was refused without cause", span.id);
            }
        }
    }
}

/// Without backoff and with constant delays all move in rounds of 40 ms: each commits one write
/// and refuses all others, 200 + 199 + … + 1 in all.
#[test]
fn clients_in_lockstep_commit_one_write_a_round() {
    let plan = support::aws_occ(&["workload.clients=200"]);
    let none = plan.policies.iter().position(|name| name == "none").unwrap();
    let cell = plan.cells.iter().find(|cell| cell.policy_index == none).unwrap();
    let log = Log::of(&scenario(200, TEN_MS), &cell.subjects()[0]);
    let committed = log.0.iter().filter_map(|(at, _, told)| match told {
        Told::Replied { status: COMMITTED, .. } => Some(*at),
        _ => None,
    });
    let mut committed: Vec<_> = committed.collect();
    committed.sort_unstable();
    assert_eq!(committed, (1..=200).map(|round| ms(40 * round)).collect::<Vec<_>>());
    assert_eq!(log.count(|told| matches!(told, Told::Arrived { .. })), 200 * 201 / 2);
}

/// No policy enters the network's random numbers: the first attempts of all clients arrive at the
/// same instants whatever is on trial, and so does an attempt number 2 relative to its sending.
#[test]
fn all_policies_meet_the_same_network() {
    const CLIENTS: u32 = 60;
    let plan = support::aws_occ(&["workload.clients=60"]);
    let travel_times = |attempt: u32| -> Vec<Vec<Option<Nanos>>> {
        let of_cell = plan.cells.iter().map(|cell| {
            let log = Log::of(&scenario(CLIENTS, NORMAL), &cell.subjects()[0]);
            let of_client = (0..CLIENTS).map(|client| {
                let told = log.of_client(client);
                let when = |what: Told| told.iter().find(|entry| entry.1 == what).map(|e| e.0);
                let sent = when(Told::Sent { attempt })?;
                when(Told::Arrived { attempt }).map(|arrived| arrived.saturating_since(sent))
            });
            of_client.collect()
        });
        of_cell.collect()
    };
    let first = travel_times(1);
    assert!(first.iter().all(|times| *times == first[0]));
    let second = travel_times(2);
    for client in 0..CLIENTS as usize {
        // Some policies let a client succeed at once, and it makes no second attempt.
        let mut times: Vec<_> = second.iter().filter_map(|times| times[client]).collect();
        times.dedup();
        assert!(times.len() <= 1, "client {client}: {times:?}");
    }
    assert!(second.iter().flatten().flatten().count() > 200, "nearly all fail at first");
}
