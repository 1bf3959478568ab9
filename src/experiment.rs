//! The experiment file: from text to a plan of runs.
//!
//! 1. [`load`] finds the text, [`parse`] turns it into a tree of [`node`]s that remember where
//!    they were written, and `--set` replaces some of them ([`key_path`]).
//! 2. [`deserialize`] fills the [`schema`] from the tree, [`check`] refuses what contradicts
//!    itself.
//! 3. [`plan`] expands policies and [`sweep`] into the [`cell`]s to run.
//!
//! [`json_schema`] describes the file to editors. Whatever is wrong becomes a [`diagnostic`] that shows the line.

pub mod cell;
pub mod cells;
pub mod changed_keys;
pub mod check;
pub mod chosen;
pub mod condition;
pub mod contracts;
pub mod deserialize;
pub mod design;
pub mod diagnostic;
pub mod empirical;
pub mod files;
pub mod gate;
pub mod guesses;
pub mod json_schema;
pub mod key_path;
pub mod load;
pub mod location;
pub mod node;
pub mod outline;
pub mod packaged;
pub mod parse;
pub mod pattern;
pub mod plan;
pub mod policy;
pub mod policy_sources;
pub mod policy_text;
pub mod scenario;
pub mod schema;
pub mod source;
pub mod space;
pub mod stop;
pub mod suggest;
pub mod sweep;
mod table_fault;
pub mod tables;
pub mod trace_file;
