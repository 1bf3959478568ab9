//! Samplers whose values are the same on every platform and under every feature set.
//!
//! `rand_distr`'s exponential, normal and Poisson call the platform's `ln` and `exp` as soon as
//! any crate in the build turns a feature of `num-traits` on, so results would change with the
//! charts' dependencies. These call `libm` by name; tests compare them with `rand_distr` in law.

mod empirical;
mod exponential;
mod gamma;
mod normal;
mod pareto;
mod poisson;
mod weibull;
mod ziggurat;

pub use empirical::one_of;
pub use exponential::standard_exponential;
pub use gamma::standard_gamma;
pub use normal::standard_normal;
pub use pareto::standard_pareto;
pub use poisson::Poisson;
pub use weibull::{standard_weibull, weibull_mean, weibull_shape};
