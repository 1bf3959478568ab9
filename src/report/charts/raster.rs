//! Scenes as PNG, through plotters' bitmap backend.
//!
//! The backend draws hard edges. It draws at four times the size, and the mean of every two by
//! two pixels makes the edges smooth at twice the size. Letters are set at that size from the
//! font's outlines: the backend's own text drops the space before a letter, so that words look
//! torn.

use ab_glyph::{Font, Glyph, point};
use plotters::backend::{BitMapBackend, DrawingBackend};
use plotters::style::RGBAColor;

use super::error::ChartError;
use super::font;
use super::grid::{Grid, rgba};
use super::scene::{Anchor, Point, Scene, Shape, Text};
use super::style::Colour;

/// Pixels of the picture per logical pixel.
const PIXELS: usize = 2;
/// Pixels of the drawing per pixel of the picture.
const REDUCED: usize = 2;
/// Pixels of the drawing per logical pixel.
const GRID: Grid = Grid((PIXELS * REDUCED) as f64);

/// Writes `scene` as PNG.
pub fn write(scene: &Scene) -> Result<Vec<u8>, ChartError> {
    let width = scene.width.ceil() as usize * PIXELS;
    let height = scene.height.ceil() as usize * PIXELS;
    let (wide, high) = (width * REDUCED, height * REDUCED);
    let mut drawing = vec![255; wide * high * 3];
    {
        let size = (wide as u32, high as u32);
        let mut backend = BitMapBackend::with_buffer(&mut drawing, size);
        for shape in &scene.shapes {
            draw(&mut backend, shape)?;
        }
        backend.present().map_err(ChartError::backend)?;
    }
    let mut picture = Picture { pixels: reduce(&drawing, wide), width, height };
    drop(drawing);
    scene.texts.iter().for_each(|text| picture.write(text));
    picture.encode()
}

fn draw(backend: &mut BitMapBackend<'_>, shape: &Shape) -> Result<(), ChartError> {
    match shape {
        Shape::Rect { from, to, fill } => rectangle(backend, *from, *to, *fill),
        Shape::Steps { base, columns, fill } => {
            columns.iter().try_for_each(|(left, right, top)| {
                rectangle(backend, (*left, *top), (*right, *base), *fill)
            })
        }
        Shape::Polygon { corners, fill, opacity } => {
            polygon(backend, corners, rgba(*fill, *opacity))
        }
        Shape::Disc { centre, radius, fill } => disc(backend, *centre, *radius, *fill),
        Shape::Path { points, width, colour } => stroke(backend, points, *width, *colour),
        Shape::Paths { paths, width, colour } => {
            paths.iter().try_for_each(|points| stroke(backend, points, *width, *colour))
        }
        Shape::Dots { centres, radius, fill } => {
            centres.iter().try_for_each(|centre| disc(backend, *centre, *radius, *fill))
        }
    }
}

fn rectangle(
    backend: &mut BitMapBackend<'_>,
    from: Point,
    to: Point,
    fill: Colour,
) -> Result<(), ChartError> {
    let drawn = backend.draw_rect(GRID.place(from), GRID.place(to), &rgba(fill, 1.0), true);
    drawn.map_err(ChartError::backend)
}

fn polygon(
    backend: &mut BitMapBackend<'_>,
    corners: &[Point],
    fill: RGBAColor,
) -> Result<(), ChartError> {
    let drawn =
        backend.fill_polygon(corners.iter().copied().map(|corner| GRID.place(corner)), &fill);
    drawn.map_err(ChartError::backend)
}

fn disc(
    backend: &mut BitMapBackend<'_>,
    centre: Point,
    radius: f64,
    fill: Colour,
) -> Result<(), ChartError> {
    let radius = GRID.units(radius).unsigned_abs();
    let drawn = backend.draw_circle(GRID.place(centre), radius, &rgba(fill, 1.0), true);
    drawn.map_err(ChartError::backend)
}

/// A line as one quadrilateral a segment, and a disc at every joint.
fn stroke(
    backend: &mut BitMapBackend<'_>,
    points: &[Point],
    width: f64,
    colour: Colour,
) -> Result<(), ChartError> {
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)).sqrt();
        if length == 0.0 {
            continue;
        }
        let (dx, dy) = ((y1 - y0) / length * width / 2.0, (x0 - x1) / length * width / 2.0);
        if x0 == x1 || y0 == y1 {
            let from = (x0.min(x1) - dx.abs(), y0.min(y1) - dy.abs());
            let to = (x0.max(x1) + dx.abs(), y0.max(y1) + dy.abs());
            rectangle(backend, from, to, colour)?;
        } else {
            let corners =
                [(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)];
            polygon(backend, &corners, rgba(colour, 1.0))?;
        }
    }
    let ends = points.len().saturating_sub(1);
    // A line that comes back to its beginning has a joint there too.
    let first = usize::from(points.first() != points.last());
    let joints = points.get(first..ends).unwrap_or_default();
    joints.iter().try_for_each(|joint| disc(backend, *joint, width / 2.0, colour))
}

/// The mean of every block of pixels.
fn reduce(drawing: &[u8], wide: usize) -> Vec<u8> {
    let row = wide * 3;
    let block = (REDUCED * REDUCED) as u16;
    let mut pixels = Vec::with_capacity(drawing.len() / usize::from(block));
    let mut sums = vec![0_u16; row / REDUCED];
    for rows in drawing.chunks_exact(row * REDUCED) {
        sums.fill(0);
        for row in rows.chunks_exact(row) {
            for (sum, pixels) in sums.chunks_exact_mut(3).zip(row.chunks_exact(3 * REDUCED)) {
                for pixel in pixels.chunks_exact(3) {
                    sum.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u16::from(*part));
                }
            }
        }
        pixels.extend(sums.iter().map(|sum| ((sum + block / 2) / block) as u8));
    }
    pixels
}

/// The reduced drawing.
struct Picture {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

impl Picture {
    fn write(&mut self, text: &Text) {
        let size = text.size * PIXELS as f64;
        let (placed, width) = font::set(&text.content, size, text.bold);
        let (x, baseline) = (text.at.0 * PIXELS as f64, text.at.1 * PIXELS as f64);
        let start = match text.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let scale = font::scale(text.bold, size);
        for font::Placed { glyph: id, x } in placed {
            let position = point((start + x) as f32, baseline.round() as f32);
            let Some(outline) = font::face(text.bold).outline_glyph(Glyph { id, scale, position })
            else {
                continue;
            };
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, cover| {
                self.blend(
                    corner.x as i64 + i64::from(x),
                    corner.y as i64 + i64::from(y),
                    text.colour,
                    cover,
                );
            });
        }
    }

    fn blend(&mut self, x: i64, y: i64, Colour(r, g, b): Colour, cover: f32) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x >= self.width || y >= self.height {
            return;
        }
        let start = (y * self.width + x) * 3;
        for (part, ink) in self.pixels[start..start + 3].iter_mut().zip([r, g, b]) {
            let before = f32::from(*part);
            *part = (before + (f32::from(ink) - before) * cover.clamp(0.0, 1.0)).round() as u8;
        }
    }

    fn encode(&self) -> Result<Vec<u8>, ChartError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(file)
    }
}
