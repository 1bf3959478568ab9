//! The recommended policy as a file that production loads.

use super::goal;
use crate::experiment::policy_text::policy_text;
use crate::report::figures;
use crate::study::tune::goal::Combination;
use crate::study::tune::tuning::Tuning;

/// The tables of the policy.
pub fn body(tuning: &Tuning) -> String {
    policy_text(&tuning.confirmed.winner().policy)
}

/// The file, which says at its head how the policy was found.
pub fn recommended(tuning: &Tuning) -> String {
    let mut head: Vec<String> = Vec::new();
    let names: Vec<_> = tuning.experiments.iter().map(|e| e.name.as_str()).collect();
    head.push(format!("Found by `retrial tune {}` {}", names.join(" "), env!("CARGO_PKG_VERSION")));
    let seeds: Vec<_> = tuning.experiments.iter().map(|e| e.seed.to_string()).collect();
    let what = if names.len() == 1 { "seed" } else { "seeds" };
    head.push(format!(
        "with {what} {} in {} runs, {} candidates.",
        seeds.join(", "),
        tuning.runs,
        tuning.found.candidates.len()
    ));
    let combine = match &tuning.combination {
        Combination::Worst => "--combine worst".to_string(),
        Combination::Weighted(weights) => {
            let weights: Vec<_> = weights.iter().map(ToString::to_string).collect();
            format!("--weights {}", weights.join(","))
        }
    };
    let (budget, against) = (tuning.budget, &tuning.against);
    let replications = tuning.replications;
    head.push(format!(
        "Settings: --budget {budget} --against {against} --replications {replications} {combine}"
    ));
    let wanted = goal(tuning);
    head.extend(wanted.lines().map(|line| capitalised(line.trim_end())));
    let winner = tuning.confirmed.winner();
    if !winner.standing.is_feasible() {
        head.push(
            "NO POLICY IN THE SPACE KEEPS THE CONSTRAINTS: this one breaks them least.".into(),
        );
    }
    let n = winner.samples.len();
    head.push(format!(
        "On {n} fresh replications (mean ± half the 95 % interval; today's in brackets):"
    ));
    for (column, name) in tuning.metric_columns() {
        let (experiment, metric) = tuning.columns[column];
        let [found, today] = [winner, &tuning.confirmed.today]
            .map(|contender| figures::estimate(&contender.estimates[experiment][metric]));
        head.push(format!("  {name}: {found} ({today})"));
    }
    let head: String = head.iter().map(|line| format!("# {line}\n")).collect();
    format!("{head}\n{}", body(tuning))
}

fn capitalised(line: &str) -> String {
    let mut characters = line.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
