//! What a reader of a chart relies on: every word can be read, the same policy looks the same,
//! and the picture has its words in the PNG too.

mod arrivals;
mod endings;
mod every_chart;
mod from_results;
mod lines;
mod pareto;
mod policies;
mod recovery;
mod words;
