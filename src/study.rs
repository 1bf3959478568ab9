//! Many runs: replications of every policy at every sweep point, their statistics, and the files
//! they become.
//!
//! Only whole runs are parallel. Results are collected by index and summed in index order, so the
//! number of threads cannot show in them.

pub mod files;
pub mod layers;
pub mod requests;
pub mod results;
pub mod runner;
pub mod statistics;
pub mod telemetry;
pub mod threshold;
pub mod trace;
pub mod tune;
pub mod unit;
pub mod whole_file;
