//! How do attempts and the time until all is done grow with a swept key?

use super::Shown;
use crate::experiment::sweep::AxisValue;
use crate::measure::metric::Id;
use crate::report::charts::{Line, LinePoint, LinesChart, LinesPanel, Quantity, Spacing};
use crate::report::figures;
use crate::study::results::Results;

/// Under which conditions: other axes stand still.
fn subtitle(shown: &Shown<'_>, axis: usize) -> String {
    let results = shown.results;
    let mut parts = vec![results.experiment.clone()];
    let values = &results.points[shown.point].values;
    let others = results.axes.iter().zip(values).enumerate().filter(|(other, _)| *other != axis);
    parts.extend(others.map(|(_, (name, value))| format!("{name} = {}", value.text)));
    parts.push(format!("seed {}", results.seed));
    parts.push(replications(results));
    parts.push("bands: 95 % intervals of the mean".to_string());
    parts.join(" · ")
}

/// How often each point was run, which may differ where `stop` decides.
pub(super) fn replications(results: &Results) -> String {
    let most = results.replications;
    let mut at = vec![0; results.points.len()];
    for cell in &results.cells {
        at[cell.point] = cell.replications().max(at[cell.point]);
    }
    match at.into_iter().min() {
        Some(least) if least < most => format!("{least} to {most} replications"),
        _ => figures::replications(most),
    }
}

/// Attempts and time of the last end against the first swept key with numbers; `None` if there is
/// none with at least two values. Other axes stay where the point that is shown has them.
pub fn chart(shown: &Shown<'_>) -> Option<LinesChart> {
    let Shown { results, point, .. } = *shown;
    let here = results.points.get(point)?;
    let axis = (0..results.axes.len()).find(|axis| {
        let mut values: Vec<_> = results.points.iter().map(|p| p.values[*axis].number).collect();
        values.dedup();
        values.len() > 1 && values.iter().all(Option::is_some)
    })?;
    let on_line = |point: usize| {
        let values = &results.points[point].values;
        (0..values.len()).all(|other| other == axis || values[other] == here.values[other])
    };
    let line = |policy: usize, id: Id| {
        let cells = results.cells.iter();
        let cells = cells.filter(|cell| cell.policy == policy && on_line(cell.point));
        let points = cells.filter_map(|cell| {
            let x = results.points[cell.point].values[axis].number?;
            let estimate = cell.estimate(id);
            let mean = estimate.mean?;
            let (low, high) = estimate.ci95.unwrap_or((mean, mean));
            Some(LinePoint { x, mean, low, high })
        });
        let mut points: Vec<_> = points.collect();
        // Values stand in a sweep in any order.
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Line { policy: results.policies[policy].clone(), stepped: false, points }
    };
    let lines =
        |id: Id| (0..results.policies.len()).map(|policy| line(policy, id)).collect::<Vec<_>>();
    let (attempts, makespans) = (lines(Id::Attempts), lines(Id::MakespanMs));
    let name = &results.axes[axis];
    let unit = here.values[axis].unit;
    let x = match unit {
        "ms" => Quantity::new(name, Spacing::ByReach).of_times(),
        "" => Quantity::new(name, Spacing::ByReach),
        unit => Quantity::new(format!("{name} ({unit})"), Spacing::ByReach),
    };
    let time = Quantity::new("time of the last end", Spacing::Logarithmic).of_times();
    Some(LinesChart {
        title: title(name, results.points.iter().map(|point| &point.values[axis]), &attempts),
        subtitle: subtitle(shown, axis),
        summary: None,
        x,
        panels: vec![
            LinesPanel::new(Quantity::new("attempts", Spacing::Logarithmic), attempts),
            LinesPanel::new(time, makespans),
        ],
    })
}

/// Who makes most attempts where most is swept, against who makes fewest.
fn title<'a>(
    axis: &str,
    mut values: impl Iterator<Item = &'a AxisValue>,
    lines: &[Line],
) -> String {
    let ends = || lines.iter().filter_map(|line| Some((line.points.last()?, &line.policy)));
    let farthest = ends().map(|(end, _)| end.x).fold(f64::NEG_INFINITY, f64::max);
    let mut ends: Vec<_> = ends().filter(|(end, _)| end.x == farthest).collect();
    ends.sort_by(|(one, _), (other, _)| one.mean.total_cmp(&other.mean));
    match (ends.first(), ends.last()) {
        (Some((least, thrifty)), Some((most, eager))) if most.mean > NOTABLE * least.mean => {
            let times = figures::plain(most.mean / least.mean);
            let farthest = values.find(|value| value.number == Some(most.x));
            let at = farthest.map_or("", |value| value.text.as_str());
            format!("{eager} needs {times}× the attempts of {thrifty} at {axis} = {at}")
        }
        _ => format!("What {axis} does to attempts and to the time until all is done"),
    }
}

/// Figures that differ by less make no headline.
const NOTABLE: f64 = 1.1;
