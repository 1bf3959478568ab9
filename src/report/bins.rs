//! Bins of one width: series of runs of different length have bins of different width, and rates
//! can be compared over equal widths only.

use crate::measure::series::Bin;

/// The widest bin of several series.
pub fn widest<'a>(series: impl Iterator<Item = &'a [Bin]>) -> f64 {
    series.filter_map(|bins| bins.first()).map(|bin| bin.width_ms).fold(0.0, f64::max)
}

/// The bins of a series put together to bins of `width_ms`, each where it begins.
pub fn widened(bins: &[Bin], width_ms: f64) -> Vec<Bin> {
    let Some(first) = bins.first().filter(|bin| bin.width_ms < width_ms) else {
        return bins.to_vec();
    };
    let share = first.width_ms / width_ms;
    let mut wide: Vec<Bin> = Vec::new();
    for bin in bins {
        let start_ms = (bin.start_ms / width_ms).floor() * width_ms;
        let part = Bin {
            start_ms,
            width_ms,
            in_flight: bin.in_flight * share,
            waiting: bin.waiting * share,
            ..*bin
        };
        match wide.last_mut() {
            Some(last) if last.start_ms == start_ms => {
                last.attempts += part.attempts;
                last.rejected += part.rejected;
                last.in_flight += part.in_flight;
                last.waiting += part.waiting;
            }
            _ => wide.push(part),
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(width_ms: f64, attempts: &[u64]) -> Vec<Bin> {
        let bins = attempts.iter().enumerate();
        bins.map(|(index, attempts)| Bin {
            start_ms: index as f64 * width_ms,
            width_ms,
            attempts: *attempts,
            rejected: 1,
            in_flight: 2.0,
            waiting: 4.0,
        })
        .collect()
    }

    #[test]
    fn narrow_bins_are_put_together_and_wide_ones_left() {
        let wide = bins(500.0, &[9, 9]);
        let narrow = bins(100.0, &[1, 2, 3, 4, 5, 6, 7]);
        let width = widest([&wide[..], &narrow[..], &[]].into_iter());
        assert_eq!(width, 500.0);
        assert_eq!(widened(&wide, width), wide);
        let widened = widened(&narrow, width);
        let figures: Vec<_> =
            widened.iter().map(|b| (b.start_ms, b.attempts, b.rejected)).collect();
        assert_eq!(figures, [(0.0, 15, 5), (500.0, 13, 2)]);
        assert!((widened[0].in_flight - 2.0).abs() < 1e-12);
        assert!((widened[0].waiting - 4.0).abs() < 1e-12);
    }
}
