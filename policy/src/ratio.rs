//! Fractions in configuration as fixed-point numbers.
//!
//! Budgets and jitter must not depend on float rounding: a bucket that pays 0.1 ten times must
//! hold exactly 1 (a float sum holds 0.9999999999999999), and tower's budget, which keeps whole
//! tokens only, turns a ratio of 0.6 into 1.0.

use crate::time::Nanos;

const ONE: u64 = 1_000_000_000;

/// A non-negative fraction in parts per billion, up to about 18 × 10⁹.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(u64);

impl Ratio {
    /// Nothing.
    pub const ZERO: Ratio = Ratio(0);
    /// The whole.
    pub const ONE: Ratio = Ratio(ONE);

    /// `parts` parts per billion.
    pub const fn from_parts_per_billion(parts: u64) -> Self {
        Ratio(parts)
    }

    /// `percent` hundredths.
    pub const fn from_percent(percent: u64) -> Self {
        Ratio(percent.saturating_mul(ONE / 100))
    }

    /// `part` of `whole`, rounded down; nothing of nothing.
    pub fn share(part: u64, whole: u64) -> Self {
        let parts = u128::from(part) * u128::from(ONE) / u128::from(whole.max(1));
        Ratio(u64::try_from(parts).unwrap_or(u64::MAX))
    }

    /// The nearest fraction to `value`, or `None` if it is negative, not finite or above 10⁹.
    pub fn from_f64(value: f64) -> Option<Self> {
        ((0.0..=1e9).contains(&value)).then(|| Ratio(libm::round(value * ONE as f64) as u64))
    }

    /// In parts per billion.
    pub const fn parts_per_billion(self) -> u64 {
        self.0
    }

    /// As a float, for display and for growth factors.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / ONE as f64
    }

    /// This fraction of `span`, rounded down; saturating.
    #[inline]
    pub fn of(self, span: Nanos) -> Nanos {
        let product = u128::from(span.get()) * u128::from(self.0) / u128::from(ONE);
        Nanos::new(u64::try_from(product).unwrap_or(u64::MAX))
    }
}
