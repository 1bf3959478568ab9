//! [`LinesChart`]: how metrics depend on a swept parameter, policy by policy.

mod panel;

use super::heading::{self, MARGIN};
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

/// Lines with interval bands against a swept parameter, one panel a metric, two side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct LinesChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// The parameter and its unit.
    pub x_title: String,
    /// One a metric, row by row.
    pub panels: Vec<LinesPanel>,
}

/// One metric.
#[derive(Clone, Debug, PartialEq)]
pub struct LinesPanel {
    /// The metric and its unit.
    pub y_title: String,
    /// Whether equal ratios get equal heights. Values that are not above zero are left out then.
    pub log_y: bool,
    /// One a policy.
    pub lines: Vec<Line>,
}

/// One policy's values of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name of the policy.
    pub policy: String,
    /// The values, by rising x. The line has a gap where one is not finite.
    pub points: Vec<LinePoint>,
}

/// A value with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinePoint {
    /// The value of the parameter.
    pub x: f64,
    /// The value of the metric.
    pub mean: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
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
        let mut text = format!("Lines with intervals against {}.", self.x_title);
        for panel in &self.panels {
            text += &format!(" {}:", panel.y_title);
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
        let height = if columns == 1 { 340.0 } else { 250.0 };

        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        for row in self.panels.chunks(columns) {
            let mut below = top;
            for (place, panel) in row.iter().enumerate() {
                let left = MARGIN + place as f64 * (width + GUTTER);
                let labels = direct.then_some(widest);
                let frame = Frame { left, right: left + width, top, height, labels };
                below = panel.draw(&mut scene, frame, &self.x_title, styles).max(below);
            }
            top = below + 14.0;
        }
        if !direct {
            top = legend::draw(&mut scene, &policies, styles, top, (MARGIN, WIDTH - MARGIN));
        }
        scene.finish(top + MARGIN / 2.0)
    }
}
