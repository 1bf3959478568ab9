//! How layers of a policy multiply: what each may do, and what it did.
//!
//! `runs.csv` and `summary.csv` have fixed columns, and their `attempts` are those on the wire. What
//! each layer adds to them stands in a file of its own, `layers.csv`, which exists where some policy
//! has layers.

use std::io;
use std::num::NonZeroU32;

use super::files::{cell_columns, finish, header, number};
use super::results::Results;
use super::statistics::estimate::{Estimate, Estimator};
use super::unit::Run;

/// One layer of a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerResults {
    /// Attempts at most of one of its calls; `None` is unlimited.
    pub max_attempts: Option<NonZeroU32>,
    /// Attempts at most for one logical request: the product of this and all layers outside.
    pub max_product: Option<u64>,
    /// Attempts made.
    pub attempts: Estimate,
    /// Attempts made per logical request.
    pub amplification: Estimate,
}

/// What the layers with these limits did in `runs`.
pub(super) fn layers(
    limits: &[Option<NonZeroU32>],
    runs: &[Run],
    estimator: &mut Estimator,
) -> Vec<LayerResults> {
    let mut product = Some(1_u64);
    let mut layer = |(depth, limit): (usize, &Option<NonZeroU32>)| {
        product = product.zip(*limit).map(|(p, max)| p.saturating_mul(max.get().into()));
        let counts = runs.iter().map(|run| &run.layers);
        let attempts = counts.clone().filter_map(|counts| counts.attempts.get(depth));
        LayerResults {
            max_attempts: *limit,
            max_product: product,
            attempts: estimator.estimate(attempts.map(|attempts| *attempts as f64)),
            amplification: estimator
                .estimate(counts.filter_map(|counts| counts.amplification(depth))),
        }
    };
    limits.iter().enumerate().map(&mut layer).collect()
}

/// A row a layer, the outermost first; `None` if no policy has several.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn layers_csv(results: &Results) -> io::Result<Option<Vec<u8>>> {
    if results.cells.iter().all(|cell| cell.layers.is_empty()) {
        return Ok(None);
    }
    let mut csv = csv::Writer::from_writer(Vec::new());
    let columns = ["layer", "max_attempts", "max_product", "attempts", "attempts_ci95_low"];
    let more = ["attempts_ci95_high", "amplification", "amplification_ci95_low"];
    let last = ["amplification_ci95_high", "n"];
    csv.write_record(header(results, columns.into_iter().chain(more).chain(last)))?;
    for cell in &results.cells {
        for (layer, number_of_layer) in cell.layers.iter().zip(1..) {
            let mut row = cell_columns(results, cell);
            row.extend([
                i32::to_string(&number_of_layer),
                bound(layer.max_attempts),
                bound(layer.max_product),
            ]);
            for estimate in [layer.attempts, layer.amplification] {
                row.push(number(estimate.mean));
                row.push(number(estimate.ci95.map(|(low, _)| low)));
                row.push(number(estimate.ci95.map(|(_, high)| high)));
            }
            row.push(layer.attempts.n.to_string());
            csv.write_record(row)?;
        }
    }
    finish(csv).map(Some)
}

/// The word for no bound.
const UNLIMITED: &str = "unlimited";

/// A bound, or the word for none.
pub fn bound(bound: Option<impl ToString>) -> String {
    bound.map_or_else(|| UNLIMITED.to_string(), |bound| bound.to_string())
}

/// The bound that [`bound`] has written; what is no number is none.
pub(super) fn unbound<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}
