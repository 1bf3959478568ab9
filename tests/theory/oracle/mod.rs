//! What theory says: formulas, and exact solutions of Markov chains. Time is in units of the mean
//! service time unless a function takes a service rate.

pub mod algebra;
pub mod birth_death;
pub mod chain;
pub mod erlang;
pub mod retrial;
pub mod single_server;

/// Asserts that an oracle reproduces a printed value to its last digit.
#[cfg(test)]
pub fn assert_printed(what: &str, computed: f64, printed: f64) {
    let error = (computed / printed - 1.0).abs();
    assert!(error < 1e-7, "{what}: {computed} is printed as {printed}");
}
