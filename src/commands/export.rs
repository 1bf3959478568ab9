//! `retrial export`: a policy for a stack that does not link Rust.

use std::path::PathBuf;

use annotate_snippets::Level;
use clap::Args as ClapArgs;

use super::policy_argument::{self, Named};
use super::{Exit, output};
use crate::export::{Export, Target};
use crate::study::whole_file::write_whole;

/// Flags of `retrial export`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[arg(help = policy_argument::HELP)]
    policy: String,
    /// The stack to write it for
    #[arg(long, value_enum, value_name = "TARGET")]
    to: Target,
    /// Where to write it [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  retrial export policy.toml --to envoy --out retry.yaml
  retrial export thundering-herd:capped-budget --to tenacity > retrying.py

What the target can't express goes to stderr, and into the output where its format has comments.";

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let Named { name, policy } = match policy_argument::resolve(&args.policy) {
        Ok(named) => named,
        Err(report) => {
            anstream::eprintln!("{}", report.render(Level::ERROR, true));
            return Exit::BadInput;
        }
    };
    let export = args.to.export(&name, &policy);
    let done = match &args.out {
        None => output::print(&export.text),
        Some(path) => write(path, &export.text),
    };
    if done == Exit::Done {
        output::tell(summary(args.to, &export));
    }
    done
}

fn write(path: &std::path::Path, text: &str) -> Exit {
    let shown = path.display();
    if path.is_dir() {
        output::tell(format!("error: `{shown}` is a folder: name a file in it\n"));
        return Exit::BadInput;
    }
    match write_whole(path, text.as_bytes()) {
        Ok(()) => Exit::Done,
        Err(error) => {
            output::tell(format!("error: can't write `{shown}`: {error}\n"));
            Exit::Failed
        }
    }
}

/// What the target leaves out, for people.
fn summary(target: Target, export: &Export) -> String {
    let target = target.name();
    match export.losses.len() {
        0 => format!("{target} expresses the whole policy\n"),
        1 => format!("{target} does not express one thing:\n{}", export.losses_in_words("")),
        many => {
            format!("{target} does not express {many} things:\n{}", export.losses_in_words(""))
        }
    }
}
