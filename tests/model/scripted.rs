//! A subject whose decisions are written down beforehand: whatever it says, however senseless,
//! the model does to the nanosecond, and never more.

use retrial::model::occ_row::{COMMITTED, CONFLICT};
use retrial::model::subject::{Planned, Subject};
use retrial_policy::{
    Attempt, Branch, BudgetSpec, BudgetStack, CallKey, Class, Classification, Decision,
    DelaySource, Instant, Nanos, Observer, Outcome, RouteId, Stop, StopReason, TerminalOutcome,
    Wait,
};

use super::log::{Log, Told};
use super::{NORMAL, RUN, TEN_MS, ms, scenario};

/// Lengths that no rounding to milliseconds or microseconds survives.
const DELAYS: [u64; 5] = [7_777_777, 0, 1, 123_456_789, 1_000_000_007];

/// Some ends fall before it and some after.
const DEADLINE: Instant = Instant::from_nanos(300_000_000);

/// How the script of a call ends.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// With this decision on the last reply, whatever the reply says.
    Decided(Decision),
    /// The wait for one more attempt ends, and it must not be sent.
    Refused(Stop),
}

/// What is decided for the call with a certain key.
#[derive(Clone, Copy, Debug)]
struct Script {
    key: CallKey,
    /// Attempts sent so far.
    sent: u32,
}

impl Script {
    /// From 0 to 5 retries.
    fn retries(self) -> u32 {
        (self.key.get() % 6) as u32
    }

    /// The wait after attempt `n`.
    fn delay(self, n: u32) -> Nanos {
        Nanos::new(DELAYS[((self.key.get() >> 8) as usize + n as usize) % DELAYS.len()])
    }

    /// How long attempt `n` is held back.
    fn hold(self, n: u32) -> Nanos {
        Nanos::new(u64::from(n - 1) * 3)
    }

    fn ending(self) -> Ending {
        let stop = Stop { class: Class::Transient, reason: StopReason::NotRetryable };
        let late = StopReason::DeadlineExceeded { needed: Nanos::ZERO, remaining: Nanos::ZERO };
        match (self.key.get() >> 16) % 4 {
            0 => Ending::Decided(Decision::Accept),
            1 => Ending::Decided(Decision::Stop(stop)),
            2 => Ending::Decided(Decision::Reconcile(stop)),
            _ => Ending::Refused(Stop { reason: late, ..stop }),
        }
    }

    /// All five decisions with a wait, in turn.
    fn wait(self, now: Instant) -> Decision {
        let delay = self.delay(self.sent);
        let wait = Wait {
            delay,
            until: now.saturating_add(delay),
            attempt: self.sent + 1,
            route: RouteId::PRIMARY,
            branch: Branch::SameRouteRetry,
            source: DelaySource::Backoff,
        };
        match self.sent % 5 {
            0 => Decision::RetrySameRoute(wait),
            1 => Decision::RetryAfterHint(wait),
            2 => Decision::ReduceAndRetryOnce(wait),
            3 => Decision::Fallback(wait),
            _ => Decision::ContinueTurn(wait),
        }
    }

    fn attempt(self) -> Attempt {
        Attempt {
            number: self.sent,
            route: RouteId::PRIMARY,
            branch: Branch::SameRouteRetry,
            hold: self.hold(self.sent),
            timeout: None,
            refused: false,
        }
    }
}

struct Scripted;

impl Subject for Scripted {
    type Call = Script;

    fn start(
        &self,
        key: CallKey,
        _: Planned,
        _: &mut BudgetStack<'_>,
        _: Instant,
    ) -> (Script, Attempt) {
        let script = Script { key, sent: 1 };
        (script, script.attempt())
    }

    fn on_outcome<O: Observer>(
        &self,
        script: &mut Script,
        _: Classification,
        _: &Outcome<'_>,
        now: Instant,
        _: &mut BudgetStack<'_>,
        _: &mut O,
    ) -> Decision {
        if script.sent <= script.retries() {
            return script.wait(now);
        }
        match script.ending() {
            Ending::Decided(decision) => decision,
            Ending::Refused(_) => script.wait(now),
        }
    }

    fn next_attempt<O: Observer>(
        &self,
        script: &mut Script,
        _: &mut BudgetStack<'_>,
        _: Instant,
        _: &mut O,
    ) -> Result<Attempt, Decision> {
        if script.sent > script.retries()
            && let Ending::Refused(stop) = script.ending()
        {
            return Err(Decision::Stop(stop));
        }
        script.sent += 1;
        Ok(script.attempt())
    }

    fn deadline(&self, _: &Script) -> Instant {
        DEADLINE
    }

    fn route(&self, _: RouteId) -> u16 {
        0
    }

    fn time_limit(&self) -> Option<Nanos> {
        None
    }

    fn sends_key(&self) -> bool {
        false
    }

    fn budgets(&self) -> &[BudgetSpec] {
        &[]
    }

    fn is_shared_between_clients(&self) -> bool {
        false
    }
}

fn script_of(client: u32) -> Script {
    let key = CallKey::derive(RUN.seed, RUN.replication, client.into(), 0);
    Script { key, sent: 1 }
}

/// What must be told about a client whose attempts take 30 ms to the row and 40 in all. Whether
/// the row accepts a write is its own affair: those entries are left out, statuses are zero.
fn expected(script: Script) -> Vec<(Instant, Told)> {
    let mut told = vec![(ms(0), Told::Began)];
    let mut now = ms(0);
    for attempt in 1..=script.retries() + 1 {
        let sent = now.saturating_add(script.hold(attempt));
        told.push((sent, Told::Sent { attempt }));
        told.push((sent.saturating_add(Nanos::from_millis(30)), Told::Arrived { attempt }));
        now = sent.saturating_add(Nanos::from_millis(40));
        told.push((now, Told::Replied { attempt, status: 0 }));
        let last = attempt == script.retries() + 1;
        if !last || matches!(script.ending(), Ending::Refused(_)) {
            let until = now.saturating_add(script.delay(attempt));
            told.push((now, Told::Waits { attempt, until }));
            now = until;
        }
    }
    let outcome = match script.ending() {
        Ending::Decided(Decision::Accept) => TerminalOutcome::Succeeded,
        Ending::Decided(Decision::Stop(_)) => TerminalOutcome::Stopped,
        Ending::Decided(_) => TerminalOutcome::Reconciled,
        Ending::Refused(_) => TerminalOutcome::GaveUpDeadline,
    };
    let attempt = script.retries() + 1;
    told.push((now, Told::Ended { attempt, in_time: now <= DEADLINE, outcome }));
    told
}

fn without_the_rows_verdicts(told: Vec<(Instant, Told)>) -> Vec<(Instant, Told)> {
    let kept = told.into_iter().filter(|(_, told)| !matches!(told, Told::Rejected { .. }));
    kept.map(|(at, told)| match told {
        Told::Replied { attempt, .. } => (at, Told::Replied { attempt, status: 0 }),
        other => (at, other),
    })
    .collect()
}

const CLIENTS: u32 = 240;

#[test]
fn every_decision_is_carried_out_to_the_nanosecond() {
    let log = Log::of(&scenario(CLIENTS, TEN_MS), &Scripted);
    for client in 0..CLIENTS {
        let told = without_the_rows_verdicts(log.of_client(client));
        assert_eq!(told, expected(script_of(client)), "client {client}");
    }
}

/// 240 keys have all six numbers of retries with all four endings, or the test above shows less
/// than it seems to.
#[test]
fn scripts_cover_every_ending_after_every_number_of_retries() {
    let mut seen = [[0; 4]; 6];
    for script in (0..CLIENTS).map(script_of) {
        let ending = (script.key.get() >> 16) % 4;
        seen[script.retries() as usize][ending as usize] += 1;
    }
    assert!(seen.as_flattened().iter().all(|count| *count > 0), "{seen:?}");
}

/// However long the network takes.
#[test]
fn attempts_at_the_row_are_those_that_were_decided() {
    let log = Log::of(&scenario(CLIENTS, NORMAL), &Scripted);
    for client in 0..CLIENTS {
        let told = log.of_client(client);
        let arrived = told.iter().filter(|(_, told)| matches!(told, Told::Arrived { .. })).count();
        assert_eq!(arrived as u32, script_of(client).retries() + 1, "client {client}");
    }
}

/// The row's refusal is told twice: when it happens, and as the status of the reply.
#[test]
fn refusals_and_statuses_agree() {
    let log = Log::of(&scenario(CLIENTS, TEN_MS), &Scripted);
    let replies =
        |status| log.count(|told| matches!(told, Told::Replied { status: s, .. } if *s == status));
    assert_eq!(replies(CONFLICT), log.count(|told| matches!(told, Told::Rejected { .. })));
    assert_eq!(
        replies(COMMITTED) + replies(CONFLICT),
        log.count(|told| matches!(told, Told::Arrived { .. }))
    );
    assert!(replies(COMMITTED) > 0);
}
