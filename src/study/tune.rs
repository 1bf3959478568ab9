//! Tuning: the policy in a space that is best by one metric and keeps to conditions on others.
//!
//! 1. [`search`] spreads candidates over the space, halves them by successive halving, and refines
//!    the best. It knows nothing of simulations: a [`trial`] gives it samples, a [`goal`] judges.
//! 2. [`confirm`] runs the finalists and today's policy again on replications that the search has
//!    not seen, so that luck in the search is not taken for merit.
//! 3. [`sensitivity`] varies each key alone around the winner; [`robustness`] varies what the
//!    experiments guess.
//!
//! [`simulated`] is the trial by simulation, and [`tuning`] puts all together.

pub mod confirm;
pub mod contender;
pub mod effort;
pub mod estimable;
pub mod files;
pub mod front;
pub mod goal;
pub mod manifest;
pub mod robustness;
pub mod search;
pub mod sensitivity;
pub mod simulated;
pub mod trade_off;
pub mod trial;
pub mod tuning;
