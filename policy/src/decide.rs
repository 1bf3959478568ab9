//! From an outcome to a decision, in one fixed order of steps:
//!
//! 1. classify;
//! 2. accept?
//! 3. server veto;
//! 4. what the class authorises, and is it safe to repeat?
//! 5. attempts and time left;
//! 6. withdraw from the budget;
//! 7. delay: hint or backoff;
//! 8. if the wait would end at or past the deadline, refuse, and return the permit in full.
//!
//! Classification authorises, the budget limits, jitter schedules: a retry that is not authorised
//! never touches the budget, and one that is refused never computes a delay.

use crate::branch::{Branch, RouteId};
use crate::budget::{Budget, Permit, Settlement};
use crate::call::{Call, LastAttempt};
use crate::class::Class;
use crate::classify::{Bound, Classification, Classify};
use crate::decision::{Decision, DelaySource, Wait};
use crate::fallback::FallbackReason;
use crate::key::Purpose;
use crate::mix::scale;
use crate::observer::Observer;
use crate::outcome::{Outcome, Progress, Signal};
use crate::policy::Policy;
use crate::record::DecisionRecord;
use crate::retry_after::{OverCap, RetryAfterMode};
use crate::stop::{Stop, StopReason};
use crate::time::{Instant, Nanos};

/// How long a conflict takes to clear: the other holder of the idempotency key is about to finish.
const CONFLICT_WAIT: Nanos = Nanos::from_secs(1);

/// What a class authorises, before any limit is looked at.
enum Authorised {
    /// The same request again, on this route or another.
    Retry,
    /// A smaller request, once.
    Reduce,
    /// The rest of a paused turn.
    Continue,
}

/// A way to end the call without an answer.
enum Refusal {
    Stop(StopReason),
    Reconcile,
}

/// A granted further attempt.
struct Granted {
    delay: Nanos,
    source: DelaySource,
    branch: Branch,
    fallback: Option<(RouteId, FallbackReason)>,
}

impl Granted {
    fn at_once(branch: Branch) -> Self {
        Granted { delay: Nanos::ZERO, source: DelaySource::None, branch, fallback: None }
    }

    fn fall_back(route: RouteId, reason: FallbackReason) -> Self {
        Granted { fallback: Some((route, reason)), ..Granted::at_once(Branch::ModelFallback) }
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
        let read = classifier.classify(outcome);
        let how = match (read.class, outcome.signal) {
            (Class::Ok, Signal::TurnPaused) => Settlement::Paused,
            (Class::Ok, _) => Settlement::Succeeded,
            (class, _) => Settlement::Failed(class),
        };
        budget.settle(self.permit.take(), how, now);
        self.last = LastAttempt { class: read.class, branch: self.branch, route: self.route };
        let attempt = self.attempts;
        let (decision, fallback_reason) = self.decide(policy, &read, outcome, now, budget);
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
                let reason = granted.fallback.map(|(_, reason)| reason);
                (self.commit(granted, now), reason)
            }
            Err(refusal) => {
                let class = read.class;
                let decision = match refusal {
                    Refusal::Stop(reason) => Decision::Stop(Stop { class, reason }),
                    Refusal::Reconcile => {
                        Decision::Reconcile(Stop { class, reason: StopReason::NotReplayable })
                    }
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
        if outcome.vetoed && policy.retry_on().is_none_or(|rule| rule.honour_veto) {
            return Err(Refusal::Stop(StopReason::ServerForbade));
        }
        let authorised = match policy.retry_on() {
            None => {
                let authorised = self.authorise(read)?;
                self.check_replay(policy, read, outcome)?;
                authorised
            }
            Some(_) if read.class == Class::Ok => Authorised::Continue,
            Some(rule) if rule.covers(outcome) => Authorised::Retry,
            // Not the list but the clock ended it.
            Some(_) if outcome.signal == Signal::AttemptTimeout && now >= self.deadline => {
                let (needed, remaining) = (Nanos::ZERO, Nanos::ZERO);
                let reason = StopReason::DeadlineExceeded { needed, remaining };
                return Err(Refusal::Stop(reason));
            }
            Some(_) => return Err(Refusal::Stop(StopReason::NotRetryable)),
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
        let permit = match authorised {
            Authorised::Retry => {
                let draw = self.key.draw(Purpose::Budget, self.attempts);
                let permit = budget.try_withdraw(read.class, draw, now);
                Some(permit.ok_or(Refusal::Stop(StopReason::BudgetDenied))?)
            }
            // Neither repeats a failure of the route, so neither draws on the retry budget.
            Authorised::Reduce | Authorised::Continue => None,
        };
        let scheduled = match authorised {
            Authorised::Retry => self.schedule(policy, read, outcome),
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
                self.bound_used |= read.bound == Bound::Once;
                self.permit = permit;
                Ok(granted)
            }
            Err(refusal) => {
                give_back(permit, budget, now);
                Err(refusal)
            }
        }
    }

    /// What the class allows: a switch with no judgement in it.
    #[inline]
    fn authorise(&self, read: &Classification) -> Result<Authorised, Refusal> {
        let authorised = match read.class {
            Class::Ok => return Ok(Authorised::Continue),
            Class::Transient
            | Class::Throttled
            | Class::Conflict
            | Class::OutcomeUnknown
            | Class::Unknown => Authorised::Retry,
            Class::TooLarge if self.reducible => Authorised::Reduce,
            Class::TooLarge
            | Class::Exhausted
            | Class::InvalidRequest
            | Class::Auth
            | Class::Content => return Err(Refusal::Stop(StopReason::NotRetryable)),
        };
        match read.bound {
            Bound::Policy => Ok(authorised),
            Bound::Once if !self.bound_used => Ok(authorised),
            Bound::Once => Err(Refusal::Stop(StopReason::BoundReached)),
            Bound::Never => Err(Refusal::Stop(StopReason::NotRetryable)),
        }
    }

    /// Whether repeating can do harm.
    #[inline]
    fn check_replay(
        &self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
    ) -> Result<(), Refusal> {
        if outcome.progress == Progress::NotSent || read.class == Class::Ok {
            return Ok(());
        }
        if outcome.progress == Progress::PartialResponse && !self.resumable {
            return Err(Refusal::Reconcile);
        }
        let harmless = policy.replay().is_harmless();
        if read.class == Class::OutcomeUnknown && (self.possible_effect || !harmless) {
            return Err(Refusal::Reconcile);
        }
        if read.needs_key && !harmless {
            return Err(Refusal::Stop(StopReason::NotReplayable));
        }
        Ok(())
    }

    /// Step 7 for a repetition: where it goes and how long it waits.
    #[inline]
    fn schedule(
        &mut self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
    ) -> Result<Granted, Refusal> {
        let next_route = match read.class {
            Class::Transient | Class::Throttled => policy.route_after(self.route),
            // The others may have taken effect here, or concern this route's key.
            _ => None,
        };
        if let Some(route) = next_route {
            let share = policy.fallback().after_attempts;
            if read.route_unavailable {
                return Ok(Granted::fall_back(route, FallbackReason::RouteUnavailable));
            }
            if share.is_some_and(|share| self.attempts_on_route >= share.get()) {
                return Ok(Granted::fall_back(route, FallbackReason::AttemptsOnRoute));
            }
        }
        let rule = policy.retry_after();
        let mut hint = match rule.mode {
            RetryAfterMode::Ignore => None,
            _ => outcome.hint.map(|hint| hint.0),
        };
        if let Some(asked) = hint.filter(|asked| *asked > rule.cap) {
            let stop = Err(Refusal::Stop(StopReason::HintOverCap { asked, cap: rule.cap }));
            match (rule.over_cap, next_route) {
                (OverCap::Stop, _) | (OverCap::Fallback, None) => return stop,
                (OverCap::Fallback, Some(route)) => {
                    return Ok(Granted::fall_back(route, FallbackReason::HintOverCap));
                }
                (OverCap::Clip, _) => hint = Some(rule.cap),
                (OverCap::OwnBackoff, _) => hint = None,
            }
        }
        let clears_by_itself = read.class == Class::Conflict && policy.retry_on().is_none();
        let own = |call: &mut Call| match read.class {
            Class::Conflict if clears_by_itself => CONFLICT_WAIT,
            class => {
                let n = call.retries_on_route;
                let delay = policy.backoff().delay(n, call.previous_delay, class, call.key);
                call.previous_delay = delay;
                delay
            }
        };
        let (wait, source) = match hint {
            Some(hint) if rule.mode == RetryAfterMode::Replace => (hint, DelaySource::Hint),
            Some(hint) => match rule.combine(hint, own(self)) {
                (wait, true) => (wait, DelaySource::Hint),
                (wait, false) => (wait, DelaySource::Backoff),
            },
            None => (own(self), DelaySource::Backoff),
        };
        // A wait that many clients share, because the server or this file chose it, is spread
        // upwards; the own backoff has its own jitter.
        let delay = if source == DelaySource::Hint || clears_by_itself {
            let spread = rule.jitter_ratio.of(wait).get();
            let bits = self.key.draw(Purpose::Hint, self.attempts);
            wait.saturating_add(Nanos::new(scale(bits, spread)))
        } else {
            wait
        };
        Ok(Granted { delay, source, branch: Branch::SameRouteRetry, fallback: None })
    }

    /// Moves the call on to the granted attempt.
    #[inline]
    fn commit(&mut self, granted: Granted, now: Instant) -> Decision {
        self.sent = false;
        self.attempts = self.attempts.saturating_add(1);
        self.branch = granted.branch;
        match granted.fallback {
            Some((route, _)) => {
                self.route = route;
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

fn give_back<B: Budget + ?Sized>(permit: Option<Permit>, budget: &mut B, now: Instant) {
    if let Some(permit) = permit {
        budget.restore(permit, now);
    }
}
