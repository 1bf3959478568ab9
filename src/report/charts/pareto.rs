//! [`ParetoChart`]: policies by what they reach and what that costs, with intervals.
//!
//! No line is drawn through the front: its points are measured, and lie where they lie in part by
//! chance.

use super::axis::{self, Plot};
use super::heading::{self, MARGIN};
use super::scale::Scale;
use super::scene::{Scene, Text};
use super::style::{MUTED, Styles};
use super::{Chart, font, labels, legend, marker, number, ticks};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 440.0;
/// The size of names beside points.
const LABEL: f64 = 12.0;
/// The least distance between the baselines of two names.
const APART: f64 = 16.0;
/// From the end of the plot to the names.
const LEADER: f64 = 26.0;
const TITLE: f64 = 12.5;
const MOST_TICKS: usize = 6;
/// How far axes reach beyond the points that have names, as a share of their extent.
const BEYOND: f64 = 0.35;

/// Crosses of intervals in a plane of cost and objective.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// The cost and its unit.
    pub x_title: String,
    /// The objective and its unit.
    pub y_title: String,
    /// What points can be, in the order of the legend.
    pub kinds: Vec<String>,
    /// The points; later ones lie above earlier ones.
    pub points: Vec<ParetoPoint>,
}

/// A policy.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Its name, if it is shown.
    pub name: Option<String>,
    /// The index of what it is.
    pub kind: usize,
    /// The cost: mean and interval.
    pub x: Span,
    /// The objective: mean and interval.
    pub y: Span,
}

/// A mean and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The mean.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl ParetoChart {
    /// An axis that shows all points with names, and what lies near them.
    fn range(&self, of: impl Fn(&ParetoPoint) -> Span) -> (f64, f64) {
        let any_named = self.points.iter().any(|point| point.name.is_some());
        let shown = self.points.iter().filter(|point| point.name.is_some() || !any_named);
        let ends = shown.flat_map(|point| [of(point).low, of(point).mean, of(point).high]);
        let (low, high) = ends
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            return (0.0, 1.0);
        }
        let extent = if high > low { high - low } else { low.abs().max(1.0) };
        // Costs and objectives are not negative, and an axis need not be.
        let floor = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        ticks::widen_linear((low - 0.1 * extent).max(floor), high + BEYOND * extent, MOST_TICKS)
    }

    fn description(&self) -> String {
        let mut text = format!("{} against {}.", self.y_title, self.x_title);
        for point in self.points.iter().filter(|point| point.name.is_some()) {
            let name = point.name.as_deref().unwrap_or_default();
            let (x, y) = (number::rounded(point.x.mean), number::rounded(point.y.mean));
            text += &format!(" {name}: {y} at {x}.");
        }
        text
    }
}

impl Chart for ParetoChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        scene.description = self.description();
        let (x_range, y_range) = (self.range(|point| point.x), self.range(|point| point.y));
        let inside = |value: f64, (low, high): (f64, f64)| value >= low && value <= high;
        let shown: Vec<_> = self
            .points
            .iter()
            .filter(|p| inside(p.x.mean, x_range) && inside(p.y.mean, y_range))
            .collect();
        let subtitle = match self.points.len() - shown.len() {
            0 => self.subtitle.clone(),
            1 => format!("{} · 1 candidate lies beyond the axes", self.subtitle),
            more => format!("{} · {more} candidates lie beyond the axes", self.subtitle),
        };
        let top = heading::draw(&mut scene, &self.title, &subtitle);
        let baseline = top + TITLE + 4.0;
        let title = font::fit(&self.y_title, TITLE, true, WIDTH - 2.0 * MARGIN);
        scene.text(Text::new((MARGIN, baseline), TITLE, title).bold());

        let x_ticks = ticks::linear(x_range.0, x_range.1, MOST_TICKS);
        let y_ticks = ticks::linear(y_range.0, y_range.1, MOST_TICKS);
        let names = shown.iter().filter_map(|point| point.name.as_deref());
        let widest = names.map(|name| font::space(name, LABEL, false)).fold(0.0, f64::max);
        let left = MARGIN + axis::width(&y_ticks);
        let right = WIDTH - MARGIN - LEADER - widest.min(0.3 * WIDTH);
        let plot = Plot { left, right, top: baseline + 16.0, bottom: baseline + 16.0 + HEIGHT };
        let x = Scale::linear(x_range, (plot.left + 8.0, plot.right - 8.0));
        let y = Scale::linear(y_range, (plot.bottom, plot.top));
        axis::horizontal(&mut scene, &plot, &x, &x_ticks);
        axis::vertical(&mut scene, &plot, &y, &y_ticks);
        axis::base(&mut scene, &plot);
        let style =
            |point: &ParetoPoint| styles.of(self.kinds.get(point.kind).map_or("", String::as_str));
        for point in &shown {
            let (at, colour) =
                ((x.place(point.x.mean), y.place(point.y.mean)), style(point).colour);
            let across = [point.x.low, point.x.high].map(|end| (x.place(end), at.1));
            let up = [point.y.low, point.y.high].map(|end| (at.0, y.place(end)));
            for line in [across, up] {
                scene.line(line.to_vec(), 1.2, colour.tint(0.55));
            }
        }
        for point in &shown {
            let at = (x.place(point.x.mean), y.place(point.y.mean));
            marker::draw(&mut scene, at, marker::RADIUS, &style(point));
        }
        let named: Vec<_> =
            shown.iter().filter_map(|point| Some((*point, point.name.as_deref()?))).collect();
        let wanted: Vec<_> = named.iter().map(|(point, _)| y.place(point.y.mean)).collect();
        let places = labels::spread(&wanted, APART, (plot.top, plot.bottom));
        for ((point, name), at) in named.iter().zip(places) {
            let from = (x.place(point.x.mean) + marker::RADIUS + 2.0, y.place(point.y.mean));
            let to = (plot.right + LEADER - 4.0, at);
            scene.line(vec![from, to], 0.8, style(point).colour.tint(0.45));
            let name = font::fit(name, LABEL, false, WIDTH - MARGIN - plot.right - LEADER);
            let text = Text::new((plot.right + LEADER, at + LABEL * 0.35), LABEL, name);
            scene.text(text);
        }
        if shown.is_empty() {
            let middle = (f64::midpoint(left, right), f64::midpoint(plot.top, plot.bottom));
            scene.text(Text::new(middle, LABEL, "no values").coloured(MUTED));
        }
        let span = (MARGIN, plot.right + 12.0);
        let below = axis::below(&mut scene, &plot, &x, &x_ticks, &self.x_title, span);
        let kinds: Vec<&str> = self.kinds.iter().map(String::as_str).collect();
        let end = legend::draw(&mut scene, &kinds, styles, below + 14.0, (MARGIN, WIDTH - MARGIN));
        scene.finish(end + MARGIN / 2.0)
    }
}
