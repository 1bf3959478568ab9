//! The two signatures of a retry rule that does not fit its provider.
//!
//! Source: "Why the retry branch stopped firing after the migration", on the two ways in which one
//! condition fails. The thresholds are ours.

use super::endings::Ending;
use super::window::Window;
use crate::terminal_outcome::TerminalOutcome;

/// Requests from which on a signature is more than chance.
const MIN_REQUESTS: u64 = 10;

/// A dead branch: hard failures rise, retries don't. At least ten requests stopped at their first
/// attempt on a failure whose class calls for a retry, because the policy's list of statuses lacks
/// it or the policy says nothing about replay, and none of that kind was retried. The most frequent
/// kind.
pub fn dead_branch(window: &Window) -> Option<&Ending> {
    let dead = |kind: &&Ending| kind.unretried >= MIN_REQUESTS && kind.unretried == kind.count;
    let kinds = window.endings.iter().filter(dead);
    kinds.reduce(|most, kind| if kind.count > most.count { kind } else { most })
}

/// A runaway: attempts at the cap, success zero. At least ten requests used up all their attempts,
/// none succeeded, and more attempts ended than first tries. The most frequent kind of those ends.
pub fn runaway(window: &Window) -> Option<&Ending> {
    let runs_away = window.at_cap >= MIN_REQUESTS
        && window.succeeded == 0
        && window.attempts > window.first_tries;
    let most = window.most_frequent(TerminalOutcome::GaveUpAttempts);
    most.filter(|_| runs_away)
}
