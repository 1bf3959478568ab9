//! The legend below charts whose lines are too many, or have names too long, to label directly.

use super::scene::{Scene, Text};
use super::style::{INK, Styles};
use super::{dash, font, marker};

const TEXT: f64 = 12.0;
const LINE: f64 = 20.0;
/// Length of the line sample.
const SAMPLE: f64 = 30.0;
/// Between sample and name.
const GAP: f64 = 8.0;

/// Draws the legend of `policies` from `top` on; gives the y below it.
pub fn draw(
    scene: &mut Scene,
    policies: &[&str],
    styles: &Styles,
    top: f64,
    (left, right): (f64, f64),
) -> f64 {
    let room = right - left;
    let widest = policies.iter().map(|name| font::space(name, TEXT, false)).fold(0.0, f64::max);
    let columns = (room / (SAMPLE + GAP + widest + 20.0)).floor().max(1.0);
    let columns = columns.min(policies.len().max(1) as f64);
    let column = room / columns;
    let rows = (policies.len() as f64 / columns).ceil();
    for (place, policy) in policies.iter().enumerate() {
        // Down the columns, so that the order of the list is read as in a table.
        let (across, down) = ((place as f64 / rows).floor(), place as f64 % rows);
        let (x, y) = (left + across * column, top + (down + 0.5) * LINE);
        let style = styles.of(policy);
        for piece in dash::pieces(&[(x, y), (x + SAMPLE, y)], style.dash) {
            scene.line(piece, 2.0, style.colour);
        }
        marker::draw(scene, (x + SAMPLE / 2.0, y), marker::RADIUS, &style);
        let name = font::fit(policy, TEXT, false, column - SAMPLE - GAP - 4.0);
        let at = (x + SAMPLE + GAP, y + TEXT * 0.35);
        scene.text(Text::new(at, TEXT, name).coloured(INK));
    }
    top + rows * LINE + 6.0
}
