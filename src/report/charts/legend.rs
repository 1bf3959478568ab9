//! The legend below charts whose lines are too many, or have names too long, to label directly.

use super::scene::{Point, Scene, Text};
use super::style::{INK, Style, Styles};
use super::{dash, font, marker};

const TEXT: f64 = 12.0;
const LINE: f64 = 20.0;
/// Length of the line sample.
const SAMPLE: f64 = 30.0;
/// Between sample and name.
const GAP: f64 = 8.0;
/// Between columns.
const APART: f64 = 26.0;

/// Draws the legend of `policies` from `top` on; gives the y below it.
pub fn draw(
    scene: &mut Scene,
    policies: &[&str],
    styles: &Styles,
    top: f64,
    frame: (f64, f64),
) -> f64 {
    let sample = |scene: &mut Scene, place: usize, (x, y): Point| {
        let style = styles.of(policies[place]);
        let line = vec![(x, y), (x + SAMPLE, y)];
        dash::draw(scene, &[line], style.dash, 2.0, style.colour);
        marker::draw(scene, (x + SAMPLE / 2.0, y), marker::RADIUS, &style);
    };
    entries(scene, policies, SAMPLE, top, frame, sample)
}

/// Draws a legend of markers from `top` on; gives the y below it.
pub fn markers(scene: &mut Scene, looks: &[(&str, Style)], top: f64, frame: (f64, f64)) -> f64 {
    let names: Vec<_> = looks.iter().map(|(name, _)| *name).collect();
    let sample = |scene: &mut Scene, place: usize, (x, y): Point| {
        marker::draw(scene, (x + marker::RADIUS + 1.0, y), marker::RADIUS, &looks[place].1);
    };
    entries(scene, &names, 2.0 * marker::RADIUS + 2.0, top, frame, sample)
}

/// Draws names in columns, each behind a sample so wide that is drawn from its left end and
/// middle; gives the y below them.
pub fn entries(
    scene: &mut Scene,
    names: &[&str],
    width: f64,
    top: f64,
    (left, right): (f64, f64),
    sample: impl Fn(&mut Scene, usize, Point),
) -> f64 {
    let room = right - left;
    let widest = names.iter().map(|name| font::space(name, TEXT, false)).fold(0.0, f64::max);
    let columns = ((room + APART) / (width + GAP + widest + APART)).floor().max(1.0);
    let columns = columns.min(names.len().max(1) as f64);
    let rows = (names.len() as f64 / columns).ceil();
    // As wide as the names need: a legend that is spread over the chart is no block.
    let column = (room / columns).min(width + GAP + widest + APART);
    for (place, name) in names.iter().enumerate() {
        // Down the columns, so that the order of the list is read as in a table.
        let (across, down) = ((place as f64 / rows).floor(), place as f64 % rows);
        let (x, y) = (left + across * column, top + (down + 0.5) * LINE);
        sample(scene, place, (x, y));
        let name = font::fit(name, TEXT, false, room.min(left + room - x) - width - GAP);
        let at = (x + width + GAP, y + TEXT * 0.35);
        scene.text(Text::new(at, TEXT, name).coloured(INK));
    }
    top + rows * LINE + 6.0
}
