//! `{ from = "50ms", to = "800ms", steps = 5, scale = "log" }`: an axis as a range.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::MAX_POINTS;
use super::quantity::Quantity;
use crate::experiment::deserialize::from_node;
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::node::{Node, Table, Value};
use crate::experiment::source::Place;

/// All values between two ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    from: Quantity,
    to: Quantity,
    scale: Scale,
    place: Place,
}

/// How values are spread between the ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// With equal differences.
    #[default]
    Linear,
    /// With equal ratios.
    Log,
}

/// The keys of a range.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    #[serde(rename = "from")]
    _from: IgnoredAny,
    #[serde(rename = "to")]
    _to: IgnoredAny,
    steps: Option<u32>,
    #[serde(default)]
    scale: Scale,
}

/// Of a gap between steps, or of a whole range that is sampled: what rounding may take away so
/// that a value reads well.
const STEP_ROUNDING: f64 = 5e-3;
const SAMPLE_ROUNDING: f64 = 1e-5;

impl Range {
    /// The range that a table says, and its steps if they are given.
    ///
    /// # Errors
    ///
    /// Unknown or missing keys; ends that are of different kinds, in the wrong order, or below
    /// what the scale can hold.
    pub fn read(node: &Node) -> Result<(Range, Option<Steps>), Diagnostic> {
        let keys: Keys = from_node(node)?;
        let entry = |name| node.as_table().and_then(|table: &Table| table.get(name));
        let (Some(from_node), Some(to_node)) = (entry("from"), entry("to")) else {
            return Err(Diagnostic::new("a range is a table").at(Some(node.place)));
        };
        let fault = |node: &Node, message: String| Diagnostic::new(message).at(Some(node.place));
        let kinds = "give both ends as durations, rates or numbers, such as from = \"50ms\"";
        let end = |node: &Node| match Quantity::read(node) {
            Some(end) if end.size().is_finite() => Ok(end),
            _ => {
                let message = format!("{} has no place on a scale", node.to_inline());
                Err(fault(node, message).help(kinds))
            }
        };
        let (from, to) = (end(from_node)?, end(to_node)?);
        // A whole number may stand for the other kind of number, at either end.
        let (from, to) = match (to.like(&from), from.like(&to)) {
            (Some(to), _) => (from, to),
            (None, Some(from)) => (from, to),
            (None, None) => {
                let message = "the ends of a range are of one kind".to_string();
                return Err(fault(to_node, message).help(kinds));
            }
        };
        if from.size() >= to.size() {
            let message = format!("`from` ({}) must be below `to`", from_node.to_inline());
            return Err(fault(to_node, message));
        }
        if keys.scale == Scale::Log && from.size() <= 0.0 {
            let message = "a log scale begins above zero".to_string();
            return Err(fault(from_node, message));
        }
        let steps = match (keys.steps, entry("steps")) {
            (Some(number), Some(steps)) => Some(Steps { number, place: steps.place }),
            _ => None,
        };
        let range = Range { from, to, scale: keys.scale, place: node.place };
        Ok((range, steps))
    }

    /// So many values from end to end, each rounded as far as the gaps between them allow.
    ///
    /// # Errors
    ///
    /// Fewer than two, or more than there are.
    pub fn values(&self, steps: Steps) -> Result<Vec<Node>, Diagnostic> {
        let Steps { number, place } = steps;
        let fault = |message: String| Diagnostic::new(message).at(Some(place));
        if number < 2 {
            return Err(fault("a range has at least 2 steps: its ends".to_string()));
        }
        if number as usize > MAX_POINTS {
            return Err(fault(format!("the sweep has more than {MAX_POINTS} points")));
        }
        let exact = |step: u32| self.at(f64::from(step) / f64::from(number - 1));
        let value = |step: u32| match step {
            0 => self.from.to_value(),
            step if step == number - 1 => self.to.to_value(),
            step => {
                let (value, above) = (exact(step), exact(step + 1));
                // On both scales the gap below is the smaller one, if they differ.
                let gap = (value - exact(step - 1)).min(above - value);
                self.from.of_size(shortest(value, gap * STEP_ROUNDING)).to_value()
            }
        };
        let values: Vec<Value> = (0..number).map(value).collect();
        let node = |value| Node { value, place: self.place };
        if let Some(pair) = values.windows(2).find(|pair| pair[0] == pair[1]) {
            let message =
                format!("{number} steps give {} twice", node(pair[0].clone()).to_inline());
            return Err(fault(message).help("take fewer steps, or a wider range"));
        }
        Ok(values.into_iter().map(node).collect())
    }

    /// The value at `share` of the way, in [0, 1). Whole numbers have equal shares of the scale
    /// each.
    pub fn sample(&self, share: f64) -> Node {
        let (from, to) = (self.from.size(), self.to.size());
        let value = match self.from {
            Quantity::Whole(_) => between(from - 0.5, to + 0.5, self.scale, share),
            _ => {
                let value = self.at(share);
                let width = match self.scale {
                    Scale::Linear => to - from,
                    Scale::Log => value * libm::log(to / from),
                };
                shortest(value, width * SAMPLE_ROUNDING)
            }
        };
        let value = self.from.of_size(value.clamp(from, to)).to_value();
        Node { value, place: self.place }
    }

    /// Where it was written.
    pub fn place(&self) -> Place {
        self.place
    }

    fn at(&self, share: f64) -> f64 {
        between(self.from.size(), self.to.size(), self.scale, share)
    }
}

/// A number of steps, and where it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    number: u32,
    /// Where it was written.
    pub place: Place,
}

fn between(from: f64, to: f64, scale: Scale, share: f64) -> f64 {
    match scale {
        Scale::Linear => from + (to - from) * share,
        Scale::Log => from * libm::exp(libm::log(to / from) * share),
    }
}

/// The number with the fewest digits that lies within `tolerance` of `value`.
fn shortest(value: f64, tolerance: f64) -> f64 {
    // Seventeen digits tell all numbers apart.
    let rounded = (0..17).filter_map(|decimals| format!("{value:.decimals$e}").parse().ok());
    let mut near = rounded.filter(|rounded: &f64| (rounded - value).abs() <= tolerance);
    near.next().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::experiment::parse::parse_value;
    use crate::experiment::source::SourceId;

    fn read(text: &str) -> Result<(Range, Option<Steps>), String> {
        Range::read(&parse_value(text, SourceId::default(), 0)).map_err(|fault| fault.message)
    }

    fn values(text: &str) -> Result<Vec<String>, String> {
        let (range, steps) = read(text)?;
        let values = range.values(steps.unwrap()).map_err(|fault| fault.message)?;
        Ok(values.iter().map(Node::to_inline).collect())
    }

    /// The steps of the powers of two and of ten are known; thirds and roots are rounded to a
    /// two-hundredth of a gap.
    #[test]
    fn steps_of_known_ranges() {
        for (range, expected) in [
            (
                r#"{ from = "50ms", to = "800ms", steps = 5, scale = "log" }"#,
                r#""50ms" "100ms" "200ms" "400ms" "800ms""#,
            ),
            (r#"{ from = "50ms", to = "800ms", steps = 4 }"#, r#""50ms" "300ms" "550ms" "800ms""#),
            (
                r#"{ from = "50ms", to = "0.8s", steps = 4, scale = "log" }"#,
                r#""50ms" "126ms" "317ms" "800ms""#,
            ),
            ("{ from = 50, to = 200, steps = 4 }", "50 100 150 200"),
            ("{ from = 1, to = 1000, steps = 4, scale = \"log\" }", "1 10 100 1000"),
            ("{ from = 0.1, to = 0.7, steps = 4 }", "0.1 0.3 0.5 0.7"),
            ("{ from = 0, to = 1.5, steps = 4 }", "0.0 0.5 1.0 1.5"),
            ("{ from = -1, to = 1, steps = 3 }", "-1 0 1"),
            ("{ from = 1.0, to = 2, steps = 4 }", "1.0 1.333 1.667 2.0"),
            (r#"{ from = "1m", to = "10m", steps = 4 }"#, r#""1m" "4m" "7m" "10m""#),
            (r#"{ from = "10/s", to = "40/s", steps = 3 }"#, r#""10/s" "25/s" "40/s""#),
            // 2/s is 120 a minute.
            (r#"{ from = "30/min", to = "2/s", steps = 3 }"#, r#""30/min" "75/min" "120/min""#),
        ] {
            let values = values(range).unwrap_or_else(|fault| panic!("{range}: {fault}"));
            assert_eq!(values.join(" "), expected, "{range}");
        }
    }

    #[test]
    fn ranges_that_make_no_sense_are_refused() {
        for (range, message) in [
            ("{ from = 1, to = 3, steps = 4 }", "4 steps give 2 twice"),
            (r#"{ from = "1ns", to = "3ns", steps = 9 }"#, "9 steps give \"1ns\" twice"),
            ("{ from = 1, to = 3, steps = 1 }", "a range has at least 2 steps: its ends"),
            ("{ from = 1, to = 3, steps = 10001 }", "the sweep has more than 10000 points"),
            ("{ from = 3, to = 1, steps = 2 }", "`from` (3) must be below `to`"),
            ("{ from = 0, to = 1, steps = 2, scale = \"log\" }", "a log scale begins above zero"),
            ("{ from = 1, to = \"2s\", steps = 2 }", "the ends of a range are of one kind"),
            ("{ from = \"fast\", to = 1, steps = 2 }", "\"fast\" has no place on a scale"),
            ("{ from = 1, to = inf, steps = 2 }", "inf has no place on a scale"),
            ("{ from = nan, to = 1.0, steps = 2 }", "NaN has no place on a scale"),
            ("{ from = 1, steps = 2 }", "missing key `to`"),
            ("{ from = 1, to = 2, step = 2 }", "unknown key `step`"),
            ("{ from = 1, to = 2, steps = 2, scale = \"cubic\" }", "unknown value `cubic`"),
        ] {
            assert_eq!(values(range), Err(message.to_string()), "{range}");
        }
    }

    #[test]
    fn samples_run_from_end_to_end() {
        let sample = |text: &str, share| read(text).unwrap().0.sample(share).to_inline();
        let log = r#"{ from = "50ms", to = "800ms", scale = "log" }"#;
        assert_eq!(
            [0.0, 0.25, 0.5].map(|share| sample(log, share)),
            ["\"50ms\"", "\"100ms\"", "\"200ms\""]
        );
        // 50 ms · 16^(1/8) = 70.71068 ms; a hundred-thousandth of the range there is 2 µs.
        assert_eq!(sample(log, 0.125), "\"70.71ms\"");
        // Three whole numbers have a third each.
        let thirds = [0.0, 0.33, 0.34, 0.66, 0.67, 0.9999];
        let of_three = |share| sample("{ from = 1, to = 3 }", share);
        assert_eq!(thirds.map(of_three), ["1", "1", "2", "2", "3", "3"]);
    }

    proptest! {
        #[test]
        fn steps_begin_and_end_at_the_ends_and_rise(
            from in 1..1_000_000_i64,
            width in 1..1_000_000_i64,
            steps in 2..40_u32,
            log: bool,
            kind in 0..3,
        ) {
            let write = |n: i64| match kind {
                0 => format!("{n}"),
                1 => format!("{n}.5"),
                _ => format!("\"{n}us\""),
            };
            let scale = if log { "log" } else { "linear" };
            let (first, last) = (write(from), write(from + width));
            let text =
                format!("{{ from = {first}, to = {last}, steps = {steps}, scale = \"{scale}\" }}");
            let (range, read) = read(&text).unwrap();
            let Ok(values) = range.values(read.unwrap()) else {
                // Only whole numbers run out, where the first gap is the narrowest.
                let gap = range.at(1.0 / f64::from(steps - 1)) - range.from.size();
                prop_assert!(kind == 0 && gap < 1.0 + STEP_ROUNDING, "{}", text);
                return Ok(());
            };
            prop_assert_eq!(values.len(), steps as usize);
            let read = |node: &Node| Quantity::read(node).unwrap().size();
            let sizes: Vec<f64> = values.iter().map(read).collect();
            prop_assert_eq!((sizes[0], sizes[sizes.len() - 1]), (range.from.size(), range.to.size()));
            prop_assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", sizes);
        }
    }
}
