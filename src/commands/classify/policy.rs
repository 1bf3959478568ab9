//! The policy that decides.

use clap::Args as ClapArgs;
use retrial_policy::{
    Backoff, Fallback, Jitter, Nanos, OverCap, Policy, PolicySpec, Replay, RetryAfter,
};

use crate::commands::input::fault;
use crate::commands::policy_argument;
use crate::experiment::diagnostic::Report;

/// The other route that is assumed.
const OTHER: &str = "fallback";

/// What the caller and the policy are.
#[derive(Debug, ClapArgs)]
pub(super) struct CallFlags {
    /// A policy file, or a preset [default: full jitter; waits up to 300 s, then a fallback; a fallback for
    /// outages and refused content, none for a spent account]
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// The request carried an idempotency key that the provider honours
    #[arg(long)]
    idempotency_key: bool,
    /// The request has no side effects
    #[arg(long)]
    replay_safe: bool,
    /// There is no other route
    #[arg(long)]
    no_fallback: bool,
}

impl CallFlags {
    /// What the flags say of repeating the call.
    pub(super) fn replay(&self) -> Replay {
        Replay { safe: self.replay_safe, idempotency_key: self.idempotency_key }
    }
}

/// What a policy is made from, whatever the call.
pub(super) struct Assumed(PolicySpec);

impl Assumed {
    /// The policy of the flags.
    ///
    /// # Errors
    ///
    /// Its file can't be read or holds no policy.
    pub(super) fn new(flags: &CallFlags) -> Result<Self, Report> {
        let mut spec = match &flags.policy {
            Some(argument) => given(argument)?,
            None => usual(),
        };
        if flags.no_fallback {
            spec.fallback = Fallback::default();
        }
        Ok(Assumed(spec))
    }

    /// The policy for calls of which `replay` holds beside what the policy says itself.
    ///
    /// # Errors
    ///
    /// The policy contradicts itself; none that was read from a file does.
    pub(super) fn policy(&self, replay: Replay) -> Result<Policy, Report> {
        let own = self.0.replay;
        let replay = Replay {
            safe: own.safe || replay.safe,
            idempotency_key: own.idempotency_key || replay.idempotency_key,
        };
        Policy::new(PolicySpec { replay, ..self.0.clone() })
            .map_err(|error| fault(format!("the policy: {error}")))
    }
}

/// What a careful client of an API does.
fn usual() -> PolicySpec {
    PolicySpec {
        backoff: Backoff::exponential(Nanos::from_millis(500))
            .cap(Nanos::from_secs(20))
            .jitter(Jitter::Full),
        retry_after: RetryAfter {
            cap: Nanos::from_secs(300),
            over_cap: OverCap::Fallback,
            ..RetryAfter::default()
        },
        fallback: Fallback {
            routes: vec![OTHER.into()],
            content: vec![OTHER.into()],
            ..Fallback::default()
        },
        ..PolicySpec::default()
    }
}

fn given(argument: &str) -> Result<PolicySpec, Report> {
    let policy = policy_argument::resolve(argument)?.policy;
    Ok(PolicySpec {
        backoff: policy.backoff().clone(),
        limits: *policy.limits(),
        retry_after: *policy.retry_after(),
        budgets: policy.budgets().to_vec(),
        fallback: policy.fallback().clone(),
        replay: policy.replay(),
        retry_on: policy.retry_on().cloned(),
        inner: policy.inner().cloned().map(Box::new),
    })
}
