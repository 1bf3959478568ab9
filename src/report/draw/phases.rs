//! Do the clients of a policy come back in step with its period?

use super::Shown;
use crate::measure::close_up::Phases;
use crate::report::charts::{PhasesChart, PhasesPanel};

/// Retries by time and phase, a panel a policy; `None` if no policy has a period.
pub fn chart(shown: &Shown<'_>) -> Option<PhasesChart> {
    let panels: Vec<_> = shown
        .close_ups()
        .map(|(policy, _, close_up)| PhasesPanel {
            policy: policy.to_string(),
            busiest_tenth: close_up.phases.as_ref().and_then(busiest_tenth),
            phases: close_up.phases.clone(),
        })
        .collect();
    panels.iter().any(|panel| panel.phases.is_some()).then(|| PhasesChart {
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
        [] => "At which phase of the period retries arrive".to_string(),
        [(share, policy)] => format!(
            "{policy} {}: at any time {} % of its retries arrive in one tenth of the period",
            if share >= IN_STEP { "returns in step" } else { "is spread over its period" },
            percent(share),
        ),
        [(least, calm), .., (most, herd)] if most >= IN_STEP => format!(
            "{herd} returns in step: at any time {} % of its retries arrive in one tenth of its \
             period, of {calm} {} %",
            percent(most),
            percent(least),
        ),
        [.., (most, herd)] => format!(
            "No policy returns in step: at any time at most {} % of retries arrive in one tenth \
             of the period, under {herd}",
            percent(most),
        ),
    }
}

/// By chance it is a quarter where attempts are few, and less where they are many.
const IN_STEP: f64 = 0.4;

/// Columns with fewer attempts say nothing: some tenth has always several of them.
const FEWEST: u64 = 20;

/// The share of retries in the tenth of the period that has most, column by column: the phase at
/// which clients come back moves on with the time that their attempts take. A tenth may go on from
/// the end of the period to its beginning. `None` where no column has attempts enough.
fn busiest_tenth(phases: &Phases) -> Option<f64> {
    let (mut busiest, mut all) = (0, 0);
    for column in phases.cells.chunk_by(|(a, ..), (b, ..)| a == b) {
        let mut rows = vec![0_u64; phases.rows as usize];
        for (_, row, attempts) in column {
            *rows.get_mut(*row as usize)? += attempts;
        }
        let attempts: u64 = rows.iter().sum();
        if attempts >= FEWEST {
            let tenth = rows.len().div_ceil(10);
            let sum = |from: usize| rows.iter().cycle().skip(from).take(tenth).sum::<u64>();
            busiest += (0..rows.len()).map(sum).max().unwrap_or(0);
            all += attempts;
        }
    }
    (all > 0).then(|| busiest as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busiest_tenth_moves_and_may_go_round_the_end() {
        let phases = |cells: &[(u32, u32, u64)]| Phases {
            period_ms: 200.0,
            column_ms: 400.0,
            rows: 20,
            cells: cells.to_vec(),
        };
        // 65 of 90 at the end and the beginning, then 10 of 10 are too few to count, then 30 of 30.
        let cells = [(0, 0, 30), (0, 10, 25), (0, 19, 35), (1, 3, 10), (2, 7, 14), (2, 8, 16)];
        assert_eq!(busiest_tenth(&phases(&cells)), Some(95.0 / 120.0));
        assert_eq!(busiest_tenth(&phases(&[(0, 0, 19)])), None);
        let even: Vec<_> = (0..20).map(|row| (0, row, 3)).collect();
        assert_eq!(busiest_tenth(&phases(&even)), Some(0.1));
    }
}
