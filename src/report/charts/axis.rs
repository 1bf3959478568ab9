//! Grid lines, tick labels and the axis lines of a panel.

use super::font;
use super::scale::Scale;
use super::scene::{Anchor, Scene, Text};
use super::style::{AXIS, GRID, MUTED};
use super::ticks::Tick;

/// The size of tick labels and axis titles.
pub const TEXT: f64 = 11.5;
/// The gap between an axis and its labels.
const GAP: f64 = 7.0;

/// The rectangle in which data is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    /// The left edge.
    pub left: f64,
    /// The right edge.
    pub right: f64,
    /// The upper edge.
    pub top: f64,
    /// The lower edge.
    pub bottom: f64,
}

/// The space that the labels of a vertical axis need, left of it.
pub fn width(ticks: &[Tick]) -> f64 {
    ticks.iter().map(|tick| font::space(&tick.label, TEXT, false)).fold(0.0, f64::max) + GAP
}

/// The middle of a pixel: thin lines between two pixels look blurred.
fn sharp(place: f64) -> f64 {
    place.floor() + 0.5
}

/// Draws the vertical axis: lines across the plot and labels left of it.
pub fn vertical(scene: &mut Scene, plot: &Plot, scale: &Scale, ticks: &[Tick]) {
    for tick in ticks {
        let y = scale.place(tick.value);
        let line = sharp(y);
        scene.line(vec![(plot.left, line), (plot.right, line)], 1.0, GRID);
        let at = (plot.left - GAP, y + TEXT * 0.35);
        let label = Text::new(at, TEXT, tick.label.clone());
        scene.text(label.anchored(Anchor::End).coloured(MUTED));
    }
}

/// Draws the lines of the horizontal axis.
pub fn horizontal(scene: &mut Scene, plot: &Plot, scale: &Scale, ticks: &[Tick]) {
    for tick in ticks {
        let x = sharp(scale.place(tick.value));
        scene.line(vec![(x, plot.top), (x, plot.bottom)], 1.0, GRID);
    }
}

/// Draws the line that data stands on, above grid and data.
pub fn base(scene: &mut Scene, plot: &Plot) {
    let y = sharp(plot.bottom);
    scene.line(vec![(plot.left, y), (plot.right, y)], 1.0, AXIS);
}

/// Draws the labels and the title of the horizontal axis between `left` and `right`; gives the y
/// below them. A label that would touch the one before it is left out.
pub fn below(
    scene: &mut Scene,
    plot: &Plot,
    scale: &Scale,
    ticks: &[Tick],
    title: &str,
    (left, right): (f64, f64),
) -> f64 {
    let baseline = plot.bottom + GAP + TEXT;
    let mut free = left;
    for tick in ticks {
        let x = scale.place(tick.value);
        let line = sharp(x);
        scene.line(vec![(line, plot.bottom), (line, plot.bottom + 4.0)], 1.0, AXIS);
        let half = font::space(&tick.label, TEXT, false) / 2.0;
        let x = x.min(right - half).max(left + half);
        if x - half < free {
            continue;
        }
        free = x + half + 4.0;
        let label = Text::new((x, baseline), TEXT, tick.label.clone());
        scene.text(label.anchored(Anchor::Middle).coloured(MUTED));
    }
    let room = right - left;
    let title = font::fit(title, TEXT, false, room);
    let half = font::space(&title, TEXT, false) / 2.0;
    let x = f64::midpoint(plot.left, plot.right).min(right - half).max(left + half);
    let below = baseline + TEXT + 7.0;
    scene.text(Text::new((x, below), TEXT, title).anchored(Anchor::Middle).coloured(MUTED));
    below + 5.0
}
