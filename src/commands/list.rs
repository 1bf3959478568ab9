//! `retrial list`: the experiments that come with the program.

use clap::{Args as ClapArgs, ValueEnum};
use comfy_table::{ContentArrangement, Table, presets};
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

/// Wide enough for a source, narrow enough for most terminals.
const WIDTH: u16 = 100;

fn table() -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(["name", "title", "source"]);
    for packaged in packaged::ALL {
        table.add_row([packaged.name, &packaged.title(), &packaged.sources().join("\n")]);
    }
    let mut text = String::new();
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(&format!("\nRun one with: retrial run {}\n", packaged::DEFAULT));
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
