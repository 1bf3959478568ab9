//! Close-ups tell the same story as the figures, and a results folder can be turned back into what
//! it was written from.

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/written.rs"]
mod written;

mod budget_level;
mod capacity;
mod read_back;
mod same_story;
mod sample;
