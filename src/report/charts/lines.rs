//! [`LinesChart`]: how quantities depend on another, policy by policy.

mod panel;

use super::heading::{self, MARGIN};
use super::quantity::Quantity;
use super::reference::Reference;
use super::scene::Scene;
use super::style::Styles;
use super::{Chart, font, legend};
use panel::Frame;

const WIDTH: f64 = 960.0;
/// Between panels side by side.
const GUTTER: f64 = 30.0;
/// Lines up to this many are labelled at their ends.
const LABELLED: usize = 5;
/// Labels may take this share of a panel's width; wider ones go to a legend.
const LABEL_SHARE: f64 = 0.36;

/// Lines, with interval bands if they have intervals, one panel a quantity, two side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct LinesChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// What it shows in words; `None` tells where each line begins and ends.
    pub summary: Option<String>,
    /// The axis that all panels share.
    pub x: Quantity,
    /// One a quantity, row by row.
    pub panels: Vec<LinesPanel>,
}

/// One quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct LinesPanel {
    /// Its axis.
    pub y: Quantity,
    /// One a policy.
    pub lines: Vec<Line>,
    /// Values of it that lines are held against.
    pub across: Vec<Reference>,
    /// Values of the x axis that lines are held against.
    pub upright: Vec<Reference>,
}

/// One policy's values of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name of the policy.
    pub policy: String,
    /// The values, by rising x. The line has a gap where one is not finite.
    pub points: Vec<LinePoint>,
    /// Whether a value holds until the next, and the line has steps.
    pub stepped: bool,
}

/// A value with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinePoint {
    /// The place on the x axis.
    pub x: f64,
    /// The value.
    pub mean: f64,
    /// The lower end of its interval; not a number if it has none.
    pub low: f64,
    /// The upper end of its interval; not a number if it has none.
    pub high: f64,
}

impl LinePoint {
    /// A value without interval.
    pub fn exact(x: f64, value: f64) -> LinePoint {
        LinePoint { x, mean: value, low: f64::NAN, high: f64::NAN }
    }
}

impl LinesPanel {
    /// A panel without references.
    pub fn new(y: Quantity, lines: Vec<Line>) -> LinesPanel {
        LinesPanel { y, lines, across: Vec::new(), upright: Vec::new() }
    }
}

impl LinesChart {
    /// Every policy once, in the order of appearance.
    fn policies(&self) -> Vec<&str> {
        let mut policies: Vec<&str> = Vec::new();
        for line in self.panels.iter().flat_map(|panel| &panel.lines) {
            if !policies.contains(&line.policy.as_str()) {
                policies.push(&line.policy);
            }
        }
        policies
    }

    fn description(&self) -> String {
        if let Some(summary) = &self.summary {
            return summary.clone();
        }
        let mut text = format!("Lines with intervals against {}.", self.x.title);
        for panel in &self.panels {
            text += &format!(" {}:", panel.y.title);
            let lines = panel.lines.iter().map(|line| format!(" {}", line.description()));
            text += &lines.collect::<Vec<_>>().join(",");
            text.push('.');
        }
        text
    }
}

impl Line {
    fn description(&self) -> String {
        let number = super::number::rounded;
        let known = || self.points.iter().filter(|point| point.mean.is_finite());
        match (known().next(), known().next_back()) {
            (Some(first), Some(last)) if first.x != last.x => format!(
                "{} from {} at {} to {} at {}",
                self.policy,
                number(first.mean),
                number(first.x),
                number(last.mean),
                number(last.x)
            ),
            (Some(only), _) => {
                format!("{} {} at {}", self.policy, number(only.mean), number(only.x))
            }
            _ => format!("{} without values", self.policy),
        }
    }
}

impl Chart for LinesChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        scene.description = self.description();
        let policies = self.policies();
        let columns = self.panels.len().clamp(1, 2);
        let room = WIDTH - 2.0 * MARGIN;
        let width = (room - GUTTER * (columns - 1) as f64) / columns as f64;
        let widest =
            policies.iter().map(|name| font::space(name, panel::LABEL, false)).fold(0.0, f64::max);
        let direct = policies.len() <= LABELLED && widest <= width * LABEL_SHARE;
        let height = if columns == 1 { 360.0 } else { 250.0 };

        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        for row in self.panels.chunks(columns) {
            let mut below = top;
            for (place, panel) in row.iter().enumerate() {
                let left = MARGIN + place as f64 * (width + GUTTER);
                let labels = direct.then_some(widest);
                let frame = Frame { left, right: left + width, top, height, labels };
                below = panel.draw(&mut scene, frame, &self.x, styles).max(below);
            }
            top = below + 14.0;
        }
        if !direct {
            top = legend::draw(&mut scene, &policies, styles, top, (MARGIN, WIDTH - MARGIN));
        }
        scene.finish(top + MARGIN / 2.0)
    }
}
