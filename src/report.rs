//! What people look at: tables, the verdict, charts.

pub mod against;
mod bins;
pub mod charts;
pub mod check;
pub mod comparison;
pub mod confirm;
pub mod document;
pub mod draw;
pub mod dry_run;
pub mod figures;
pub mod layers;
mod recommended;
pub mod signals;
pub mod stopping;
pub mod table;
pub mod thresholds;
pub mod tuning;
pub mod verdict;
pub mod waterfall;
