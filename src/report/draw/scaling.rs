//! How do attempts and the time until all is done grow with a swept key?

use super::Shown;
use crate::measure::metric::Id;
use crate::report::charts::{Line, LinePoint, LinesChart, LinesPanel};
use crate::study::results::Results;

/// Under which conditions: other axes stand still.
fn subtitle(results: &Results, axis: usize) -> String {
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
pub(super) fn replications(results: &Results) -> String {
    let most = results.replications;
    let points = 0..results.points.len();
    match points.map(|point| results.replications_at(point)).min() {
        Some(least) if least < most => format!("{least} to {most} replications"),
        _ => format!("{most} replications"),
    }
}

/// Attempts and time of the last end against the first swept key with numbers; `None` if there is
/// none with at least two values. Other axes stay at their last value.
pub fn chart(shown: &Shown<'_>) -> Option<LinesChart> {
    let Shown { results, .. } = *shown;
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
        subtitle: subtitle(results, axis),
        x_title: if unit.is_empty() { name.clone() } else { format!("{name} ({unit})") },
        panels: vec![
            panel("attempts", Id::Attempts),
            panel("time of the last end (ms)", Id::MakespanMs),
        ],
    })
}
