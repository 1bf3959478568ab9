//! `retrial completions`: the script that completes the command line in a shell.

use clap::{Args as ClapArgs, CommandFactory};
use clap_complete::{Shell, generate};

use super::{Cli, Exit, output};

/// Flags of `retrial completions`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The shell to complete in
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let mut script = Vec::new();
    // The generator panics where it can't write, so it writes to memory.
    generate(args.shell, &mut Cli::command(), "retrial", &mut script);
    output::print(script)
}
