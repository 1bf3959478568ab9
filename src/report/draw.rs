//! Which charts a study gets, what they are called, and what each shows of it.

mod arrivals;
mod cdf;
mod clients;
mod deadlines;
mod dispersion;
mod endings;
mod heatmap;
mod latency_map;
mod pareto;
mod percentiles;
mod phases;
mod recovery;
mod scaling;
mod waterfall;

use super::charts::Chart;
use crate::experiment::outline::Outline;
use crate::measure::close_up::CloseUp;
use crate::study::results::{CellResults, Results};

/// A chart and the name of its files, without ending.
pub struct Drawing {
    /// The name.
    pub name: &'static str,
    /// The chart.
    pub chart: Box<dyn Chart>,
}

/// Makes a chart of what is shown; `None` where there is nothing to see.
type Draw = fn(&Shown<'_>) -> Option<Box<dyn Chart>>;

/// All charts there are, in the order of a report.
const CHARTS: &[(&str, Draw)] = &[
    ("arrivals", |shown| boxed(arrivals::chart(shown))),
    ("clients", |shown| boxed(clients::chart(shown))),
    ("phases", |shown| boxed(phases::chart(shown))),
    ("dispersion", |shown| boxed(dispersion::chart(shown))),
    ("recovery", |shown| boxed(recovery::chart(shown))),
    ("endings", |shown| boxed(endings::chart(shown))),
    ("percentiles", |shown| boxed(percentiles::chart(shown))),
    ("cdf", |shown| boxed(cdf::chart(shown))),
    ("latency-heatmap", |shown| boxed(latency_map::chart(shown))),
    ("waterfall", |shown| boxed(waterfall::chart(shown))),
    ("scaling", |shown| boxed(scaling::chart(shown))),
    ("heatmap", |shown| boxed(heatmap::chart(shown))),
    ("pareto", |shown| boxed(pareto::chart(shown))),
];

/// The names of all charts there are.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHARTS.iter().map(|(name, _)| *name)
}

/// The charts of a study, of its last point where a chart shows one point.
pub fn drawings(outline: &Outline, results: &Results) -> Vec<Drawing> {
    let Some(point) = results.points.len().checked_sub(1) else { return Vec::new() };
    let shown = Shown { outline, results, point };
    let drawings = CHARTS.iter();
    drawings.filter_map(|(name, draw)| Some(Drawing { name, chart: draw(&shown)? })).collect()
}

fn boxed<C: Chart + 'static>(chart: Option<C>) -> Option<Box<dyn Chart>> {
    chart.map(|chart| Box::new(chart) as Box<dyn Chart>)
}

/// What charts are made from.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// What was studied.
    pub outline: &'a Outline,
    /// What was found.
    pub results: &'a Results,
    /// The point that is shown where a chart shows one.
    pub point: usize,
}

impl<'a> Shown<'a> {
    /// The policies at the point with their close-ups, those that have one.
    pub fn close_ups(&self) -> impl Iterator<Item = (&'a str, &'a CellResults, &'a CloseUp)> {
        let results = self.results;
        results.at_point(self.point).filter_map(|cell| {
            Some((results.policies[cell.policy].as_str(), cell, cell.close_up.as_ref()?))
        })
    }

    /// When the routes were disturbed, as far as a close-up tells: it is the same for all policies.
    pub fn disturbed(&self) -> Vec<(f64, Option<f64>)> {
        let mut close_ups = self.close_ups();
        close_ups.next().map(|(_, _, close_up)| close_up.about.faults.clone()).unwrap_or_default()
    }

    /// The conditions of charts that show replication 0 of the point.
    pub fn subtitle(&self) -> String {
        let Shown { results, point, .. } = self;
        let mut parts = vec![results.experiment.clone()];
        parts.extend(Some(results.describe_point(*point)).filter(|place| !place.is_empty()));
        parts.push(format!("seed {}", results.seed));
        parts.push(format!("replication 0 of {}", results.replications_at(*point)));
        parts.join(" · ")
    }
}
