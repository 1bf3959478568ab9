//! How slow are the slowest of the accepted requests?

use super::Shown;
use super::deadlines::deadlines;
use crate::measure::latency::Buckets;
use crate::report::charts::{Line, LinePoint, LinesChart, LinesPanel, Quantity, Spacing, Tick};
use crate::report::figures;

/// Latency by percentile, a line a policy, on the axis of HdrHistogram's plots: every further nine
/// gets the same length (hdrhistogram.org, "Plotter").
pub fn chart(shown: &Shown<'_>) -> Option<LinesChart> {
    let lines = shown.close_ups().map(|(policy, _, close_up)| Line {
        policy: policy.to_string(),
        points: by_rarity(&close_up.latencies),
        stepped: true,
    });
    let lines: Vec<Line> = lines.filter(|line| !line.points.is_empty()).collect();
    let rarest =
        lines.iter().flat_map(|line| &line.points).map(|point| point.x).fold(0.0, f64::max);
    let y = Quantity::new("latency of accepted requests", Spacing::Logarithmic).of_times();
    let (title, summary) = findings(&lines, shown.close_ups().count())?;
    let mut panel = LinesPanel::new(y, lines);
    panel.across = deadlines(shown);
    Some(LinesChart {
        title,
        subtitle: shown.subtitle(),
        summary: Some(summary),
        x: Quantity::new("percentile of accepted requests", Spacing::Logarithmic)
            .with_ticks(ticks(rarest)),
        panels: vec![panel],
    })
}

/// Latencies in milliseconds from 1 ÷ (1 − share of faster ones) on, until the rarity of the next.
///
/// The last is one in as many as there are: no more can be said of so few.
fn by_rarity(Buckets(buckets): &Buckets) -> Vec<LinePoint> {
    let all: u64 = buckets.iter().map(|(_, count)| count).sum();
    let mut faster = 0;
    let mut points: Vec<_> = buckets
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(ns, count)| {
            let rarity = all as f64 / (all - faster) as f64;
            faster += count;
            LinePoint::exact(rarity, *ns as f64 / 1e6)
        })
        .collect();
    let slowest = points.last().map(|last| LinePoint::exact(all as f64, last.mean));
    points.extend(slowest);
    points
}

/// The half, and then every nine as far as there are requests.
fn ticks(rarest: f64) -> Vec<Tick> {
    let tick = |value: f64, label: &str| Tick { value, label: format!("{label} %") };
    let mut ticks = vec![tick(1.0, "0"), tick(2.0, "50"), tick(10.0, "90"), tick(100.0, "99")];
    let (mut value, mut label) = (1000.0, "99.9".to_string());
    while value <= rarest {
        ticks.push(tick(value, &label));
        (value, label) = (value * 10.0, label + "9");
    }
    ticks
}

/// The latency that so rare a request has.
fn at(line: &Line, rarity: f64) -> Option<f64> {
    let reaches = line.points.last()?.x >= rarity;
    // The quantile is the least value with at least that share at or below it.
    let point = line.points.iter().rfind(|point| point.x < rarity).filter(|_| reaches);
    point.map(|point| point.mean)
}

/// The slowest hundredth, in a title and with other percentiles in full; `policies` is how many there
/// are, also those without answers.
fn findings(lines: &[Line], policies: usize) -> Option<(String, String)> {
    let told = lines.iter().map(|line| {
        let percentiles = [(2.0, "50"), (10.0, "90"), (100.0, "99"), (1000.0, "99.9")];
        let percentiles = percentiles.iter().filter_map(|(rarity, name)| {
            Some(format!(" {name} % within {}", figures::milliseconds(at(line, *rarity)?)))
        });
        let percentiles: Vec<_> = percentiles.collect();
        let slowest = line.points.last().map_or(0.0, |point| point.mean);
        let slowest = figures::milliseconds(slowest);
        format!(" {}:{}, the slowest {slowest}.", line.policy, percentiles.join(","))
    });
    let summary =
        format!("Latency of accepted requests by percentile.{}", told.collect::<String>());
    lines.first()?;
    let mut tails: Vec<_> =
        lines.iter().filter_map(|line| Some((at(line, 100.0)?, &line.policy))).collect();
    tails.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let title = match (tails.first(), tails.last()) {
        (Some((fast, quick)), Some((slow, late))) if slow > fast => format!(
            "99 % of answers come within {} under {quick}, within {} under {late}",
            figures::milliseconds(*fast),
            figures::milliseconds(*slow),
        ),
        (Some((all, _)), _) => {
            let names: Vec<_> = tails.iter().map(|(_, policy)| policy.as_str()).collect();
            // Nothing is said of policies that have too few answers.
            let whose = match names.len() == policies {
                true => String::new(),
                false => format!(" under {}", names.join(", ")),
            };
            format!("99 % of answers come within {}{whose}", figures::milliseconds(*all))
        }
        _ => "How slow are the slowest answers?".to_string(),
    };
    Some((title, summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_as_far_as_there_are_requests() {
        // 98 of 1 ms, one of 2 ms, one of 3 ms.
        let buckets = Buckets(vec![(1_000_000, 98), (2_000_000, 1), (3_000_000, 1)]);
        let points = by_rarity(&buckets);
        let places: Vec<_> = points.iter().map(|point| (point.x, point.mean)).collect();
        assert_eq!(places, [(1.0, 1.0), (50.0, 2.0), (100.0, 3.0), (100.0, 3.0)]);
        let line = Line { policy: String::new(), points, stepped: true };
        assert_eq!(at(&line, 2.0), Some(1.0));
        assert_eq!(at(&line, 50.0), Some(1.0), "98 of 100 are within 1 ms");
        assert_eq!(at(&line, 100.0), Some(2.0), "99 of 100 are within 2 ms");
        assert_eq!(at(&line, 1000.0), None, "there are a hundred only");
        assert_eq!(by_rarity(&Buckets::default()), []);
    }

    #[test]
    fn the_title_names_those_that_have_answers_enough() {
        let line = |policy: &str, count: u64| Line {
            policy: policy.to_string(),
            points: by_rarity(&Buckets(vec![(1_000_000, count)])),
            stepped: true,
        };
        let title = |lines: &[Line], policies| findings(lines, policies).map(|(title, _)| title);
        let lines = [line("a", 100), line("b", 99)];
        let of_one = Some("99 % of answers come within 1.00 ms under a".to_string());
        assert_eq!(title(&lines, 2), of_one, "b has one answer too few");
        assert_eq!(title(&lines[..1], 2), of_one, "b has none");
        let of_all = Some("99 % of answers come within 1.00 ms".to_string());
        assert_eq!(title(&lines[..1], 1), of_all);
    }

    #[test]
    fn nines_end_with_the_requests() {
        let labels = |rarest| ticks(rarest).pop().map(|tick| (tick.value, tick.label));
        assert_eq!(labels(20_000.0), Some((10_000.0, "99.99 %".to_string())));
        assert_eq!(labels(999.0), Some((100.0, "99 %".to_string())));
    }
}
