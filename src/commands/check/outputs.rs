//! What `retrial check` prints and writes: stdout, JUnit, a summary in Markdown, annotations.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use super::{Args, Format};
use crate::commands::{Exit, output};
use crate::report::check::annotations::annotations;
use crate::report::check::{Checked, json, junit, markdown, text};
use crate::study::whole_file::write_whole;

/// Prints and writes everything that was asked for.
pub(super) fn write(args: &Args, all: &[Checked]) -> Exit {
    if let Some(path) = &args.junit {
        let written = junit(all).map_err(io::Error::other);
        if let Err(error) = written.and_then(|text| write_whole(path, text.as_bytes())) {
            return failed(path, &error);
        }
    }
    if let Some(path) = &args.markdown {
        let text: Vec<_> = all.iter().map(markdown).collect();
        if let Err(error) = write_summary(path, &text.join("\n")) {
            return failed(path, &error);
        }
    }
    let document = match args.format {
        Format::Table => all.iter().map(text).collect::<Vec<_>>().join("\n"),
        Format::Json => {
            let experiments: Vec<_> = all.iter().map(json).collect();
            format!("{:#}\n", serde_json::json!({ "experiments": experiments }))
        }
    };
    let exit = output::print(document);
    if std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        // GitHub reads them from either stream, and stdout may have to stay JSON.
        let lines = all.iter().flat_map(annotations).map(|line| line + "\n");
        output::tell(lines.collect::<String>());
    }
    exit
}

fn failed(path: &Path, error: &io::Error) -> Exit {
    eprintln!("error: can't write {}: {error}", path.display());
    Exit::Failed
}

/// The summary of a job collects what all its steps add; any other file is this one's alone.
fn write_summary(path: &Path, text: &str) -> io::Result<()> {
    let of_the_job = std::env::var_os("GITHUB_STEP_SUMMARY");
    if of_the_job.is_some_and(|summary| Path::new(&summary) == path) {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        return file.write_all(text.as_bytes());
    }
    write_whole(path, text.as_bytes())
}
