//! [`Ending`]: how a logical request ended, and what that looks like.

use super::super::hatch::{Hatch, strokes};
use super::super::reference::Area;
use super::super::scene::{Scene, Shape};
use super::super::style::{Colour, WHITE};

/// Between strokes of a hatch.
const APART: f64 = 6.0;

/// How a logical request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its first attempt brought an accepted answer.
    FirstTry,
    /// A later attempt did.
    Retried,
    /// It had no attempts left.
    Attempts,
    /// It had no time left.
    Deadline,
    /// The budget refused a retry.
    Budget,
    /// The outcome was one that no retry mends.
    Stopped,
    /// Nobody knew whether it had taken effect.
    Reconciled,
    /// The run was over first.
    Unfinished,
}

/// The look of a segment.
pub struct Look {
    /// The ground.
    pub fill: Colour,
    /// The outline and the hatch.
    pub ink: Colour,
    /// The strokes on the ground.
    pub hatch: Option<Hatch>,
}

const BLUE: Colour = Colour(0x00, 0x72, 0xB2);
/// Okabe and Ito's vermillion, darker: white text on it is read at 4.9:1.
const VERMILLION: Colour = Colour(0xBE, 0x50, 0x00);
const DARK: Colour = Colour(0x3A, 0x3A, 0x3A);

impl Ending {
    /// All endings in the order of the bars.
    pub const ALL: [Ending; 8] = [
        Ending::FirstTry,
        Ending::Retried,
        Ending::Attempts,
        Ending::Deadline,
        Ending::Budget,
        Ending::Stopped,
        Ending::Reconciled,
        Ending::Unfinished,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Ending::FirstTry => "succeeded at first try",
            Ending::Retried => "succeeded after retries",
            Ending::Attempts => "gave up: attempts",
            Ending::Deadline => "gave up: deadline",
            Ending::Budget => "gave up: budget",
            Ending::Stopped => "stopped",
            Ending::Reconciled => "reconciled",
            Ending::Unfinished => "unfinished",
        }
    }

    /// How it looks.
    pub(super) fn look(self) -> Look {
        let look = |fill, ink, hatch| Look { fill, ink, hatch };
        match self {
            Ending::FirstTry => look(BLUE, BLUE, None),
            Ending::Retried => look(BLUE.tint(0.3), BLUE, Some(Hatch::Rising)),
            Ending::Attempts => look(VERMILLION, VERMILLION, None),
            Ending::Deadline => look(VERMILLION.tint(0.4), VERMILLION, Some(Hatch::Falling)),
            Ending::Budget => look(VERMILLION.tint(0.12), VERMILLION, Some(Hatch::Upright)),
            Ending::Stopped => look(DARK, DARK, None),
            Ending::Reconciled => look(DARK.tint(0.35), DARK, Some(Hatch::Level)),
            Ending::Unfinished => look(WHITE, DARK, None),
        }
    }

    /// Fills an area with its look.
    pub(super) fn draw(self, scene: &mut Scene, area: &Area) {
        let look = self.look();
        let (left, top, right, bottom) = *area;
        scene.shapes.push(Shape::Rect { from: (left, top), to: (right, bottom), fill: look.fill });
        // Within the area, so that neighbours' outlines do not meet.
        let (left, top, right, bottom) = (left + 0.5, top + 0.5, right - 0.5, bottom - 0.5);
        if right > left {
            let hatch = look.hatch.map(|hatch| strokes(&(left, top, right, bottom), hatch, APART));
            if let Some(line) = hatch.filter(|line| line.len() > 1) {
                scene.shapes.push(Shape::Paths { paths: vec![line], width: 1.0, colour: look.ink });
            }
            let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            scene.line(corners.to_vec(), 1.0, look.ink);
        }
    }
}
