//! One panel of a recovery chart: what flows, what waits, and strips of levels.

use super::super::axis::{self, Plot};
use super::super::dash;
use super::super::quantity::Ruled;
use super::super::scale::Scale;
use super::super::scene::{Anchor, Point, Scene, Shape, Text};
use super::super::style::{Colour, INK, MUTED};
use super::super::ticks::Tick;
use super::TEXT;
use super::column::Column;

/// Between the parts of a panel.
const GAP: f64 = 13.0;
/// The height of a strip, and from one to the next.
const LEVEL: (f64, f64) = (11.0, 17.0);
/// Between the levels above and the strips.
const SPACE: f64 = 4.0;
/// The fill of strips: 3.5:1 on white.
const FILL: Colour = Colour(0x88, 0x88, 0x88);
/// How much of a policy's colour is in the area under its attempts.
pub const ATTEMPTS: f64 = 0.3;
/// The line of what is offered.
pub const OFFERED: &[f64] = &[1.6, 2.6];
/// The lines of what is answered, and of what waits between attempts.
pub const DASHED: &[f64] = &[5.0, 3.0];
/// The line of the capacity.
pub const CAPACITY: &[f64] = &[9.0, 2.5, 2.0, 2.5];

/// Something of a column, if it has it.
pub type Value = fn(&Column) -> Option<f64>;

/// The parts of a panel that all panels have.
pub struct Layout {
    /// The height of what flows.
    pub flows: f64,
    /// The height of what waits.
    pub levels: f64,
    /// Names and levels, from 0 to 1, of the strips.
    pub strips: Vec<(&'static str, Value)>,
}

impl Layout {
    /// The height of a panel.
    pub fn height(&self) -> f64 {
        let strips = LEVEL.1 * self.strips.len() as f64;
        self.flows + GAP + self.levels + if strips > 0.0 { SPACE + strips } else { 0.0 }
    }
}

/// The axes that all panels share.
pub struct Axes {
    /// Per second.
    pub rates: Ruled,
    /// The ends of the axis of what waits.
    pub waiting: (f64, f64),
    /// Its ticks.
    pub waiting_ticks: Vec<Tick>,
    /// The end of time.
    pub end_ms: f64,
}

/// A panel and where its parts are.
pub struct Parts<'a> {
    /// What there is.
    pub layout: &'a Layout,
    /// What it is drawn on.
    pub axes: &'a Axes,
    /// The place of all parts together.
    pub plot: Plot,
}

impl Parts<'_> {
    fn x(&self) -> Scale {
        Scale::linear((0.0, self.axes.end_ms), (self.plot.left, self.plot.right))
    }

    /// Draws what flows.
    pub fn flows(&self, scene: &mut Scene, columns: &[Column], colour: Colour) {
        let plot = Plot { bottom: self.plot.top + self.layout.flows, ..self.plot };
        let y = self.axes.rates.scale((plot.bottom, plot.top));
        let (low, high) = self.axes.rates.ends();
        axis::vertical(scene, &plot, &y, &self.axes.rates.ticks);
        let steps = |of: &dyn Fn(&Column) -> Option<f64>| self.steps(columns, &y, of);
        let x = self.x();
        let area = columns.iter().map(|column| {
            (x.place(column.start_ms), x.place(column.end_ms), y.place(column.attempts))
        });
        let (columns, fill) = (area.collect(), colour.tint(ATTEMPTS));
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

    /// Draws what waits.
    pub fn waiting(&self, scene: &mut Scene, columns: &[Column]) {
        let top = self.plot.top + self.layout.flows + GAP;
        let plot = Plot { top, bottom: top + self.layout.levels, ..self.plot };
        let y = Scale::linear(self.axes.waiting, (plot.bottom, plot.top));
        axis::vertical(scene, &plot, &y, &self.axes.waiting_ticks);
        for (of, dash) in [
            ((|column| Some(column.queue)) as Value, &[][..]),
            (|column| Some(column.orbit), DASHED),
        ] {
            dash::draw(scene, &self.steps(columns, &y, &of), dash, 1.6, INK);
        }
        axis::base(scene, &plot);
    }

    /// Draws the strips.
    pub fn strips(&self, scene: &mut Scene, columns: &[Column]) {
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
