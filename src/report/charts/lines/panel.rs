//! One panel of a lines chart.

use super::super::axis::{self, Plot};
use super::super::number::rounded;
use super::super::scale::Scale;
use super::super::scene::{Anchor, Point, Scene, Shape, Text};
use super::super::style::{MUTED, Style, Styles};
use super::super::ticks::{self, Tick};
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
const MOST_X_TICKS: usize = 6;
const MOST_Y_TICKS: usize = 5;
/// More than on a linear axis: 1, 2 and 5 are read faster than plain decades.
const MOST_LOG_TICKS: usize = 9;
/// From this ratio of its ends on, the x axis is logarithmic: half of the points would crowd at
/// its beginning otherwise.
const WIDE: f64 = 100.0;

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
    pub fn draw(&self, scene: &mut Scene, frame: Frame, x_title: &str, styles: &Styles) -> f64 {
        let (range, log_y, y_ticks) = self.y_axis();
        let baseline = frame.top + TITLE + 4.0;
        let title = match self.y_title.strip_suffix(')') {
            _ if !log_y => self.y_title.clone(),
            Some(with_unit) => format!("{with_unit}, log scale)"),
            None => format!("{} (log scale)", self.y_title),
        };
        let title = font::fit(&title, TITLE, true, frame.right - frame.left);
        scene.text(Text::new((frame.left, baseline), TITLE, title).bold());

        let top = baseline + 16.0;
        let labels = frame.labels.map_or(8.0, |widest| LEADER + NAME + widest);
        let left = frame.left + axis::width(&y_ticks);
        let plot = Plot { left, right: frame.right - labels, top, bottom: top + frame.height };
        // Markers of the first and last points stay whole.
        let inner = (plot.left + 8.0, plot.right - 8.0);
        let (x, x_ticks) = self.x_axis(inner);
        let pixels = (plot.bottom, plot.top);
        let y =
            if log_y { Scale::logarithmic(range, pixels) } else { Scale::linear(range, pixels) };
        let axes = Axes { plot, x, y };

        axis::horizontal(scene, &plot, &axes.x, &x_ticks);
        axis::vertical(scene, &plot, &axes.y, &y_ticks);
        axis::base(scene, &plot);
        for line in &self.lines {
            axes.band(scene, line, &styles.of(&line.policy));
        }
        for line in &self.lines {
            axes.stroke(scene, line, &styles.of(&line.policy));
        }
        for line in &self.lines {
            axes.mark(scene, line, &styles.of(&line.policy));
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
        axis::below(scene, &plot, &axes.x, &x_ticks, x_title, (frame.left, plot.right + 12.0))
    }

    fn points(&self) -> impl Iterator<Item = &LinePoint> + Clone {
        self.lines.iter().flat_map(|line| &line.points)
    }

    /// The range of the y axis, whether it is logarithmic, and its ticks.
    ///
    /// A linear axis has zero on it: heights are compared. A logarithmic one shows nothing that is
    /// not above zero, and is linear if that leaves nothing.
    fn y_axis(&self) -> ((f64, f64), bool, Vec<Tick>) {
        let values = self
            .points()
            .filter(|point| point.mean.is_finite())
            .flat_map(|point| [point.mean, point.low, point.high])
            .filter(|value| value.is_finite());
        if self.log_y {
            let (low, high) = extent(values.clone().filter(|value| *value > 0.0));
            if low <= high {
                let (mut low, mut high) = ticks::widen_logarithmic(low, high);
                if low == high {
                    (low, high) = (low / 10.0, high * 10.0);
                }
                return ((low, high), true, ticks::logarithmic(low, high, MOST_LOG_TICKS));
            }
        }
        if values.clone().next().is_none() {
            return ((0.0, 1.0), false, Vec::new());
        }
        let (low, high) = extent(values.chain([0.0]));
        let (low, high) = if low == high { (0.0, 1.0) } else { (low, high) };
        let range = ticks::widen_linear(low, high, MOST_Y_TICKS);
        (range, false, ticks::linear(range.0, range.1, MOST_Y_TICKS))
    }

    fn x_axis(&self, pixels: (f64, f64)) -> (Scale, Vec<Tick>) {
        let values = self.points().map(|point| point.x).filter(|x| x.is_finite());
        let (low, high) = extent(values);
        if low > 0.0 && high >= WIDE * low && high.is_finite() {
            let ticks = ticks::logarithmic(low, high, MOST_X_TICKS);
            return (Scale::logarithmic((low, high), pixels), ticks);
        }
        if low > high {
            return (Scale::linear((0.0, 1.0), pixels), Vec::new());
        }
        if low == high {
            // One value stands in the middle, and nothing else is worth a tick.
            let tick = Tick { value: low, label: rounded(low) };
            return (Scale::linear((low - 1.0, high + 1.0), pixels), vec![tick]);
        }
        let (low, high) = match (low, high) {
            // A gap to zero that is small against the range isn't worth an odd beginning.
            (low, high) if low > 0.0 && low <= 0.25 * high => (0.0, high),
            ends => ends,
        };
        (Scale::linear((low, high), pixels), ticks::linear(low, high, MOST_X_TICKS))
    }
}

/// The least and the greatest value; the wrong way round if there is none.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
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

    fn stroke(&self, scene: &mut Scene, line: &Line, style: &Style) {
        for run in self.runs(line).filter(|run| run.len() > 1) {
            let points: Vec<_> = run.iter().map(|point| self.place(point.x, point.mean)).collect();
            for piece in dash::pieces(&points, style.dash) {
                scene.line(piece, STROKE, style.colour);
            }
        }
    }

    fn mark(&self, scene: &mut Scene, line: &Line, style: &Style) {
        let every = if line.points.len() <= MARKED { 1 } else { line.points.len().div_ceil(10) };
        let crowded = line.points.len() > LARGE && every == 1;
        let radius = if crowded { marker::SMALL } else { marker::RADIUS };
        for point in line.points.iter().step_by(every).filter(|point| self.shows(point)) {
            marker::draw(scene, self.place(point.x, point.mean), radius, style);
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
