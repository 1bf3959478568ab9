//! [`HeatmapChart`]: what two swept keys do to metrics, and where conditions are kept.
//!
//! One row of panels a policy, one panel a metric. A metric has one range of colours for all
//! policies.

mod panel;

use panel::Frame;

use super::axis;
use super::colour_scale::{Around, ColourScale};
use super::heading::{self, MARGIN};
use super::number::{grouped, rounded};
use super::scene::{Point, Scene, Shape, Text};
use super::strip::{self, Strip};
use super::style::{Colour, INK, Styles, WHITE};
use super::{Chart, font};

const WIDTH: f64 = 960.0;
const GUTTER: f64 = 30.0;
/// Larger grids have no values printed.
const PRINTED: usize = 12;
/// With more cells than this the file would be heavy, and nobody reads so many numbers.
const MOST_PRINTED: usize = 1300;
const VALUE: f64 = 11.0;
const GAP: f64 = 10.0;

/// Metrics over the grid of two swept keys.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatmapChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// The key along the columns.
    pub x_title: String,
    /// The values of that key, as they are written.
    pub columns: Vec<String>,
    /// The key along the rows.
    pub y_title: String,
    /// The values of that key, from the bottom up.
    pub rows: Vec<String>,
    /// One a policy.
    pub policies: Vec<HeatmapRow>,
}

/// The metrics of one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatmapRow {
    /// The name of the policy.
    pub policy: String,
    /// What to say of it.
    pub note: String,
    /// Column and row of the point that was chosen, if one was.
    pub chosen: Option<(usize, usize)>,
    /// Its metrics; those of one name share their colours.
    pub panels: Vec<HeatmapPanel>,
}

/// One metric of one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatmapPanel {
    /// The name of the metric.
    pub metric: String,
    /// The condition that it must keep, if there is one.
    pub condition: Option<String>,
    /// The cells that have an estimate.
    pub cells: Vec<HeatmapCell>,
}

/// One metric of one policy at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatmapCell {
    /// Its column, from the left.
    pub column: usize,
    /// Its row, from the bottom.
    pub row: usize,
    /// The mean.
    pub value: f64,
    /// Whether the condition is kept there; true where there is none.
    pub kept: bool,
}

impl HeatmapChart {
    fn panels(&self) -> impl Iterator<Item = &HeatmapPanel> {
        self.policies.iter().flat_map(|row| &row.panels)
    }

    /// The colours of a metric.
    fn colours(&self, metric: &str) -> ColourScale {
        let panels = self.panels().filter(|panel| panel.metric == metric);
        let values = panels.flat_map(|panel| panel.cells.iter().map(|cell| cell.value));
        ColourScale::of(values, Around::Cells)
    }

    /// How many panels stand side by side, and whether values are printed in them.
    fn across(&self, labels: f64) -> (usize, bool) {
        let most = self.policies.iter().map(|row| row.panels.len()).max().unwrap_or(0).max(1);
        let widest = self.panels().map(|panel| {
            let colours = self.colours(&panel.metric);
            let values = panel.cells.iter().map(|cell| short(cell.value, &colours));
            values.map(|value| font::space(&value, VALUE, false)).fold(0.0, f64::max)
        });
        let widest = widest.fold(0.0, f64::max) + 2.0;
        let fits = |across: &usize| {
            let plot = Frame::width(*across) - labels;
            plot / self.columns.len().max(1) as f64 >= widest
        };
        let cells: usize = self.panels().map(|panel| panel.cells.len()).sum();
        let small = self.columns.len().max(self.rows.len()) <= PRINTED && cells <= MOST_PRINTED;
        match (1..=most).rev().find(|across| small && fits(across)) {
            Some(across) => (across, true),
            None => (most, false),
        }
    }

    fn description(&self) -> String {
        let mut text = format!(
            "Metrics over a grid of {} by {} points: {} and {}.",
            self.columns.len(),
            self.rows.len(),
            self.x_title,
            self.y_title,
        );
        for row in &self.policies {
            text += &format!(" {}:", row.policy);
            for panel in &row.panels {
                let values = panel.cells.iter().map(|cell| cell.value);
                let (low, high) = values
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                        (low.min(value), high.max(value))
                    });
                text += &match low <= high {
                    true => format!(" {} {} to {}", panel.metric, rounded(low), rounded(high)),
                    false => format!(" {} without values", panel.metric),
                };
                if let Some(condition) = &panel.condition {
                    let kept = panel.cells.iter().filter(|cell| cell.kept).count();
                    text += &format!(", {condition} at {} points", grouped(kept as f64, 0));
                }
                text.push(';');
            }
            if let Some((column, line)) = row.chosen {
                let (x, y) = (&self.columns[column], &self.rows[line]);
                text += &format!(" chosen: {x} and {y};");
            }
        }
        text
    }
}

impl Chart for HeatmapChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        scene.description = self.description();
        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        if self.policies.is_empty() {
            let below = strip::no_policies(&mut scene, top);
            return scene.finish(below);
        }
        let widest = self.rows.iter().map(|row| font::space(row, axis::TEXT, false));
        let labels = widest.fold(0.0, f64::max).min(90.0) + 8.0;
        let (across, printed) = self.across(labels);
        let named = self.policies.iter().map(|row| (&*row.policy, &*row.note));
        let strip = Strip::of(named, WIDTH - 2.0 * MARGIN);
        top += axis::TEXT + 4.0;
        let rows = font::fit(&format!("rows: {}", self.y_title), axis::TEXT, false, WIDTH / 2.0);
        scene.text(Text::new((MARGIN, top), axis::TEXT, rows));
        self.legend(&mut scene, (WIDTH - MARGIN, top));
        top += 6.0;
        for (place, row) in self.policies.iter().enumerate() {
            top += strip.height();
            let plot = axis::Plot { left: MARGIN, right: WIDTH - MARGIN, top, bottom: top };
            strip.draw(&mut scene, &plot, &row.policy, &row.note, styles);
            let lines = row.panels.len().div_ceil(across);
            for (line, panels) in row.panels.chunks(across).enumerate() {
                // The key of the columns is named once, at the very end.
                let last = place + 1 == self.policies.len() && line + 1 == lines;
                let mut below = top;
                for (column, panel) in panels.iter().enumerate() {
                    let left = MARGIN + column as f64 * (Frame::width(across) + GUTTER);
                    let frame =
                        Frame { left, top, width: Frame::width(across), labels, printed, last };
                    below = below.max(frame.draw(&mut scene, self, row, panel));
                }
                top = below + GAP;
            }
        }
        scene.finish(top - GAP + MARGIN / 2.0)
    }
}

impl HeatmapChart {
    /// What contour and star mean, ending at `right`.
    fn legend(&self, scene: &mut Scene, (right, baseline): Point) {
        let mut right = right;
        let middle = baseline - 0.35 * axis::TEXT;
        let mut say = |scene: &mut Scene, words: &str, sample: f64| {
            let start = right - font::space(words, axis::TEXT, false);
            scene.text(Text::new((start, baseline), axis::TEXT, words));
            right = start - 6.0 - sample;
            let place = (right + sample / 2.0, middle);
            right -= 18.0;
            place
        };
        if self.policies.iter().any(|row| row.chosen.is_some()) {
            let place = say(scene, "best point", 14.0);
            star(scene, place);
        }
        if self.panels().any(|panel| panel.condition.is_some()) {
            let (x, y) = say(scene, "edge of where the condition is kept", 22.0);
            contour(scene, vec![vec![(x - 11.0, y), (x + 11.0, y)]]);
        }
    }
}

/// A value as short as cells need it: with as many decimals as its neighbours where they are of
/// about one size.
fn short(value: f64, colours: &ColourScale) -> String {
    let (low, high) = colours.ends();
    let size = high.abs().max(low.abs());
    if size >= 1e7 {
        return format!("{value:.1e}");
    }
    if colours.is_logarithmic() || !(0.1..1000.0).contains(&size) {
        return rounded(value);
    }
    // Of shares near 1 the third decimal is what differs.
    let decimals = if size <= 1.0 { 3 } else { 2 - libm::floor(libm::log10(size)) as i32 };
    grouped(value, decimals.clamp(0, 4) as usize)
}

/// The look of lines between kept and broken, on any colour.
fn contour(scene: &mut Scene, paths: Vec<Vec<Point>>) {
    scene.shapes.push(Shape::Paths { paths: paths.clone(), width: 4.4, colour: WHITE });
    scene.shapes.push(Shape::Paths { paths, width: 2.2, colour: INK });
}

/// The look of the chosen point: a star with a white rim.
fn star(scene: &mut Scene, (x, y): Point) {
    // Points of the outer and inner corners of a pentagram of radius 1, from the top clockwise.
    const CORNERS: [Point; 10] = [
        (0.0, -1.0),
        (0.2245, -0.309),
        (0.9511, -0.309),
        (0.3633, 0.118),
        (0.5878, 0.809),
        (0.0, 0.382),
        (-0.5878, 0.809),
        (-0.3633, 0.118),
        (-0.9511, -0.309),
        (-0.2245, -0.309),
    ];
    for (radius, fill) in [(9.6, WHITE), (7.0, STAR)] {
        let corners = CORNERS.map(|(dx, dy)| (x + radius * dx, y + radius * dy)).into();
        scene.shapes.push(Shape::Polygon { corners, fill, opacity: 1.0 });
    }
}

const STAR: Colour = Colour(0xD5, 0x5E, 0x00);
