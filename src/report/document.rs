//! The report of a study as documents to hand on: one HTML file that needs nothing else, and
//! Markdown for a pull request.
//!
//! Both are made from the study alone, so that the same results give the same bytes. Whatever comes
//! from users (names, titles, texts) is escaped where it is put in.

mod advice;
mod arrivals;
mod bars;
mod caveats;
mod comparison;
mod data;
mod escape;
mod inline;
mod mark;
mod markdown;
mod metrics;
mod model;
mod page;
mod parameters;
mod picture;
mod recovery;
mod reproduce;
mod section;
mod sensitivity;
mod stops;
mod study;
mod tail;
mod verdict;

pub use markdown::markdown;
pub use page::html;
pub use picture::Picture;
pub use study::Study;
