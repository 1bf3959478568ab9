//! How the outcomes of attempts look: a mark and a colour each, in every chart.
//!
//! The marks differ in outline, so that they are told apart in grey. None is as wide as the lines
//! between them are long, and none is a horizontal stroke, as those lines are.

use super::font;
use super::scene::{Point, Scene, Shape, Text};
use super::style::{Colour, MUTED};
use crate::measure::close_up::AttemptOutcome;

/// All outcomes in the order of keys; of marks at one place the first lies above.
pub const ALL: [AttemptOutcome; 5] = [
    AttemptOutcome::Accepted,
    AttemptOutcome::Refused,
    AttemptOutcome::Failed,
    AttemptOutcome::TimedOut,
    AttemptOutcome::InFlight,
];

const KEY: f64 = 11.5;
const KEY_RADIUS: f64 = 3.6;
/// Between the items of a key.
const APART: f64 = 16.0;

/// What an outcome is called.
pub fn word(outcome: AttemptOutcome) -> &'static str {
    match outcome {
        AttemptOutcome::Accepted => "accepted",
        AttemptOutcome::Refused => "refused",
        AttemptOutcome::Failed => "failed",
        AttemptOutcome::TimedOut => "timed out",
        AttemptOutcome::InFlight => "in flight",
    }
}

/// Its colour; each stands out from white by 3:1.
pub fn colour(outcome: AttemptOutcome) -> Colour {
    match outcome {
        AttemptOutcome::Accepted => Colour(0x00, 0x9E, 0x73),
        AttemptOutcome::Refused => Colour(0xD5, 0x5E, 0x00),
        AttemptOutcome::Failed => Colour(0x00, 0x00, 0x00),
        AttemptOutcome::TimedOut => Colour(0x00, 0x72, 0xB2),
        AttemptOutcome::InFlight => Colour(0x76, 0x76, 0x76),
    }
}

/// Marks of an outcome at all these places, as one shape.
pub fn marks(outcome: AttemptOutcome, places: Vec<Point>, radius: f64) -> Shape {
    let r = radius;
    let strokes: &[&[Point]] = match outcome {
        AttemptOutcome::Accepted => {
            return Shape::Dots { centres: places, radius: 0.9 * r, fill: colour(outcome) };
        }
        // An upright stroke, a cross, a diamond, a triangle that points onward.
        AttemptOutcome::Refused => &[&[(0.0, -1.15), (0.0, 1.15)]],
        AttemptOutcome::Failed => &[&[(-0.9, -0.9), (0.9, 0.9)], &[(-0.9, 0.9), (0.9, -0.9)]],
        AttemptOutcome::TimedOut => {
            &[&[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0), (0.0, -1.2)]]
        }
        AttemptOutcome::InFlight => &[&[(-0.7, -1.0), (1.1, 0.0), (-0.7, 1.0), (-0.7, -1.0)]],
    };
    let paths = places.into_iter().flat_map(|(x, y)| {
        let place = move |(dx, dy): &Point| (x + dx * r, y + dy * r);
        strokes.iter().map(move |stroke| stroke.iter().map(place).collect())
    });
    let paths = paths.collect();
    Shape::Paths { paths, width: (0.45 * r).max(0.8), colour: colour(outcome) }
}

/// Draws what the marks mean, from right to left; gives the x where that begins.
pub fn key(scene: &mut Scene, outcomes: &[AttemptOutcome], (right, baseline): Point) -> f64 {
    let mut right = right;
    for outcome in outcomes.iter().rev() {
        let start = right - font::space(word(*outcome), KEY, false);
        scene.text(Text::new((start, baseline), KEY, word(*outcome)).coloured(MUTED));
        let place = (start - 5.0 - KEY_RADIUS, baseline - 0.35 * KEY);
        scene.shapes.push(marks(*outcome, vec![place], KEY_RADIUS));
        right = place.0 - KEY_RADIUS - APART;
    }
    right
}
