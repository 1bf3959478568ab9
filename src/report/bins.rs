//! Bins of one width: series of runs of different length have bins of different width, and rates
//! can be compared over equal widths only.

use crate::measure::series::Bin;

/// The narrowest width that is a whole number of bins of each of several series, whose widths are
/// on the ladder 1-2-5.
pub fn common_width<'a>(series: impl Iterator<Item = &'a [Bin]> + Clone) -> f64 {
    let widths = series.filter_map(|bins| bins.first()).map(|bin| bin.width_ms);
    let widest = widths.clone().fold(0.0, f64::max);
    let is_whole = |ratio: f64| (ratio - libm::round(ratio)).abs() < 1e-9;
    // Of the ladder, only 5 and 2 do not divide each other.
    if widths.clone().all(|width| is_whole(widest / width)) { widest } else { 2.0 * widest }
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
    fn an_even_stream_stays_even_whatever_the_widths() {
        let (wide, narrow) = (bins(500.0, &[50; 8]), bins(200.0, &[20; 20]));
        let width = common_width([&wide[..], &narrow[..]].into_iter());
        assert_eq!(width, 1000.0);
        for series in [wide, narrow] {
            let counts: Vec<_> = widened(&series, width).iter().map(|bin| bin.attempts).collect();
            assert_eq!(counts, [100; 4]);
        }
    }

    #[test]
    fn narrow_bins_are_put_together_and_wide_ones_left() {
        let wide = bins(500.0, &[9, 9]);
        let narrow = bins(100.0, &[1, 2, 3, 4, 5, 6, 7]);
        let width = common_width([&wide[..], &narrow[..], &[]].into_iter());
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
