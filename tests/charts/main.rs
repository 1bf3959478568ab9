//! What a reader of a chart relies on: every word can be read, the same policy looks the same,
//! and the picture has its words in the PNG too.

mod arrivals;
mod every_chart;
mod lines;
mod policies;
mod words;
