//! Samplers whose values are the same on every platform and under every feature set.
//!
//! `rand_distr`'s exponential, normal and Poisson call the platform's `ln` and `exp` as soon as
//! any crate in the build turns a feature of `num-traits` on, so results would change with the
//! charts' dependencies. These call `libm` by name; tests compare them with `rand_distr` in law.

mod exponential;
mod normal;
mod poisson;
mod ziggurat;

pub use exponential::standard_exponential;
pub use normal::standard_normal;
pub use poisson::Poisson;
