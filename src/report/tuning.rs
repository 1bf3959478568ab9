//! A tuning in words: the recommended policy, what it brings, and how sure that is.

pub mod chart;
mod effect;
mod policy_file;
mod trust;

pub use policy_file::recommended;

use crate::measure::metric;
use crate::study::tune::goal::Combination;
use crate::study::tune::tuning::Tuning;

/// The whole report.
pub fn report(tuning: &Tuning) -> String {
    let mut parts = vec![heading(tuning), policy_file::body(tuning)];
    parts.extend(effect::lines(tuning));
    parts.extend(trust::lines(tuning));
    let parts: Vec<_> = parts.iter().map(|part| part.trim_end()).collect();
    format!("{}\n", parts.join("\n\n"))
}

fn heading(tuning: &Tuning) -> String {
    let names: Vec<_> = tuning.experiments.iter().map(|e| e.name.as_str()).collect();
    let found = &tuning.found;
    let skipped = match found.invalid {
        0 => String::new(),
        1 => "; 1 point is no valid policy".to_string(),
        more => format!("; {more} points are no valid policies"),
    };
    let winner = tuning.confirmed.winner();
    let verdict = match winner.standing.is_feasible() {
        true => "The recommended policy",
        false => "No policy in the space keeps the constraints; the one that breaks them least",
    };
    format!(
        "{}: `{}` tuned in {} runs\n{}\n{} candidates{skipped}\n\n{verdict}:",
        names.join(", "),
        tuning.policy,
        tuning.runs,
        goal(tuning),
        found.candidates.len(),
    )
}

/// What was wanted, in words.
fn goal(tuning: &Tuning) -> String {
    let of = |index: usize| {
        let experiment = &tuning.experiments[index];
        let conditions: Vec<_> = experiment.conditions.iter().map(ToString::to_string).collect();
        let conditions = match conditions.len() {
            0 => "no constraint".to_string(),
            _ => conditions.join(", "),
        };
        (metric::ALL[experiment.minimise].name, conditions)
    };
    if tuning.experiments.len() == 1 {
        let (minimise, conditions) = of(0);
        return format!("minimise {minimise} subject to {conditions}");
    }
    let how = match &tuning.combination {
        Combination::Worst => "minimise the worst of these".to_string(),
        Combination::Weighted(weights) => {
            let weights: Vec<_> = weights.iter().map(ToString::to_string).collect();
            format!("minimise the mean of these, weighted {}", weights.join(", "))
        }
    };
    let lines = tuning.experiments.iter().enumerate().map(|(index, experiment)| {
        let (minimise, conditions) = of(index);
        format!("  {}: {minimise} subject to {conditions}", experiment.name)
    });
    let lines: Vec<_> = lines.collect();
    format!("{how}, each relative to today's:\n{}", lines.join("\n"))
}
