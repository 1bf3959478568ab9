//! From an outcome to a decision, in one fixed order of steps:
//!
//! 1. classify;
//! 2. accept?
//! 3. what the class authorises, less what a server's veto forbids;
//! 4. is it safe to repeat?
//! 5. attempts and time left;
//! 6. withdraw from the budget, whose breaker may have closed the route;
//! 7. delay: hint or backoff;
//! 8. if the wait would end at or past the deadline, refuse, and return the permit in full.
//!
//! Classification authorises, the budget limits, jitter schedules: a retry that is not authorised
//! never touches the budget, and one that is refused never computes a delay.
//!
//! A veto comes with the class, not before it, because it forbids a retry on the route that sent
//! it and nothing else: it is the reason of a stop only where the class had something to forbid.

mod authorise;
mod schedule;

use self::authorise::Authorised;
use crate::branch::{Branch, RouteId};
use crate::budget::{Budget, Permit, Settlement};
use crate::call::{Call, LastAttempt};
use crate::class::Class;
use crate::classify::{Bound, Classification, Classify};
use crate::decision::{Decision, DelaySource, Wait};
use crate::fallback::FallbackReason;
use crate::key::Purpose;
use crate::observer::Observer;
use crate::outcome::{Outcome, Signal};
use crate::policy::Policy;
use crate::record::DecisionRecord;
use crate::routes::List;
use crate::stop::{Stop, StopReason};
use crate::time::{Instant, Nanos};

/// A way to end the call without an answer.
enum Refusal {
    Stop(StopReason),
    Reconcile(StopReason),
}

/// A change of route.
#[derive(Clone, Copy)]
struct Detour {
    route: RouteId,
    list: List,
    reason: FallbackReason,
}

/// A granted further attempt.
struct Granted {
    delay: Nanos,
    source: DelaySource,
    branch: Branch,
    detour: Option<Detour>,
}

impl Granted {
    fn at_once(branch: Branch) -> Self {
        Granted { delay: Nanos::ZERO, source: DelaySource::None, branch, detour: None }
    }

    /// Another route knows nothing of this one's failures, so that no wait is due there.
    fn leave(detour: Detour) -> Self {
        Granted { detour: Some(detour), ..Granted::at_once(detour.list.branch()) }
    }

    fn model(route: RouteId, reason: FallbackReason) -> Self {
        Granted::leave(Detour { route, list: List::Model, reason })
    }
}

/// What `outcome` means.
#[inline]
pub(crate) fn read<C: Classify + ?Sized>(classifier: &C, outcome: &Outcome<'_>) -> Classification {
    match outcome.signal {
        // No server said anything, so that no table of one has a say.
        Signal::NotAdmitted => Classification::of(Class::Transient).with_route_unavailable(),
        _ => classifier.classify(outcome),
    }
}

impl Call {
    /// Decides what follows `outcome`, the end of the attempt in flight at `now`, and tells
    /// `observer` exactly once. Allocates nothing; the classifier may.
    #[inline]
    pub fn on_outcome<C: Classify + ?Sized, B: Budget + ?Sized, O: Observer + ?Sized>(
        &mut self,
        policy: &Policy,
        classifier: &C,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut B,
        observer: &mut O,
    ) -> Decision {
        let not_admitted = outcome.signal == Signal::NotAdmitted;
        let read = read(classifier, outcome);
        let how = match (read.class, outcome.signal) {
            (Class::Ok, Signal::TurnPaused) => Settlement::Paused,
            (Class::Ok, _) => Settlement::Succeeded,
            (class, _) => Settlement::Failed(class),
        };
        let withheld = core::mem::take(&mut self.withheld);
        if withheld || not_admitted {
            give_back(self.permit.take(), budget, now);
        } else {
            if let Some(hint) = outcome.hint {
                budget.on_hint(self.route, read.class, hint.0, now);
            }
            budget.settle(self.passage(), how, now);
            self.permit = None;
        }
        self.last = LastAttempt { class: read.class, branch: self.branch, route: self.route };
        if not_admitted {
            self.uncount();
        }
        let attempt = self.attempts;
        let (decision, fallback_reason) = if withheld && !not_admitted && read.class != Class::Ok {
            // It was to be held for all the time that is left, or there was none: no other attempt
            // would come earlier.
            let remaining = self.deadline.saturating_since(now);
            let reason = StopReason::DeadlineExceeded { needed: remaining, remaining };
            (Decision::Stop(Stop { class: read.class, reason }), None)
        } else {
            self.decide(policy, &read, outcome, now, budget)
        };
        if decision.wait().is_none() {
            budget.on_request_end(now);
        }
        observer.decided(&DecisionRecord {
            logical_request_id: self.key,
            attempt,
            branch: self.last.branch,
            route: policy.route_name(self.last.route),
            model: outcome.model,
            class: read.class,
            reason: match decision {
                Decision::Stop(stop) | Decision::Reconcile(stop) => stop.reason.as_str(),
                _ => read.class.as_str(),
            },
            status: outcome.status(),
            code: outcome.code,
            request_id: outcome.request_id,
            rejected_param: outcome.rejected_param,
            delay: decision.wait().map(|wait| wait.delay),
            delay_source: decision.wait().map_or(DelaySource::None, |wait| wait.source),
            fallback_reason,
            remaining_attempts: policy.limits().attempts_left(attempt),
            remaining_time: (self.deadline != Instant::MAX)
                .then(|| self.deadline.saturating_since(now)),
            elapsed: now.saturating_since(self.started),
            sent: !withheld && !not_admitted,
            // What was not admitted is uncounted already.
            attempts_on_wire: attempt.saturating_sub(u32::from(withheld && !not_admitted)),
            action: decision.action(),
            terminal_outcome: decision.terminal_outcome(),
            stop: match decision {
                Decision::Stop(stop) | Decision::Reconcile(stop) => Some(stop),
                _ => None,
            },
        });
        decision
    }

    #[inline]
    fn decide<B: Budget + ?Sized>(
        &mut self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut B,
    ) -> (Decision, Option<FallbackReason>) {
        if read.class == Class::Ok && outcome.signal != Signal::TurnPaused {
            return (Decision::Accept, None);
        }
        match self.grant(policy, read, outcome, now, budget) {
            Ok(granted) => {
                let reason = granted.detour.map(|detour| detour.reason);
                (self.commit(granted, now), reason)
            }
            Err(refusal) => {
                let class = read.class;
                let decision = match refusal {
                    Refusal::Stop(reason) => Decision::Stop(Stop { class, reason }),
                    Refusal::Reconcile(reason) => Decision::Reconcile(Stop { class, reason }),
                };
                (decision, None)
            }
        }
    }

    /// Steps 3 to 8.
    #[inline]
    fn grant<B: Budget + ?Sized>(
        &mut self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
        now: Instant,
        budget: &mut B,
    ) -> Result<Granted, Refusal> {
        let authorised = match policy.retry_on() {
            _ if outcome.signal == Signal::NotAdmitted => self.elsewhere(policy)?,
            None => {
                let authorised = self.authorise(policy, read, outcome)?;
                self.check_replay(policy, read, outcome)?;
                authorised
            }
            Some(rule) => self.authorise_by_status(rule, policy, read, outcome, now)?,
        };
        // What the deadline cut ended by the deadline, whether or not attempts were left.
        let remaining = self.deadline.saturating_since(now);
        if remaining == Nanos::ZERO {
            let reason = StopReason::DeadlineExceeded { needed: Nanos::ZERO, remaining };
            return Err(Refusal::Stop(reason));
        }
        if policy.limits().attempts_left(self.attempts) == Some(0) {
            return Err(Refusal::Stop(StopReason::AttemptsExhausted));
        }
        let authorised = match authorised {
            Authorised::Retry { .. } if !budget.is_available(self.route, now) => {
                match authorised.alternative() {
                    Some(route) => unavailable(route),
                    None => return Err(Refusal::Stop(StopReason::BudgetDenied)),
                }
            }
            authorised => authorised,
        };
        // Without an attempt there is nothing to repeat: the first route refused it unsent.
        let permit = if authorised.repeats_a_failure() && self.attempts > 0 {
            let draw = self.key.draw(Purpose::Budget, self.attempts);
            let permit = budget.try_withdraw(read.class, draw, now);
            Some(permit.ok_or(Refusal::Stop(StopReason::BudgetDenied))?)
        } else {
            None
        };
        let scheduled = match authorised {
            Authorised::Retry { alternative } => self.schedule(policy, read, outcome, alternative),
            Authorised::Leave(detour) => Ok(Granted::leave(detour)),
            Authorised::Reduce => Ok(Granted::at_once(Branch::Reduced)),
            Authorised::Continue => Ok(Granted::at_once(Branch::ContinueTurn)),
        };
        let in_time = scheduled.and_then(|granted| {
            if now.saturating_add(granted.delay) < self.deadline {
                return Ok(granted);
            }
            let reason = StopReason::DeadlineExceeded { needed: granted.delay, remaining };
            Err(Refusal::Stop(reason))
        });
        match in_time {
            Ok(granted) => {
                // The row's one retry, whoever invited it.
                self.bound_used |= permit.is_some() && read.bound == Bound::Once;
                self.permit = permit;
                Ok(granted)
            }
            Err(refusal) => {
                give_back(permit, budget, now);
                Err(refusal)
            }
        }
    }

    /// Where a call goes whose attempt was not let out.
    fn elsewhere(&self, policy: &Policy) -> Result<Authorised, Refusal> {
        let next = policy.next_route(List::Model, self.closed);
        next.map(unavailable).ok_or(Refusal::Stop(StopReason::BudgetDenied))
    }

    /// Takes an attempt back that was announced and never left.
    fn uncount(&mut self) {
        self.attempts = self.attempts.saturating_sub(1);
        self.attempts_on_route = self.attempts_on_route.saturating_sub(1);
        if self.branch == Branch::SameRouteRetry {
            self.retries_on_route = self.retries_on_route.saturating_sub(1);
        }
    }

    /// Moves the call on to the granted attempt.
    #[inline]
    fn commit(&mut self, granted: Granted, now: Instant) -> Decision {
        self.sent = false;
        self.attempts = self.attempts.saturating_add(1);
        self.branch = granted.branch;
        match granted.detour {
            Some(Detour { route, .. }) => {
                self.route = route;
                self.closed = self.closed.with(route);
                self.attempts_on_route = 1;
                self.retries_on_route = 0;
                self.previous_delay = Nanos::ZERO;
            }
            None => {
                self.attempts_on_route = self.attempts_on_route.saturating_add(1);
                self.retries_on_route = self
                    .retries_on_route
                    .saturating_add(u32::from(granted.branch == Branch::SameRouteRetry));
            }
        }
        self.reducible &= granted.branch != Branch::Reduced;
        let wait = Wait {
            delay: granted.delay,
            until: now.saturating_add(granted.delay),
            attempt: self.attempts,
            route: self.route,
            branch: granted.branch,
            source: granted.source,
        };
        match granted.branch {
            Branch::Reduced => Decision::ReduceAndRetryOnce(wait),
            Branch::ContinueTurn => Decision::ContinueTurn(wait),
            Branch::ModelFallback | Branch::AccountFallback | Branch::ContentFallback => {
                Decision::Fallback(wait)
            }
            Branch::FirstTry | Branch::SameRouteRetry | Branch::Hedge => match granted.source {
                DelaySource::Hint => Decision::RetryAfterHint(wait),
                DelaySource::Backoff | DelaySource::None => Decision::RetrySameRoute(wait),
            },
        }
    }
}

/// The model list takes over from a route that the budget closed.
fn unavailable(route: RouteId) -> Authorised {
    Authorised::Leave(Detour { route, list: List::Model, reason: FallbackReason::RouteUnavailable })
}

fn give_back<B: Budget + ?Sized>(permit: Option<Permit>, budget: &mut B, now: Instant) {
    if let Some(permit) = permit {
        budget.restore(permit, now);
    }
}
