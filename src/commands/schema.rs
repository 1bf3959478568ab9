//! `retrial schema`: the JSON Schema of the files, for editors.

use clap::Args as ClapArgs;

use super::{Exit, output};
use crate::experiment::json_schema;

/// Flags of `retrial schema`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Of a policy file instead of an experiment file
    #[arg(long)]
    policy: bool,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let schema = if args.policy { json_schema::of_policy() } else { json_schema::of_experiment() };
    output::print(format!("{:#}\n", schema.as_value()))
}
