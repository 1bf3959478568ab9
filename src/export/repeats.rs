//! What a policy repeats, for targets that look at statuses and transport failures alone.
//!
//! The policy core is asked: a call under this policy meets one outcome again and again, and what
//! is decided shows how often it is repeated. Nothing here knows what a status means.

use std::num::NonZeroU32;

use retrial_policy::{
    Backoff, Call, CallKey, Class, Classify, Decision, Fallback, Instant, Limits, Outcome, Policy,
    PolicySpec, Request, Signal, StatusTable, Unlimited,
};

/// How often an outcome is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Often {
    /// As often as attempts, time and budget allow.
    Always,
    /// Once in a call.
    Once,
    /// Not at all.
    Never,
}

/// What one policy repeats.
#[derive(Clone, Debug)]
pub struct Repeats(Policy);

/// The statuses that can be failures.
const FAILURES: std::ops::RangeInclusive<u16> = 300..=599;

impl Repeats {
    /// What `policy` repeats.
    pub fn of(policy: &Policy) -> Self {
        let spec = PolicySpec {
            backoff: Backoff::default(),
            // One more than the question needs: the cap must not be what ends the call.
            limits: Limits { max_attempts: NonZeroU32::new(4), ..Limits::default() },
            retry_after: *policy.retry_after(),
            budgets: Vec::new(),
            fallback: Fallback::default(),
            replay: policy.replay(),
            retry_on: policy.retry_on().cloned(),
            inner: None,
        };
        // Parts of a valid policy and defaults make a valid policy.
        Repeats(Policy::new(spec).unwrap_or_else(|_| policy.clone()))
    }

    /// How often `outcome` is repeated.
    pub fn how_often(&self, outcome: &Outcome<'_>) -> Often {
        let (policy, table, mut budget) = (&self.0, StatusTable::generic(), Unlimited);
        let now = Instant::default();
        let (mut call, _) =
            Call::start(policy, Request::default(), CallKey::new(0), &mut budget, now);
        let mut repeated = 0;
        while repeated < 2 {
            let decision = call.on_outcome(policy, &table, outcome, now, &mut budget, &mut ());
            let (Decision::RetrySameRoute(_) | Decision::RetryAfterHint(_)) = decision else {
                break;
            };
            repeated += 1;
            if call.next_attempt(policy, now, &mut budget, &mut ()).is_err() {
                break;
            }
        }
        match repeated {
            0 => Often::Never,
            1 => Often::Once,
            _ => Often::Always,
        }
    }

    /// The statuses that are repeated so often, in order.
    pub fn statuses(&self, often: Often) -> Vec<u16> {
        FAILURES.filter(|status| self.how_often(&Outcome::response(*status)) == often).collect()
    }

    /// The repeated statuses of `class`, in order.
    pub fn statuses_of(&self, class: Class) -> Vec<u16> {
        let of_class = |status: &u16| {
            StatusTable::generic().classify(&Outcome::response(*status)).class == class
        };
        let repeated = |status: &u16| self.how_often(&Outcome::response(*status)) != Often::Never;
        FAILURES.filter(of_class).filter(repeated).collect()
    }

    /// Whether a connection that was not made is repeated.
    pub fn connect(&self) -> bool {
        self.transport(Signal::ConnectError)
    }

    /// Whether a connection that broke after the request had left is repeated.
    pub fn reset(&self) -> bool {
        self.transport(Signal::ConnectionReset)
    }

    /// Whether an attempt that timed out after the request had left is repeated.
    pub fn timeout(&self) -> bool {
        self.transport(Signal::AttemptTimeout)
    }

    fn transport(&self, signal: Signal) -> bool {
        self.how_often(&Outcome::new(signal)) != Often::Never
    }
}

/// Statuses in order as runs from a first to a last one.
pub fn runs(statuses: &[u16]) -> Vec<(u16, u16)> {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for &status in statuses {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == status => *last = status,
            _ => runs.push((status, status)),
        }
    }
    runs
}

/// Statuses as people write them: `408, 500 to 503`.
pub fn ranges(statuses: &[u16]) -> String {
    let shown = runs(statuses).into_iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}
