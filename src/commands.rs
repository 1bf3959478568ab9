//! The command line: one file a subcommand. Reads flags, calls the floors below, prints.

pub mod check;
pub mod classify;
pub mod compare;
pub mod completions;
mod conclusion;
mod experiment_argument;
pub mod export;
mod input;
pub mod lint;
pub mod list;
pub mod merge;
pub mod new;
mod output;
mod percentile_files;
mod policy_argument;
pub mod presets;
mod progress;
pub mod providers;
pub mod report;
mod results_folder;
pub mod run;
pub mod schema;
mod shard_argument;
pub mod trace;
pub mod tune;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// How a command ended, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Something failed while running.
    Failed = 1,
    /// Wrong usage, or invalid or missing input.
    BadInput = 2,
    /// A threshold does not hold.
    ThresholdFailed = 3,
    /// Results differ from the baseline.
    Differs = 4,
    /// A gated metric has become worse.
    Regressed = 5,
    /// Interrupted; what was finished is kept.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Put a retry policy on trial before production does.
#[derive(Debug, Parser)]
#[command(name = "retrial", version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate every policy of an experiment, compare them, write results and charts
    Run(run::Args),
    /// Join the shards that `run --shard I/N` has made, as if one machine had run them all
    Merge(merge::Args),
    /// Run experiments again and hold them against their baselines and thresholds, for CI
    Check(check::Args),
    /// Compare two policies, or two results folders, metric by metric
    Compare(compare::Args),
    /// Draw the charts and the report of a results folder again, without simulating
    Report(report::Args),
    /// Search for the policy that is best under constraints, and write it as a policy file
    Tune(tune::Args),
    /// Show what a policy decided for chosen requests, record by record
    Trace(trace::Args),
    /// Say what a reply of an API means and what a policy does about it
    Classify(classify::Args),
    /// List the tables of what each provider's replies mean, or show the rows of one
    Providers(providers::Args),
    /// Write a policy for another stack: gRPC, Envoy, botocore, openai-python, tenacity, TypeScript
    Export(export::Args),
    /// Warn of traits of a policy that hurt a fleet, each with the figure and the fix
    Lint(lint::Args),
    /// List the policies that SDKs and libraries come with, or print one as a policy file
    Presets(presets::Args),
    /// List the experiments that come with the program
    List(list::Args),
    /// Write a commented experiment file to start from
    New(new::Args),
    /// Print the JSON Schema of experiment files: editors complete and check with it
    Schema(schema::Args),
    /// Print a script that completes the command line in a shell
    Completions(completions::Args),
}

impl Cli {
    /// Does what was asked.
    pub fn execute(&self) -> Exit {
        match &self.command {
            Command::Run(args) => run::execute(args),
            Command::Merge(args) => merge::execute(args),
            Command::Check(args) => check::execute(args),
            Command::Compare(args) => compare::execute(args),
            Command::Report(args) => report::execute(args),
            Command::Tune(args) => tune::execute(args),
            Command::Trace(args) => trace::execute(args),
            Command::Classify(args) => classify::execute(args),
            Command::Providers(args) => providers::execute(args),
            Command::Export(args) => export::execute(args),
            Command::Lint(args) => lint::execute(args),
            Command::Presets(args) => presets::execute(args),
            Command::List(args) => list::execute(args),
            Command::New(args) => new::execute(args),
            Command::Schema(args) => schema::execute(args),
            Command::Completions(args) => completions::execute(args),
        }
    }
}
