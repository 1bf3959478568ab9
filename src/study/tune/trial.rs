//! What the search needs to know of the world: samples of a candidate, replication by replication.

use std::ops::Range;

/// What one replication of a candidate gave: a value a column, in the order of the
/// [`Goal`](super::goal::Goal)'s; `None` where it can't be estimated.
pub type Sample = Vec<Option<f64>>;

/// A way to try points of the unit cube.
pub trait Trial {
    /// Why samples could not be had.
    type Error;

    /// Of each dimension, how many values there are to choose from, and `None` for a range.
    fn choices(&self) -> Vec<Option<usize>>;

    /// The point that stands for all points with the same values as `point`.
    fn snap(&self, point: &[f64]) -> Vec<f64>;

    /// Whether the point can be tried at all.
    fn is_valid(&self, point: &[f64]) -> bool;

    /// Samples of each of `points` in its replications, in order. All points meet the same
    /// replications.
    ///
    /// # Errors
    ///
    /// The trial itself failed.
    fn sample(&mut self, points: &[(&[f64], Range<u64>)]) -> Result<Vec<Vec<Sample>>, Self::Error>;

    /// Told the best candidate so far and how it stands, for those who wait.
    fn leads(&mut self, _point: &[f64], _standing: &super::goal::Standing) {}
}
