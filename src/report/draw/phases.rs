//! Do the clients of a policy come back in step with its period?

use super::Shown;
use crate::measure::close_up::Phases;
use crate::report::charts::{PhasesChart, PhasesPanel};

/// Attempts by time and phase, a panel a policy; `None` if no policy has a period.
pub fn chart(shown: &Shown<'_>) -> Option<PhasesChart> {
    let panels: Vec<_> = shown
        .close_ups()
        .map(|(policy, _, close_up)| PhasesPanel {
            policy: policy.to_string(),
            busiest_tenth: close_up.phases.as_ref().and_then(busiest_tenth),
            phases: close_up.phases.clone(),
        })
        .collect();
    panels.iter().any(|panel| panel.busiest_tenth.is_some()).then(|| PhasesChart {
        title: title(&panels),
        subtitle: shown.subtitle(),
        panels,
    })
}

/// The finding: which policy is the most in step with its period, and which the least.
fn title(panels: &[PhasesPanel]) -> String {
    let shares = panels.iter().filter_map(|panel| Some((panel.busiest_tenth?, &panel.policy)));
    let mut ranked: Vec<_> = shares.collect();
    ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let percent = |share: f64| libm::round(100.0 * share);
    match ranked[..] {
        [] => "At which phase of the period attempts are sent".to_string(),
        [(share, policy)] => format!(
            "{policy} {}: {} % of its attempts are sent in one tenth of the period",
            if share >= IN_STEP { "returns in step" } else { "is spread over its period" },
            percent(share),
        ),
        [(least, calm), .., (most, herd)] if most >= IN_STEP => format!(
            "{herd} returns in step: {} % of its attempts are sent in one tenth of its period, of \
             {calm} {} %",
            percent(most),
            percent(least),
        ),
        [.., (most, herd)] => format!(
            "No policy returns in step: at most {} % of attempts are sent in one tenth of the \
             period, under {herd}",
            percent(most),
        ),
    }
}

/// Twice as many as in any tenth if the period made no difference.
const IN_STEP: f64 = 0.2;

/// The share of attempts in the tenth of the period that has most; a tenth may go on from the end
/// of the period to its beginning. `None` without attempts.
fn busiest_tenth(phases: &Phases) -> Option<f64> {
    let mut rows = vec![0_u64; phases.rows as usize];
    for (_, row, attempts) in &phases.cells {
        *rows.get_mut(*row as usize)? += attempts;
    }
    let all: u64 = rows.iter().sum();
    let tenth = rows.len().div_ceil(10);
    let sum = |from: usize| rows.iter().cycle().skip(from).take(tenth).sum::<u64>();
    let most = (0..rows.len()).map(sum).max()?;
    (all > 0).then(|| most as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_tenth_may_go_round_the_end() {
        let phases = |cells: &[(u32, u32, u64)]| Phases {
            period_ms: 200.0,
            column_ms: 400.0,
            rows: 20,
            cells: cells.to_vec(),
        };
        let cells = [(0, 0, 30), (0, 10, 25), (1, 0, 10), (1, 19, 35)];
        assert_eq!(busiest_tenth(&phases(&cells)), Some(0.75));
        assert_eq!(busiest_tenth(&phases(&[])), None);
        let even: Vec<_> = (0..20).map(|row| (0, row, 3)).collect();
        assert_eq!(busiest_tenth(&phases(&even)), Some(0.1));
    }
}
