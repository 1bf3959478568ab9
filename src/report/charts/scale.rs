//! [`Scale`]: from the unit of the data to pixels.

/// One axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    /// Pixels of `low` and `high`.
    from: f64,
    to: f64,
    log: bool,
}

impl Scale {
    /// `low` at pixel `from`, `high` at pixel `to`, and equal differences in between.
    pub fn linear((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Scale { low, high, from, to, log: false }
    }

    /// `low`, which is above zero, at pixel `from`, `high` at pixel `to`, and equal ratios in
    /// between.
    pub fn logarithmic((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Scale { low: libm::log10(low), high: libm::log10(high), from, to, log: true }
    }

    /// The pixel of a value; values beyond the axis stay at its end.
    pub fn place(&self, value: f64) -> f64 {
        let value = match self.log {
            true if value <= 0.0 => self.low,
            true => libm::log10(value),
            false => value,
        };
        let share = (value - self.low) / (self.high - self.low);
        // An axis without extent has one place, its middle.
        let share = if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) };
        self.from + share * (self.to - self.from)
    }

    /// Whether a value can stand on the axis at all.
    pub fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_find_their_place() {
        let scale = Scale::linear((0.0, 10.0), (100.0, 0.0));
        assert_eq!(scale.place(2.5), 75.0);
        assert_eq!(scale.place(11.0), 0.0);
        let scale = Scale::logarithmic((1.0, 100.0), (0.0, 50.0));
        assert_eq!(scale.place(10.0), 25.0);
        assert_eq!(scale.place(0.0), 0.0);
        assert!(scale.shows(0.1) && !scale.shows(0.0));
        assert_eq!(Scale::linear((0.0, 0.0), (0.0, 50.0)).place(0.0), 25.0);
    }
}
