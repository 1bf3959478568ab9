//! Steps 3 and 4: what the class of an outcome authorises, and whether repeating is safe.
//!
//! This is the only place that knows what a class leads to. A server's veto takes from that, a
//! server's grant adds to it, each where the class says so below.

use super::{Detour, Refusal};
use crate::branch::RouteId;
use crate::call::Call;
use crate::class::Class;
use crate::classify::{Bound, Classification, RowReplay};
use crate::fallback::FallbackReason;
use crate::outcome::{Outcome, Progress, Signal};
use crate::policy::Policy;
use crate::retry_on::RetryOn;
use crate::routes::List;
use crate::stop::StopReason;
use crate::time::{Instant, Nanos};

/// What a class authorises, before any limit is looked at.
#[derive(Clone, Copy)]
pub(super) enum Authorised {
    /// The same request again.
    Retry {
        /// The next route of the model list, where the class lets another model take over.
        alternative: Option<RouteId>,
    },
    /// The same request on another route, at once.
    Leave(Detour),
    /// A smaller request, once.
    Reduce,
    /// The rest of a paused turn.
    Continue,
}

impl Authorised {
    /// The route of another model that may take over.
    #[inline]
    pub(super) fn alternative(self) -> Option<RouteId> {
        match self {
            Authorised::Retry { alternative } => alternative,
            Authorised::Leave(_) | Authorised::Reduce | Authorised::Continue => None,
        }
    }

    /// Whether it repeats a failure of a route: what the retry budget and a row's bound count.
    ///
    /// A smaller request and the rest of a turn repeat none. Refused content and a spent account
    /// say nothing about whether a route is well, and each of their routes is taken once.
    #[inline]
    pub(super) fn repeats_a_failure(self) -> bool {
        match self {
            Authorised::Retry { .. } => true,
            Authorised::Leave(detour) => match detour.list {
                List::Model => true,
                List::Content | List::Exhausted => false,
            },
            Authorised::Reduce | Authorised::Continue => false,
        }
    }
}

impl Call {
    /// What the class allows. Exhaustive on purpose: a new class does not compile until it has its
    /// place here.
    #[inline]
    pub(super) fn authorise(
        &self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
    ) -> Result<Authorised, Refusal> {
        match read.class {
            // A paused turn: going on is no retry, so that a veto does not concern it.
            Class::Ok => Ok(Authorised::Continue),
            Class::Transient | Class::Throttled => {
                self.check_bound(read.bound)?;
                let alternative = policy.next_route(List::Model, self.closed);
                if outcome.vetoed {
                    return leave_after_veto(alternative, outcome);
                }
                Ok(Authorised::Retry { alternative })
            }
            // What holds the key is on this route, and so is what it did.
            Class::Conflict => {
                self.check_bound(read.bound)?;
                retry_here(outcome)
            }
            // The request may have had its effect, so that neither a veto nor a spent bound is
            // the end of the matter: somebody has to look.
            Class::OutcomeUnknown => {
                if outcome.vetoed || self.check_bound(read.bound).is_err() {
                    return Err(Refusal::Reconcile(StopReason::NotReplayable));
                }
                retry_here(outcome)
            }
            // The bound is a guess about a server that says nothing. This one may have said
            // something; if it said both, the stricter word counts.
            Class::Unknown => {
                let invited = outcome.granted && !outcome.vetoed;
                self.check_bound(if invited { Bound::Policy } else { read.bound })?;
                retry_here(outcome)
            }
            // A veto speaks of this request, and the reduced one is another.
            Class::TooLarge if self.reducible => {
                self.check_bound(read.bound)?;
                Ok(Authorised::Reduce)
            }
            Class::TooLarge => Err(Refusal::Stop(StopReason::NotRetryable)),
            // These leave the route anyway, which is all that a veto could ask; and a bound counts
            // retries, of which there are none.
            Class::Content => self.leave(policy, List::Content, FallbackReason::ContentRefused),
            Class::Exhausted => {
                self.leave(policy, List::Exhausted, FallbackReason::AccountExhausted)
            }
            // Wrong here is wrong everywhere, and no grant makes it right.
            Class::InvalidRequest | Class::Auth => Err(Refusal::Stop(StopReason::NotRetryable)),
        }
    }

    /// What a policy that looks at statuses authorises; classes decide no more than whether a turn
    /// is continued and another model may take over.
    #[inline]
    pub(super) fn authorise_by_status(
        &self,
        rule: &RetryOn,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
        now: Instant,
    ) -> Result<Authorised, Refusal> {
        // Going on with a paused turn is no retry.
        if read.class == Class::Ok {
            return Ok(Authorised::Continue);
        }
        // Such a client has nowhere else to go: a veto that it honours is the end.
        if outcome.vetoed && rule.honour_veto {
            return Err(Refusal::Stop(StopReason::ServerForbade));
        }
        if rule.covers(outcome) {
            let alternative = match read.class {
                Class::Transient | Class::Throttled => policy.next_route(List::Model, self.closed),
                Class::Ok
                | Class::Exhausted
                | Class::InvalidRequest
                | Class::Auth
                | Class::TooLarge
                | Class::Content
                | Class::Conflict
                | Class::OutcomeUnknown
                | Class::Unknown => None,
            };
            return Ok(Authorised::Retry { alternative });
        }
        // Not the list but the clock ended it.
        if outcome.signal == Signal::AttemptTimeout && now >= self.deadline {
            let (needed, remaining) = (Nanos::ZERO, Nanos::ZERO);
            return Err(Refusal::Stop(StopReason::DeadlineExceeded { needed, remaining }));
        }
        Err(Refusal::Stop(StopReason::NotRetryable))
    }

    /// Whether repeating can do harm.
    #[inline]
    pub(super) fn check_replay(
        &self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
    ) -> Result<(), Refusal> {
        if outcome.progress == Progress::NotSent || read.class == Class::Ok {
            return Ok(());
        }
        if outcome.progress == Progress::PartialResponse && !self.resumable {
            return Err(Refusal::Reconcile(StopReason::PartialResponse));
        }
        let harmless = policy.replay().is_harmless();
        if read.class == Class::OutcomeUnknown {
            // The server speaks for its own side, not for what the workflow around the call may
            // have done.
            let harmless = harmless || read.replay == RowReplay::Safe;
            let repeatable = harmless && !self.possible_effect;
            let unknown = Refusal::Reconcile(StopReason::NotReplayable);
            return if repeatable { Ok(()) } else { Err(unknown) };
        }
        if read.replay == RowReplay::NeedsKey && !harmless {
            return Err(Refusal::Stop(StopReason::NotReplayable));
        }
        Ok(())
    }

    #[inline]
    fn check_bound(&self, bound: Bound) -> Result<(), Refusal> {
        match bound {
            Bound::Policy => Ok(()),
            Bound::Once if !self.bound_used => Ok(()),
            Bound::Once => Err(Refusal::Stop(StopReason::BoundReached)),
            Bound::Never => Err(Refusal::Stop(StopReason::NotRetryable)),
        }
    }

    /// The next route of a list that its class owns, else the end.
    fn leave(
        &self,
        policy: &Policy,
        list: List,
        reason: FallbackReason,
    ) -> Result<Authorised, Refusal> {
        match policy.next_route(list, self.closed) {
            Some(route) => Ok(Authorised::Leave(Detour { route, list, reason })),
            None => Err(Refusal::Stop(StopReason::NotRetryable)),
        }
    }
}

/// The same request on this route and no other, unless the server forbade it.
#[inline]
fn retry_here(outcome: &Outcome<'_>) -> Result<Authorised, Refusal> {
    if outcome.vetoed {
        return Err(end_after_veto(outcome));
    }
    Ok(Authorised::Retry { alternative: None })
}

/// A veto closes this route; another model may still take the request, but not one that has been
/// answered in part: to resume is what the server forbade.
fn leave_after_veto(
    alternative: Option<RouteId>,
    outcome: &Outcome<'_>,
) -> Result<Authorised, Refusal> {
    match (outcome.progress, alternative) {
        (Progress::NotSent | Progress::Sent, Some(route)) => {
            let reason = FallbackReason::ServerForbade;
            Ok(Authorised::Leave(Detour { route, list: List::Model, reason }))
        }
        (Progress::NotSent | Progress::Sent, None) | (Progress::PartialResponse, _) => {
            Err(end_after_veto(outcome))
        }
    }
}

/// The end that a veto makes: what reached the caller in part must not be dropped in silence.
fn end_after_veto(outcome: &Outcome<'_>) -> Refusal {
    match outcome.progress {
        Progress::PartialResponse => Refusal::Reconcile(StopReason::PartialResponse),
        Progress::NotSent | Progress::Sent => Refusal::Stop(StopReason::ServerForbade),
    }
}
