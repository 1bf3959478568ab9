//! Which share of all requests is answered within a time?

use super::Shown;
use super::deadlines::deadlines;
use crate::measure::metric::Id;
use crate::report::charts::{Line, LinePoint, LinesChart, LinesPanel, Quantity, Spacing};
use crate::report::figures;

/// Answered requests in per cent of all that began, by latency, a line a policy. A line that ends
/// below 100 % shows how many had no answer.
pub fn chart(shown: &Shown<'_>) -> Option<LinesChart> {
    let mut lines: Vec<Line> = shown
        .close_ups()
        .filter_map(|(policy, cell, close_up)| {
            let requests = cell.runs.first()?.metrics.get(Id::Requests)?;
            let buckets = &close_up.latencies.0;
            let points = shares(buckets, requests);
            Some(Line { policy: policy.to_string(), points, stepped: true })
        })
        .filter(|line| !line.points.is_empty())
        .collect();
    let (title, summary) = findings(&lines)?;
    let upright = deadlines(shown);
    let ends = lines.iter().flat_map(|line| line.points.last()).map(|point| point.x);
    let end = ends.chain(upright.iter().map(|deadline| deadline.at)).fold(0.0, f64::max);
    for line in &mut lines {
        let last = line.points.last().map(|last| LinePoint::exact(end, last.mean));
        line.points.extend(last);
    }
    let y = Quantity::new("answered (% of all requests)", Spacing::Linear).from_to(0.0, 100.0);
    let mut panel = LinesPanel::new(y, lines);
    panel.upright = upright;
    Some(LinesChart {
        title,
        subtitle: shown.subtitle(),
        summary: Some(summary),
        x: Quantity::new("time since the request was to begin", Spacing::ByReach).of_times(),
        panels: vec![panel],
    })
}

/// The share of `requests` that is answered from each latency in milliseconds on, in per cent.
fn shares(buckets: &[(u64, u64)], requests: f64) -> Vec<LinePoint> {
    let ms = |ns: u64| ns as f64 / 1e6;
    let first = buckets.first().map(|(ns, _)| LinePoint::exact(ms(*ns), 0.0));
    let mut answered = 0;
    let rest = buckets.iter().map(|(ns, count)| {
        answered += count;
        LinePoint::exact(ms(*ns), (100.0 * answered as f64 / requests).min(100.0))
    });
    first.into_iter().chain(rest).collect()
}

/// Who answers how many, in a title, and how fast, in full.
fn findings(lines: &[Line]) -> Option<(String, String)> {
    let end = |line: &Line| line.points.last().map_or(0.0, |point| point.mean);
    let answered = |line: &Line| figures::share(end(line) / 100.0);
    let half = |line: &Line| {
        let point = line.points.iter().find(|point| point.mean >= 50.0)?;
        Some(figures::milliseconds(point.x))
    };
    let told = lines.iter().map(|line| {
        let half = half(line).map(|time| format!(", half of all within {time}"));
        format!(" {}: {} answered{}.", line.policy, answered(line), half.unwrap_or_default())
    });
    let summary =
        format!("Share of all requests that is answered, by time.{}", told.collect::<String>());
    let most = lines.iter().max_by(|one, other| end(one).total_cmp(&end(other)))?;
    let least = lines.iter().min_by(|one, other| end(one).total_cmp(&end(other)))?;
    let title = if answered(most) != answered(least) {
        format!(
            "{} answers {} of its requests, {} {}",
            most.policy,
            answered(most),
            least.policy,
            answered(least)
        )
    } else {
        format!("{} of requests are answered: how soon?", answered(most))
    };
    Some((title, summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_requests_have_no_answer() {
        let points = shares(&[(1_000_000, 1), (4_000_000, 2)], 4.0);
        let places: Vec<_> = points.iter().map(|point| (point.x, point.mean)).collect();
        assert_eq!(places, [(1.0, 0.0), (1.0, 25.0), (4.0, 75.0)]);
        assert_eq!(shares(&[], 4.0), []);
    }
}
