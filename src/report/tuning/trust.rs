//! How far the recommendation can be trusted: what could not be told apart from it, how much hangs
//! on each key, and whether guesses decide.

use super::effect::{scaled, signed, table, text};
use crate::study::tune::confirm::Difference;
use crate::study::tune::files::shown;
use crate::study::tune::robustness::{Outcome, Role, Varied};
use crate::study::tune::sensitivity::KeySensitivity;
use crate::study::tune::tuning::Tuning;

/// The parts that there is something to say of.
pub fn lines(tuning: &Tuning) -> Vec<String> {
    let parts = [Some(finalists(tuning)), sensitivity(tuning), guesses(tuning)];
    parts.into_iter().flatten().collect()
}

fn percent(difference: &Difference) -> String {
    let shown = signed(&scaled(&difference.paired.difference, 100.0));
    shown.trim_end_matches(" (none shown)").to_string()
}

fn finalists(tuning: &Tuning) -> String {
    let confirmed = &tuning.confirmed;
    let others = confirmed.differences.iter();
    let lines = others.map(|(index, difference)| {
        let finalist = &confirmed.finalists[*index];
        let name = finalist.candidate.map_or_else(String::new, |index| format!("#{index}"));
        let values = finalist.candidate.map_or_else(Vec::new, |index| tuning.values(index));
        let values: Vec<_> =
            tuning.keys().zip(&values).map(|(key, v)| format!("{key} = {}", shown(v))).collect();
        let verdict = match (finalist.standing.is_feasible(), difference.is_shown()) {
            (false, _) => "breaks a constraint here",
            (true, true) => "differs",
            (true, false) => "could not be told apart",
        };
        format!("  {name} {verdict}, {} points: {}", percent(difference), values.join(", "))
    });
    let lines: Vec<_> = lines.collect();
    let n = confirmed.winner().samples.len();
    let first =
        "Other finalists against the recommended one (objective, in points of a % of today's";
    match lines.is_empty() {
        true => "There was no other finalist.".to_string(),
        false => format!("{first}; {n} fresh replications, Holm):\n{}", lines.join("\n")),
    }
}

fn sensitivity(tuning: &Tuning) -> Option<String> {
    if tuning.effort.sensitivity == 0 {
        return Some(
            "The keys were not varied alone: that takes more runs (--budget).".to_string(),
        );
    }
    let keys: Vec<_> = tuning.sensitivity.iter().filter(|key| !key.values.is_empty()).collect();
    if keys.is_empty() {
        return None;
    }
    let mut table = table(&["key", "best", "no difference shown", "others (points of a %)"], 4);
    for key in keys {
        let others: Vec<_> = key.values.iter().filter(|v| is_told(v)).map(varied).collect();
        let others = if others.is_empty() { "–".to_string() } else { others.join("; ") };
        table.add_row([key.key.clone(), shown(&key.best), same(key), others]);
    }
    Some(format!(
        "Each key varied alone ({} fresh replications, Holm):\n{}",
        tuning.effort.sensitivity,
        text(&table)
    ))
}

fn is_told(value: &crate::study::tune::sensitivity::VariedValue) -> bool {
    value.difference.is_shown() || !value.is_feasible
}

fn varied(value: &crate::study::tune::sensitivity::VariedValue) -> String {
    let broken = if value.is_feasible { "" } else { ", breaks a constraint" };
    format!("{}: {}{broken}", shown(&value.value), percent(&value.difference))
}

fn same(key: &KeySensitivity) -> String {
    if key.is_range {
        let (low, high) = key.same();
        return match low == high {
            true => "–".to_string(),
            false => format!("{} to {}", shown(low), shown(high)),
        };
    }
    let same = key.values.iter().filter(|value| !is_told(value)).map(|value| shown(&value.value));
    let same: Vec<_> = same.collect();
    if same.is_empty() { "–".to_string() } else { same.join(", ") }
}

fn guesses(tuning: &Tuning) -> Option<String> {
    if tuning.guesses == 0 {
        return None;
    }
    if tuning.robustness.is_empty() {
        return Some("The guesses were not varied: that takes more runs (--budget).".to_string());
    }
    let lines: Vec<_> = tuning.robustness.iter().map(|varied| guess(tuning, varied)).collect();
    Some(format!(
        "Guesses varied by half ({} fresh replications):\n{}",
        tuning.effort.guesses,
        lines.join("\n")
    ))
}

fn guess(tuning: &Tuning, varied: &Varied) -> String {
    let experiment = &tuning.experiments[varied.experiment].name;
    let (guess, value) = (shown(&varied.guess), shown(&varied.value));
    let verdict = match &varied.outcome {
        None => "no such world is possible".to_string(),
        Some(outcome) => verdict(outcome),
    };
    format!("  {experiment}, {} = {value} instead of {guess}: {verdict}", varied.key)
}

fn verdict(outcome: &Outcome) -> String {
    let kept = outcome.standings.iter().filter(|(_, standing)| standing.is_feasible()).count();
    let none = if kept == 0 { ", and no policy keeps the constraints" } else { "" };
    let other = match outcome.best {
        Role::Winner => return format!("the recommended policy stays the best{none}"),
        Role::RunnerUp => "the runner-up",
        Role::Today => "today's policy",
    };
    match (outcome.changes_the_winner(), &outcome.difference) {
        (true, Some(difference)) => {
            format!("{other} is better ({} points){none}", percent(difference))
        }
        _ => format!("{other} could not be told apart from the recommended one{none}"),
    }
}
