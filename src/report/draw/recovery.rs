//! Does a service come back after a disturbance?

use super::Shown;
use crate::measure::metric::Id;
use crate::report::charts::{RecoveryChart, RecoveryPanel};
use crate::report::figures;
use crate::study::results::CellResults;

/// What flows and what waits over time, a panel a policy.
pub fn chart(shown: &Shown<'_>) -> Option<RecoveryChart> {
    let panels: Vec<_> = shown
        .close_ups()
        .filter(|(_, _, close_up)| !close_up.timeline.is_empty())
        .map(|(policy, cell, close_up)| RecoveryPanel {
            policy: policy.to_string(),
            note: note(cell).unwrap_or_default(),
            bins: close_up.timeline.clone(),
        })
        .collect();
    let disturbed = shown.disturbed();
    (!panels.is_empty()).then(|| RecoveryChart {
        title: title(shown, !disturbed.is_empty()),
        subtitle: shown.subtitle(),
        disturbed,
        panels,
    })
}

/// What became of the run that is shown; `None` if it had nothing to recover from.
fn note(cell: &CellResults) -> Option<String> {
    let metrics = &cell.runs.first()?.metrics;
    let drained = metrics.get(Id::DrainMs).map(|ms| format!(", drained after {}", time(ms)));
    let back = match (metrics.get(Id::RecoveredRatio)?, metrics.get(Id::RecoveryMs)) {
        (recovered, Some(ms)) if recovered > 0.0 => format!("back {}", after(ms)),
        _ => "not back by the end".to_string(),
    };
    Some(back + &drained.unwrap_or_default())
}

/// Who comes back and when, over all replications.
fn title(shown: &Shown<'_>, disturbed: bool) -> String {
    let cells = || shown.results.at_point(shown.point);
    let name = |cell: &CellResults| shown.results.policies[cell.policy].as_str();
    let recovered = |cell: &CellResults| cell.estimate(Id::RecoveredRatio).mean;
    let mut back: Vec<_> = cells()
        .filter(|cell| recovered(cell).is_some_and(|share| share >= 1.0))
        .filter_map(|cell| Some((cell.estimate(Id::RecoveryMs).mean?, name(cell))))
        .collect();
    back.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let not = || cells().filter(|cell| recovered(cell).is_some_and(|share| share < 1.0));
    let least = not().min_by(|one, other| {
        recovered(one).unwrap_or(1.0).total_cmp(&recovered(other).unwrap_or(1.0))
    });
    let least = least.map(|cell| match recovered(cell).unwrap_or(0.0) {
        0.0 => format!("{} never", name(cell)),
        share => format!("{} in {} of runs", name(cell), figures::share(share)),
    });
    match (back.first(), back.last(), least) {
        (Some((ms, policy)), _, Some(least)) => {
            format!("{policy} comes back {}, {least}", after(*ms))
        }
        (Some((soon, first)), Some((late, last)), None) if late > soon => {
            format!("All come back: {first} {}, {last} {}", after(*soon), after(*late))
        }
        (Some((ms, policy)), _, None) => match back.len() {
            1 => format!("{policy} comes back {}", after(*ms)),
            _ => format!("All come back {}", after(*ms)),
        },
        (None, _, Some(least)) if not().count() == 1 => format!("{least} comes back"),
        (None, _, Some(least)) => format!("None comes back in every run, {least}"),
        _ if disturbed => "Does it come back?".to_string(),
        _ => "What flows and what waits".to_string(),
    }
}

fn after(ms: f64) -> String {
    if ms > 0.0 { format!("after {}", time(ms)) } else { "at once".to_string() }
}

fn time(ms: f64) -> String {
    figures::milliseconds(ms)
}
