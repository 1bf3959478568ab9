//! `percentiles/`: the latencies of each policy at each point, as HdrHistogram percentile files.

use std::path::Path;
use std::{fs, io};

use crate::study::percentiles::{file_name, hgrm};
use crate::study::results::Results;
use crate::study::runner::StudyError;
use crate::study::whole_file::write_whole;

/// Writes the percentile files if they are `wanted`, and removes those that an earlier run has
/// left: a folder never shows a mixture.
///
/// # Errors
///
/// One of them can't be written or removed.
pub fn write(results: &Results, out: &Path, wanted: bool) -> Result<(), StudyError> {
    let folder = out.join("percentiles");
    let failed = |error| StudyError::Write(folder.clone(), error);
    remove_old(&folder).map_err(failed)?;
    if !wanted {
        // Only an empty folder goes; anything else in it is not ours.
        let _ = fs::remove_dir(&folder);
        return Ok(());
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    for cell in &results.cells {
        let path = folder.join(file_name(results, cell));
        let text = hgrm(&cell.latencies);
        write_whole(&path, text.as_bytes()).map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(())
}

fn remove_old(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "hgrm") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}
