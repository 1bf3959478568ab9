//! [`Scene`]: what a chart consists of, before it becomes SVG or PNG.
//!
//! All lengths are in logical pixels, x to the right and y down.

use super::error::ChartError;
use super::style::{Colour, INK, WHITE};
use super::{raster, svg};

/// A place in logical pixels.
pub type Point = (f64, f64);

/// A drawn chart: shapes in the order of drawing, and texts, which lie above all shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width of the frame.
    pub width: f64,
    /// Height of the frame.
    pub height: f64,
    /// The title, for those who can't see the picture.
    pub title: String,
    /// What the picture shows, in words.
    pub description: String,
    /// Shapes, later ones above earlier ones.
    pub shapes: Vec<Shape>,
    /// Texts.
    pub texts: Vec<Text>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle between two corners.
    Rect {
        /// The upper left corner.
        from: Point,
        /// The lower right corner.
        to: Point,
        /// The filling.
        fill: Colour,
    },
    /// Filled columns on one base, side by side: the area under a step line.
    Steps {
        /// Where all columns stand.
        base: f64,
        /// Left, right and top of each column, from left to right.
        columns: Vec<(f64, f64, f64)>,
        /// The filling.
        fill: Colour,
    },
    /// A filled polygon.
    Polygon {
        /// The corners.
        corners: Vec<Point>,
        /// The filling.
        fill: Colour,
        /// From 0, invisible, to 1, solid.
        opacity: f64,
    },
    /// A filled circle.
    Disc {
        /// The centre.
        centre: Point,
        /// The radius.
        radius: f64,
        /// The filling.
        fill: Colour,
    },
    /// A line through points.
    Path {
        /// The points.
        points: Vec<Point>,
        /// The width of the line.
        width: f64,
        /// The colour of the line.
        colour: Colour,
    },
    /// Many lines of one look. In SVG they are one element, a fraction of the size of as many.
    Paths {
        /// The points of each line.
        paths: Vec<Vec<Point>>,
        /// The width of the lines.
        width: f64,
        /// The colour of the lines.
        colour: Colour,
    },
    /// Many filled circles of one look; one element in SVG too.
    Dots {
        /// The centres.
        centres: Vec<Point>,
        /// The radius.
        radius: f64,
        /// The filling.
        fill: Colour,
    },
}

/// Which end of a text its place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text is centred there.
    Middle,
    /// The text ends there.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The place of its baseline.
    pub at: Point,
    /// What the place is the end of.
    pub anchor: Anchor,
    /// The size of the font.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub colour: Colour,
    /// What it says.
    pub content: String,
}

impl Text {
    /// A text in ink, not bold, that begins at `at`.
    pub fn new(at: Point, size: f64, content: impl Into<String>) -> Self {
        let content = content.into();
        Text { at, anchor: Anchor::Start, size, bold: false, colour: INK, content }
    }

    /// The text with another anchor.
    pub fn anchored(self, anchor: Anchor) -> Self {
        Text { anchor, ..self }
    }

    /// The text in another colour.
    pub fn coloured(self, colour: Colour) -> Self {
        Text { colour, ..self }
    }

    /// The text in bold.
    pub fn bold(self) -> Self {
        Text { bold: true, ..self }
    }
}

impl Scene {
    /// A scene without contents, whose height is to be set once it is known.
    pub fn new(width: f64, title: &str) -> Self {
        Scene {
            width,
            height: 0.0,
            title: title.to_owned(),
            description: String::new(),
            shapes: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Ends the scene at `height` and lays a white ground under it.
    pub fn finish(mut self, height: f64) -> Self {
        self.height = height.ceil();
        let ground = Shape::Rect { from: (0.0, 0.0), to: (self.width, self.height), fill: WHITE };
        self.shapes.insert(0, ground);
        self
    }

    /// As SVG.
    ///
    /// # Errors
    ///
    /// As [`Chart::to_svg`](super::Chart::to_svg).
    pub fn to_svg(&self) -> Result<String, ChartError> {
        svg::write(self)
    }

    /// As PNG.
    ///
    /// # Errors
    ///
    /// As [`Chart::to_png`](super::Chart::to_png).
    pub fn to_png(&self) -> Result<Vec<u8>, ChartError> {
        raster::write(self)
    }

    /// Adds a line of one colour.
    pub fn line(&mut self, points: Vec<Point>, width: f64, colour: Colour) {
        self.shapes.push(Shape::Path { points, width, colour });
    }

    /// Adds a text.
    pub fn text(&mut self, text: Text) {
        self.texts.push(text);
    }
}
