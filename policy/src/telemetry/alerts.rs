//! [`Alerts`]: the same stop again and again, and a rising share of fallbacks.

use core::fmt;

use super::endings::Ending;
use super::window::Window;
use crate::observer::Observer;
use crate::record::DecisionRecord;
use crate::terminal_outcome::TerminalOutcome;
use crate::time::{Instant, Nanos};

/// When to call somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlertSpec {
    /// Windows follow one another without a gap; each is as long as this.
    pub window: Nanos,
    /// The same stop (route, class, code) so often in one window is an alert.
    pub repeated_stops: u64,
    /// Requests that a window, and those before it together, must have for a share to mean
    /// something.
    pub min_requests: u64,
    /// Fallbacks per hundred requests below which no share is an alert.
    pub fallback_floor: u64,
    /// How many times the share of the windows before is a rise.
    pub fallback_rise: u64,
}

impl Default for AlertSpec {
    /// Ten equal stops within a minute; or twice the fallbacks of the ten minutes before, from one in
    /// ten requests on, where there are fifty requests.
    fn default() -> Self {
        AlertSpec {
            window: Nanos::from_secs(60),
            repeated_stops: 10,
            min_requests: 50,
            fallback_floor: 10,
            fallback_rise: 2,
        }
    }
}

impl AlertSpec {
    /// The number of the window in which `at` lies.
    pub fn window_of(&self, at: Instant) -> u64 {
        at.as_nanos() / self.window.get().max(1)
    }

    /// The stops of a window that came so often.
    pub fn repeated<'w>(&self, window: &'w Window) -> impl Iterator<Item = &'w Ending> {
        let least = self.repeated_stops.max(1);
        window.endings.iter().filter(move |kind| is_stop(kind) && kind.count >= least)
    }
}

/// Whether it ended on a failure that must not be repeated. What was tried as long as allowed says
/// something about availability, and is no matter for this alert.
fn is_stop(kind: &Ending) -> bool {
    kind.outcome == TerminalOutcome::Stopped
}

/// Something for a person to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alert {
    /// The same stop again and again: configuration, credentials or account.
    RepeatedStop {
        /// The stop, and how often it came in the window.
        ending: Ending,
        /// The length of the window.
        window: Nanos,
    },
    /// A rising share of fallbacks: the route, or the table that reads its replies.
    RisingFallbacks(RisingFallbacks),
}

/// A share of fallbacks, and what it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RisingFallbacks {
    /// Fallbacks in the window.
    pub fallbacks: u64,
    /// Requests that ended in it.
    pub requests: u64,
    /// Fallbacks in the windows before.
    pub usual_fallbacks: u64,
    /// Requests that ended in those.
    pub usual_requests: u64,
}

impl fmt::Display for Alert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Alert::RepeatedStop { ending, window } => {
                let (count, owner) = (ending.count, ending.stop.owner().as_str());
                let requests = if count == 1 { "request" } else { "requests" };
                let advice = ending.stop.advice();
                write!(f, "stopped {count} {requests} within {window} with {ending}")?;
                write!(f, "; {owner}: {advice}")
            }
            Alert::RisingFallbacks(rising) => {
                let RisingFallbacks { fallbacks, requests, usual_fallbacks, usual_requests } =
                    rising;
                write!(f, "{fallbacks} fallbacks in {requests} requests")?;
                write!(f, " against {usual_fallbacks} in {usual_requests} before")?;
                write!(f, "; route: check it, and the table that reads its replies")
            }
        }
    }
}

/// Windows that a share is compared with.
const WINDOWS_BEFORE: usize = 10;

/// The shares of the last ten windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Fallbacks and requests.
    shares: [(u64, u64); WINDOWS_BEFORE],
    next: usize,
}

impl History {
    /// Adds a window, and forgets the eleventh before.
    pub fn push(&mut self, window: &Window) {
        self.shares[self.next] = (window.fallbacks, window.requests);
        self.next = (self.next + 1) % WINDOWS_BEFORE;
    }

    /// Whether the share of fallbacks in `window` rises above that of the windows before: at least
    /// `fallback_floor` per cent and `fallback_rise` times as much, both over enough requests.
    pub fn rising(&self, spec: &AlertSpec, window: &Window) -> Option<RisingFallbacks> {
        let Window { fallbacks, requests, .. } = *window;
        let before = self.shares.iter();
        let (usual_fallbacks, usual_requests) =
            before.fold((0_u64, 0_u64), |sum, share| (sum.0 + share.0, sum.1 + share.1));
        let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let enough =
            requests >= spec.min_requests.max(1) && usual_requests >= spec.min_requests.max(1);
        let above_floor =
            fallbacks > 0 && wide(fallbacks, 100) >= wide(requests, spec.fallback_floor);
        let usual = wide(usual_fallbacks, requests).saturating_mul(spec.fallback_rise.into());
        let rises = wide(fallbacks, usual_requests) >= usual;
        (enough && above_floor && rises).then_some(RisingFallbacks {
            fallbacks,
            requests,
            usual_fallbacks,
            usual_requests,
        })
    }
}

/// Watches records for the two alerts. A driver gives the time with each decision
/// ([`Alerts::at`]) and asks for alerts when it likes ([`Alerts::next_alert`]), at least once a
/// window: what was not asked for is forgotten with the window.
///
/// A repeated stop is an alert once in each window, as soon as it has come often enough; a rising
/// share is one when its window is over, which the first record after it tells.
#[derive(Clone, Debug)]
pub struct Alerts {
    spec: AlertSpec,
    /// The number of the current window.
    index: u64,
    current: Window,
    history: History,
    rising: Option<RisingFallbacks>,
}

impl Alerts {
    /// Nothing seen yet. Allocates all it will ever need.
    pub fn new(spec: AlertSpec) -> Self {
        Alerts {
            spec,
            index: 0,
            current: Window::with_capacity(),
            history: History::default(),
            rising: None,
        }
    }

    /// An observer of what is decided at `now`. A time earlier than the last one counts as that.
    pub fn at(&mut self, now: Instant) -> AlertsAt<'_> {
        AlertsAt { alerts: self, now }
    }

    /// What somebody should be told.
    pub fn next_alert(&mut self) -> Option<Alert> {
        if let Some(rising) = self.rising.take() {
            return Some(Alert::RisingFallbacks(rising));
        }
        let ending = self.current.endings.iter_mut().find(|kind| kind.due)?;
        ending.due = false;
        Some(Alert::RepeatedStop { ending: *ending, window: self.spec.window })
    }

    fn observe(&mut self, record: &DecisionRecord<'_>, now: Instant) {
        let index = self.spec.window_of(now);
        if index > self.index {
            self.roll(index);
        }
        let least = self.spec.repeated_stops.max(1);
        if let Some(kind) = self.current.counted(record) {
            kind.due |= is_stop(kind) && kind.count == least;
        }
    }

    /// The current window is over, and that of `index` begins.
    fn roll(&mut self, index: u64) {
        self.rising = self.history.rising(&self.spec, &self.current);
        self.history.push(&self.current);
        self.current.clear();
        // Windows in which nothing happened are part of what is usual.
        let empty = (index - self.index - 1).min(WINDOWS_BEFORE as u64);
        (0..empty).for_each(|_| self.history.push(&self.current));
        self.index = index;
    }
}

/// [`Alerts`] at a point in time.
#[derive(Debug)]
pub struct AlertsAt<'a> {
    alerts: &'a mut Alerts,
    now: Instant,
}

impl Observer for AlertsAt<'_> {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        self.alerts.observe(record, self.now);
    }

    fn decided_in_layer(&mut self, depth: usize, record: &DecisionRecord<'_>) {
        if depth == 0 {
            self.decided(record);
        }
    }
}
