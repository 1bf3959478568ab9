//! Scenes as SVG, through plotters' SVG backend.
//!
//! The backend takes whole pixels only. It draws at ten times the size, and the view box brings
//! that back, so that places are exact to a tenth of a pixel.

mod path;

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, IntoFont, ShapeStyle, TextStyle};

use super::error::ChartError;
use super::font;
use super::grid::{Grid, rgba};
use super::scene::{Anchor, Scene, Shape, Text};

/// Units of the view box per pixel.
const GRID: Grid = Grid(10.0);
/// The backend divides sizes by this.
const SIZE_DIVISOR: f64 = 1.24;
/// The backend puts the baseline of a text anchored at its top so many ems below its place.
const TOP_TO_BASELINE: f64 = 0.76;

/// Writes `scene` as SVG.
pub fn write(scene: &Scene) -> Result<String, ChartError> {
    let size = (GRID.units(scene.width) as u32, GRID.units(scene.height) as u32);
    let mut contents = String::new();
    for shape in &scene.shapes {
        match path::element(shape) {
            Some(path) => contents += &path,
            None => contents += &element(size, |backend| draw(backend, shape))?,
        }
    }
    for text in &scene.texts {
        contents += &element(size, |backend| write_text(backend, text))?;
    }
    let (width, height) = (scene.width, scene.height);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\" stroke-linejoin=\"round\">\n\
         <title>{}</title>\n<desc>{}</desc>\n{contents}</svg>\n",
        size.0,
        size.1,
        escape(&scene.title),
        escape(&scene.description),
    ))
}

/// What the backend draws, without the picture around it: the backend can neither name its picture
/// nor write what it knows no element for.
fn element(
    size: (u32, u32),
    draw: impl FnOnce(&mut SVGBackend<'_>) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut picture = String::new();
    let mut backend = SVGBackend::with_string(&mut picture, size);
    draw(&mut backend)?;
    backend.present().map_err(ChartError::backend)?;
    drop(backend);
    let inside = picture.split_once(">\n").map_or("", |(_, inside)| inside);
    Ok(inside.strip_suffix("</svg>\n").unwrap_or(inside).to_owned())
}

fn draw(backend: &mut SVGBackend<'_>, shape: &Shape) -> Result<(), ChartError> {
    let drawn = match shape {
        Shape::Rect { from, to, fill } => {
            backend.draw_rect(GRID.place(*from), GRID.place(*to), &rgba(*fill, 1.0), true)
        }
        Shape::Steps { base, columns, fill } => {
            backend.fill_polygon(outline(*base, columns), &rgba(*fill, 1.0))
        }
        Shape::Polygon { corners, fill, opacity } => backend.fill_polygon(
            corners.iter().copied().map(|corner| GRID.place(corner)),
            &rgba(*fill, *opacity),
        ),
        Shape::Disc { centre, radius, fill } => {
            let radius = GRID.units(*radius).unsigned_abs();
            backend.draw_circle(GRID.place(*centre), radius, &rgba(*fill, 1.0), true)
        }
        Shape::Path { points, width, colour } => {
            let stroke_width = GRID.units(*width).unsigned_abs();
            let style = ShapeStyle { color: rgba(*colour, 1.0), filled: false, stroke_width };
            backend.draw_path(points.iter().copied().map(|point| GRID.place(point)), &style)
        }
        // What `path` writes is not drawn again.
        Shape::Paths { .. } | Shape::Dots { .. } => Ok(()),
    };
    drawn.map_err(ChartError::backend)
}

/// The corners of columns side by side; columns of the same height make one step.
fn outline(base: f64, columns: &[(f64, f64, f64)]) -> Vec<(i32, i32)> {
    let mut corners: Vec<(i32, i32)> = Vec::new();
    let base = GRID.units(base);
    for (left, right, top) in columns {
        let (left, right, top) = (GRID.units(*left), GRID.units(*right), GRID.units(*top));
        match corners.last_mut() {
            Some(last) if *last == (left, top) => last.0 = right,
            Some(last) if last.0 == left => corners.extend([(left, top), (right, top)]),
            Some(&mut (before, _)) => {
                corners.extend([(before, base), (left, base), (left, top), (right, top)]);
            }
            None => corners.extend([(left, base), (left, top), (right, top)]),
        }
    }
    corners.extend(corners.last().map(|(right, _)| (*right, base)));
    corners
}

fn write_text(backend: &mut SVGBackend<'_>, text: &Text) -> Result<(), ChartError> {
    let Text { at: (x, baseline), size, colour, .. } = *text;
    let h_pos = match text.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let weight = if text.bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = (font::FAMILY, size * GRID.0 * SIZE_DIVISOR, weight).into_font();
    let colour = rgba(colour, 1.0);
    let style = TextStyle::from(font).color(&colour).pos(Pos::new(h_pos, VPos::Top));
    let place = GRID.place((x, baseline - TOP_TO_BASELINE * size));
    backend.draw_text(&text.content, &style, place).map_err(ChartError::backend)
}

fn escape(text: &str) -> String {
    font::clean(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
