//! What the alerts of production would have said during a run.
//!
//! Decisions are counted in windows of simulated time, whose order does not matter, and judged by
//! the policy core's own rules when the run is over. Windows widen as a run gets longer, so that
//! there are never more than some hundred.

use retrial_policy::telemetry::{
    AlertSpec, Ending, History, Window, dead_branch as find_dead_branch, runaway as find_runaway,
};
use retrial_policy::{DecisionRecord, Instant, Nanos, StopReason, TerminalOutcome};
use serde::{Deserialize, Serialize};

/// The narrowest window: as long as the cohorts by which recovery is judged.
const WINDOW: Nanos = Nanos::from_secs(10);

/// Windows at most.
const MAX_WINDOWS: usize = 360;

/// Counts the decisions of a run.
#[derive(Clone, Debug)]
pub struct Telemetry {
    spec: AlertSpec,
    windows: Vec<Window>,
}

/// What a run's windows say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Signals {
    /// The windows, in order.
    pub bins: Vec<SignalBin>,
    /// The same stop, so often in a window that production would have called somebody; the most
    /// frequent first.
    pub repeated: Vec<Repeated>,
    /// The first time that the share of fallbacks rose.
    pub rising: Option<Rising>,
    /// Failures that a retry was due to and that got none; the most frequent first.
    pub dead_branches: Vec<Repeated>,
    /// Windows in which requests used up their attempts and none succeeded.
    pub runaway: Option<Runaway>,
}

/// One window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignalBin {
    /// Where it begins.
    pub start_ms: f64,
    /// Its width.
    pub width_ms: f64,
    /// Requests that ended.
    pub requests: u64,
    /// Requests that succeeded.
    pub succeeded: u64,
    /// Requests that gave up because all their attempts, several, were made.
    pub at_cap: u64,
    /// Requests that stopped on a failure that must not be repeated.
    pub stopped: u64,
    /// Fallbacks granted.
    pub fallbacks: u64,
    /// The most frequent stop, in words, and how often it came.
    pub top_stop: Option<(String, u64)>,
    /// The alerts and signatures that it shows.
    pub signals: Vec<String>,
}

/// A kind of end without an answer that came often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// Class, code, status and route, in words.
    pub what: String,
    /// The HTTP status.
    pub status: Option<u16>,
    /// Who can do something about it.
    pub owner: String,
    /// It was not repeated because that might do harm, not because of its status or class.
    pub not_replayable: bool,
    /// Whether waiting could have helped.
    pub concerns_availability: bool,
    /// Requests that ended so, in the windows that show the signal.
    pub count: u64,
}

/// A rise of the share of fallbacks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rising {
    /// When the window began.
    pub at_ms: f64,
    /// Fallbacks in it.
    pub fallbacks: u64,
    /// Requests that ended in it.
    pub requests: u64,
    /// Fallbacks in the windows before.
    pub usual_fallbacks: u64,
    /// Requests that ended in those.
    pub usual_requests: u64,
}

/// Attempts at the cap, success zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Runaway {
    /// The beginning of the first such window.
    pub from_ms: f64,
    /// The end of the last one.
    pub until_ms: f64,
    /// Requests in those windows that used up their attempts.
    pub requests: u64,
    /// Attempts that ended in those windows.
    pub attempts: u64,
    /// First tries among those.
    pub first_tries: u64,
    /// The most frequent kind of end in them.
    pub most: Repeated,
}

impl Default for Telemetry {
    fn default() -> Self {
        let spec = AlertSpec { window: WINDOW, ..AlertSpec::default() };
        Telemetry { spec, windows: Vec::new() }
    }
}

impl Telemetry {
    /// Counts a decision of the outermost layer.
    pub fn count(&mut self, at: Instant, record: &DecisionRecord<'_>) {
        let index = loop {
            match usize::try_from(self.spec.window_of(at)) {
                Ok(index) if index < MAX_WINDOWS => break index,
                _ => self.widen(),
            }
        };
        if index >= self.windows.len() {
            self.windows.resize(index + 1, Window::default());
        }
        self.windows[index].count(record);
    }

    fn widen(&mut self) {
        self.spec.window = self.spec.window.saturating_mul(2);
        let pairs = self.windows.chunks(2).map(|pair| {
            let mut sum = Window::default();
            pair.iter().for_each(|window| sum.add(window));
            sum
        });
        self.windows = pairs.collect();
    }

    /// Judges all windows.
    pub fn finish(&self) -> Signals {
        let mut signals = Signals::default();
        let mut history = History::default();
        for (index, window) in self.windows.iter().enumerate() {
            let width = self.spec.window.as_millis_f64();
            let start = index as f64 * width;
            let mut shown = Vec::new();
            for ending in self.spec.repeated(window) {
                shown.push("repeated_stop".to_string());
                add(&mut signals.repeated, ending);
            }
            if let Some(rising) = history.rising(&self.spec, window) {
                shown.push("rising_fallbacks".to_string());
                signals.rising.get_or_insert(Rising {
                    at_ms: start,
                    fallbacks: rising.fallbacks,
                    requests: rising.requests,
                    usual_fallbacks: rising.usual_fallbacks,
                    usual_requests: rising.usual_requests,
                });
            }
            history.push(window);
            if let Some(ending) = find_dead_branch(window) {
                shown.push("dead_branch".to_string());
                add(&mut signals.dead_branches, ending);
            }
            if let Some(ending) = find_runaway(window) {
                shown.push("runaway".to_string());
                signals.run_away(window, ending, start, start + width);
            }
            shown.dedup();
            let top = window.most_frequent(TerminalOutcome::Stopped);
            signals.bins.push(SignalBin {
                start_ms: start,
                width_ms: width,
                requests: window.requests,
                succeeded: window.succeeded,
                at_cap: window.at_cap,
                stopped: window.stopped,
                fallbacks: window.fallbacks,
                top_stop: top.map(|ending| (ending.to_string(), ending.count)),
                signals: shown,
            });
        }
        for kinds in [&mut signals.repeated, &mut signals.dead_branches] {
            // Stable: among equals the first seen comes first.
            kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
        }
        signals
    }
}

impl Signals {
    /// Whether there is nothing to tell.
    pub fn is_quiet(&self) -> bool {
        self.bins.iter().all(|bin| bin.signals.is_empty())
    }

    fn run_away(&mut self, window: &Window, ending: &Ending, from_ms: f64, until_ms: f64) {
        let most = Repeated::of(ending);
        let runaway = self.runaway.get_or_insert(Runaway {
            from_ms,
            until_ms,
            requests: 0,
            attempts: 0,
            first_tries: 0,
            most: Repeated { count: 0, ..most.clone() },
        });
        runaway.until_ms = until_ms;
        runaway.requests += window.at_cap;
        runaway.attempts += window.attempts;
        runaway.first_tries += window.first_tries;
        if most.count > runaway.most.count {
            runaway.most = most;
        }
    }
}

impl Repeated {
    fn of(ending: &Ending) -> Self {
        Repeated {
            what: ending.to_string(),
            status: ending.status,
            owner: ending.stop.owner().as_str().to_string(),
            not_replayable: ending.stop.reason == StopReason::NotReplayable,
            concerns_availability: ending.class.concerns_availability(),
            count: ending.count,
        }
    }
}

fn add(kinds: &mut Vec<Repeated>, ending: &Ending) {
    let more = Repeated::of(ending);
    match kinds.iter_mut().find(|kind| kind.what == more.what) {
        Some(kind) => kind.count += more.count,
        None => kinds.push(more),
    }
}
