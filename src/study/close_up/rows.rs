//! The rows of the files of a close-up: how each is written, and read again.

use crate::measure::close_up::{LatencyCell, SampledAttempt, TimelineBin, WindowDispersion};
use crate::study::files::number;
use serde::Deserialize;

/// A row of a file.
pub trait Row: serde::de::DeserializeOwned {
    /// Its columns, after those of the cell; the names of the fields that they are read into.
    const COLUMNS: &[&str];

    /// What it holds, column by column.
    fn fields(&self) -> Vec<String>;
}

/// Retries that arrive in a span of time and a part of the period.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct PhaseRow {
    /// The beginning of the span.
    pub bin_start_ms: f64,
    /// Its length.
    pub bin_ms: f64,
    /// The beginning of the part, since the beginning of the period.
    pub phase_start_ms: f64,
    /// Its length.
    pub phase_ms: f64,
    /// How many.
    pub retries: u64,
}

/// Accepted requests that took about equally long.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct LatencyRow {
    /// The longest latency of them.
    pub up_to_ms: f64,
    /// How many.
    pub requests: u64,
}

impl Row for SampledAttempt {
    const COLUMNS: &[&str] = &[
        "client",
        "request",
        "planned_ms",
        "attempt",
        "branch",
        "route",
        "sent_ms",
        "ended_ms",
        "outcome",
        "status",
        "class",
        "action",
        "wait_ms",
    ];

    fn fields(&self) -> Vec<String> {
        vec![
            self.client.to_string(),
            self.request.to_string(),
            self.planned_ms.to_string(),
            self.attempt.to_string(),
            self.branch.clone(),
            self.route.clone(),
            self.sent_ms.to_string(),
            number(self.ended_ms),
            self.outcome.as_str().to_string(),
            self.status.map_or_else(String::new, |status| status.to_string()),
            self.class.clone(),
            self.action.clone(),
            number(self.wait_ms),
        ]
    }
}

impl Row for TimelineBin {
    const COLUMNS: &[&str] = &[
        "bin_start_ms",
        "bin_ms",
        "began",
        "attempts",
        "accepted",
        "in_time",
        "gave_up",
        "fallbacks",
        "queue",
        "orbit",
        "budget_level",
        "capacity_per_s",
    ];

    fn fields(&self) -> Vec<String> {
        let mut fields = vec![self.start_ms.to_string(), self.width_ms.to_string()];
        let TimelineBin { began, attempts, accepted, in_time, gave_up, fallbacks, .. } = *self;
        let counts = [began, attempts, accepted, in_time, gave_up, fallbacks];
        fields.extend(counts.map(|count| count.to_string()));
        fields.extend([self.queue, self.orbit].map(|level| level.to_string()));
        fields.extend([self.budget_level, self.capacity_per_s].map(number));
        fields
    }
}

impl Row for PhaseRow {
    const COLUMNS: &[&str] = &["bin_start_ms", "bin_ms", "phase_start_ms", "phase_ms", "retries"];

    fn fields(&self) -> Vec<String> {
        let PhaseRow { bin_start_ms, bin_ms, phase_start_ms, phase_ms, retries } = self;
        let mut fields: Vec<_> =
            [bin_start_ms, bin_ms, phase_start_ms, phase_ms].map(|ms| ms.to_string()).into();
        fields.push(retries.to_string());
        fields
    }
}

impl Row for WindowDispersion {
    const COLUMNS: &[&str] = &["window_ms", "index", "windows"];

    fn fields(&self) -> Vec<String> {
        vec![self.window_ms.to_string(), self.index.to_string(), self.windows.to_string()]
    }
}

impl Row for LatencyRow {
    const COLUMNS: &[&str] = &["up_to_ms", "requests"];

    fn fields(&self) -> Vec<String> {
        vec![self.up_to_ms.to_string(), self.requests.to_string()]
    }
}

impl Row for LatencyCell {
    const COLUMNS: &[&str] =
        &["bin_start_ms", "bin_ms", "latency_from_ms", "latency_to_ms", "accepted", "gave_up"];

    fn fields(&self) -> Vec<String> {
        let mut fields: Vec<_> = [self.start_ms, self.width_ms, self.from_ms, self.to_ms]
            .map(|ms| ms.to_string())
            .into();
        fields.extend([self.accepted, self.gave_up].map(|count| count.to_string()));
        fields
    }
}
