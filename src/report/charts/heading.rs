//! The title and subtitle on top of every chart.

use super::font;
use super::scene::{Scene, Text};
use super::style::MUTED;

/// The free space at all edges of a chart.
pub const MARGIN: f64 = 26.0;

const TITLE: f64 = 18.0;
const SUBTITLE: f64 = 12.5;

/// Draws the heading; gives the y below it.
pub fn draw(scene: &mut Scene, title: &str, subtitle: &str) -> f64 {
    let room = scene.width - 2.0 * MARGIN;
    let mut baseline = MARGIN - 8.0;
    for line in font::wrap(title, TITLE, true, room, 3) {
        baseline += 23.0;
        scene.text(Text::new((MARGIN, baseline), TITLE, line).bold());
    }
    baseline += 2.0;
    for line in font::wrap(subtitle, SUBTITLE, false, room, 3) {
        baseline += 17.0;
        scene.text(Text::new((MARGIN, baseline), SUBTITLE, line).coloured(MUTED));
    }
    baseline + 10.0
}
