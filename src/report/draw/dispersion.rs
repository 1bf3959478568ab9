//! At which time scale do attempts cluster?

use super::Shown;
use crate::measure::close_up::WindowDispersion;
use crate::report::charts::{
    Line, LinePoint, LinesChart, LinesPanel, Quantity, Reference, Spacing, time_axis,
};
use crate::report::figures;

/// Figures that differ by less make no headline.
const NOTABLE: f64 = 1.5;
/// The index of fewer windows is mostly chance.
const FEWEST: u64 = 100;

/// A policy and its indices by width of the window.
type Measured<'a> = (&'a str, &'a [WindowDispersion]);

/// The index of dispersion against the width of the window, a line a policy.
pub fn chart(shown: &Shown<'_>) -> Option<LinesChart> {
    let all = shown.close_ups().map(|(policy, _, close_up)| (policy, &close_up.dispersion[..]));
    let all: Vec<Measured<'_>> = all.filter(|(_, windows)| !windows.is_empty()).collect();
    let summary = summary(&all)?;
    let lines = all.iter().map(|(policy, windows)| Line {
        policy: policy.to_string(),
        points: windows.iter().map(|at| LinePoint::exact(at.window_ms, at.index)).collect(),
        stepped: false,
    });
    let y = Quantity::new("index of dispersion (variance ÷ mean)", Spacing::Logarithmic);
    let mut panel = LinesPanel::new(y, lines.collect());
    panel.across.push(Reference { at: 1.0, label: "as spread as chance (Poisson)".to_string() });
    Some(LinesChart {
        title: title(&all),
        subtitle: shown.subtitle(),
        summary: Some(summary),
        x: Quantity::new("width of the window", Spacing::Logarithmic).of_times(),
        panels: vec![panel],
    })
}

/// Who is how far from chance at most, and where; `None` of no policy.
fn summary(all: &[Measured<'_>]) -> Option<String> {
    all.first()?;
    let told = all.iter().filter_map(|(policy, windows)| {
        let worst = windows.iter().max_by(|a, b| a.index.total_cmp(&b.index))?;
        let (index, width) = (figures::plain(worst.index), time_axis::label(worst.window_ms));
        Some(format!(" {policy}: {index} at most, in windows of {width}."))
    });
    Some(format!(
        "Index of dispersion of arrivals by width of the window; 1 is as spread as chance.{}",
        told.collect::<String>()
    ))
}

/// At which width policies differ most, and how much; how far all of them are from chance where
/// none is shown to differ. Widths of which a policy has too few windows are no finding.
fn title(all: &[Measured<'_>]) -> String {
    let (plain, span) = (figures::plain, time_axis::label);
    let widths = all.first().into_iter().flat_map(|(_, windows)| *windows);
    // Of each width the least and the most, with their policies.
    let ranges = widths.filter_map(|width| {
        let at = |(policy, windows): &Measured<'_>| {
            let same = |at: &&WindowDispersion| at.window_ms == width.window_ms;
            let at = windows.iter().find(same).filter(|at| at.windows >= FEWEST)?;
            Some((*at, policy.to_string()))
        };
        let mut found = all.iter().map(at).collect::<Option<Vec<_>>>()?;
        found.sort_by(|(a, _), (b, _)| a.index.total_cmp(&b.index));
        Some((found.first()?.clone(), found.last()?.clone()))
    });
    let ranges: Vec<_> = ranges.collect();
    let contrasts = ranges.iter().filter(|((least, _), (most, _))| differ(least, most));
    let contrast = contrasts.max_by(|((a, _), (b, _)), ((c, _), (d, _))| {
        (b.index / a.index).total_cmp(&(d.index / c.index))
    });
    if let Some(((least, calm), (most, herd))) = contrast {
        return format!(
            "In windows of {}, attempts vary {}× as much as by chance under {herd}, {}× under {calm}",
            span(most.window_ms),
            plain(most.index),
            plain(least.index),
        );
    }
    let worst = ranges.iter().map(|(_, most)| most);
    match (worst.max_by(|(a, _), (b, _)| a.index.total_cmp(&b.index)), all) {
        (None, _) => "At which time scale attempts cluster".to_string(),
        (Some((worst, _)), all) => format!(
            "{} vary up to {}× as much as by chance, in windows of {}",
            match all {
                [(policy, _)] => format!("Attempts under {policy}"),
                _ => "No policy is shown to cluster more than another: attempts".to_string(),
            },
            plain(worst.index),
            span(worst.window_ms),
        ),
    }
}

/// Whether two indices of one width differ by more than chance alone would make of it.
///
/// The index of a Poisson stream in n windows has a variance of about 2 ÷ (n − 1), and so has its
/// logarithm (delta method); that of the ratio of two streams is the sum.
fn differ(least: &WindowDispersion, most: &WindowDispersion) -> bool {
    let variance = |of: &WindowDispersion| 2.0 / (of.windows as f64 - 1.0);
    let chance = libm::exp(2.0 * libm::sqrt(variance(least) + variance(most)));
    least.index > 0.0 && most.index / least.index > chance.max(NOTABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(window_ms: f64, index: f64, windows: u64) -> WindowDispersion {
        WindowDispersion { window_ms, index, windows }
    }

    #[test]
    fn chance_is_no_difference() {
        let differ = |ratio: f64, windows| {
            super::differ(&window(1.0, 2.0, windows), &window(1.0, 2.0 * ratio, windows))
        };
        // exp(2·√(4 ÷ 99)) = 1.4948 and exp(2·√(4 ÷ 9)) = 3.794.
        assert!(!differ(1.499, 100) && differ(1.501, 100), "1.5 is more than chance");
        assert!(!differ(3.79, 10) && differ(3.80, 10), "chance is more than 1.5");
        assert!(!super::differ(&window(1.0, 0.0, 1000), &window(1.0, 5.0, 1000)));
    }

    #[test]
    fn few_windows_make_no_headline() {
        let (a, few) = ([window(10.0, 1.0, 1000), window(1000.0, 1.0, 99)], 99);
        let b = [window(10.0, 1.2, 1000), window(1000.0, 80.0, few)];
        assert_eq!(
            title(&[("a", &a), ("b", &b)]),
            "No policy is shown to cluster more than another: attempts vary up to 1.20× as much as \
             by chance, in windows of 10 ms"
        );
        assert_eq!(title(&[("b", &b[1..])]), "At which time scale attempts cluster");
        let c = [window(10.0, 3.0, 1000)];
        assert_eq!(
            title(&[("a", &a), ("c", &c)]),
            "In windows of 10 ms, attempts vary 3.00× as much as by chance under c, 1.00× under a"
        );
    }
}
