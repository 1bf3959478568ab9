//! [`CloseUp`]: one run in more detail than its metrics, for the pictures of a design review.
//!
//! A figure says that a policy clusters; the picture of who sent what when says why. Pictures show
//! one run of each policy at one point, so that run is made once more for a listener of its own, and
//! the runs that figures come from carry nothing of it.

mod latency_map;
mod listener;
mod phases;
mod sample;
mod timeline;

pub use listener::close_up;

use serde::{Deserialize, Serialize};

use super::latency::Buckets;
use super::telemetry::Signals;

/// One run of one policy, close up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CloseUp {
    /// What the run's pictures need to know besides what happened.
    pub about: About,
    /// The attempts of some clients, by client and in the order of sending.
    pub attempts: Vec<SampledAttempt>,
    /// What happened when, in bins of one width.
    pub timeline: Vec<TimelineBin>,
    /// Retries by their place within the period of the backoff; `None` where it has no period, or
    /// there are none.
    pub phases: Option<Phases>,
    /// The index of dispersion of arrivals by width of the window, from narrow to wide; windows for
    /// which it can't be estimated are left out.
    pub dispersion: Vec<WindowDispersion>,
    /// The latencies of accepted requests.
    pub latencies: Buckets,
    /// Requests that ended by when they were to begin and by how long they took.
    pub latency_map: Vec<LatencyCell>,
}

/// What is known of a run beforehand, and what alerts would have said of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Clients of the run.
    pub clients: u32,
    /// The attempts are those of clients 0, `every`, 2 · `every`, …
    pub every: u32,
    /// The attempts are those that were sent before; `None` where none had to be left out.
    pub attempts_until_ms: Option<f64>,
    /// How long a request may take; `None` is unlimited.
    pub deadline_ms: Option<f64>,
    /// The period of the backoff: its base, or the wait of a backoff that has none.
    pub period_ms: Option<f64>,
    /// When the routes were disturbed, by beginning; `None` is to the end of the run.
    pub faults: Vec<(f64, Option<f64>)>,
    /// Where the run ended.
    pub end_ms: f64,
    /// What alerts would have said.
    pub signals: Signals,
}

/// An attempt of a sampled client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampledAttempt {
    /// The client.
    pub client: u32,
    /// Its logical request, from 0.
    pub request: u32,
    /// When the request was to begin.
    pub planned_ms: f64,
    /// The attempt, from 1.
    pub attempt: u32,
    /// Its branch, as decision records call it.
    pub branch: String,
    /// The route it was sent to.
    pub route: String,
    /// When it left its client.
    pub sent_ms: f64,
    /// When its client knew the outcome; `None` if it was in flight when the run was over.
    pub ended_ms: Option<f64>,
    /// What became of it.
    pub outcome: AttemptOutcome,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The class of the outcome, as decision records call it; empty while it is in flight.
    pub class: String,
    /// What the policy did then, as decision records call it; empty while it is in flight.
    pub action: String,
    /// How long the request then waits for its next attempt.
    pub wait_ms: Option<f64>,
}

/// What became of an attempt, as its client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// It brought an accepted answer.
    Accepted,
    /// The route refused it when it arrived: a limit, a full queue, a fault.
    Refused,
    /// It was served, and what came back was no answer.
    Failed,
    /// The client waited no longer, or no reply came.
    TimedOut,
    /// The run was over first.
    InFlight,
}

impl AttemptOutcome {
    /// The name used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            AttemptOutcome::Accepted => "accepted",
            AttemptOutcome::Refused => "refused",
            AttemptOutcome::Failed => "failed",
            AttemptOutcome::TimedOut => "timed_out",
            AttemptOutcome::InFlight => "in_flight",
        }
    }
}

/// One bin of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimelineBin {
    /// Where it begins.
    #[serde(rename = "bin_start_ms")]
    pub start_ms: f64,
    /// Its width.
    #[serde(rename = "bin_ms")]
    pub width_ms: f64,
    /// Logical requests that began: the load that is offered.
    pub began: u64,
    /// Attempts that reached a route: the load that arrives.
    pub attempts: u64,
    /// Logical requests that ended with an accepted answer.
    pub accepted: u64,
    /// Those of them that ended within their deadline: goodput.
    pub in_time: u64,
    /// Logical requests that ended otherwise.
    pub gave_up: u64,
    /// Attempts that left for a fallback.
    pub fallbacks: u64,
    /// Time average of attempts that wait at the routes.
    pub queue: f64,
    /// Time average of logical requests that wait between attempts.
    pub orbit: f64,
    /// How full the retry budgets are, from 0 to 1, averaged over the clients or groups that have
    /// one; `None` where no part of the policy's budget has a level.
    pub budget_level: Option<f64>,
    /// What the first route can serve at most, in attempts per second, faults and limits considered;
    /// `None` is unlimited.
    pub capacity_per_s: Option<f64>,
}

/// A histogram of arriving retries over time and phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phases {
    /// The period.
    pub period_ms: f64,
    /// The width of a column: a whole number of periods.
    pub column_ms: f64,
    /// Rows that the period is divided into.
    pub rows: u32,
    /// Column, row and retries of each cell that has some, in order.
    pub cells: Vec<(u32, u32, u64)>,
}

/// The index of dispersion at one width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowDispersion {
    /// The width.
    pub window_ms: f64,
    /// Variance ÷ mean of the arrivals per window; 1 for a Poisson stream.
    pub index: f64,
    /// Whole windows between the first and the last arrival.
    pub windows: u64,
}

/// Requests that were to begin in one span of time and took about equally long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyCell {
    /// The beginning of the span.
    #[serde(rename = "bin_start_ms")]
    pub start_ms: f64,
    /// Its width.
    #[serde(rename = "bin_ms")]
    pub width_ms: f64,
    /// The shortest latency.
    #[serde(rename = "latency_from_ms")]
    pub from_ms: f64,
    /// The longest latency, which belongs to the next cell.
    #[serde(rename = "latency_to_ms")]
    pub to_ms: f64,
    /// How many ended with an accepted answer.
    pub accepted: u64,
    /// How many ended otherwise.
    pub gave_up: u64,
}
