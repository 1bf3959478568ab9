//! How the layers of a policy multiplied.

use super::figures;
use crate::study::layers::{LayerResults, bound};
use crate::study::results::{CellResults, Results};

/// A line for each policy with inner ones, at one point.
pub fn lines(results: &Results, point: usize) -> Vec<String> {
    let cells = results.at_point(point).filter(|cell| !cell.layers.is_empty());
    cells.map(|cell| line(results, cell)).collect()
}

fn line(results: &Results, cell: &CellResults) -> String {
    let join = |of: fn(&LayerResults) -> String, between: &str| {
        cell.layers.iter().map(of).collect::<Vec<_>>().join(between)
    };
    let limits = join(|layer| bound(layer.max_attempts), " × ");
    let product = cell.layers.last().map_or_else(String::new, |layer| bound(layer.max_product));
    let made = join(|layer| figures::estimate(&layer.amplification), ", ");
    let name = &results.policies[cell.policy];
    format!(
        "`{name}`: {limits} = {product} attempts a request at most; made, by layer from the outside \
         in: {made}"
    )
}
