//! `retrial presets`: the policies that SDKs and libraries come with.

mod in_short;

use annotate_snippets::Level;
use clap::{Args as ClapArgs, ValueEnum};
use retrial_policy::config::LoadError;
use retrial_policy::presets::Preset;
use serde::Serialize;

use super::{Exit, output};
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::source::Sources;
use crate::experiment::suggest;
use in_short::InShort;

/// Flags of `retrial presets`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Print this preset as a policy file
    name: Option<String>,
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
    /// Text for people; of one preset, the policy file
    Table,
    /// One JSON document
    Json,
}

/// A preset as JSON shows it.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    also: &'a [String],
    library: &'a str,
    version: &'a str,
    about: &'a str,
    source: &'a str,
    notes: &'a [String],
    #[serde(flatten)]
    policy: InShort,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let is_json = args.json || matches!(args.format, Format::Json);
    let document = match &args.name {
        None if is_json => entries().map(|entries| json(&entries)),
        None => list().map(Ok),
        Some(name) => match Preset::find(name) {
            None => return unknown(name),
            Some(preset) if is_json => Entry::of(preset).map(|entry| json(&entry)),
            Some(preset) => Ok(Ok(preset.text.to_string())),
        },
    };
    match document {
        Ok(Ok(document)) => output::print(document),
        Ok(Err(error)) => failed(&format!("can't write JSON: {error}")),
        Err(error) => failed(&error.to_string()),
    }
}

fn failed(problem: &str) -> Exit {
    output::tell(format!("error: {problem}\n"));
    Exit::Failed
}

fn unknown(name: &str) -> Exit {
    let names: Vec<_> = Preset::all().iter().map(|preset| preset.name).collect();
    let report = Diagnostic::new(format!("there is no preset `{name}`"))
        .help(suggest::help(name, &names))
        .report(&Sources::default());
    anstream::eprintln!("{}", report.render(Level::ERROR, true));
    Exit::BadInput
}

fn entries() -> Result<Vec<Entry<'static>>, LoadError> {
    Preset::all().iter().map(Entry::of).collect()
}

fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// What it is beside the name, the rest below: lines are long.
fn list() -> Result<String, LoadError> {
    let entries = entries()?;
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Entry { name, library, version, about, policy, .. } in &entries {
        text.push_str(&format!("{name:width$}  {about}\n"));
        let InShort { attempts, backoff, hints, retried, budget, .. } = policy;
        for line in [
            format!("{library} {version}"),
            format!("{attempts}; {backoff}; hints: {hints}"),
            format!("retries {retried}; budget: {budget}"),
        ] {
            text.push_str(&format!("{:width$}  {line}\n", ""));
        }
        text.push('\n');
    }
    text.push_str(
        "Print one as a policy file with: retrial presets openai-python\n\
         Put one on trial with: retrial run --set 'policies.sdk.preset=\"openai-python\"'\n",
    );
    Ok(text)
}

impl Entry<'static> {
    fn of(preset: &'static Preset) -> Result<Self, LoadError> {
        let about = &preset.about;
        Ok(Entry {
            name: preset.name,
            also: &about.also,
            library: &about.library,
            version: &about.version,
            about: &about.about,
            source: &about.source,
            notes: &about.notes,
            policy: InShort::of(&preset.policy()?),
        })
    }
}
