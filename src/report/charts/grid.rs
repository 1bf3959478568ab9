//! From the places of a scene to the whole units that backends draw in.

use plotters::style::RGBAColor;

use super::scene::Point;
use super::style::Colour;

/// A grid with so many units to a logical pixel.
#[derive(Clone, Copy, Debug)]
pub struct Grid(pub f64);

impl Grid {
    /// A length, to the nearest unit.
    pub fn units(self, length: f64) -> i32 {
        (length * self.0).round() as i32
    }

    /// A point, to the nearest units.
    pub fn place(self, (x, y): Point) -> (i32, i32) {
        (self.units(x), self.units(y))
    }
}

/// A colour as backends take it.
pub fn rgba(Colour(r, g, b): Colour, opacity: f64) -> RGBAColor {
    RGBAColor(r, g, b, opacity)
}
