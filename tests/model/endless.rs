//! A run in which time stands still ends with an error, not never.

use retrial::engine::distribution::Distribution;
use retrial::engine::heap_queue::HeapQueue;
use retrial::engine::storm_guard::EndlessInstant;
use retrial::engine::winner_tree::WinnerTree;
use retrial::measure::recorder::Recorder;
use retrial::model::subject::{Planned, Subject};
use retrial::model::world::{Layout, simulate, simulate_with};
use retrial_policy::{
    Attempt, Branch, BudgetSpec, BudgetStack, CallKey, Classification, Decision, DelaySource,
    Instant, Nanos, Observer, Outcome, RouteId, Wait,
};

use super::{RUN, scenario};

/// Retries whatever it gets: once after a moment, then at once and for ever.
struct Insatiable;

const MOMENT: Nanos = Nanos::new(7);

impl Subject for Insatiable {
    type Call = u32;

    fn start(&self, _: CallKey, _: Planned, _: &mut BudgetStack<'_>, _: Instant) -> (u32, Attempt) {
        (1, attempt(1))
    }

    fn on_outcome<O: Observer>(
        &self,
        sent: &mut u32,
        _: Classification,
        _: &Outcome<'_>,
        now: Instant,
        _: &mut BudgetStack<'_>,
        _: &mut O,
    ) -> Decision {
        let delay = if *sent == 1 { MOMENT } else { Nanos::ZERO };
        Decision::RetrySameRoute(Wait {
            delay,
            until: now.saturating_add(delay),
            attempt: *sent + 1,
            route: RouteId::PRIMARY,
            branch: Branch::SameRouteRetry,
            source: DelaySource::Backoff,
        })
    }

    fn next_attempt<O: Observer>(
        &self,
        sent: &mut u32,
        _: &mut BudgetStack<'_>,
        _: Instant,
        _: &mut O,
    ) -> Result<Attempt, Decision> {
        *sent += 1;
        Ok(attempt(*sent))
    }

    fn deadline(&self, _: &u32) -> Instant {
        Instant::MAX
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

fn attempt(number: u32) -> Attempt {
    Attempt {
        number,
        route: RouteId::PRIMARY,
        branch: Branch::SameRouteRetry,
        hold: Nanos::ZERO,
        timeout: None,
        refused: false,
    }
}

/// Fused or not: an error names the instant at which it stands still, not the first one.
#[test]
fn retries_without_delay_over_a_network_without_delay_are_given_up() {
    let scenario = scenario(3, Distribution::ZERO);
    let stuck = Err(EndlessInstant { at: Instant::from_nanos(MOMENT.get()), events: 1_000_001 });
    let recorder = || Recorder::new(&scenario, false);
    assert_eq!(simulate(&scenario, &[Insatiable], RUN, &mut recorder()), stuck);
    let layout = Layout { fused: false, ..Layout::fastest() };
    let unfused = [
        simulate_with::<WinnerTree, _, _>(&scenario, &[Insatiable], RUN, &mut recorder(), &layout),
        simulate_with::<HeapQueue, _, _>(&scenario, &[Insatiable], RUN, &mut recorder(), &layout),
    ];
    assert_eq!(unfused, [stuck, stuck]);
}
