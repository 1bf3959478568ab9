//! What is recorded during a run, and the metrics computed from it.
//!
//! Everything streams: memory grows with the busiest 100 ms and the number of bins, never with
//! the number of events.

pub mod arrivals;
pub mod binned;
pub mod close_up;
pub mod clustering;
pub mod decision_log;
pub mod dispersion;
pub mod ends;
pub mod kept_record;
pub mod latency;
pub mod layers;
pub mod level;
pub mod metric;
pub mod peak;
pub mod recorder;
pub mod recovery;
pub mod request_log;
pub mod series;
pub mod telemetry;
