//! Step 7 for a repetition: where it goes and how long it waits.

use super::{Granted, Refusal};
use crate::branch::{Branch, RouteId};
use crate::call::Call;
use crate::class::Class;
use crate::classify::Classification;
use crate::decision::DelaySource;
use crate::fallback::FallbackReason;
use crate::key::Purpose;
use crate::mix::scale;
use crate::outcome::Outcome;
use crate::policy::Policy;
use crate::retry_after::{OverCap, RetryAfterMode};
use crate::stop::StopReason;
use crate::time::Nanos;

/// How long a conflict takes to clear: the other holder of the idempotency key is about to finish.
const CONFLICT_WAIT: Nanos = Nanos::from_secs(1);

impl Call {
    /// On this route after a wait, or at once on `alternative` where the policy prefers that.
    #[inline]
    pub(super) fn schedule(
        &mut self,
        policy: &Policy,
        read: &Classification,
        outcome: &Outcome<'_>,
        alternative: Option<RouteId>,
    ) -> Result<Granted, Refusal> {
        if let Some(route) = alternative {
            let share = policy.fallback().after_attempts;
            if read.route_unavailable {
                return Ok(Granted::model(route, FallbackReason::RouteUnavailable));
            }
            if share.is_some_and(|share| self.attempts_on_route >= share.get()) {
                return Ok(Granted::model(route, FallbackReason::AttemptsOnRoute));
            }
        }
        let rule = policy.retry_after();
        let mut hint = match rule.mode {
            RetryAfterMode::Ignore => None,
            _ => outcome.hint.map(|hint| hint.0),
        };
        if let Some(asked) = hint.filter(|asked| *asked > rule.cap) {
            let stop = Err(Refusal::Stop(StopReason::HintOverCap { asked, cap: rule.cap }));
            match (rule.over_cap, alternative) {
                (OverCap::Stop, _) | (OverCap::Fallback, None) => return stop,
                (OverCap::Fallback, Some(route)) => {
                    return Ok(Granted::model(route, FallbackReason::HintOverCap));
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
            let spread = rule.jitter_ratio.of(wait).saturating_add(rule.add).get();
            let bits = self.key.draw(Purpose::Hint, self.attempts);
            wait.saturating_add(Nanos::new(scale(bits, spread)))
        } else {
            wait
        };
        Ok(Granted { delay, source, branch: Branch::SameRouteRetry, detour: None })
    }
}
