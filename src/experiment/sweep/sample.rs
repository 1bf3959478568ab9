//! `sample = { design = "sobol", points = 64 }`: points that are drawn, not all combinations.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::MAX_POINTS;
use super::axis::Axis;
use crate::experiment::deserialize::from_node;
use crate::experiment::design::{Design, MAX_DIMENSIONS};
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::key_path::place_of;
use crate::experiment::node::Node;

/// The keys of `sample`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    design: Name,
    points: usize,
}

/// The names of designs.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    Sobol,
    #[serde(alias = "lhs")]
    LatinHypercube,
    Random,
}

/// Different points, and how many others were drawn.
type Sampled = (Vec<Vec<Node>>, usize);

/// The points that `sample` asks for, without those that came before, and how many those are: whole
/// numbers and lists can give the same one again.
///
/// # Errors
///
/// Unknown keys or designs, a number of points that can't be, or axes that can't be sampled.
pub fn sample(node: &Node, axes: &[Axis], seed: u64) -> Result<Sampled, Diagnostic> {
    let keys: Keys = from_node(node)?;
    if keys.points == 0 || keys.points > MAX_POINTS {
        let message = format!("`points` is a number from 1 to {MAX_POINTS}");
        let place = place_of(node, "points").unwrap_or(node.place);
        return Err(Diagnostic::new(message).at(Some(place)));
    }
    if axes.is_empty() || axes.len() > MAX_DIMENSIONS {
        let message = format!("a sample needs from 1 to {MAX_DIMENSIONS} axes");
        let help = "give [sweep] a range or a list by key: \"workload.clients\" = { from = 50, to \
                    = 200 }";
        return Err(Diagnostic::new(message).at(Some(node.place)).help(help));
    }
    axes.iter().try_for_each(Axis::can_be_sampled)?;
    let design = match keys.design {
        Name::Sobol => Design::Sobol,
        Name::LatinHypercube => Design::LatinHypercube,
        Name::Random => Design::Random,
    };
    let mut seen = BTreeSet::new();
    let drawn = design.points(keys.points, axes.len(), seed).into_iter().map(|point| {
        let values = axes.iter().zip(point).map(|(axis, share)| axis.sample(share));
        values.collect::<Vec<_>>()
    });
    let different =
        |point: &Vec<Node>| seen.insert(point.iter().map(Node::to_inline).collect::<Vec<_>>());
    let points: Vec<_> = drawn.filter(different).collect();
    let repeated = keys.points - points.len();
    Ok((points, repeated))
}
