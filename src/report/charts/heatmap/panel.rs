//! One metric of one policy over the grid.

use super::super::axis::{self, Plot};
use super::super::cells::Cells;
use super::super::colour_scale::{self, ColourScale};
use super::super::font;
use super::super::heading::MARGIN;
use super::super::scene::{Anchor, Point, Scene, Shape, Text};
use super::super::style::{Colour, INK, MUTED, WHITE};
use super::{GUTTER, HeatmapCell, HeatmapChart, HeatmapPanel, HeatmapRow, VALUE, WIDTH};

const TITLE: f64 = 12.0;
const SCALE: (f64, f64) = (56.0, 9.0);
/// The heights of a cell, from a large grid to a small one.
const CELL: (f64, f64) = (12.0, 30.0);
const HIGHEST: f64 = 260.0;
/// The ground of cells without an estimate.
const ABSENT: Colour = Colour(0xF2, 0xF2, 0xF2);
/// White between cells whose values are printed.
const SEAM: f64 = 1.0;

/// The place of a panel.
pub struct Frame {
    /// The left edge.
    pub left: f64,
    /// The upper edge.
    pub top: f64,
    /// The width.
    pub width: f64,
    /// The space for the labels of the rows.
    pub labels: f64,
    /// Whether cells have their values printed.
    pub printed: bool,
    /// Whether the key of the columns is named below.
    pub last: bool,
}

impl Frame {
    /// The width of a panel where so many stand side by side.
    pub fn width(across: usize) -> f64 {
        (WIDTH - 2.0 * MARGIN + GUTTER) / across as f64 - GUTTER
    }

    /// Draws a panel; gives the y below it.
    pub fn draw(
        &self,
        scene: &mut Scene,
        chart: &HeatmapChart,
        row: &HeatmapRow,
        panel: &HeatmapPanel,
    ) -> f64 {
        let colours = chart.colours(&panel.metric);
        let (columns, rows) = (chart.columns.len().max(1), chart.rows.len().max(1));
        self.title(scene, panel, &colours);
        let top = (self.top + TITLE + 12.0).round();
        let height = (HIGHEST / rows as f64).clamp(CELL.0, CELL.1).floor();
        let (left, right) = (self.left + self.labels, self.left + self.width);
        let plot = Plot { left, right, top, bottom: top + height * rows as f64 };
        let x = |column: usize| (left + (right - left) * column as f64 / columns as f64).round();
        let y = |row: usize| plot.bottom - height * row as f64;

        let (from, to) = ((x(0), plot.top), (x(columns), plot.bottom));
        scene.shapes.push(Shape::Rect { from, to, fill: ABSENT });
        let cells = panel.cells.iter().map(|cell| {
            let place = (cell.column as u32, cell.row as u32);
            (place, cell.value)
        });
        let cells: Cells = cells.collect();
        cells.draw(scene, &colours, |column| x(column as usize), |row| y(row as usize));
        if self.printed {
            let upright = (1..columns).map(|column| vec![(x(column), from.1), (x(column), to.1)]);
            let level = (1..rows).map(|row| vec![(from.0, y(row)), (to.0, y(row))]);
            let paths = upright.chain(level).collect();
            scene.shapes.push(Shape::Paths { paths, width: SEAM, colour: WHITE });
        }
        self.absent(scene, (columns, rows), panel, (&x, &y));
        if self.printed {
            for cell in &panel.cells {
                let ground = colours.colour(cell.value);
                let at = (
                    f64::midpoint(x(cell.column), x(cell.column + 1)),
                    f64::midpoint(y(cell.row), y(cell.row + 1)) + 0.36 * VALUE,
                );
                let text = Text::new(at, VALUE, super::short(cell.value, &colours))
                    .anchored(Anchor::Middle);
                scene.text(text.coloured(colour_scale::text_on(ground)));
            }
        }
        if panel.condition.is_some() {
            let paths = edges(&panel.cells, (columns, rows), (&x, &y));
            if !paths.is_empty() {
                super::contour(scene, paths);
            }
        }
        if let Some((column, line)) = row.chosen {
            // In the corner of its cell where a value stands in the middle.
            let middle = f64::midpoint(x(column), x(column + 1));
            let place = match self.printed {
                true => (x(column + 1) - 1.0, y(line + 1) + 1.0),
                false => (middle, f64::midpoint(y(line), y(line + 1))),
            };
            super::star(scene, place);
        }
        self.row_labels(scene, &chart.rows, height, &y);
        self.column_labels(scene, chart, &plot, &x)
    }

    /// The metric, what it must keep, and its colours from least to greatest.
    fn title(&self, scene: &mut Scene, panel: &HeatmapPanel, colours: &ColourScale) {
        let baseline = self.top + TITLE;
        let (low, high) = colours.ends();
        let mut right = self.left + self.width;
        let name = panel.condition.as_ref().unwrap_or(&panel.metric);
        let ends =
            [low, high].map(|end| font::space(&super::short(end, colours), axis::TEXT, false));
        let scale = SCALE.0 + ends[0] + ends[1] + 20.0;
        let fits = font::space(name, TITLE, true) + scale <= self.width;
        // Where values are printed, the name is worth more than the colours' range.
        if !panel.cells.is_empty() && (fits || !self.printed) {
            let high = super::short(high, colours);
            let text = Text::new((right, baseline), axis::TEXT, high.clone());
            scene.text(text.anchored(Anchor::End).coloured(MUTED));
            let (width, steps) = (SCALE.0, 14.0);
            let to = right - font::space(&high, axis::TEXT, false) - 5.0;
            let (top, bottom) = (baseline - SCALE.1, baseline);
            for step in 0..14 {
                let from = to - width + f64::from(step) * width / steps;
                let fill = colours.at(f64::from(step) / (steps - 1.0));
                let end = (from + width / steps).min(to);
                scene.shapes.push(Shape::Rect { from: (from, top), to: (end, bottom), fill });
            }
            let low = super::short(low, colours);
            let at = to - width - 5.0;
            let text = Text::new((at, baseline), axis::TEXT, low.clone());
            scene.text(text.anchored(Anchor::End).coloured(MUTED));
            right = at - font::space(&low, axis::TEXT, false) - 10.0;
        }
        let room = (right - self.left).max(0.0);
        let name = font::fit(name, TITLE, true, room);
        scene.text(Text::new((self.left, baseline), TITLE, name).bold());
    }

    /// Marks cells without an estimate: with a dash where values are printed, else with a stroke.
    fn absent(
        &self,
        scene: &mut Scene,
        (columns, rows): (usize, usize),
        panel: &HeatmapPanel,
        (x, y): (&dyn Fn(usize) -> f64, &dyn Fn(usize) -> f64),
    ) {
        let mut present = vec![false; columns * rows];
        for cell in &panel.cells {
            if let Some(present) = present.get_mut(cell.row * columns + cell.column) {
                *present = true;
            }
        }
        let absent = (0..columns * rows).filter(|place| !present[*place]);
        let middle = absent.map(|place| {
            let (column, row) = (place % columns, place / columns);
            (f64::midpoint(x(column), x(column + 1)), f64::midpoint(y(row), y(row + 1)))
        });
        let dash = |(x, y): Point| vec![(x - 3.0, y), (x + 3.0, y)];
        let paths: Vec<_> = middle.map(dash).collect();
        if !paths.is_empty() {
            scene.shapes.push(Shape::Paths { paths, width: 1.2, colour: MUTED });
        }
    }

    fn row_labels(
        &self,
        scene: &mut Scene,
        rows: &[String],
        height: f64,
        y: &dyn Fn(usize) -> f64,
    ) {
        let every = ((axis::TEXT + 3.0) / height).ceil() as usize;
        for (row, label) in rows.iter().enumerate().step_by(every.max(1)) {
            let at = (self.left + self.labels - 6.0, f64::midpoint(y(row), y(row + 1)) + 4.0);
            let label = font::fit(label, axis::TEXT, false, self.labels - 6.0);
            let text = Text::new(at, axis::TEXT, label);
            scene.text(text.anchored(Anchor::End).coloured(MUTED));
        }
    }

    fn column_labels(
        &self,
        scene: &mut Scene,
        chart: &HeatmapChart,
        plot: &Plot,
        x: &dyn Fn(usize) -> f64,
    ) -> f64 {
        let baseline = plot.bottom + 5.0 + axis::TEXT;
        let end = self.left + self.width;
        let mut free = self.left;
        for (column, label) in chart.columns.iter().enumerate() {
            let label = font::fit(label, axis::TEXT, false, 0.5 * self.width);
            let half = font::space(&label, axis::TEXT, false) / 2.0;
            let middle = f64::midpoint(x(column), x(column + 1)).min(end - half);
            if middle - half < free {
                continue;
            }
            free = middle + half + 4.0;
            let text = Text::new((middle, baseline), axis::TEXT, label);
            scene.text(text.anchored(Anchor::Middle).coloured(MUTED));
        }
        if !self.last {
            return baseline + 4.0;
        }
        let below = baseline + axis::TEXT + 6.0;
        let title = font::fit(&chart.x_title, axis::TEXT, false, self.width);
        let half = font::space(&title, axis::TEXT, false) / 2.0;
        let middle = f64::midpoint(plot.left, plot.right);
        let middle = middle.min(end - half).max(self.left + half);
        let text = Text::new((middle, below), axis::TEXT, title);
        scene.text(text.anchored(Anchor::Middle).coloured(INK));
        below + 4.0
    }
}

/// The borders between cells that keep the condition and neighbours that break it.
fn edges(
    cells: &[HeatmapCell],
    (columns, rows): (usize, usize),
    (x, y): (&dyn Fn(usize) -> f64, &dyn Fn(usize) -> f64),
) -> Vec<Vec<Point>> {
    let mut kept = vec![None; columns * rows];
    for cell in cells.iter().filter(|cell| cell.column < columns && cell.row < rows) {
        kept[cell.row * columns + cell.column] = Some(cell.kept);
    }
    let at = |column: usize, row: usize| kept[row * columns + column];
    // What has no estimate is on neither side.
    let differ = |a: Option<bool>, b: Option<bool>| a.zip(b).is_some_and(|(a, b)| a != b);
    let mut paths = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (left, right, bottom, top) = (x(column), x(column + 1), y(row), y(row + 1));
            if column + 1 < columns && differ(at(column, row), at(column + 1, row)) {
                paths.push(vec![(right, bottom), (right, top)]);
            }
            if row + 1 < rows && differ(at(column, row), at(column, row + 1)) {
                paths.push(vec![(left, top), (right, top)]);
            }
        }
    }
    paths
}
