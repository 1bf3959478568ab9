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

/// The finding: within what nearly all requests have ended, where that is soonest and latest.
fn title(panels: &[LatencyMapPanel]) -> String {
    let question = "How long requests take";
    let ends = panels.iter().filter_map(|panel| Some((panel.quantile(0.99)?, &panel.policy)));
    let mut ranked: Vec<_> = ends.collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let time = figures::milliseconds;
    match ranked[..] {
        [] => question.to_string(),
        [(end, policy)] => format!("{question}: 99 % end within {} under {policy}", time(end)),
        [(first, quick), .., (last, slow)] if last > first => format!(
            "{question}: 99 % end within {} under {quick}, within {} under {slow}",
            time(first),
            time(last),
        ),
        [(end, _), ..] => format!("{question}: 99 % end within {} under every policy", time(end)),
    }
}
