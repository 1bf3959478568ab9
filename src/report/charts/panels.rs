//! [`Panels`]: small multiples, equal panels on one x axis.

use super::axis::{self, Plot};
use super::heading::MARGIN;
use super::scale::Scale;
use super::scene::Scene;
use super::ticks::Tick;

/// Between two columns.
const GUTTER: f64 = 28.0;
/// Below each panel.
const GAP: f64 = 8.0;
/// More panels than this are two columns.
const ONE_COLUMN: usize = 4;

/// The measures of a chart's panels.
#[derive(Clone, Copy, Debug)]
pub struct Panels {
    /// The width of the chart.
    pub width: f64,
    /// How many there are.
    pub count: usize,
    /// The space for the labels of a vertical axis, left of each.
    pub labels: f64,
}

impl Panels {
    /// How many stand side by side.
    pub fn columns(count: usize) -> usize {
        if count > ONE_COLUMN { 2 } else { 1 }
    }

    /// The width of each panel's plot.
    pub fn plot_width(&self) -> f64 {
        self.step() - GUTTER - self.labels
    }

    /// From one panel to the one beside it.
    fn step(&self) -> f64 {
        (self.width - 2.0 * MARGIN + GUTTER) / Panels::columns(self.count) as f64
    }

    /// The plots, row by row from `top` on, each below a strip.
    pub fn plots(&self, top: f64, strip: f64, height: f64) -> Vec<Plot> {
        let columns = Panels::columns(self.count);
        let plot = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            let left = MARGIN + column as f64 * self.step() + self.labels;
            let top = top + row as f64 * (strip + height + GAP) + strip;
            Plot { left, right: left + self.plot_width(), top, bottom: top + height }
        };
        (0..self.count).map(plot).collect()
    }

    /// Draws the x axis below the last panel of each column; gives the y below it.
    pub fn x_axis(
        &self,
        scene: &mut Scene,
        plots: &[Plot],
        scale: impl Fn(&Plot) -> Scale,
        ticks: &[Tick],
        title: &str,
    ) -> f64 {
        let last = plots.len().saturating_sub(Panels::columns(self.count));
        let below = plots[last..].iter().map(|plot| {
            let plot = Plot { bottom: plot.bottom + GAP - 2.0, ..*plot };
            let frame = (plot.left - self.labels - 10.0, plot.right + 10.0);
            axis::below(scene, &plot, &scale(&plot), ticks, title, frame)
        });
        below.fold(0.0, f64::max)
    }
}
