//! Retry budgets: how many further attempts a client, or a group of clients, may make.
//!
//! A budget is asked when a further attempt is decided, never after the wait, and a refusal ends
//! the call. What it grants is a [`Permit`], which comes back in full if the attempt is not made
//! after all. Some budgets also bound how many logical requests are in flight at once.

pub mod aimd;
pub mod token_bucket;

use alloc::vec::Vec;

use self::aimd::{Aimd, AimdSpec};
use self::token_bucket::{TokenBucket, TokenBucketSpec};
use crate::class::Class;
use crate::config_error::ConfigError;
use crate::time::{Instant, Nanos};

/// A budget granted one further attempt. Small, because every waiting call holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permit {
    /// The class of the failure that asked for it; some budgets charge by class.
    pub class: Class,
}

/// How an attempt ended, for the budget's books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// With an accepted answer.
    Succeeded,
    /// With a failure of this class.
    Failed(Class),
    /// With a paused turn, which is neither.
    Paused,
    /// The caller gave the call up while it was in flight.
    Cancelled,
}

/// A shared allowance of further attempts.
pub trait Budget {
    /// A call began.
    fn on_request(&mut self, _now: Instant) {}

    /// A call is over.
    fn on_request_end(&mut self, _now: Instant) {}

    /// How long any attempt, the first included, must be held before it is sent.
    fn admit(&mut self, _now: Instant) -> Nanos {
        Nanos::ZERO
    }

    /// Asks for a further attempt after a failure of `class`. `draw` is 64 random bits for
    /// budgets that refuse by chance. `None` is a refusal, and nothing was taken.
    fn try_withdraw(&mut self, class: Class, draw: u64, now: Instant) -> Option<Permit>;

    /// Gives a permit back in full: the attempt it allowed was never made.
    fn restore(&mut self, permit: Permit, now: Instant);

    /// An attempt is over. Called once for each attempt that was sent, with the permit that
    /// allowed it; a first try, a reduction and a continuation need none.
    fn settle(&mut self, _permit: Option<Permit>, _how: Settlement, _now: Instant) {}

    /// How many logical requests may be in flight now. Whoever drives the calls holds back what is
    /// above; those in flight already are not called off.
    fn concurrency(&self) -> u32 {
        u32::MAX
    }
}

/// Grants everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn try_withdraw(&mut self, class: Class, _draw: u64, _now: Instant) -> Option<Permit> {
        Some(Permit { class })
    }

    fn restore(&mut self, _permit: Permit, _now: Instant) {}
}

/// Who shares a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All calls of one client.
    #[default]
    Client,
    /// All clients of a group.
    Group,
}

/// One `[[budget]]` of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetSpec {
    /// Who shares it.
    pub scope: Scope,
    /// Its rule and parameters.
    pub kind: BudgetKind,
}

/// The rule of a budget, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BudgetKind {
    /// Retries cost tokens, successes pay some back.
    TokenBucket(TokenBucketSpec),
    /// Throttling lowers the number of logical requests in flight, successes raise it.
    Aimd(AimdSpec),
}

impl BudgetSpec {
    pub(crate) fn validate(&self, index: usize) -> Result<(), ConfigError> {
        match &self.kind {
            BudgetKind::TokenBucket(spec) => spec.validate(index),
            BudgetKind::Aimd(spec) => spec.validate(index),
        }
    }

    /// Whether it refuses retries once there are too many.
    pub fn bounds_retries(&self) -> bool {
        match self.kind {
            BudgetKind::TokenBucket(_) => true,
            BudgetKind::Aimd(_) => false,
        }
    }

    /// A fresh budget of this kind.
    pub fn open(&self) -> BudgetState {
        match self.kind {
            BudgetKind::TokenBucket(spec) => BudgetState::TokenBucket(TokenBucket::full(spec)),
            BudgetKind::Aimd(spec) => BudgetState::Aimd(Aimd::open(spec)),
        }
    }
}

/// The state of one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BudgetState {
    /// See [`TokenBucket`].
    TokenBucket(TokenBucket),
    /// See [`Aimd`].
    Aimd(Aimd),
}

const _: () = assert!(size_of::<BudgetState>() <= 40, "a client's budget shares its cache line");

impl BudgetState {
    /// Fresh budgets for all parts of a policy that have `scope`.
    pub fn open_all(specs: &[BudgetSpec], scope: Scope) -> Vec<BudgetState> {
        specs.iter().filter(|spec| spec.scope == scope).map(BudgetSpec::open).collect()
    }

    /// How many logical requests of its scope may be in flight now.
    #[inline]
    pub fn concurrency(&self) -> u32 {
        match self {
            BudgetState::TokenBucket(bucket) => bucket.concurrency(),
            BudgetState::Aimd(aimd) => aimd.concurrency(),
        }
    }

    /// The least of all `parts`; [`u32::MAX`] without any.
    #[inline]
    pub fn min_concurrency(parts: &[BudgetState]) -> u32 {
        parts.iter().map(BudgetState::concurrency).min().unwrap_or(u32::MAX)
    }

    fn as_budget(&mut self) -> &mut dyn Budget {
        match self {
            BudgetState::TokenBucket(bucket) => bucket,
            BudgetState::Aimd(aimd) => aimd,
        }
    }
}

/// The parts of a policy's budget that a call meets: those of its client, then those of its group.
/// All must grant; what one refuses costs the others nothing.
#[derive(Debug)]
pub struct BudgetStack<'a> {
    /// The client's own parts.
    pub client: &'a mut [BudgetState],
    /// The parts that all clients of the group share.
    pub group: &'a mut [BudgetState],
}

impl BudgetStack<'_> {
    /// Two plain loops: most policies have no budget at all, and then this costs two comparisons.
    #[inline]
    fn for_each(&mut self, mut tell: impl FnMut(&mut dyn Budget)) {
        for part in &mut *self.client {
            tell(part.as_budget());
        }
        for part in &mut *self.group {
            tell(part.as_budget());
        }
    }
}

impl Budget for BudgetStack<'_> {
    #[inline]
    fn on_request(&mut self, now: Instant) {
        self.for_each(|part| part.on_request(now));
    }

    #[inline]
    fn on_request_end(&mut self, now: Instant) {
        self.for_each(|part| part.on_request_end(now));
    }

    #[inline]
    fn admit(&mut self, now: Instant) -> Nanos {
        let mut hold = Nanos::ZERO;
        self.for_each(|part| hold = hold.max(part.admit(now)));
        hold
    }

    #[inline]
    fn try_withdraw(&mut self, class: Class, draw: u64, now: Instant) -> Option<Permit> {
        let permit = Permit { class };
        let mut granted = 0_usize;
        let mut refused = false;
        self.for_each(|part| {
            refused = refused || part.try_withdraw(class, draw, now).is_none();
            granted += usize::from(!refused);
        });
        if refused {
            self.for_each(|part| {
                if granted > 0 {
                    part.restore(permit, now);
                    granted -= 1;
                }
            });
            return None;
        }
        Some(permit)
    }

    #[inline]
    fn restore(&mut self, permit: Permit, now: Instant) {
        self.for_each(|part| part.restore(permit, now));
    }

    #[inline]
    fn settle(&mut self, permit: Option<Permit>, how: Settlement, now: Instant) {
        self.for_each(|part| part.settle(permit, how, now));
    }

    #[inline]
    fn concurrency(&self) -> u32 {
        BudgetState::min_concurrency(self.client).min(BudgetState::min_concurrency(self.group))
    }
}
