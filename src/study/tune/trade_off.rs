//! [`TradeOff`]: what a tuning has to say about objective and cost, at once or from its folder.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::front::Trade;
use super::tuning::Tuning;
use crate::experiment::condition::Condition;
use crate::experiment::files::why;
use crate::measure::metric;
use crate::study::kept::MANIFEST;
use crate::study::statistics::estimate::Estimate;

/// The file of trades, which tells the folder of a tuning from others.
pub const PARETO: &str = "pareto.csv";

/// The policies that are known well enough, by objective and cost.
#[derive(Clone, Debug)]
pub struct TradeOff {
    /// The experiments' names.
    pub experiments: Vec<String>,
    /// The metric that is the cost.
    pub cost: String,
    /// What is demanded of the cost, each once.
    pub constraints: Vec<Condition>,
    /// What the recommended policy reaches on fresh replications; `None` if it breaks a constraint.
    pub reached: Option<Reached>,
    /// The number of the recommended candidate.
    pub chosen: Option<usize>,
    /// The policies.
    pub trades: Vec<Trade>,
}

/// What a policy reaches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// The objective, as a share of today's.
    pub objective: f64,
    /// The cost.
    pub cost: f64,
}

impl Tuning {
    /// What the recommended policy reaches, if it keeps all constraints.
    pub fn reached(&self) -> Option<Reached> {
        let winner = self.confirmed.winner();
        let objective = winner.standing.objective.and_then(|objective| objective.mean)?;
        let cost = self.cost.of(&winner.samples).mean?;
        winner.standing.is_feasible().then_some(Reached { objective, cost })
    }

    /// Objective and cost of the policies that are known well enough.
    pub fn trade_off(&self) -> TradeOff {
        let conditions = self.experiments.iter().flat_map(|experiment| &experiment.conditions);
        TradeOff {
            experiments: self.experiments.iter().map(|e| e.name.clone()).collect(),
            cost: self.cost.metric.to_string(),
            constraints: on_cost(conditions.copied(), self.cost.metric),
            reached: self.reached(),
            chosen: self.chosen(),
            trades: self.trades.clone(),
        }
    }
}

/// The conditions on the cost, each once.
fn on_cost(conditions: impl Iterator<Item = Condition>, cost: &str) -> Vec<Condition> {
    let mut found = Vec::new();
    for condition in conditions.filter(|condition| metric::ALL[condition.metric].name == cost) {
        if !found.contains(&condition) {
            found.push(condition);
        }
    }
    found
}

impl TradeOff {
    /// Whether `folder` is that of a tuning.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(PARETO).is_file()
    }

    /// Reads what a tuning has written.
    ///
    /// # Errors
    ///
    /// Which file can't be read, where, and why.
    pub fn read(folder: &Path) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Experiment {
            experiment: String,
            subject_to: Vec<String>,
        }
        #[derive(Deserialize)]
        struct Manifest {
            experiments: Vec<Experiment>,
            reached: Option<Reached>,
        }
        let file = |name: &str| {
            let path = folder.join(name);
            let bytes = fs::read(&path);
            bytes.map_err(|error| format!("can't read {}: {}", path.display(), why(&error)))
        };
        let at =
            |name: &str, problem: String| format!("{}: {problem}", folder.join(name).display());
        let manifest: Manifest = serde_json::from_slice(&file(MANIFEST)?)
            .map_err(|error| at(MANIFEST, error.to_string()))?;
        let mut conditions = Vec::new();
        for text in manifest.experiments.iter().flat_map(|experiment| &experiment.subject_to) {
            let condition = Condition::parse(text).map_err(|fault| {
                at(MANIFEST, format!("the condition `{text}`: {}", fault.message))
            })?;
            conditions.push(condition);
        }
        let (cost, chosen, trades) =
            trades(&file(PARETO)?).map_err(|problem| at(PARETO, problem))?;
        Ok(TradeOff {
            experiments: manifest.experiments.into_iter().map(|e| e.experiment).collect(),
            constraints: on_cost(conditions.into_iter(), &cost),
            cost,
            reached: manifest.reached,
            chosen,
            trades,
        })
    }
}

/// The name of the cost, the chosen candidate, and all rows of the file.
fn trades(bytes: &[u8]) -> Result<(String, Option<usize>, Vec<Trade>), String> {
    let mut csv = csv::Reader::from_reader(bytes);
    let header = csv.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| {
        let place = header.iter().position(|column| column == name);
        place.ok_or_else(|| format!("it has no column `{name}`"))
    };
    // After the objective and its interval come the cost and its interval.
    let objective = column("objective")?;
    let cost = header.get(objective + 3).ok_or("it has no cost")?.to_string();
    let (candidate, replications) = (column("candidate")?, column("replications")?);
    let (feasible, front, chosen) = (column("feasible")?, column("front")?, column("chosen")?);
    let (mut winner, mut trades) = (None, Vec::new());
    for record in csv.records() {
        let record = record.map_err(|error| error.to_string())?;
        let text = |column: usize| record.get(column).unwrap_or_default();
        let n = text(replications).parse().unwrap_or(0);
        let number = |column: usize| text(column).parse::<f64>().ok();
        let estimate = |first: usize| Estimate {
            mean: number(first),
            ci95: number(first + 1).zip(number(first + 2)),
            n,
        };
        let number_of = text(candidate).parse().ok();
        if text(chosen) == "true" {
            winner = number_of;
        }
        trades.push(Trade {
            candidate: number_of,
            objective: estimate(objective),
            cost: estimate(objective + 3),
            is_feasible: text(feasible) == "true",
            is_on_front: text(front) == "true",
            replications: n,
        });
    }
    Ok((cost, winner, trades))
}
