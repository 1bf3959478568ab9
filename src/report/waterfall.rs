//! The life of a logical request as a waterfall: a row a decision, on one axis of time.

use retrial_policy::{DecisionRecord, Instant, Nanos};

use super::figures;
use crate::measure::decision_log::{RequestTrace, SentAttempt, TracedDecision};

/// An attempt in flight.
const FLIGHT: char = '█';
/// The wait after it.
const WAIT: char = '░';

/// The narrowest bar that still shows something.
const MIN_BAR: usize = 16;
/// The widest bar; beyond it nothing more is seen.
const MAX_BAR: usize = 60;

/// What a request went through under `policy`, in lines of `width` characters where they fit.
pub fn waterfall(policy: &str, trace: &RequestTrace, width: usize) -> String {
    let axis = Axis::of(trace);
    let layered = trace.decisions.iter().any(|decision| decision.depth > 0);
    let mut header = vec!["#", "sent"];
    header.extend(layered.then_some("layer"));
    header.extend(["route", "branch", "outcome", "action", "left"]);
    let rows: Vec<_> = rows(trace, &axis, layered);
    let columns: Vec<usize> = (0..header.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row.cells[column].chars().count());
            cells.chain([header[column].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let text: usize = columns.iter().map(|column| column + GAP.len()).sum();
    let bar = width.saturating_sub(text + GAP.len()).clamp(MIN_BAR, MAX_BAR);
    let mut lines = vec![title(policy, trace)];
    lines.push(line(&header, &columns, &axis.scale(bar)));
    for row in &rows {
        let cells: Vec<_> = row.cells.iter().map(String::as_str).collect();
        lines.push(line(&cells, &columns, &axis.bar(row, bar)));
    }
    if let Some(message) = trace.decisions.last().map(|decision| decision.record.get())
        && let Some(message) = message.stop_message()
    {
        lines.push(format!("{GAP}{message}"));
    }
    lines.join("\n")
}

/// Between columns.
const GAP: &str = "  ";

/// Who, and what became of it.
fn title(policy: &str, trace: &RequestTrace) -> String {
    let id = trace.id;
    let key = trace.decisions.first().map(|decision| decision.record.get().logical_request_id);
    let key = key.map_or_else(String::new, |key| format!(" ({key})"));
    let attempts = match trace.attempts.len() {
        1 => "1 attempt".to_string(),
        n => format!("{n} attempts"),
    };
    let end = match trace.end {
        Some((at, outcome)) => {
            format!("{} after {attempts} in {}", outcome.as_str(), span(id.planned, at))
        }
        None => format!("unfinished after {attempts}"),
    };
    format!(
        "`{policy}`, client {}, request {}{key}, planned at {}: {end}",
        id.client,
        id.request,
        span(Instant::from_nanos(0), id.planned),
    )
}

/// A line: the first two columns, the bar, and the others.
fn line(cells: &[&str], columns: &[usize], bar: &str) -> String {
    let mut line = String::new();
    for (index, (cell, width)) in cells.iter().zip(columns).enumerate() {
        match index {
            // Numbers and times end below each other.
            0 | 1 => line.push_str(&format!("{GAP}{cell:>width$}")),
            _ => line.push_str(&format!("{GAP}{cell:<width$}")),
        }
        if index == 1 {
            line.push_str(&format!("{GAP}{bar}"));
        }
    }
    line.trim_end().to_string()
}

/// What a line shows: an attempt, a decision, or both.
struct Row {
    cells: Vec<String>,
    attempt: Option<SentAttempt>,
    /// The wait that the decision began.
    wait: Option<(Instant, Instant)>,
}

fn rows(trace: &RequestTrace, axis: &Axis, layered: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut shown = 0;
    for decision in &trace.decisions {
        let record = decision.record.get();
        // The first decision after an attempt has its bar; layers outside decide on the same one.
        let attempt = trace.attempt_before(decision).filter(|attempt| attempt.number > shown);
        shown = attempt.map_or(shown, |attempt| attempt.number);
        let mut cells = opening(attempt, axis);
        cells.extend(layered.then(|| (decision.depth + 1).to_string()));
        cells.extend([
            record.route.to_string(),
            record.branch.to_string(),
            outcome(&record),
            action(&record),
            left(&record),
        ]);
        rows.push(Row { cells, attempt: attempt.copied(), wait: wait(decision, &record) });
    }
    // What was in flight when the run was over.
    for attempt in trace.attempts.iter().filter(|attempt| attempt.number > shown) {
        let mut cells = opening(Some(attempt), axis);
        let columns = if layered { 6 } else { 5 };
        cells.extend(std::iter::repeat_n(String::new(), columns));
        rows.push(Row { cells, attempt: Some(*attempt), wait: None });
    }
    rows
}

/// The number of an attempt, and when it was sent.
fn opening(attempt: Option<&SentAttempt>, axis: &Axis) -> Vec<String> {
    match attempt {
        Some(attempt) => {
            vec![attempt.number.to_string(), format!("+{}", span(axis.from, attempt.sent))]
        }
        None => vec![String::new(), "not sent".to_string()],
    }
}

fn wait(decision: &TracedDecision, record: &DecisionRecord<'_>) -> Option<(Instant, Instant)> {
    let delay = record.delay?;
    Some((decision.at, decision.at.saturating_add(delay)))
}

/// What came back.
fn outcome(record: &DecisionRecord<'_>) -> String {
    let status = record.status.map(|status| status.to_string());
    let parts = [Some(record.class.to_string()), status, record.code.map(str::to_string)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// What was done about it.
fn action(record: &DecisionRecord<'_>) -> String {
    let action = record.action.as_str();
    match record.delay {
        Some(delay) => {
            let delay = figures::milliseconds(delay.as_millis_f64());
            let why = record.fallback_reason.map_or(record.delay_source.as_str(), |r| r.as_str());
            format!("{action} in {delay} ({why})")
        }
        None => action.to_string(),
    }
}

/// What may still be tried, and for how long.
fn left(record: &DecisionRecord<'_>) -> String {
    let attempts = record.remaining_attempts.map(|attempts| attempts.to_string());
    let time = record.remaining_time.map(|time| figures::milliseconds(time.as_millis_f64()));
    let unlimited = || "unlimited".to_string();
    match (attempts, time) {
        (None, None) => unlimited(),
        (attempts, time) => {
            format!("{}, {}", attempts.unwrap_or_else(unlimited), time.unwrap_or_else(unlimited))
        }
    }
}

/// The time that a block spans.
struct Axis {
    from: Instant,
    length: Nanos,
}

impl Axis {
    /// From the planned beginning to the end, or to the last that is known.
    fn of(trace: &RequestTrace) -> Self {
        let sent = trace.attempts.iter().map(|attempt| attempt.ended.unwrap_or(attempt.sent));
        let waits = trace.decisions.iter().map(|decision| {
            wait(decision, &decision.record.get()).map_or(decision.at, |(_, until)| until)
        });
        let end = trace.end.map(|(at, _)| at);
        let known = || sent.chain(waits).max();
        let until = end.or_else(known).unwrap_or(trace.id.planned);
        Axis { from: trace.id.planned, length: until.saturating_since(trace.id.planned) }
    }

    /// Where a point in time lies on a bar of so many characters.
    fn place(&self, at: Instant, width: usize) -> usize {
        let since = u128::from(at.saturating_since(self.from).get());
        let length = u128::from(self.length.get().max(1));
        // No further than the bar is wide, so that it fits.
        (since * width as u128 / length).min(width as u128) as usize
    }

    fn bar(&self, row: &Row, width: usize) -> String {
        let mut bar = vec![' '; width];
        let mut fill = |from: usize, until: usize, with: char| {
            bar[from.min(width)..until.min(width)].fill(with);
        };
        if let Some((from, until)) = row.wait {
            fill(self.place(from, width), self.place(until, width), WAIT);
        }
        if let Some(attempt) = row.attempt {
            // However short, it is seen.
            let from = self.place(attempt.sent, width).min(width - 1);
            let until = attempt.ended.map_or(width, |ended| self.place(ended, width));
            fill(from, until.max(from + 1), FLIGHT);
        }
        bar.into_iter().collect()
    }

    /// What the bar spans.
    fn scale(&self, width: usize) -> String {
        let end = figures::milliseconds(self.length.as_millis_f64());
        let rest = width.saturating_sub(1);
        format!("0{end:>rest$}")
    }
}

fn span(from: Instant, until: Instant) -> String {
    figures::milliseconds(until.saturating_since(from).as_millis_f64())
}
