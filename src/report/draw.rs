//! Which charts a study gets, and what they are called.

use super::bins::{widened, widest};
use super::charts::{ArrivalsChart, ArrivalsPanel, Chart, Line, LinePoint, LinesChart, LinesPanel};
use super::figures;
use crate::measure::metric::Id;
use crate::study::results::Results;

/// A chart and the name of its files, without ending.
pub struct Drawing {
    /// The name.
    pub name: &'static str,
    /// The chart.
    pub chart: Box<dyn Chart>,
}

/// The names of all charts there are.
pub const CHARTS: [&str; 2] = ["arrivals", "scaling"];

/// The charts of a study, of its last point where a chart shows one point.
pub fn drawings(results: &Results) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    if let Some(point) = results.points.len().checked_sub(1) {
        drawings.push(Drawing { name: "arrivals", chart: Box::new(arrivals(results, point)) });
    }
    if let Some(chart) = scaling(results) {
        drawings.push(Drawing { name: "scaling", chart: Box::new(chart) });
    }
    drawings
}

/// Attempts over time, a panel a policy.
fn arrivals(results: &Results, point: usize) -> ArrivalsChart {
    let mut parts = vec![results.experiment.clone()];
    parts.extend(Some(results.describe_point(point)).filter(|place| !place.is_empty()));
    parts.push(format!("seed {}", results.seed));
    parts.push(format!("replication 0 of {}", results.replications_at(point)));
    let width = widest(results.at_point(point).map(|cell| &cell.series[..]));
    ArrivalsChart {
        title: arrivals_title(results, point),
        subtitle: parts.join(" · "),
        panels: results
            .at_point(point)
            .map(|cell| ArrivalsPanel {
                policy: results.policies[cell.policy].clone(),
                bins: widened(&cell.series, width),
            })
            .collect(),
    }
}

/// The finding: whose arrivals are the most and the least clustered, where they differ, or else who
/// makes the most and the fewest attempts.
fn arrivals_title(results: &Results, point: usize) -> String {
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

/// Under which conditions: other axes stand still.
fn scaling_subtitle(results: &Results, axis: usize) -> String {
    let mut parts = vec![results.experiment.clone()];
    let last = results.points.last().map_or(&[][..], |point| &point.values);
    let others = results.axes.iter().zip(last).enumerate().filter(|(other, _)| *other != axis);
    parts.extend(others.map(|(_, (name, value))| format!("{name} = {}", value.text)));
    parts.push(format!("seed {}", results.seed));
    parts.push(replications(results));
    parts.push("bands: 95 % intervals of the mean".to_string());
    parts.join(" · ")
}

/// How often each point was run, which may differ where `stop` decides.
fn replications(results: &Results) -> String {
    let most = results.replications;
    let points = 0..results.points.len();
    match points.map(|point| results.replications_at(point)).min() {
        Some(least) if least < most => format!("{least} to {most} replications"),
        _ => format!("{most} replications"),
    }
}

/// Attempts and time of the last end against the first swept key with numbers; `None` if there is
/// none with at least two values. Other axes stay at their last value.
fn scaling(results: &Results) -> Option<LinesChart> {
    let last = results.points.last()?;
    let axis = (0..results.axes.len()).find(|axis| {
        let mut values: Vec<_> = results.points.iter().map(|p| p.values[*axis].number).collect();
        values.dedup();
        values.len() > 1 && values.iter().all(Option::is_some)
    })?;
    let on_line = |point: usize| {
        let values = &results.points[point].values;
        (0..values.len()).all(|other| other == axis || values[other] == last.values[other])
    };
    let line = |policy: usize, id: Id| Line {
        policy: results.policies[policy].clone(),
        points: results
            .cells
            .iter()
            .filter(|cell| cell.policy == policy && on_line(cell.point))
            .filter_map(|cell| {
                let x = results.points[cell.point].values[axis].number?;
                let estimate = cell.estimate(id);
                let mean = estimate.mean?;
                let (low, high) = estimate.ci95.unwrap_or((mean, mean));
                Some(LinePoint { x, mean, low, high })
            })
            .collect(),
    };
    let panel = |title: &str, id: Id| LinesPanel {
        y_title: title.to_string(),
        log_y: true,
        lines: (0..results.policies.len()).map(|policy| line(policy, id)).collect(),
    };
    let name = &results.axes[axis];
    let unit = last.values[axis].unit;
    Some(LinesChart {
        title: format!("What {name} does to attempts and to the time until all is done"),
        subtitle: scaling_subtitle(results, axis),
        x_title: if unit.is_empty() { name.clone() } else { format!("{name} ({unit})") },
        panels: vec![
            panel("attempts", Id::Attempts),
            panel("time of the last end (ms)", Id::MakespanMs),
        ],
    })
}
