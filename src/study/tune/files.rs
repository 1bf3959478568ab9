//! The files of a tuning, and its JSON document.

use std::io;

use serde_json::{Map, Value, json};

use super::confirm::Difference;
use super::contender::Contender;
use super::tuning::Tuning;
use crate::experiment::node::Node;
use crate::experiment::policy_text::inline;
use crate::measure::metric;
use crate::study::files::{finish, number};
use crate::study::statistics::estimate::{Estimate, Estimator};

impl Tuning {
    /// The values of a candidate, one a key.
    pub fn values(&self, candidate: usize) -> Vec<Node> {
        self.space.values(&self.found.candidates[candidate].point)
    }

    /// The names of the keys.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        self.space.dimensions.iter().map(|dimension| dimension.path.to_string())
    }

    /// The columns that are shown of each policy: one a metric of an experiment, each once, called
    /// `experiment.metric`.
    pub fn metric_columns(&self) -> Vec<(usize, String)> {
        let mut shown: Vec<(usize, String)> = Vec::new();
        for (column, (experiment, metric)) in self.columns.iter().enumerate() {
            let known =
                shown.iter().any(|(other, _)| self.columns[*other] == (*experiment, *metric));
            if !known {
                let experiment = &self.experiments[*experiment].name;
                shown.push((column, format!("{experiment}.{}", metric::ALL[*metric].name)));
            }
        }
        shown
    }

    /// The number of the recommended candidate.
    pub fn chosen(&self) -> Option<usize> {
        self.confirmed.winner().candidate
    }
}

/// A value as a table shows it: words without quotes.
pub fn shown(value: &Node) -> String {
    value.as_str().map_or_else(|| inline(value), str::to_string)
}

/// Every candidate: its values, how it did in the search, and whether it kept the constraints
/// there.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn candidates_csv(tuning: &Tuning) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let metrics = tuning.metric_columns();
    let mut header = vec!["candidate".to_string()];
    header.extend(tuning.keys());
    header.extend(["replications", "objective", "violation", "feasible"].map(String::from));
    for (_, name) in &metrics {
        header.extend([name.clone(), format!("{name}.ci95_low"), format!("{name}.ci95_high")]);
    }
    csv.write_record(header)?;
    let mut estimator = Estimator::default();
    for (index, candidate) in tuning.found.candidates.iter().enumerate() {
        let standing = &candidate.standing;
        let mut row = vec![index.to_string()];
        row.extend(tuning.values(index).iter().map(shown));
        row.push(candidate.samples.len().to_string());
        row.push(number(standing.objective.and_then(|objective| objective.mean)));
        row.push(number(Some(standing.violation).filter(|violation| violation.is_finite())));
        row.push(standing.is_feasible().to_string());
        for (column, _) in &metrics {
            let values = candidate.samples.iter().filter_map(|sample| sample[*column]);
            row.extend(estimate_columns(&estimator.estimate(values)));
        }
        csv.write_record(row)?;
    }
    finish(csv)
}

fn estimate_columns(estimate: &Estimate) -> [String; 3] {
    let (low, high) = estimate.ci95.unzip();
    [number(estimate.mean), number(low), number(high)]
}

/// Objective against cost of the candidates that are known well enough, and of today's policy.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn pareto_csv(tuning: &Tuning) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let cost = tuning.cost.metric;
    let mut header = vec!["candidate".to_string()];
    header.extend(tuning.keys());
    header.extend(["objective", "objective.ci95_low", "objective.ci95_high"].map(String::from));
    header.extend([cost.to_string(), format!("{cost}.ci95_low"), format!("{cost}.ci95_high")]);
    header.extend(["replications", "feasible", "front", "chosen"].map(String::from));
    csv.write_record(header)?;
    for trade in &tuning.trades {
        let (name, values) = match trade.candidate {
            Some(index) => (index.to_string(), tuning.values(index).iter().map(shown).collect()),
            None => ("today".to_string(), vec![String::new(); tuning.space.dimensions.len()]),
        };
        let mut row = vec![name];
        row.extend(values);
        row.extend(estimate_columns(&trade.objective));
        row.extend(estimate_columns(&trade.cost));
        row.push(trade.replications.to_string());
        let chosen = trade.candidate.is_some() && trade.candidate == tuning.chosen();
        row.extend([trade.is_feasible, trade.is_on_front, chosen].map(|truth| truth.to_string()));
        csv.write_record(row)?;
    }
    finish(csv)
}

/// Everything for programs.
pub fn to_json(tuning: &Tuning) -> Value {
    let confirmed = &tuning.confirmed;
    let experiments = tuning.experiments.iter().map(|experiment| {
        json!({
            "experiment": experiment.name,
            "seed": experiment.seed,
            "minimise": metric::ALL[experiment.minimise].name,
            "subject_to": experiment.conditions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    });
    let contender = |contender: &Contender| {
        json!({
            "candidate": contender.candidate,
            "feasible": contender.standing.is_feasible(),
            "objective": contender.standing.objective.as_ref().map(estimate),
            "metrics": metrics(tuning, contender),
        })
    };
    let others = confirmed.differences.iter().map(|(index, found)| {
        let candidate = confirmed.finalists[*index].candidate;
        json!({ "candidate": candidate, "difference": difference(found) })
    });
    let sensitivity = tuning.sensitivity.iter().map(|key| {
        let values = key.values.iter().map(|varied| {
            json!({
                "value": value(&varied.value),
                "difference": difference(&varied.difference),
                "feasible": varied.is_feasible,
            })
        });
        json!({
            "key": key.key,
            "best": value(&key.best),
            "values": values.collect::<Vec<_>>(),
        })
    });
    let guesses = tuning.robustness.iter().map(|varied| {
        json!({
            "experiment": tuning.experiments[varied.experiment].name,
            "key": varied.key,
            "guess": value(&varied.guess),
            "value": value(&varied.value),
            "best": varied.outcome.as_ref().map(|outcome| outcome.best),
            "changes_the_winner": varied.outcome.as_ref().map(|o| o.changes_the_winner()),
        })
    });
    let front = tuning.trades.iter().filter(|trade| trade.is_on_front).map(|trade| {
        json!({
            "candidate": trade.candidate,
            "objective": estimate(&trade.objective),
            tuning.cost.metric: estimate(&trade.cost),
            "feasible": trade.is_feasible,
        })
    });
    let policy: Map<String, Value> = match tuning.chosen() {
        Some(chosen) => tuning.keys().zip(tuning.values(chosen).iter().map(value)).collect(),
        None => Map::new(),
    };
    json!({
        "policy": tuning.policy,
        "against": tuning.against,
        "experiments": experiments.collect::<Vec<_>>(),
        "runs": tuning.runs,
        "candidates": tuning.found.candidates.len(),
        "invalid_points": tuning.found.invalid,
        "feasible": confirmed.winner().standing.is_feasible(),
        "recommended": policy,
        "confirmed": contender(confirmed.winner()),
        "today": contender(&confirmed.today),
        "others": others.collect::<Vec<_>>(),
        "front": front.collect::<Vec<_>>(),
        "sensitivity": sensitivity.collect::<Vec<_>>(),
        "guesses": guesses.collect::<Vec<_>>(),
    })
}

fn metrics(tuning: &Tuning, contender: &Contender) -> Value {
    let columns = tuning.metric_columns().into_iter().map(|(column, name)| {
        let (experiment, metric) = tuning.columns[column];
        (name, estimate(&contender.estimates[experiment][metric]))
    });
    Value::Object(columns.collect())
}

fn estimate(estimate: &Estimate) -> Value {
    let (low, high) = estimate.ci95.unzip();
    json!({ "mean": estimate.mean, "ci95_low": low, "ci95_high": high, "n": estimate.n })
}

fn difference(found: &Difference) -> Value {
    let mut value = estimate(&found.paired.difference);
    value["p_holm"] = json!(found.p);
    value
}

/// A TOML value as JSON: numbers as numbers, the rest as it is written.
fn value(node: &Node) -> Value {
    use crate::experiment::node::Value as Toml;
    match &node.value {
        Toml::Integer(number) => json!(number),
        Toml::Float(number) => json!(number),
        Toml::Boolean(truth) => json!(truth),
        _ => json!(shown(node)),
    }
}
