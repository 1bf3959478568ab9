//! How long do requests take, by when they were to begin?

use super::Shown;
use crate::report::charts::{LatencyMapChart, LatencyMapPanel};
use crate::report::figures;

/// Requests by planned start and latency, a panel a policy; `None` if no request ended.
pub fn chart(shown: &Shown<'_>) -> Option<LatencyMapChart> {
    let panels: Vec<_> = shown
        .close_ups()
        .map(|(policy, _, close_up)| LatencyMapPanel {
            policy: policy.to_string(),
            deadline_ms: close_up.about.deadline_ms,
            cells: close_up.latency_map.clone(),
        })
        .collect();
    panels.iter().any(|panel| !panel.cells.is_empty()).then(|| LatencyMapChart {
        title: title(&panels),
        subtitle: shown.subtitle(),
        panels,
    })
}

/// The finding: how long nearly all requests that end take, where that is shortest and longest.
/// Those that never end are not among them.
fn title(panels: &[LatencyMapPanel]) -> String {
    let question = "How long requests take";
    let ends = panels.iter().filter_map(|panel| Some((panel.quantile(0.99)?, &panel.policy)));
    let mut ranked: Vec<_> = ends.collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let time = figures::milliseconds;
    match ranked[..] {
        [] => question.to_string(),
        [(end, policy)] => {
            format!(
                "{question}: of those that end, 99 % take up to about {} under {policy}",
                time(end)
            )
        }
        [(first, quick), .., (last, slow)] if last > first => format!(
            "{question}: of those that end, 99 % take up to about {} under {quick}, {} under {slow}",
            time(first),
            time(last),
        ),
        [(end, _), ..] => {
            format!(
                "{question}: of those that end, 99 % take up to about {} under every policy",
                time(end)
            )
        }
    }
}
