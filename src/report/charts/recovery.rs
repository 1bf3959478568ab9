//! [`RecoveryChart`]: does a service come back after a disturbance, and under which policy?
//!
//! One panel a policy with what flows above and what waits below, all on the same axes. Levels of
//! budgets and the share of fallbacks are thin strips, where any policy has them.

mod column;
mod key;
mod panel;

use column::Column;
use panel::{Axes, Layout, Parts, Value};

use super::axis::{self, Plot};
use super::disturbance::{self, Disturbance};
use super::heading::{self, MARGIN};
use super::number::rounded;
use super::panels::Panels;
use super::quantity::{Quantity, Spacing};
use super::scale::Scale;
use super::scene::Scene;
use super::strip::{self, Strip};
use super::style::Styles;
use super::{Chart, font, ticks, time_axis};
use crate::measure::close_up::TimelineBin;

const WIDTH: f64 = 960.0;
const TEXT: f64 = 11.5;
/// Columns at most, in panels one and two to a row: more could not be told apart.
const MOST: [f64; 2] = [250.0, 160.0];
/// From this ratio of the policies' peaks on, rates have a logarithmic axis.
const DWARFED: f64 = 20.0;
/// A logarithmic axis begins so far below its end.
const DEPTH: f64 = 1e4;
/// Capacity is on the axis if it is at most so many times the highest other rate.
const NEAR: f64 = 1.5;

/// Flows and levels over time, one panel a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct RecoveryChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// When something was disturbed, from and to; `None` is to the end.
    pub disturbed: Vec<Disturbance>,
    /// One a policy.
    pub panels: Vec<RecoveryPanel>,
}

/// What happened under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct RecoveryPanel {
    /// The name of the policy.
    pub policy: String,
    /// Whether and when it came back.
    pub note: String,
    /// What happened when.
    pub bins: Vec<TimelineBin>,
}

impl RecoveryChart {
    fn end_ms(&self) -> f64 {
        let ends = self.panels.iter().filter_map(|panel| panel.bins.last());
        let end = ends.map(|bin| bin.start_ms + bin.width_ms).fold(0.0, f64::max);
        if end > 0.0 { end } else { 1000.0 }
    }

    /// The columns of each panel.
    fn columns(&self, end_ms: f64) -> Vec<Vec<Column>> {
        let bins = self.panels.iter().flat_map(|panel| panel.bins.first());
        let widest = bins.map(|bin| bin.width_ms).fold(0.0, f64::max);
        let most = MOST[Panels::columns(self.panels.len()) - 1];
        let width = if widest > 0.0 { column::width(end_ms, widest, most) } else { end_ms };
        self.panels.iter().map(|panel| column::columns(&panel.bins, width)).collect()
    }

    fn description(&self, all: &[Vec<Column>]) -> String {
        let mut text = "Requests and attempts per second over time, one panel a policy.".to_owned();
        if let Some(disturbed) = disturbance::words(&self.disturbed, self.end_ms()) {
            text += &format!(" Disturbed{}.", disturbed.trim_start_matches("disturbed"));
        }
        for (panel, columns) in self.panels.iter().zip(all) {
            let most = |of: fn(&Column) -> f64| columns.iter().map(of).fold(0.0, f64::max);
            let last = columns.last().map_or(0.0, |column| column.goodput);
            text += &format!(
                " {}: {}; up to {} attempts/s, goodput {}/s at most and {}/s at the end, up to {} \
                 waiting at the routes and {} between attempts.",
                panel.policy,
                if panel.note.is_empty() { "no verdict" } else { &panel.note },
                rounded(most(|column| column.attempts)),
                rounded(most(|column| column.goodput)),
                rounded(last),
                rounded(most(|column| column.queue)),
                rounded(most(|column| column.orbit)),
            );
        }
        text
    }

    fn axes(&self, all: &[Vec<Column>], end_ms: f64) -> Axes {
        let flows =
            |column: &Column| [column.offered, column.attempts, column.accepted, column.goodput];
        let peak = |columns: &Vec<Column>| columns.iter().flat_map(flows).fold(0.0, f64::max);
        let peaks: Vec<f64> = all.iter().map(peak).filter(|peak| *peak > 0.0).collect();
        let most = peaks.iter().copied().fold(0.0, f64::max);
        let least = peaks.iter().copied().fold(f64::INFINITY, f64::min);
        let near = |capacity: &f64| *capacity <= NEAR * most && *capacity > 0.0;
        let columns = || all.iter().flatten();
        let capacity = columns().filter_map(|column| column.capacity).filter(near);
        let values: Vec<f64> =
            columns().flat_map(flows).chain(capacity).filter(|rate| *rate > most / DEPTH).collect();
        let spacing = if most > DWARFED * least { Spacing::Logarithmic } else { Spacing::Linear };
        let rates = Quantity::new("per second", spacing).upright(values.iter().copied());
        let levels = columns().flat_map(|column| [column.queue, column.orbit]);
        let waiting = levels.fold(0.0, f64::max);
        let waiting = ticks::widen_linear(0.0, if waiting > 0.0 { waiting } else { 1.0 }, 2);
        let waiting_ticks = ticks::linear(waiting.0, waiting.1, 2);
        Axes { rates, waiting, waiting_ticks, end_ms }
    }
}

impl Chart for RecoveryChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        let end_ms = self.end_ms();
        let all = self.columns(end_ms);
        scene.description = self.description(&all);
        let axes = self.axes(&all, end_ms);
        let any =
            |of: Value, least: f64| all.iter().flatten().filter_map(of).any(|level| level > least);
        let strips: [(_, Value, _); 2] = [
            ("budget", |column| column.budget, -1.0),
            ("fallbacks", |column| column.fallback, 0.0),
        ];
        let strips = strips.into_iter().filter(|(_, of, least)| any(*of, *least));
        let strips = strips.map(|(name, of, _)| (name, of)).collect();
        let (flows, levels) = match self.panels.len() {
            0..=2 => (150.0, 52.0),
            3..=4 => (110.0, 42.0),
            _ => (92.0, 34.0),
        };
        let layout = Layout { flows, levels, strips };

        let top = heading::draw(&mut scene, &self.title, &self.subtitle);
        if self.panels.is_empty() {
            let below = strip::no_policies(&mut scene, top);
            return scene.finish(below);
        }
        let top = self.key(&mut scene, top, &axes);
        let names = layout.strips.iter().map(|(name, _)| font::space(name, TEXT, false) + 7.0);
        let labels = names.fold(axis::width(&axes.rates.ticks), f64::max);
        let labels = labels.max(axis::width(&axes.waiting_ticks));
        let panels = Panels { width: WIDTH, count: self.panels.len(), labels };
        let notes = self.panels.iter().map(|panel| (&*panel.policy, &*panel.note));
        let strip = Strip::of(notes, panels.plot_width());
        let plots = panels.plots(top, strip.height(), layout.height());
        let most = if Panels::columns(self.panels.len()) == 1 { 9 } else { 5 };
        let time_ticks = time_axis::ticks(end_ms, most);
        let scale = |plot: &Plot| Scale::linear((0.0, end_ms), (plot.left, plot.right));
        for ((panel, columns), plot) in self.panels.iter().zip(&all).zip(&plots) {
            disturbance::shade(&mut scene, plot, &scale(plot), &self.disturbed, end_ms);
            axis::horizontal(&mut scene, plot, &scale(plot), &time_ticks);
            strip.draw(&mut scene, plot, &panel.policy, &panel.note, styles);
            let parts = Parts { layout: &layout, axes: &axes, plot: *plot };
            parts.flows(&mut scene, columns, styles.of(&panel.policy).colour);
            parts.waiting(&mut scene, columns);
            parts.strips(&mut scene, columns);
        }
        let title = time_axis::title("time since start", end_ms);
        let below = panels.x_axis(&mut scene, &plots, scale, &time_ticks, &title);
        scene.finish(below + MARGIN / 2.0)
    }
}
