//! [`RecoveryChart`]: does a service come back after a disturbance, and under which policy?
//!
//! One panel a policy with what flows above and what waits below, all on the same axes. Levels of
//! budgets and the share of fallbacks are thin strips, where any policy has them.

mod column;

use column::Column;

use super::axis::{self, Plot};
use super::disturbance::{self, Disturbance};
use super::heading::{self, MARGIN};
use super::number::rounded;
use super::panels::Panels;
use super::quantity::{Quantity, Ruled, Spacing};
use super::scale::Scale;
use super::scene::{Anchor, Point, Scene, Shape, Text};
use super::strip::{self, Strip};
use super::style::{Colour, INK, MUTED, Styles};
use super::ticks::{self, Tick};
use super::{Chart, dash, font, time_axis};
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
/// Between the parts of a panel.
const GAP: f64 = 13.0;
/// The height of a strip, and from one to the next.
const LEVEL: (f64, f64) = (11.0, 17.0);
/// Between the levels above and the strips.
const SPACE: f64 = 4.0;
/// Of the area under attempts.
const AREA: f64 = 0.3;
/// The fill of strips: 3.5:1 on white.
const FILL: Colour = Colour(0x88, 0x88, 0x88);
const SAMPLE: f64 = 26.0;
const GREY: Colour = Colour(0x70, 0x70, 0x70);
const OFFERED: &[f64] = &[1.6, 2.6];
const DASHED: &[f64] = &[5.0, 3.0];
const CAPACITY: &[f64] = &[9.0, 2.5, 2.0, 2.5];

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

/// The parts of a panel that all panels have.
struct Layout {
    flows: f64,
    levels: f64,
    strips: Vec<(&'static str, fn(&Column) -> Option<f64>)>,
}

impl Layout {
    fn height(&self) -> f64 {
        let strips = LEVEL.1 * self.strips.len() as f64;
        self.flows + GAP + self.levels + if strips > 0.0 { SPACE + strips } else { 0.0 }
    }
}

/// The axes that all panels share.
struct Axes {
    rates: Ruled,
    waiting: (f64, f64),
    waiting_ticks: Vec<Tick>,
    end_ms: f64,
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
        let any = |of: fn(&Column) -> Option<f64>, least: f64| {
            all.iter().flatten().filter_map(of).any(|level| level > least)
        };
        let strips: [(_, fn(&Column) -> Option<f64>, _); 2] = [
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

impl RecoveryChart {
    /// What lines and grounds mean, in grey as every panel has a colour of its own; gives the y
    /// below it.
    fn key(&self, scene: &mut Scene, top: f64, axes: &Axes) -> f64 {
        let line = |dash, width, colour| Sample::Line { dash, width, colour };
        let mut flows = vec![
            (Sample::Area, "attempts arriving".to_owned()),
            (line(OFFERED, 1.6, INK), "requests offered".to_owned()),
            (line(DASHED, 1.4, GREY), "answered".to_owned()),
            (line(&[], 2.4, GREY), "answered in time (goodput)".to_owned()),
        ];
        if self.panels.iter().flat_map(|panel| &panel.bins).any(|bin| bin.capacity_per_s.is_some())
        {
            flows.push((line(CAPACITY, 1.3, INK), "capacity".to_owned()));
        }
        let disturbed = disturbance::words(&self.disturbed, axes.end_ms);
        flows.extend(disturbed.map(|text| (Sample::Ground(disturbance::GROUND), text)));
        let below = vec![
            (line(&[], 1.6, INK), "at the routes".to_owned()),
            (line(DASHED, 1.6, INK), "between attempts".to_owned()),
        ];
        let title = format!("{}:", axes.rates.title);
        let top = row(scene, top + 2.0, &title, &flows);
        row(scene, top, "below, waiting:", &below) + 4.0
    }
}

/// What stands before a word of the key.
enum Sample {
    Line { dash: &'static [f64], width: f64, colour: Colour },
    Area,
    Ground(Colour),
}

/// A title and samples with their words, in as many rows as they need; gives the y below.
fn row(scene: &mut Scene, top: f64, title: &str, entries: &[(Sample, String)]) -> f64 {
    let mut baseline = top + TEXT;
    scene.text(Text::new((MARGIN, baseline), TEXT, title).coloured(MUTED));
    let start = MARGIN + font::space(title, TEXT, false) + 12.0;
    let mut x = start;
    for (sample, word) in entries {
        let word = font::fit(word, TEXT, false, WIDTH - MARGIN - start - SAMPLE - 6.0);
        let space = font::space(&word, TEXT, false);
        if x > start && x + SAMPLE + 6.0 + space > WIDTH - MARGIN {
            x = start;
            baseline += 18.0;
        }
        let (left, right, middle) = (x, x + SAMPLE, baseline - TEXT * 0.35);
        let (from, to) = ((left, middle - 5.0), (right, middle + 5.0));
        match sample {
            Sample::Line { dash, width, colour } => {
                let line = vec![(left, middle), (right, middle)];
                dash::draw(scene, &[line], dash, *width, *colour);
            }
            Sample::Area => {
                scene.shapes.push(Shape::Rect { from, to, fill: GREY.tint(AREA) });
                scene.line(vec![from, (right, from.1)], 1.0, GREY);
            }
            Sample::Ground(fill) => scene.shapes.push(Shape::Rect { from, to, fill: *fill }),
        }
        scene.text(Text::new((right + 6.0, baseline), TEXT, word).coloured(MUTED));
        x = right + 6.0 + space + 18.0;
    }
    baseline + 7.0
}

/// A panel and where its parts are.
struct Parts<'a> {
    layout: &'a Layout,
    axes: &'a Axes,
    plot: Plot,
}

impl Parts<'_> {
    fn x(&self) -> Scale {
        Scale::linear((0.0, self.axes.end_ms), (self.plot.left, self.plot.right))
    }

    fn flows(&self, scene: &mut Scene, columns: &[Column], colour: Colour) {
        let plot = Plot { bottom: self.plot.top + self.layout.flows, ..self.plot };
        let y = self.axes.rates.scale((plot.bottom, plot.top));
        let (low, high) = self.axes.rates.ends();
        axis::vertical(scene, &plot, &y, &self.axes.rates.ticks);
        let steps = |of: &dyn Fn(&Column) -> Option<f64>| self.steps(columns, &y, of);
        let x = self.x();
        let area = columns.iter().map(|column| {
            (x.place(column.start_ms), x.place(column.end_ms), y.place(column.attempts))
        });
        let (columns, fill) = (area.collect(), colour.tint(AREA));
        scene.shapes.push(Shape::Steps { base: plot.bottom, columns, fill });
        let mut draw = |lines: Vec<Vec<Point>>, dash: &[f64], width: f64, colour: Colour| {
            dash::draw(scene, &lines, dash, width, colour);
        };
        draw(steps(&|column| Some(column.attempts)), &[], 0.9, colour);
        let on_axis = |capacity: &f64| *capacity <= high && (*capacity >= low || low > 0.0);
        draw(steps(&|column| column.capacity.filter(on_axis)), CAPACITY, 1.3, INK);
        draw(steps(&|column| Some(column.accepted)), DASHED, 1.4, colour);
        draw(steps(&|column| Some(column.goodput)), &[], 2.4, colour);
        draw(steps(&|column| Some(column.offered)), OFFERED, 1.6, INK);
        axis::base(scene, &plot);
    }

    fn waiting(&self, scene: &mut Scene, columns: &[Column]) {
        let top = self.plot.top + self.layout.flows + GAP;
        let plot = Plot { top, bottom: top + self.layout.levels, ..self.plot };
        let y = Scale::linear(self.axes.waiting, (plot.bottom, plot.top));
        axis::vertical(scene, &plot, &y, &self.axes.waiting_ticks);
        for (of, dash) in [
            ((|column| Some(column.queue)) as fn(&Column) -> Option<f64>, &[][..]),
            (|column| Some(column.orbit), DASHED),
        ] {
            dash::draw(scene, &self.steps(columns, &y, &of), dash, 1.6, INK);
        }
        axis::base(scene, &plot);
    }

    fn strips(&self, scene: &mut Scene, columns: &[Column]) {
        let first = self.plot.top + self.layout.flows + GAP + self.layout.levels + SPACE;
        let x = self.x();
        for (place, (name, of)) in self.layout.strips.iter().enumerate() {
            let bottom = first + (place + 1) as f64 * LEVEL.1;
            let plot = Plot { top: bottom - LEVEL.0, bottom, ..self.plot };
            let y = Scale::linear((0.0, 1.0), (plot.bottom, plot.top));
            let at = (plot.left - 7.0, plot.bottom - 1.5);
            let text = Text::new(at, TEXT, *name).anchored(Anchor::End);
            scene.text(text.coloured(MUTED));
            let levels = columns.iter().filter_map(|column| {
                let level = of(column)?;
                Some((x.place(column.start_ms), x.place(column.end_ms), y.place(level)))
            });
            let columns: Vec<_> = levels.collect();
            if columns.is_empty() {
                let text = Text::new((plot.left + 4.0, plot.bottom - 1.5), TEXT, "none");
                scene.text(text.coloured(MUTED));
            } else {
                scene.shapes.push(Shape::Steps { base: plot.bottom, columns, fill: FILL });
            }
            axis::base(scene, &plot);
        }
    }

    /// Lines that hold each column's value until the next; interrupted where there is none.
    fn steps(
        &self,
        columns: &[Column],
        y: &Scale,
        of: &dyn Fn(&Column) -> Option<f64>,
    ) -> Vec<Vec<Point>> {
        let x = self.x();
        let mut lines: Vec<Vec<Point>> = vec![Vec::new()];
        for column in columns {
            let Some(value) = of(column) else {
                lines.push(Vec::new());
                continue;
            };
            let (left, right, y) =
                (x.place(column.start_ms), x.place(column.end_ms), y.place(value));
            // There is one line from the beginning.
            let Some(line) = lines.last_mut() else { continue };
            match line.last_mut() {
                Some(last) if last.1 == y => last.0 = right,
                _ => line.extend([(left, y), (right, y)]),
            }
        }
        lines.retain(|line| line.len() > 1);
        lines
    }
}
