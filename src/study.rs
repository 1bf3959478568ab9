//! Many runs: replications of every policy at every sweep point, their statistics, and the files
//! they become.
//!
//! Only whole runs are parallel. Results are collected by index and summed in index order, so the
//! number of threads cannot show in them.

pub mod baseline;
pub mod close_up;
pub mod comparison;
pub mod confirm;
pub mod dry_run;
pub mod estimates;
pub mod files;
pub mod gate;
pub mod kept;
pub mod layers;
pub mod merge;
pub mod percentiles;
pub mod plan_file;
pub mod planned_cell;
pub mod read_back;
pub mod requests;
pub mod results;
pub mod rounds;
pub mod runner;
pub mod shard;
pub mod statistics;
pub mod stopping;
pub mod telemetry;
pub mod threshold;
pub mod trace;
pub mod tune;
pub mod unit;
pub mod whole_file;
pub mod work;
