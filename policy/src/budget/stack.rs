//! [`BudgetStack`]: several budgets as one.

use super::{Admission, Budget, BudgetState, Draw, Passage, Permit, Probes, Settlement};
use crate::branch::RouteId;
use crate::class::Class;
use crate::time::{Instant, Nanos};

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
            tell(part.as_budget_mut());
        }
        for part in &mut *self.group {
            tell(part.as_budget_mut());
        }
    }

    /// As [`BudgetStack::for_each`], with the passage as each part sees it.
    #[inline]
    fn for_each_passage(
        &mut self,
        passage: Passage,
        mut tell: impl FnMut(&mut dyn Budget, Passage),
    ) {
        let mut number = 0;
        self.for_each(|part| {
            tell(part, Passage { probes: passage.probes.of_part(number), ..passage });
            number += 1;
        });
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
    fn is_available(&self, route: RouteId, now: Instant) -> bool {
        let mut parts = self.client.iter().chain(self.group.iter());
        parts.all(|part| part.as_budget().is_available(route, now))
    }

    #[inline]
    fn admit(&mut self, passage: Passage, draw: Draw, now: Instant) -> Admission {
        let (mut longest, mut all, mut number, mut refused) = (Nanos::ZERO, Probes::NONE, 0, false);
        self.for_each(|part| {
            if refused {
                return;
            }
            match part.admit(passage, draw, now) {
                Admission::Granted { hold, probes } => {
                    longest = longest.max(hold);
                    all = all.with_part(number, probes);
                    number += 1;
                }
                Admission::Refused => refused = true,
            }
        });
        if !refused {
            return Admission::Granted { hold: longest, probes: all };
        }
        self.for_each_passage(Passage { probes: all, ..passage }, |part, passage| {
            if number > 0 {
                part.recall(passage, now);
                number -= 1;
            }
        });
        Admission::Refused
    }

    #[inline]
    fn recall(&mut self, passage: Passage, now: Instant) {
        self.for_each_passage(passage, |part, passage| part.recall(passage, now));
    }

    #[inline]
    fn on_hint(&mut self, route: RouteId, class: Class, hint: Nanos, now: Instant) {
        self.for_each(|part| part.on_hint(route, class, hint, now));
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
    fn settle(&mut self, passage: Passage, how: Settlement, now: Instant) {
        self.for_each_passage(passage, |part, passage| part.settle(passage, how, now));
    }

    #[inline]
    fn concurrency(&self) -> u32 {
        BudgetState::min_concurrency(self.client).min(BudgetState::min_concurrency(self.group))
    }
}
