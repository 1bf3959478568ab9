//! Whether a point has been run often enough to stop.
//!
//! All policies of a point get the same number of replications, so that pairs stay whole. What is
//! decided depends on the runs looked at and on nothing else, so a study that was interrupted, or
//! finds more runs than it asks for, stops where it would have stopped.

use serde::Serialize;

use super::statistics::estimate::Estimate;
use crate::experiment::schema::Precision;
use crate::experiment::stop::Stop;
use crate::measure::metric::{self, Kind};

/// Why a point has as many replications as it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Its figures are exact enough.
    Exact,
    /// They are not, and there may be no more.
    Cap,
}

/// Whether all that `stop` watches is exact enough; `estimate` gives the metric at a place in
/// [`metric::ALL`].
pub fn is_exact(stop: &Stop, mut estimate: impl FnMut(usize) -> Estimate) -> bool {
    stop.precisions.iter().all(|(column, precision)| {
        is_narrow(&estimate(*column), metric::ALL[*column].kind, *precision)
    })
}

/// Law's rule for a relative half-width g: it may be g / (1 + g) of the mean, which is at most g of
/// the true one ("Simulation Modeling and Analysis", 5th edition, 2015, chapter 9; after Chow and
/// Robbins, 1965). A rate is held against its scale, whose length is 1: its mean may be 0. What has
/// no estimate holds nothing up.
fn is_narrow(estimate: &Estimate, kind: Kind, precision: Precision) -> bool {
    let Some(mean) = estimate.mean else { return true };
    let most = match precision {
        Precision::Absolute(most) => most,
        Precision::Relative(part) if kind.is_rate() => part,
        Precision::Relative(part) => part / (1.0 + part) * mean.abs(),
    };
    estimate.half_width().is_some_and(|half| half <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::metric::Id;

    /// 5 % of a mean of 105 is 105 · 0.05 / 1.05 = 5.
    #[test]
    fn a_relative_width_is_laws() {
        let narrow = |half: f64, kind: Kind, precision: Precision| {
            let ci95 = Some((105.0 - half, 105.0 + half));
            is_narrow(&Estimate { mean: Some(105.0), ci95, n: 10 }, kind, precision)
        };
        let five = Precision::Relative(0.05);
        assert!(narrow(4.999, Kind::Number, five) && !narrow(5.001, Kind::Number, five));
        let absolute = Precision::Absolute(2.0);
        assert!(narrow(1.999, Kind::Number, absolute) && !narrow(2.001, Kind::Number, absolute));
    }

    #[test]
    fn a_rate_near_zero_is_held_against_its_scale() {
        let rate = Estimate { mean: Some(0.001), ci95: Some((0.0, 0.04)), n: 10 };
        let five = Precision::Relative(0.05);
        assert!(is_narrow(&rate, Kind::ShareOf(Id::Requests), five));
        assert!(!is_narrow(&rate, Kind::Number, five));
    }

    #[test]
    fn what_has_no_estimate_holds_nothing_up_and_what_has_no_interval_does() {
        let five = Precision::Relative(0.05);
        let none = Estimate { mean: None, ci95: None, n: 0 };
        assert!(is_narrow(&none, Kind::Number, five));
        let once = Estimate { mean: Some(1.0), ci95: None, n: 1 };
        assert!(!is_narrow(&once, Kind::Number, five));
    }
}
