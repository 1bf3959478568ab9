//! `retrial lint`: traits of a policy that hurt a fleet.

use annotate_snippets::Level;
use clap::{Args as ClapArgs, ValueEnum};
use retrial_policy::Nanos;
use retrial_policy::providers::Library;

use super::classify::table;
use super::policy_argument::{self, Named};
use super::{Exit, output};
use crate::experiment::diagnostic::Report;
use crate::lint::{Finding, Surroundings, lint};

/// Flags of `retrial lint`.
#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[arg(help = policy_argument::HELP)]
    policy: String,
    /// Hold it against the replies of this provider only; may be given several times
    #[arg(long, value_name = "PROVIDER")]
    provider: Vec<String>,
    /// How long the API's limiter takes to refill
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    refill: Nanos,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// One JSON document
    Json,
}

const EXAMPLES: &str = "\
Examples:
  retrial lint policy.toml --provider anthropic
  retrial lint thundering-herd:no-jitter --refill 10s

A finding is a warning, and may be what you want: the exit code is 0 with and without findings.";

fn duration(text: &str) -> Result<Nanos, String> {
    humantime::parse_duration(text).map(Nanos::from).map_err(|error| error.to_string())
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    match findings(args) {
        Ok((name, findings)) if args.json || args.format == Format::Json => {
            let document = serde_json::json!({ "policy": name, "findings": findings });
            output::print(format!("{document:#}\n"))
        }
        Ok((name, findings)) => output::print(in_words(&name, &findings)),
        Err(report) => {
            anstream::eprintln!("{}", report.render(Level::ERROR, true));
            Exit::BadInput
        }
    }
}

fn findings(args: &Args) -> Result<(String, Vec<Finding>), Report> {
    let Named { name, policy } = policy_argument::resolve(&args.policy)?;
    let providers = if args.provider.is_empty() {
        let library = Library::embedded();
        library.tables().iter().filter_map(|table| library.provider(table.name())).collect()
    } else {
        args.provider.iter().map(|name| table::named(name)).collect::<Result<_, _>>()?
    };
    Ok((name, lint(&policy, &Surroundings { refill: args.refill, providers })))
}

fn in_words(name: &str, findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding { lint, key, message, fix } in findings {
        text.push_str(&format!("warning[{lint}]: {message}\n  at:  {key}\n  fix: {fix}\n\n"));
    }
    text.push_str(&match findings.len() {
        0 => format!("`{name}`: nothing to warn of\n"),
        1 => format!("`{name}`: 1 warning\n"),
        many => format!("`{name}`: {many} warnings\n"),
    });
    text
}
