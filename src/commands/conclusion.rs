//! How a study ends: its thresholds are judged, its files written, and the comparison printed.

use std::io::{self, Write};
use std::path::Path;

use clap::{Args, ValueEnum};

use super::results_folder::{self, Pictures, write_or_remove};
use super::{output, percentile_files};
use crate::experiment::outline::Outline;
use crate::report::table::{Style, comparison};
use crate::report::verdict::verdict;
use crate::report::{against, layers, signals, stopping, thresholds};
use crate::study::files::{summary_csv, to_json};
use crate::study::results::Results;
use crate::study::runner::StudyError;
use crate::study::threshold::{Judgement, judge};

/// What becomes of the results of a study.
#[derive(Debug, Args)]
pub struct ConclusionFlags {
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write percentiles/, too: the latencies of each policy at each point in replication 0, as
    /// HdrHistogram percentile files
    #[arg(long)]
    pub hgrm: bool,
    /// Draw no charts and write no report
    #[arg(long)]
    no_charts: bool,
    /// Print results only: no progress, no remarks
    #[arg(long, short)]
    pub quiet: bool,
}

impl ConclusionFlags {
    /// What is in the folder afterwards.
    pub fn made(&self) -> &'static str {
        if self.no_charts { "results" } else { "results, charts and report.html" }
    }
}

/// What goes to stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A comparison for people
    Table,
    /// The numbers of summary.csv as one JSON document
    Json,
    /// summary.csv
    Csv,
    /// A comparison for a pull request
    Markdown,
}

impl Format {
    /// Whether stdout must hold nothing but the numbers.
    fn is_for_programs(self) -> bool {
        match self {
            Format::Json | Format::Csv => true,
            Format::Table | Format::Markdown => false,
        }
    }
}

/// Judges, writes all files into `out`, with `requests` as requests.csv, and prints; `remark` is
/// for people. Whether all thresholds hold.
///
/// # Errors
///
/// Something can't be written.
pub fn conclude(
    outline: &Outline,
    results: &Results,
    requests: Option<Vec<u8>>,
    out: &Path,
    flags: &ConclusionFlags,
    remark: impl FnOnce() -> String,
) -> Result<bool, StudyError> {
    let judgements = judge(outline, results);
    let fails = judgements.iter().any(Judgement::fails);

    write_or_remove(out.join("requests.csv"), requests)?;
    percentile_files::write(results, out, flags.hgrm)?;
    let pictures = if flags.no_charts { Pictures::None } else { Pictures::Report };
    results_folder::write(outline, results, out, pictures)?;
    document(flags.format, outline, results, &judgements)
        .and_then(|document| output::write(&document))
        .map_err(|error| StudyError::Write("the standard output".into(), error))?;
    if !flags.quiet && flags.format == Format::Table {
        eprintln!("\n{}", remark());
    }
    if !flags.quiet
        && let Some(line) = stopping::note(outline, results)
    {
        eprintln!("note: {line}");
    }
    if fails && flags.format.is_for_programs() {
        for line in thresholds::lines(results, &judgements) {
            eprintln!("{line}");
        }
    }
    Ok(!fails)
}

/// Prints lines below what [`conclude`] has printed; to stderr where stdout holds numbers only.
///
/// # Errors
///
/// They can't be written.
pub fn add(lines: &[String], flags: &ConclusionFlags) -> Result<(), StudyError> {
    let bullet = if flags.format == Format::Markdown { "- " } else { "" };
    let text: String = lines.iter().map(|line| format!("{bullet}{line}\n")).collect();
    if flags.format.is_for_programs() {
        output::tell(text);
        return Ok(());
    }
    output::write(format!("\n{text}").as_bytes())
        .map_err(|error| StudyError::Write("the standard output".into(), error))
}

/// What goes to stdout.
fn document(
    format: Format,
    outline: &Outline,
    results: &Results,
    judgements: &[Judgement],
) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let last = results.points.len().saturating_sub(1);
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &to_json(results))?;
            writeln!(out)?;
        }
        Format::Csv => out = summary_csv(results)?,
        Format::Table => {
            writeln!(out, "{}", heading(outline, results, last))?;
            writeln!(out, "\n{}", comparison(results, last, Style::Terminal))?;
            writeln!(out, "\n{}", verdict(results, last))?;
            remarks(&mut out, outline, results, judgements, "")?;
        }
        Format::Markdown => {
            writeln!(out, "### {}", heading(outline, results, last))?;
            writeln!(out, "\n{}", comparison(results, last, Style::Markdown))?;
            writeln!(out, "\n{}", verdict(results, last))?;
            remarks(&mut out, outline, results, judgements, "- ")?;
        }
    }
    Ok(out)
}

/// What alerts would have said, how layers multiplied, what today's policy would gain, and what
/// became of the thresholds.
fn remarks(
    out: &mut impl Write,
    outline: &Outline,
    results: &Results,
    judgements: &[Judgement],
    bullet: &str,
) -> io::Result<()> {
    let last = results.points.len().saturating_sub(1);
    let changes =
        outline.against.map_or_else(Vec::new, |today| against::lines(results, today, last));
    let layers = layers::lines(results, last);
    for lines in
        [signals::lines(results, last), layers, changes, thresholds::lines(results, judgements)]
    {
        if !lines.is_empty() {
            writeln!(out)?;
        }
        for line in lines {
            writeln!(out, "{bullet}{line}")?;
        }
    }
    Ok(())
}

fn heading(outline: &Outline, results: &Results, point: usize) -> String {
    let mut parts = vec![outline.name.clone()];
    if outline.title != outline.name {
        parts.push(outline.title.clone());
    }
    let mut heading = parts.join(": ");
    let place = results.describe_point(point);
    if !place.is_empty() {
        heading.push_str(&format!("\n{place}"));
        if outline.points.len() > 1 {
            heading.push_str(&format!(", the last of {} points", outline.points.len()));
        }
        heading.push_str("; ");
    } else {
        heading.push('\n');
    }
    let means = "mean ± half the 95 % interval";
    let replications = results.replications_at(point);
    heading.push_str(&format!("{replications} replications, seed {}, {means}", outline.seed));
    heading
}
