//! One panel of a lines chart.

use super::super::axis::{self, Plot};
use super::super::quantity::Quantity;
use super::super::reference::{self, Upright};
use super::super::scale::Scale;
use super::super::scene::{Anchor, Point, Scene, Shape, Text};
use super::super::style::{MUTED, Style, Styles};
use super::super::{dash, font, labels, marker};
use super::{Line, LinePoint, LinesPanel};

/// The size of labels at the ends of lines.
pub const LABEL: f64 = 12.0;
/// The least distance between the baselines of two labels.
const APART: f64 = 16.0;
/// From the end of the plot to the markers of the labels.
const LEADER: f64 = 18.0;
/// From the centre of a label's marker to its name.
const NAME: f64 = 10.0;
const TITLE: f64 = 12.5;
const STROKE: f64 = 2.0;
const BAND: f64 = 0.16;
/// Lines with more points have markers at some of them only.
const MARKED: usize = 25;
/// Lines with more points have smaller markers.
const LARGE: usize = 12;
/// Corners of a line that are closer than this are one.
const FINEST: f64 = 0.7;
/// The place of a panel.
pub struct Frame {
    /// The left edge.
    pub left: f64,
    /// The right edge.
    pub right: f64,
    /// The upper edge.
    pub top: f64,
    /// The height of the plot.
    pub height: f64,
    /// The space for the widest label, if lines are labelled at their ends.
    pub labels: Option<f64>,
}

/// The two axes of a panel.
struct Axes {
    plot: Plot,
    x: Scale,
    y: Scale,
}

impl Axes {
    fn shows(&self, point: &LinePoint) -> bool {
        self.x.shows(point.x) && self.y.shows(point.mean)
    }

    fn place(&self, x: f64, y: f64) -> Point {
        (self.x.place(x), self.y.place(y))
    }

    /// The stretches of a line without gap.
    fn runs<'a>(&self, line: &'a Line) -> impl Iterator<Item = &'a [LinePoint]> {
        line.points.split(|point| !self.shows(point)).filter(|run| !run.is_empty())
    }
}

impl LinesPanel {
    /// Draws the panel; gives the y below it.
    pub fn draw(&self, scene: &mut Scene, frame: Frame, x: &Quantity, styles: &Styles) -> f64 {
        let known = || self.points().filter(|point| point.mean.is_finite());
        let values = known().flat_map(|point| [point.mean, point.low, point.high]);
        // With room for a label on both sides.
        let across = self.across.iter().flat_map(|line| [0.8 * line.at, 1.2 * line.at]);
        let y = self.y.upright(values.chain(across));
        let xs = self.points().map(|point| point.x);
        let x = x.level(xs.chain(self.upright.iter().map(|reference| reference.at)));

        let baseline = frame.top + TITLE + 4.0;
        let title = font::fit(&y.title, TITLE, true, frame.right - frame.left);
        scene.text(Text::new((frame.left, baseline), TITLE, title).bold());

        let labels = frame.labels.map_or(8.0, |widest| LEADER + NAME + widest);
        let (left, right) = (frame.left + axis::width(&y.ticks), frame.right - labels);
        // Markers of the first and last points stay whole.
        let x_scale = x.scale((left + 8.0, right - 8.0));
        let upright = Upright::new(&self.upright, &x_scale, (left, right));
        let top = baseline + 16.0 + upright.height();
        let plot = Plot { left, right, top, bottom: top + frame.height };
        let axes = Axes { plot, x: x_scale, y: y.scale((plot.bottom, plot.top)) };

        axis::horizontal(scene, &plot, &axes.x, &x.ticks);
        axis::vertical(scene, &plot, &axes.y, &y.ticks);
        axis::base(scene, &plot);
        upright.draw(scene, &plot, &self.upright, &axes.x);
        for line in &self.lines {
            axes.band(scene, line, &styles.of(&line.policy));
        }
        for line in &self.lines {
            axes.stroke(scene, line, &styles.of(&line.policy));
        }
        for line in &self.lines {
            axes.mark(scene, line, &styles.of(&line.policy));
        }
        let marks: Vec<_> = self.lines.iter().flat_map(|line| axes.passed(line)).collect();
        if !marks.is_empty() {
            reference::across(scene, &plot, &self.across, &axes.y, &marks);
        }
        if frame.labels.is_some() {
            axes.label(scene, &self.lines, styles, frame.right);
        }
        if !self.lines.iter().any(|line| axes.runs(line).next().is_some()) {
            let middle =
                (f64::midpoint(plot.left, plot.right), f64::midpoint(plot.top, plot.bottom));
            let text = Text::new((middle.0, middle.1 - 8.0), LABEL, "no values");
            scene.text(text.anchored(Anchor::Middle).coloured(MUTED));
        }
        axis::below(scene, &plot, &axes.x, &x.ticks, &x.title, (frame.left, plot.right + 12.0))
    }

    fn points(&self) -> impl Iterator<Item = &LinePoint> + Clone {
        self.lines.iter().flat_map(|line| &line.points)
    }
}

impl Axes {
    /// The intervals of a line: a band, or a bar where a point stands alone.
    fn band(&self, scene: &mut Scene, line: &Line, style: &Style) {
        let known = |point: &LinePoint| point.low.is_finite() && point.high.is_finite();
        for run in self.runs(line).flat_map(|run| run.split(|point| !known(point))) {
            match run {
                [] => {}
                [only] => {
                    let ends = [only.low, only.high].map(|end| self.place(only.x, end));
                    scene.line(ends.to_vec(), 1.5, style.colour);
                }
                run => {
                    let there = run.iter().map(|point| self.place(point.x, point.high));
                    let back = run.iter().rev().map(|point| self.place(point.x, point.low));
                    let corners = there.chain(back).collect();
                    let fill = style.colour;
                    scene.shapes.push(Shape::Polygon { corners, fill, opacity: BAND });
                }
            }
        }
    }

    /// The corners of a stretch of a line, without those too close to be told apart.
    fn corners(&self, run: &[LinePoint], stepped: bool) -> Vec<Point> {
        let mut corners: Vec<Point> = Vec::new();
        for (index, point) in run.iter().enumerate() {
            let (x, y) = self.place(point.x, point.mean);
            let last = corners.last().copied();
            let near = last.is_some_and(|(a, b)| (x - a).abs() + (y - b).abs() < FINEST);
            if near && index + 1 < run.len() {
                continue;
            }
            corners.extend(last.filter(|_| stepped).map(|(_, before)| (x, before)));
            corners.push((x, y));
        }
        corners
    }

    /// Points that a line passes through, close to each other.
    fn passed(&self, line: &Line) -> Vec<Point> {
        let between = |pair: &[Point]| {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let steps = ((x1 - x0).abs().max((y1 - y0).abs()) / 4.0).ceil();
            let share = move |step: u32| f64::from(step) / steps;
            (0..=steps as u32)
                .map(share)
                .filter(|share| share.is_finite())
                .map(move |share| (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
        };
        let runs = self.runs(line).map(|run| self.corners(run, line.stepped));
        runs.flat_map(|corners| corners.windows(2).flat_map(between).collect::<Vec<_>>()).collect()
    }

    fn stroke(&self, scene: &mut Scene, line: &Line, style: &Style) {
        let runs = self.runs(line).filter(|run| run.len() > 1);
        let lines: Vec<_> = runs.map(|run| self.corners(run, line.stepped)).collect();
        dash::draw(scene, &lines, style.dash, STROKE, style.colour);
    }

    fn mark(&self, scene: &mut Scene, line: &Line, style: &Style) {
        let all = line.points.len() <= MARKED;
        let crowded = line.points.len() > LARGE && all;
        let radius = if crowded { marker::SMALL } else { marker::RADIUS };
        let apart = (self.plot.right - self.plot.left) / 8.0;
        let places = line.points.iter().filter(|point| self.shows(point));
        let mut places = places.map(|point| self.place(point.x, point.mean)).peekable();
        // Dense lines begin without: often they all begin at one place.
        let mut last = places.peek().copied();
        for (x, y) in places {
            let near = last.is_some_and(|(a, b)| (x - a).abs() + (y - b).abs() < apart);
            if all || !near {
                marker::draw(scene, (x, y), radius, style);
                last = Some((x, y));
            }
        }
    }

    /// The name of each line beside its end.
    fn label(&self, scene: &mut Scene, lines: &[Line], styles: &Styles, right: f64) {
        let ends: Vec<(&Line, Point)> = lines
            .iter()
            .filter_map(|line| {
                let last = line.points.iter().rfind(|point| self.shows(point))?;
                Some((line, self.place(last.x, last.mean)))
            })
            .collect();
        let wanted: Vec<_> = ends.iter().map(|(_, (_, y))| *y).collect();
        let places = labels::spread(&wanted, APART, (self.plot.top, self.plot.bottom));
        let x = self.plot.right + LEADER;
        for ((line, end), y) in ends.iter().zip(places) {
            let style = styles.of(&line.policy);
            let from = (end.0 + marker::RADIUS + 2.0, end.1);
            scene.line(vec![from, (x - marker::RADIUS - 3.0, y)], 0.8, style.colour.tint(0.6));
            marker::draw(scene, (x, y), marker::RADIUS, &style);
            let room = right - x - NAME;
            let name = font::fit(&line.policy, LABEL, false, room);
            scene.text(Text::new((x + NAME, y + LABEL * 0.35), LABEL, name));
        }
    }
}
