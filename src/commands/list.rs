//! `retrial list`: the experiments that come with the program.

use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;

use super::{Exit, output};
use crate::experiment::packaged::{self, Packaged};

/// Flags of `retrial list`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// What goes to stdout.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A table for people
    Table,
    /// One JSON document
    Json,
}

/// An experiment as JSON shows it.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: String,
    sources: Vec<String>,
    /// Whether it runs when none is named.
    default: bool,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    match args.format {
        Format::Table => output::print(table()),
        Format::Json => match json() {
            Ok(document) => output::print(document),
            Err(error) => {
                eprintln!("error: can't write JSON: {error}");
                Exit::Failed
            }
        },
    }
}

/// Titles beside names and sources below titles: a source is longer than a column has room for.
fn table() -> String {
    let width = packaged::ALL.iter().map(|packaged| packaged.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for packaged in packaged::ALL {
        text.push_str(&format!("{:width$}  {}\n", packaged.name, packaged.title()));
        for source in packaged.sources() {
            text.push_str(&format!("{:width$}  {source}\n", ""));
        }
        text.push('\n');
    }
    text.push_str(&format!("Run one with: retrial run {}\n", packaged::DEFAULT));
    text
}

fn json() -> serde_json::Result<String> {
    let entry = |packaged: &Packaged| Entry {
        name: packaged.name,
        title: packaged.title(),
        sources: packaged.sources(),
        default: packaged.name == packaged::DEFAULT,
    };
    let entries: Vec<_> = packaged::ALL.iter().map(entry).collect();
    Ok(serde_json::to_string_pretty(&entries)? + "\n")
}
