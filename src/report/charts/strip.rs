//! The strip over a panel: the policy with its marker, and a note.

use super::axis::Plot;
use super::heading::MARGIN;
use super::scene::{Anchor, Scene, Text};
use super::style::{MUTED, Styles};
use super::{font, marker};

const NAME: f64 = 13.0;
const NOTE: f64 = 11.5;
/// From the left edge to the name, behind the marker.
const INDENT: f64 = 15.0;
/// Between a name and the note on the same line.
const APART: f64 = 21.0;
/// From the last baseline to the plot.
const GAP: f64 = 8.0;
const LINE: f64 = 26.0;
const SECOND_LINE: f64 = 17.0;

/// The strips of a chart's panels, all of one height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// The notes stand below the names: beside them there is no room.
    two_lines: bool,
}

impl Strip {
    /// The strips of panels of this width, with these names and notes.
    pub fn of<'a>(panels: impl Iterator<Item = (&'a str, &'a str)>, width: f64) -> Strip {
        let space = |(name, note): (&str, &str)| {
            INDENT + font::space(name, NAME, true) + APART + font::space(note, NOTE, false)
        };
        Strip { two_lines: panels.map(space).any(|space| space > width) }
    }

    /// How high they are.
    pub fn height(&self) -> f64 {
        if self.two_lines { LINE + SECOND_LINE } else { LINE }
    }

    /// Draws the strip of a panel above its plot.
    pub fn draw(&self, scene: &mut Scene, plot: &Plot, name: &str, note: &str, styles: &Styles) {
        let (left, below) = (plot.left + INDENT, plot.top - GAP);
        let room = plot.right - left;
        let baseline = if self.two_lines { below - SECOND_LINE } else { below };
        let centre = (plot.left + marker::RADIUS, baseline - NAME * 0.35);
        marker::draw(scene, centre, marker::RADIUS, &styles.of(name));
        let name = font::fit(name, NAME, true, room);
        scene.text(Text::new((left, baseline), NAME, name).bold());
        let note = match self.two_lines {
            true => {
                let room = plot.right - plot.left;
                Text::new((plot.left, below), NOTE, font::fit(note, NOTE, false, room))
            }
            false => Text::new((plot.right, below), NOTE, note).anchored(Anchor::End),
        };
        scene.text(note.coloured(MUTED));
    }
}

/// What a chart without panels says; gives the y below it.
pub fn no_policies(scene: &mut Scene, top: f64) -> f64 {
    let at = (scene.width / 2.0, top + LINE);
    scene.text(Text::new(at, NAME, "no policies").anchored(Anchor::Middle));
    top + 2.0 * LINE + MARGIN
}
