//! How much the winner hangs on each key: the key varied alone, all others as they are.

use super::confirm::{Confirmed, Difference, differences, fresh};
use super::simulated::Simulated;
use super::trial::Trial;
use crate::experiment::node::Node;
use crate::experiment::space::Space;
use crate::study::runner::StudyError;

/// How far a range is left of and right of the winner, as shares of the whole range.
const STEPS: [f64; 4] = [0.04, 0.12, 0.3, 0.6];

/// A key varied alone.
#[derive(Clone, Debug)]
pub struct KeySensitivity {
    /// The key.
    pub key: String,
    /// Its value in the winner.
    pub best: Node,
    /// Whether the values are a range, and have an order.
    pub is_range: bool,
    /// Other values, in order.
    pub values: Vec<VariedValue>,
}

/// Another value of a key.
#[derive(Clone, Debug)]
pub struct VariedValue {
    /// The value.
    pub value: Node,
    /// What the objective is above that of the winner.
    pub difference: Difference,
    /// Whether the constraints hold.
    pub is_feasible: bool,
    /// Whether it lies above the winner's in a range.
    pub is_above: bool,
}

impl KeySensitivity {
    /// Of a range: from where to where no difference could be shown, of the values that were tried
    /// and keep the constraints, the winner's among them.
    pub fn same(&self) -> (&Node, &Node) {
        let same = |value: &&VariedValue| !value.difference.is_shown() && value.is_feasible;
        let below = self.values.iter().filter(|value| !value.is_above).rev();
        let above = self.values.iter().filter(|value| value.is_above);
        let low = below.take_while(same).last();
        let high = above.take_while(same).last();
        let [low, high] = [low, high].map(|end| end.map_or(&self.best, |end| &end.value));
        (low, high)
    }
}

/// Of each dimension, the points beside `centre` that differ from it in this one alone.
fn beside(space: &Space, centre: &[f64]) -> Vec<Vec<Vec<f64>>> {
    let dimensions = space.dimensions.iter().enumerate();
    dimensions
        .map(|(index, dimension)| {
            let shares: Vec<f64> = match dimension.choices() {
                Some(count) => (0..count).map(|i| (i as f64 + 0.5) / count as f64).collect(),
                None => {
                    let below = STEPS.iter().rev().map(|step| centre[index] - step);
                    let above = STEPS.iter().map(|step| centre[index] + step);
                    below.chain(above).map(|share| share.clamp(0.0, 1.0)).collect()
                }
            };
            let mut points: Vec<Vec<f64>> = Vec::new();
            for share in shares {
                let mut point = centre.to_vec();
                point[index] = share;
                let point = space.snap(&point);
                if point != centre && points.last() != Some(&point) {
                    points.push(point);
                }
            }
            points
        })
        .collect()
}

/// How many values are tried beside a point at most.
pub fn values(space: &Space) -> u64 {
    let count = |choices: Option<usize>| choices.map_or(2 * STEPS.len(), |count| count - 1);
    space.dimensions.iter().map(|dimension| count(dimension.choices()) as u64).sum()
}

/// Varies each key alone around the winner, which is at `centre`, in so many replications of the
/// confirmation; nothing if there are none.
///
/// # Errors
///
/// A unit can't be written.
pub fn sensitivity(
    trial: &mut Simulated<'_>,
    confirmed: &Confirmed,
    centre: &[f64],
    replications: u64,
) -> Result<Vec<KeySensitivity>, StudyError> {
    let beside = beside(&trial.space, centre);
    if replications == 0 {
        return Ok(Vec::new());
    }
    let beside: Vec<Vec<Vec<f64>>> = beside
        .into_iter()
        .map(|points| points.into_iter().filter(|point| trial.is_valid(point)).collect())
        .collect();
    let jobs: Vec<_> =
        beside.iter().flatten().map(|point| (&point[..], fresh(replications))).collect();
    let samples = trial.sample(&jobs)?;
    let goal = &confirmed.goal;
    let winner = &confirmed.winner().samples[..replications as usize];
    let all: Vec<_> = samples.iter().map(|samples| &samples[..]).collect();
    let differences = differences(goal, winner, &all);
    let mut tried = samples.iter().zip(differences);
    let best = trial.space.values(centre);
    let keys = trial.space.dimensions.iter().zip(best).zip(beside).enumerate();
    Ok(keys
        .map(|(index, ((dimension, best), points))| KeySensitivity {
            key: dimension.path.to_string(),
            best,
            is_range: dimension.choices().is_none(),
            values: points
                .into_iter()
                .zip(tried.by_ref())
                .map(|(point, (samples, difference))| VariedValue {
                    value: dimension.at(point[index]),
                    difference,
                    is_feasible: goal.standing(samples, 1.0).is_feasible(),
                    is_above: point[index] > centre[index],
                })
                .collect(),
        })
        .collect())
}
