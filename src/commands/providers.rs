//! `retrial providers`: the tables of what each provider's replies mean.

use annotate_snippets::Level;
use clap::{Args as ClapArgs, ValueEnum};
use retrial_policy::providers::{Library, Row, Table};
use retrial_policy::{Bound, Nanos, RowReplay};
use serde::Serialize;

use super::classify::table;
use super::{Exit, output};
use crate::experiment::diagnostic::Report;

/// Flags of `retrial providers`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Show the rows of this provider's table
    name: Option<String>,
    /// Check a table of your own and show its rows (`-` is stdin)
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    table: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// What goes to stdout.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Text for people
    Table,
    /// One JSON document
    Json,
}

/// A table as JSON shows it.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    aliases: &'a [String],
    title: &'a str,
    rows: usize,
    reviewed: &'a str,
    extends: &'a [String],
    sources: &'a [String],
}

/// A table with its rows.
#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    entry: Entry<'a>,
    row: Vec<RowEntry<'a>>,
}

/// A row as JSON shows it.
#[derive(Serialize)]
struct RowEntry<'a> {
    id: &'a str,
    line: usize,
    when: String,
    class: &'static str,
    /// `policy`, `once` or `never`.
    retries: &'static str,
    wait_s: Option<f64>,
    route_unavailable: bool,
    replay: Option<&'static str>,
    #[serde(rename = "continue")]
    continues: bool,
    truncated: bool,
    note: &'a str,
    source: &'a str,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    match document(args) {
        Ok(Ok(document)) => output::print(document),
        Ok(Err(error)) => {
            eprintln!("error: can't write JSON: {error}");
            Exit::Failed
        }
        Err(report) => {
            anstream::eprintln!("{}", report.render(Level::ERROR, true));
            Exit::BadInput
        }
    }
}

fn document(args: &Args) -> Result<serde_json::Result<String>, Report> {
    let one = match (&args.name, &args.table) {
        (_, Some(path)) => Some(table::own(path, None)?),
        (Some(name), None) => Some(table::named(name)?),
        (None, None) => None,
    };
    let is_json = args.json || matches!(args.format, Format::Json);
    Ok(match (one, is_json) {
        (None, false) => Ok(list(Library::embedded().tables())),
        (None, true) => {
            let library = Library::embedded();
            json(&library.tables().iter().map(Entry::of).collect::<Vec<_>>())
        }
        (Some(one), false) => Ok(rows(one.table())),
        (Some(one), true) => json(&Whole {
            entry: Entry::of(one.table()),
            row: one.table().rows().iter().map(RowEntry::of).collect(),
        }),
    })
}

fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// Titles beside names, the rest below titles.
fn list(tables: &[Table]) -> String {
    let width = tables.iter().map(|table| table.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for table in tables {
        text.push_str(&format!("{:width$}  {}\n", table.name(), table.title()));
        text.push_str(&format!("{:width$}  {}\n\n", "", facts(table)));
    }
    text.push_str("Show the rows of one with: retrial providers openai\n");
    text
}

/// Rows, date, what else there is to know.
fn facts(table: &Table) -> String {
    let rows = match table.rows().len() {
        1 => "1 row".to_string(),
        count => format!("{count} rows"),
    };
    let mut facts = vec![rows, format!("reviewed {}", table.reviewed())];
    for (name, all) in [("extends", table.extends()), ("also called", table.aliases())] {
        if !all.is_empty() {
            facts.push(format!("{name} {}", all.join(", ")));
        }
    }
    facts.join("; ")
}

/// Meanings beside ids, the rest below: conditions are long.
fn rows(table: &Table) -> String {
    let mut text = format!("{}: {}\n{}\n", table.name(), table.title(), facts(table));
    for source in table.sources() {
        text.push_str(&format!("{source}\n"));
    }
    for row in table.rows() {
        text.push_str(&format!("\n{}: {}\n", row.id(), meaning(row)));
        for line in [&row.conditions().to_string(), row.note(), row.source()] {
            if !line.is_empty() {
                text.push_str(&format!("    {line}\n"));
            }
        }
    }
    text
}

/// The class with what the row says beside it.
fn meaning(row: &Row) -> String {
    let RowEntry { class, retries, route_unavailable, replay, continues, truncated, .. } =
        RowEntry::of(row);
    let mut parts = vec![class.to_string()];
    if retries != "policy" {
        parts.push(format!("retries {retries}"));
    }
    parts.extend(row.wait().map(|wait| format!("wait {wait}")));
    parts.extend(replay.map(|replay| format!("replay {replay}")));
    for (says, what) in [
        (route_unavailable, "route unavailable"),
        (continues, "continue"),
        (truncated, "truncated"),
    ] {
        if says {
            parts.push(what.to_string());
        }
    }
    parts.join(", ")
}

impl<'a> Entry<'a> {
    fn of(table: &'a Table) -> Self {
        Entry {
            name: table.name(),
            aliases: table.aliases(),
            title: table.title(),
            rows: table.rows().len(),
            reviewed: table.reviewed(),
            extends: table.extends(),
            sources: table.sources(),
        }
    }
}

impl<'a> RowEntry<'a> {
    fn of(row: &'a Row) -> Self {
        let says = row.classification();
        RowEntry {
            id: row.id(),
            line: row.line(),
            when: row.conditions().to_string(),
            class: says.class.as_str(),
            retries: match says.bound {
                Bound::Policy => "policy",
                Bound::Once => "once",
                Bound::Never => "never",
            },
            wait_s: row.wait().map(|wait: Nanos| wait.get() as f64 / 1e9),
            route_unavailable: says.route_unavailable,
            replay: match says.replay {
                RowReplay::AsPolicy => None,
                RowReplay::Safe => Some("safe"),
                RowReplay::NeedsKey => Some("needs_key"),
            },
            continues: row.continues(),
            truncated: row.is_truncated(),
            note: row.note(),
            source: row.source(),
        }
    }
}
