//! [`Quantity`]: what an axis shows, from where to where, and what stands at it.

use super::number::rounded;
use super::scale::Scale;
use super::ticks::{self, Tick};
use super::time_axis;

const MOST_X_TICKS: usize = 6;
const MOST_Y_TICKS: usize = 5;
/// More than on a linear axis: 1, 2 and 5 are read faster than plain decades.
const MOST_LOG_TICKS: usize = 9;
/// From this ratio of its ends on, an axis that may be logarithmic is: half of the points would
/// crowd at its beginning otherwise.
const WIDE: f64 = 100.0;
/// How far an axis reaches beyond points in a plane, as a share of their extent.
const PADDING: f64 = 0.06;

/// A quantity as an axis shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// The quantity and its unit; without unit if it is a time.
    pub title: String,
    /// How values are spaced.
    pub spacing: Spacing,
    /// What stands at the ticks.
    pub labels: Labels,
    /// The values at its ends; `None` follows the data.
    pub range: Option<(f64, f64)>,
}

/// How the values of an axis are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences are equal lengths.
    Linear,
    /// Equal ratios are equal lengths. Values that are not above zero are left out.
    Logarithmic,
    /// Logarithmic if the values are above zero and reach far, else linear.
    ByReach,
}

/// What stands at the ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// The values.
    Numbers,
    /// The values, which are milliseconds, in a unit that suits them.
    Times,
    /// Just these, those of them that are on the axis.
    Given(Vec<Tick>),
}

/// An axis with its ends: what is needed to draw it.
pub struct Ruled {
    /// The title with unit and spacing.
    pub title: String,
    /// The ticks.
    pub ticks: Vec<Tick>,
    range: (f64, f64),
    log: bool,
}

impl Quantity {
    /// An axis of numbers that follows the data.
    pub fn new(title: impl Into<String>, spacing: Spacing) -> Quantity {
        Quantity { title: title.into(), spacing, labels: Labels::Numbers, range: None }
    }

    /// The axis for values in milliseconds.
    pub fn of_times(self) -> Quantity {
        Quantity { labels: Labels::Times, ..self }
    }

    /// The axis with just these ticks.
    pub fn with_ticks(self, ticks: Vec<Tick>) -> Quantity {
        Quantity { labels: Labels::Given(ticks), ..self }
    }

    /// The axis from one value to another, whatever the data.
    pub fn from_to(self, low: f64, high: f64) -> Quantity {
        Quantity { range: Some((low, high)), ..self }
    }

    /// A vertical axis for these values.
    ///
    /// A linear one has zero on it: heights are compared. A logarithmic one is linear if there is
    /// nothing above zero.
    pub fn upright(&self, values: impl Iterator<Item = f64> + Clone) -> Ruled {
        let values = values.filter(|value| value.is_finite());
        if self.is_log(values.clone()) {
            let (low, high) = self.range.unwrap_or_else(|| {
                let (low, high) = extent(values.filter(|value| *value > 0.0));
                ticks::widen_logarithmic(low, high)
            });
            let range = if low < high { (low, high) } else { (low / 10.0, high * 10.0) };
            return self.ruled(range, true, MOST_LOG_TICKS);
        }
        if values.clone().next().is_none() && self.range.is_none() {
            return Ruled {
                title: self.title.clone(),
                ticks: vec![],
                range: (0.0, 1.0),
                log: false,
            };
        }
        let (low, high) = self.range.unwrap_or_else(|| extent(values.chain([0.0])));
        let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
        let unit = self.unit(high);
        let (low, high) = ticks::widen_linear(low / unit, high / unit, MOST_Y_TICKS);
        self.ruled((low * unit, high * unit), false, MOST_Y_TICKS)
    }

    /// A horizontal axis for these values, from the first to the last.
    pub fn level(&self, values: impl Iterator<Item = f64> + Clone) -> Ruled {
        let values = values.filter(|value| value.is_finite());
        let log = self.is_log(values.clone());
        let above = if log { 0.0 } else { f64::NEG_INFINITY };
        let (low, high) =
            self.range.unwrap_or_else(|| extent(values.filter(|value| *value > above)));
        if low > high {
            return Ruled {
                title: self.title.clone(),
                ticks: vec![],
                range: (0.0, 1.0),
                log: false,
            };
        }
        if low == high {
            // One value stands in the middle, and nothing else is worth a tick.
            let unit = self.unit(low);
            let mut ruled = self.ruled((low - 1.0, high + 1.0), false, 1);
            ruled.ticks = vec![Tick { value: low, label: rounded(low / unit) }];
            return ruled;
        }
        match (low, high) {
            (low, high) if log => self.ruled((low, high), true, MOST_X_TICKS),
            // A gap to zero that is small against the range isn't worth an odd beginning.
            (low, high) if low > 0.0 && low <= 0.25 * high => {
                self.ruled((0.0, high), false, MOST_X_TICKS)
            }
            ends => self.ruled(ends, false, MOST_X_TICKS),
        }
    }

    /// An axis for points in a plane: from a little below the first value to a little above the
    /// last, between ticks if need be.
    pub fn around(&self, values: impl Iterator<Item = f64> + Clone) -> Ruled {
        let values = values.filter(|value| value.is_finite());
        let log = self.is_log(values.clone());
        let above = if log { 0.0 } else { f64::NEG_INFINITY };
        let (low, high) = extent(values.filter(|value| *value > above));
        if low > high {
            return Ruled {
                title: self.title.clone(),
                ticks: vec![],
                range: (0.0, 1.0),
                log: false,
            };
        }
        if log {
            let beyond = libm::pow(high / low, PADDING).max(1.05);
            return self.ruled((low / beyond, high * beyond), true, MOST_X_TICKS);
        }
        let extent = if high > low { high - low } else { low.abs().max(1.0) };
        // What is not negative needs no negative axis.
        let floor = if low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
        let range = ((low - PADDING * extent).max(floor), high + PADDING * extent);
        self.ruled(range, false, MOST_X_TICKS)
    }

    fn is_log(&self, values: impl Iterator<Item = f64> + Clone) -> bool {
        match self.spacing {
            Spacing::Linear => false,
            Spacing::Logarithmic => values.clone().any(|value| value > 0.0),
            Spacing::ByReach => {
                let (low, high) = extent(values);
                low > 0.0 && high >= WIDE * low && high.is_finite()
            }
        }
    }

    /// How many of the values' units are one of the labels' on a linear axis.
    fn unit(&self, end: f64) -> f64 {
        if self.labels == Labels::Times { time_axis::unit(end.abs()).ms } else { 1.0 }
    }

    fn ruled(&self, (low, high): (f64, f64), log: bool, most: usize) -> Ruled {
        let round = |unit: f64| {
            let ticks = ticks::linear(low / unit, high / unit, most).into_iter();
            ticks.map(|tick| Tick { value: tick.value * unit, ..tick }).collect()
        };
        let ticks = match &self.labels {
            Labels::Given(ticks) => {
                let ticks = ticks.iter().filter(|tick| (low..=high).contains(&tick.value));
                ticks.cloned().collect()
            }
            Labels::Times if log => {
                let ticks = ticks::logarithmic(low, high, most).into_iter();
                ticks.map(|tick| Tick { label: time(tick.value), ..tick }).collect()
            }
            Labels::Numbers if log => ticks::logarithmic(low, high, most),
            Labels::Times | Labels::Numbers => round(self.unit(high)),
        };
        let title = match (&self.labels, log, self.title.strip_suffix(')')) {
            (Labels::Given(_), ..) | (Labels::Numbers, false, _) => self.title.clone(),
            (Labels::Times, false, _) => time_axis::title(&self.title, high),
            (_, true, Some(with_unit)) => format!("{with_unit}, log scale)"),
            (_, true, None) => format!("{} (log scale)", self.title),
        };
        Ruled { title, ticks, range: (low, high), log }
    }
}

impl Ruled {
    /// The values at its ends.
    pub fn ends(&self) -> (f64, f64) {
        self.range
    }

    /// The axis between two pixels.
    pub fn scale(&self, pixels: (f64, f64)) -> Scale {
        match self.log {
            true => Scale::logarithmic(self.range, pixels),
            false => Scale::linear(self.range, pixels),
        }
    }
}

/// A time with its unit: a logarithmic axis has no unit of its own.
fn time(ms: f64) -> String {
    if ms < 1e3 { format!("{} ms", rounded(ms)) } else { format!("{} s", rounded(ms / 1e3)) }
}

/// The least and the greatest value; the wrong way round if there is none.
fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ruled: &Ruled) -> Vec<&str> {
        ruled.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let axis = |spacing| Quantity::new("latency", spacing).of_times();
        let linear = axis(Spacing::Linear).upright([100_000.0].into_iter());
        assert_eq!(linear.title, "latency (s)");
        assert_eq!(labels(&linear), ["0", "20", "40", "60", "80", "100"]);
        let log = axis(Spacing::Logarithmic).upright([30.0, 4000.0].into_iter());
        assert_eq!(log.title, "latency (log scale)");
        assert_eq!(
            labels(&log),
            ["20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s", "2 s", "5 s"]
        );
    }

    #[test]
    fn an_axis_is_logarithmic_where_it_reaches_far() {
        let axis = Quantity::new("clients", Spacing::ByReach);
        assert_eq!(axis.level([10.0, 900.0].into_iter()).title, "clients");
        assert_eq!(axis.level([10.0, 1000.0].into_iter()).title, "clients (log scale)");
        assert_eq!(axis.level([0.0, 1000.0].into_iter()).title, "clients");
    }

    #[test]
    fn given_ticks_are_those_on_the_axis() {
        let tick = |value: f64| Tick { value, label: rounded(value) };
        let axis = Quantity::new("percentile", Spacing::Logarithmic)
            .with_ticks([1.0, 10.0, 100.0].map(tick).to_vec());
        assert_eq!(labels(&axis.level([1.0, 50.0].into_iter())), ["1", "10"]);
    }
}
