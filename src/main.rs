//! The `retrial` command.

use std::process::ExitCode;

use clap::Parser;
use retrial::commands::Cli;

fn main() -> ExitCode {
    Cli::parse().execute().into()
}
