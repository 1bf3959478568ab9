//! Accepting results: they become the baseline, with a note that says why.

use std::fs;
use std::io::ErrorKind;

use super::Job;
use crate::commands::results_folder::{self, Pictures};
use crate::study::baseline::decisions::{FILE, first_decisions};
use crate::study::results::Results;
use crate::study::runner::StudyError;
use crate::study::whole_file::write_whole;

/// The file of notes.
const NOTES: &str = "notes.md";

/// Writes everything that a run writes but its units, the first decision records, and the note.
pub(super) fn accept(job: &Job, results: &Results, note: &str) -> Result<(), StudyError> {
    let Job { plan, folder, baseline, .. } = job;
    let failed = |path| move |error| StudyError::Write(path, error);
    fs::create_dir_all(folder).map_err(failed(folder.clone()))?;
    let notes_path = folder.join(NOTES);
    let mut notes = match fs::read_to_string(&notes_path) {
        Ok(notes) => notes,
        Err(error) if error.kind() == ErrorKind::NotFound => HEAD.to_string(),
        Err(error) => return Err(StudyError::Write(notes_path, error)),
    };
    let decisions = first_decisions(plan)?;
    let path = folder.join(FILE);
    write_whole(&path, &decisions).map_err(failed(path))?;
    results_folder::write(plan, results, folder, Pictures::Charts)?;
    let old = baseline.as_ref().map_or("none", |kept| kept.manifest.fingerprint.as_str());
    // A note is one item of a list, however many lines it was given in.
    let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
    let version = env!("CARGO_PKG_VERSION");
    notes.push_str(&format!("- {version}, fingerprint {old} → {}: {note}\n", results.fingerprint));
    write_whole(&notes_path, notes.as_bytes()).map_err(failed(notes_path))
}

const HEAD: &str = "# Why these results were accepted\n\n";
