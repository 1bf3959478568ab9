//! Lines that data is held against: a deadline, a bound, what chance would give.

use super::axis::Plot;
use super::labels;
use super::scale::Scale;
use super::scene::{Anchor, Point, Scene, Shape, Text};
use super::style::{MUTED, WHITE};
use super::{dash, font};

/// The size of the labels.
const TEXT: f64 = 11.5;
const DASH: [f64; 2] = [5.0, 4.0];
const WIDTH: f64 = 1.4;
/// Between a line and its label.
const GAP: f64 = 4.0;
/// The height of a row of labels above a plot.
const ROW: f64 = 16.0;
/// Where along a line its label may begin, as shares of the free length.
const PLACES: [f64; 5] = [0.0, 1.0, 0.5, 0.25, 0.75];

/// A value that data is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The value.
    pub at: f64,
    /// What it is.
    pub label: String,
}

/// A rectangle: left, top, right, bottom.
pub type Area = (f64, f64, f64, f64);

/// Whether two rectangles share a point.
pub fn meet(one: &Area, other: &Area) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

/// Upright lines with their labels in rows above the plot.
pub struct Upright {
    labels: Vec<(f64, usize, String)>,
    rows: usize,
}

impl Upright {
    /// Sets the labels of `references` in as few rows as they need.
    pub fn new(references: &[Reference], scale: &Scale, (left, right): (f64, f64)) -> Upright {
        let texts = references.iter().map(|reference| {
            let label = font::fit(&reference.label, TEXT, false, right - left);
            let half = font::space(&label, TEXT, false) / 2.0;
            let x = scale.place(reference.at).min(right - half).max(left + half);
            (x, half, label)
        });
        let texts: Vec<_> = texts.collect();
        let spans: Vec<_> = texts.iter().map(|(x, half, _)| (x - half, x + half + 8.0)).collect();
        let rows = labels::rows(&spans);
        let count = rows.iter().map(|row| row + 1).max().unwrap_or(0);
        let labels = texts.into_iter().zip(rows).map(|((x, _, label), row)| (x, row, label));
        Upright { labels: labels.collect(), rows: count }
    }

    /// The space that the labels need above the plot.
    pub fn height(&self) -> f64 {
        self.rows as f64 * ROW
    }

    /// Draws lines and labels.
    pub fn draw(&self, scene: &mut Scene, plot: &Plot, references: &[Reference], scale: &Scale) {
        for (reference, (x, row, label)) in references.iter().zip(&self.labels) {
            let place = scale.place(reference.at);
            line(scene, (place, plot.top - 2.0), (place, plot.bottom));
            let baseline = plot.top - GAP - 2.0 - *row as f64 * ROW;
            let text = Text::new((*x, baseline), TEXT, label.clone());
            scene.text(text.anchored(Anchor::Middle).coloured(MUTED));
        }
    }
}

/// Draws lines across the plot, each with its label above or below it where the fewest of `marks`
/// are hidden; gives the places of the labels. A label without any free place is left out.
pub fn across(
    scene: &mut Scene,
    plot: &Plot,
    references: &[Reference],
    scale: &Scale,
    marks: &[Point],
) -> Vec<Area> {
    let mut taken: Vec<Area> = Vec::new();
    for reference in references {
        let y = scale.place(reference.at);
        line(scene, (plot.left, y), (plot.right, y));
    }
    for reference in references {
        let y = scale.place(reference.at);
        let room = plot.right - plot.left - 2.0 * GAP;
        let label = font::fit(&reference.label, TEXT, false, room);
        let width = font::space(&label, TEXT, false);
        let baselines = [y - GAP - 1.0, y + GAP + TEXT * 0.78];
        let places = PLACES.iter().flat_map(|share| {
            let left = plot.left + GAP + share * (room - width);
            baselines.map(|baseline| (left, baseline))
        });
        let area = |(left, baseline): Point| {
            (left - 2.0, baseline - 0.8 * TEXT, left + width + 2.0, baseline + 0.28 * TEXT)
        };
        let free = places.map(|place| (place, area(place))).filter(|(_, area)| {
            let inside = area.1 >= plot.top - 2.0 && area.3 <= plot.bottom;
            inside && !taken.iter().any(|other| meet(area, other))
        });
        let hidden = |area: &Area| {
            let within = |(x, y): &&Point| {
                (area.0..=area.2).contains(x) && (area.1 - 2.0..=area.3 + 2.0).contains(y)
            };
            marks.iter().filter(within).count()
        };
        let Some((at, area)) = free.min_by_key(|(_, area)| hidden(area)) else { continue };
        ground(scene, &area);
        scene.text(Text::new(at, TEXT, label).coloured(MUTED));
        taken.push(area);
    }
    taken
}

/// A nearly white ground on which a text can be read above data.
pub fn ground(scene: &mut Scene, &(left, top, right, bottom): &Area) {
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
    scene.shapes.push(Shape::Polygon { corners, fill: WHITE, opacity: 0.86 });
}

fn line(scene: &mut Scene, from: Point, to: Point) {
    dash::draw(scene, &[vec![from, to]], &DASH, WIDTH, MUTED);
}
