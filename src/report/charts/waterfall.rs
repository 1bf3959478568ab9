//! [`WaterfallChart`]: what policies make of one logical request, attempt by attempt.
//!
//! A row an attempt: a bar while it is in flight, a dashed line while the request then waits, and in
//! words what came back and what the policy did. All panels have one axis of time, from the planned
//! beginning of the request.

use super::axis::{self, Plot};
use super::heading::{self, MARGIN};
use super::scale::Scale;
use super::scene::{Anchor, Scene, Shape, Text};
use super::strip::{self, Strip};
use super::style::{INK, MUTED, Styles};
use super::{Chart, dash, font, outcome, time_axis};
use crate::measure::close_up::{AttemptOutcome, SampledAttempt};

const WIDTH: f64 = 960.0;
const ROW: f64 = 22.0;
const BAR: f64 = 11.0;
/// Bars of short attempts are at least so long.
const SHORTEST: f64 = 2.0;
const TEXT: f64 = 11.5;
/// Attempts of a panel that are all shown; of more only the first and the last.
const MOST: usize = 12;
const FIRST: usize = 6;
const LAST: usize = 5;
/// The parts of the width that words may take.
const BRANCH_SHARE: f64 = 0.2;
const OUTCOME_SHARE: f64 = 0.22;
const ACTION_SHARE: f64 = 0.22;
const GAP: f64 = 14.0;
/// What the columns of words are called.
const BRANCH: &str = "attempt";
const OUTCOME: &str = "what came back";
const ACTION: &str = "what the policy did";
const MOST_TICKS: usize = 6;
/// The deadline is on the axis if it is at most so many times as far as the last end.
const NEAR: f64 = 1.5;

/// The attempts of one logical request, one panel a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterfallChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// One a policy.
    pub panels: Vec<WaterfallPanel>,
}

/// The attempts under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct WaterfallPanel {
    /// The name of the policy.
    pub policy: String,
    /// How long the request may take, in milliseconds; `None` is unlimited.
    pub deadline_ms: Option<f64>,
    /// Where the run ended.
    pub end_ms: f64,
    /// The attempts of the request, in the order of sending.
    pub attempts: Vec<SampledAttempt>,
}

/// What a row shows.
enum Row<'a> {
    Attempt(&'a SampledAttempt),
    /// So many attempts that are left out.
    More(usize),
}

/// Classes on which a policy stops for good.
const STOPS: [&str; 5] = ["exhausted", "invalid_request", "auth", "content", "too_large"];

impl WaterfallPanel {
    fn rows(&self) -> Vec<Row<'_>> {
        let count = self.attempts.len();
        if count <= MOST {
            return self.attempts.iter().map(Row::Attempt).collect();
        }
        let first = self.attempts[..FIRST].iter().map(Row::Attempt);
        let last = self.attempts[count - LAST..].iter().map(Row::Attempt);
        first.chain([Row::More(count - FIRST - LAST)]).chain(last).collect()
    }

    /// When the request was to begin.
    fn planned(&self) -> f64 {
        self.attempts.first().map_or(0.0, |attempt| attempt.planned_ms)
    }

    /// When an attempt ended, or the run.
    fn ended(&self, attempt: &SampledAttempt) -> f64 {
        attempt.ended_ms.unwrap_or(self.end_ms.max(attempt.sent_ms)) - self.planned()
    }

    /// From the planned beginning to what was seen last, in milliseconds.
    fn length(&self) -> f64 {
        self.attempts.iter().map(|attempt| self.ended(attempt)).fold(0.0, f64::max)
    }

    /// What became of the request, after how many attempts, and how long that took.
    pub fn end(&self) -> String {
        let Some(last) = self.attempts.last() else { return "no attempts".to_owned() };
        let attempts = match self.attempts.len() {
            1 => "1 attempt".to_owned(),
            count => format!("{count} attempts"),
        };
        let is_accepted = |attempt: &SampledAttempt| attempt.outcome == AttemptOutcome::Accepted;
        let end = match last.outcome {
            _ if self.attempts.iter().any(is_accepted) => "accepted",
            AttemptOutcome::InFlight => "in flight",
            // It waits for an attempt that the run was over before.
            _ if last.wait_ms.is_some() => "not done",
            // No repeating would have helped, and none was tried.
            _ if STOPS.contains(&last.class.as_str())
                && !self.attempts.iter().rev().skip(1).any(|a| a.class == last.class) =>
            {
                "stopped"
            }
            _ => "given up",
        };
        format!("{end} after {attempts} in {}", time_axis::label(self.length()))
    }
}

/// What came back, in words.
fn answer(attempt: &SampledAttempt) -> String {
    let word = outcome::word(attempt.outcome);
    let status = attempt.status.map(|status| status.to_string());
    let class = Some(attempt.class.clone()).filter(|class| !class.is_empty() && class != "ok");
    let parts = [Some(word.to_owned()), status, class];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What the policy did then, in words.
fn action(attempt: &SampledAttempt) -> String {
    let action = attempt.action.replace('_', " ");
    match attempt.wait_ms {
        Some(wait) => format!("{action}, waits {}", time_axis::label(wait)),
        None => action,
    }
}

/// The branch of an attempt, in words.
fn branch(attempt: &SampledAttempt) -> String {
    attempt.branch.replace('_', " ")
}

/// Where the columns of words stand.
struct Columns {
    branch: f64,
    /// The bars.
    plot: (f64, f64),
    outcome: f64,
    action: f64,
}

impl WaterfallChart {
    /// The columns, each as wide as its widest words and within its share.
    fn columns(&self) -> Columns {
        let attempts = || self.panels.iter().flat_map(|panel| &panel.attempts);
        let space = |words: &str| font::space(words, TEXT, false);
        let widest = |title: &str, words: fn(&SampledAttempt) -> String, share: f64| {
            let spaces = attempts().map(|attempt| space(&words(attempt)));
            spaces.fold(space(title), f64::max).min(share * WIDTH) + GAP
        };
        let numbers = attempts().map(|attempt| space(&attempt.attempt.to_string()));
        let branch = MARGIN + numbers.fold(space("9"), f64::max) + 8.0;
        let left = branch + widest(BRANCH, self::branch, BRANCH_SHARE);
        let action = WIDTH - MARGIN - widest(ACTION, action, ACTION_SHARE) + GAP;
        let outcome = action - widest(OUTCOME, answer, OUTCOME_SHARE);
        // The outcome begins with its mark.
        Columns { branch, plot: (left, outcome - GAP - 16.0), outcome, action }
    }

    /// The end of the axis, in milliseconds since the planned beginning.
    fn end_ms(&self) -> f64 {
        let length = self.panels.iter().map(WaterfallPanel::length).fold(0.0, f64::max);
        let deadlines = self.panels.iter().filter_map(|panel| panel.deadline_ms);
        let end = deadlines.filter(|ms| *ms <= NEAR * length).fold(length, f64::max);
        if end > 0.0 { end } else { 1.0 }
    }

    fn description(&self) -> String {
        let panels = self.panels.iter().map(|panel| {
            let rows = panel.rows();
            let attempts = rows.iter().map(|row| match row {
                Row::Attempt(attempt) => format!(
                    "{} {} at {}, {}, {}",
                    attempt.attempt,
                    branch(attempt),
                    time_axis::label(attempt.sent_ms - panel.planned()),
                    answer(attempt),
                    action(attempt),
                ),
                Row::More(count) => format!("{count} more"),
            });
            let attempts: Vec<_> = attempts.collect();
            format!(" {}: {}: {}.", panel.policy, panel.end(), attempts.join("; "))
        });
        format!(
            "The attempts of one request since its planned beginning, one panel a policy.{}",
            panels.collect::<String>()
        )
    }
}

impl Chart for WaterfallChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        scene.description = self.description();
        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        if self.panels.is_empty() {
            let below = strip::no_policies(&mut scene, top);
            return scene.finish(below);
        }
        let columns = self.columns();
        let end_ms = self.end_ms();
        // The shortest bar at the very end stays on the axis.
        let x = Scale::linear((0.0, end_ms), (columns.plot.0, columns.plot.1 - SHORTEST));
        let ticks = time_axis::ticks(end_ms, MOST_TICKS);
        let notes: Vec<_> = self.panels.iter().map(WaterfallPanel::end).collect();
        let named = self.panels.iter().zip(&notes);
        let named = named.map(|(panel, note)| (&*panel.policy, &**note));
        let strip = Strip::of(named, WIDTH - 2.0 * MARGIN);
        let (left, right) = columns.plot;
        top += TEXT + 4.0;
        for (words, at) in [
            (BRANCH, columns.branch),
            ("in flight, then the wait", left),
            (OUTCOME, columns.outcome),
            (ACTION, columns.action),
        ] {
            scene.text(Text::new((at, top), TEXT, words).coloured(MUTED));
        }
        let mut bottom = top + 6.0;
        for (panel, note) in self.panels.iter().zip(&notes) {
            let rows = panel.rows();
            let top = bottom + strip.height();
            let plot = Plot { left, right, top, bottom: top + ROW * rows.len().max(1) as f64 };
            let whole = Plot { left: MARGIN, right: WIDTH - MARGIN, ..plot };
            strip.draw(&mut scene, &whole, &panel.policy, note, styles);
            axis::horizontal(&mut scene, &plot, &x, &ticks);
            if let Some(deadline) = panel.deadline_ms.filter(|deadline| *deadline <= end_ms) {
                let line = [plot.top, plot.bottom].map(|y| (x.place(deadline), y));
                dash::draw(&mut scene, &[line.to_vec()], &[5.0, 3.0], 1.3, INK);
            }
            for (place, row) in rows.iter().enumerate() {
                let y = plot.top + (place as f64 + 0.5) * ROW;
                panel.draw(&mut scene, row, y, &x, &columns);
            }
            axis::base(&mut scene, &plot);
            bottom = plot.bottom + 8.0;
        }
        let plot = Plot { left, right, top: bottom, bottom: bottom - 8.0 };
        let mut title = time_axis::title("time since the planned beginning", end_ms);
        if self.panels.iter().any(|panel| panel.deadline_ms.is_some_and(|ms| ms <= end_ms)) {
            title += ", deadline dashed";
        }
        let frame = (MARGIN / 2.0, WIDTH - MARGIN / 2.0);
        let below = axis::below(&mut scene, &plot, &x, &ticks, &title, frame);
        scene.finish(below + MARGIN / 2.0)
    }
}

impl WaterfallPanel {
    fn draw(&self, scene: &mut Scene, row: &Row<'_>, y: f64, x: &Scale, columns: &Columns) {
        let baseline = y + 0.36 * TEXT;
        let attempt = match row {
            Row::Attempt(attempt) => attempt,
            Row::More(count) => {
                let text = Text::new((MARGIN, baseline), TEXT, format!("… {count} more"));
                scene.text(text.coloured(MUTED));
                return;
            }
        };
        let (sent, ended) = (attempt.sent_ms - self.planned(), self.ended(attempt));
        let (from, to) = (x.place(sent), x.place(ended).max(x.place(sent) + SHORTEST));
        if let Some(wait) = attempt.wait_ms {
            let line = [(to, y), (x.place(ended + wait), y)];
            if line[1].0 > line[0].0 {
                dash::draw(scene, &[line.to_vec()], &[2.0, 3.0], 1.4, MUTED);
            }
        }
        let (top, bottom) = (y - BAR / 2.0, y + BAR / 2.0);
        let fill = outcome::colour(attempt.outcome);
        scene.shapes.push(Shape::Rect { from: (from, top), to: (to, bottom), fill });
        let mark = (columns.outcome - 10.0, y);
        scene.shapes.push(outcome::marks(attempt.outcome, vec![mark], 3.6));

        let number = Text::new((columns.branch - 8.0, baseline), TEXT, attempt.attempt.to_string());
        scene.text(number.anchored(Anchor::End).coloured(MUTED));
        let left = columns.plot.0 - columns.branch - GAP;
        let middle = columns.action - columns.outcome - GAP;
        let last = WIDTH - MARGIN - columns.action;
        for (words, at, room, colour) in [
            (branch(attempt), columns.branch, left, INK),
            (answer(attempt), columns.outcome, middle, INK),
            (action(attempt), columns.action, last, MUTED),
        ] {
            let words = font::fit(&words, TEXT, false, room);
            scene.text(Text::new((at, baseline), TEXT, words).coloured(colour));
        }
    }
}
