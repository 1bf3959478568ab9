//! What a reader of a chart relies on: every word can be read, the same policy looks the same,
//! and the picture has its words in the PNG too.

mod arrivals;
mod clients;
mod close_ups;
mod endings;
mod every_chart;
mod from_results;
mod heatmap;
mod latency_map;
mod lines;
mod pareto;
mod phases;
mod points;
mod policies;
mod recovery;
mod waterfall;
mod words;
