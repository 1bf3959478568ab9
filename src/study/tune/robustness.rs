//! Whether the winner hangs on what the experiments guess: each guess varied by half.

use serde::Serialize;

use super::confirm::{Confirmed, Difference, differences, fresh};
use super::contender::Contender;
use super::goal::{Goal, Standing};
use super::simulated::{Rows, Simulated};
use crate::experiment::guesses::Guess;
use crate::experiment::node::Node;
use crate::study::runner::StudyError;

/// What a guess is multiplied by.
const FACTORS: [f64; 2] = [0.5, 1.5];

/// The three policies that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The recommended one.
    Winner,
    /// The next best.
    RunnerUp,
    /// Today's.
    Today,
}

/// A guess with another value.
#[derive(Clone, Debug)]
pub struct Varied {
    /// The index of its experiment.
    pub experiment: usize,
    /// Its key.
    pub key: String,
    /// The guess.
    pub guess: Node,
    /// The value instead.
    pub value: Node,
    /// What it does; `None` where no such world is possible.
    pub outcome: Option<Outcome>,
}

/// Who is best with another value of a guess.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best: among those that keep the constraints, or else the one that breaks them least.
    pub best: Role,
    /// How each does.
    pub standings: Vec<(Role, Standing)>,
    /// What the objective of the best is above the winner's; `None` if the winner is the best.
    pub difference: Option<Difference>,
}

impl Outcome {
    /// Whether another policy than the winner is to be preferred, and not by chance alone: it keeps
    /// constraints that the winner breaks, or a difference is shown.
    pub fn changes_the_winner(&self) -> bool {
        let feasible = |role: Role| {
            self.standings.iter().any(|(other, standing)| *other == role && standing.is_feasible())
        };
        let shown = self.difference.is_some_and(|difference| difference.is_shown());
        self.best != Role::Winner && (shown || (feasible(self.best) && !feasible(Role::Winner)))
    }
}

/// Varies each of `guesses`, with the index of its experiment, in so many of the replications of the
/// confirmation; nothing if there are none.
///
/// # Errors
///
/// A unit can't be written.
pub fn robustness(
    trial: &mut Simulated<'_>,
    confirmed: &Confirmed,
    guesses: &[(usize, Guess)],
    replications: u64,
) -> Result<Vec<Varied>, StudyError> {
    if replications == 0 {
        return Ok(Vec::new());
    }
    let roles = roles(confirmed);
    let mut all = Vec::new();
    for (experiment, guess) in guesses {
        for factor in FACTORS {
            let value = guess.times(factor);
            if value.to_inline() == guess.value.to_inline() {
                continue;
            }
            let stage = &trial.stages[*experiment];
            let seed = stage.seed();
            let cells = roles.iter().map(|(_, contender)| {
                stage.cell_in_world(|root| guess.replaced(root, value.clone()), &contender.policy)
            });
            let cells: Result<Vec<_>, _> = cells.collect();
            let outcome = match cells {
                Err(_) => None,
                Ok(cells) => {
                    let jobs: Vec<_> =
                        cells.iter().map(|cell| (cell, seed, fresh(replications))).collect();
                    let rows = trial.measure(&jobs)?;
                    let samples = roles.iter().zip(rows).map(|((role, contender), rows)| {
                        // The other experiments are as they were confirmed.
                        let mut all: Rows = contender.rows.clone();
                        all.iter_mut().for_each(|rows| rows.truncate(replications as usize));
                        all[*experiment] = rows;
                        (*role, trial.samples(&all))
                    });
                    Some(outcome(&confirmed.goal, samples.collect()))
                }
            };
            let (key, guess) = (guess.key.clone(), guess.value.clone());
            all.push(Varied { experiment: *experiment, key, guess, value, outcome });
        }
    }
    Ok(all)
}

fn roles(confirmed: &Confirmed) -> Vec<(Role, &Contender)> {
    let mut roles = vec![(Role::Winner, confirmed.winner())];
    roles.extend(confirmed.runner_up().map(|contender| (Role::RunnerUp, contender)));
    roles.push((Role::Today, &confirmed.today));
    roles
}

fn outcome(goal: &Goal, samples: Vec<(Role, Vec<super::trial::Sample>)>) -> Outcome {
    let standings: Vec<_> =
        samples.iter().map(|(role, samples)| (*role, goal.standing(samples, 1.0))).collect();
    // Stable: among equals the winner stays.
    let best = (0..standings.len()).min_by(|a, b| standings[*a].1.order(&standings[*b].1));
    let best = best.unwrap_or(0);
    let difference =
        (best != 0).then(|| differences(goal, &samples[0].1, &[&samples[best].1]).pop()).flatten();
    Outcome { best: standings[best].0, standings, difference }
}
