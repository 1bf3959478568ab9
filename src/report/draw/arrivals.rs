//! Are the attempts of a policy clustered?

use super::Shown;
use crate::measure::metric::Id;
use crate::report::bins::{common_width, widened};
use crate::report::charts::{ArrivalsChart, ArrivalsPanel};
use crate::report::figures;
use crate::study::results::Results;

/// Attempts over time, a panel a policy.
pub fn chart(shown: &Shown<'_>) -> Option<ArrivalsChart> {
    let Shown { results, point, .. } = *shown;
    let width = common_width(results.at_point(point).map(|cell| &cell.series[..]));
    Some(ArrivalsChart {
        title: title(results, point),
        subtitle: shown.subtitle(),
        disturbed: shown.disturbed(),
        panels: results
            .at_point(point)
            .map(|cell| ArrivalsPanel {
                policy: results.policies[cell.policy].clone(),
                bins: widened(&cell.series, width),
            })
            .collect(),
    })
}

/// The finding: whose arrivals are the most and the least clustered, where they differ, or else who
/// makes the most and the fewest attempts.
fn title(results: &Results, point: usize) -> String {
    let question = "How attempts arrive";
    let extremes = |id: Id| {
        let cells = results.at_point(point);
        let means = cells.filter_map(|cell| Some((cell.estimate(id).mean?, cell.policy)));
        let mut ranked: Vec<_> = means.collect();
        ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (least, most) = (*ranked.first()?, *ranked.last()?);
        (most.0 > NOTABLE * least.0).then_some((least, most))
    };
    let name = |policy: usize| &results.policies[policy];
    let times = |value: f64| figures::plain(value);
    if let Some(((least, calm), (most, herd))) = extremes(Id::ArrivalsClustering) {
        let (herd, calm) = (name(herd), name(calm));
        return format!(
            "{question}: {herd} clusters {}× as much as chance, {calm} {}×",
            times(most),
            times(least),
        );
    }
    if let Some(((least, thrifty), (most, eager))) = extremes(Id::Amplification) {
        let (eager, thrifty) = (name(eager), name(thrifty));
        return format!(
            "{question}: {eager} makes {} a request, {thrifty} {}",
            times(most),
            times(least),
        );
    }
    question.to_string()
}

/// Figures that differ by less make no headline.
const NOTABLE: f64 = 1.3;
