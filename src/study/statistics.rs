//! What replications say, and how sure that is.
//!
//! All of it reaches result files, so it is the same on every platform: transcendental functions
//! come from `libm`, sums go in the order of replications.

pub mod bootstrap;
pub mod estimate;
pub mod holm;
pub mod interval;
pub mod normal;
pub mod paired;
pub mod proportion;
pub mod student_t;
pub mod welch;
