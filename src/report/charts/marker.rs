//! The markers that tell policies apart without colour.

use super::scene::{Point, Scene, Shape};
use super::style::{Colour, Form, Style, WHITE};

/// The radius of a marker.
pub const RADIUS: f64 = 4.0;
/// The radius of markers that stand close together.
pub const SMALL: f64 = 3.2;
/// The white rim that keeps markers apart from the lines they lie on.
const RIM: f64 = 0.9;
/// The thickness of a hollow marker's outline.
const OUTLINE: f64 = 1.4;

/// Draws the marker of `style`.
pub fn draw(scene: &mut Scene, centre: Point, radius: f64, style: &Style) {
    scene.shapes.push(shape(style.form, centre, radius + RIM, WHITE));
    scene.shapes.push(shape(style.form, centre, radius, style.colour));
    if style.hollow {
        scene.shapes.push(shape(style.form, centre, radius - OUTLINE, WHITE));
    }
}

fn shape(form: Form, (x, y): Point, radius: f64, fill: Colour) -> Shape {
    // Outlines of about equal area; a triangle's offset keeps its centre of mass at the place.
    // The half side of a triangle with inner radius r is r · √3.
    let polygon = |corners: &[Point]| Shape::Polygon {
        corners: corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect(),
        fill,
        opacity: 1.0,
    };
    let (square, diamond) = (radius * 0.89, radius * 1.25);
    let inner = radius * 0.68;
    let side = inner * 1.732;
    match form {
        Form::Circle => Shape::Disc { centre: (x, y), radius, fill },
        Form::Square => {
            polygon(&[(-square, -square), (square, -square), (square, square), (-square, square)])
        }
        Form::Diamond => {
            polygon(&[(0.0, -diamond), (diamond, 0.0), (0.0, diamond), (-diamond, 0.0)])
        }
        Form::Triangle => polygon(&[(0.0, -2.0 * inner), (side, inner), (-side, inner)]),
        Form::Wedge => polygon(&[(0.0, 2.0 * inner), (side, -inner), (-side, -inner)]),
    }
}
