//! What a study leaves in its folder: data files and charts.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::experiment::outline::Outline;
use crate::report::charts::{Chart, Styles};
use crate::report::draw;
use crate::study::close_up::files as close_up;
use crate::study::files::data_files;
use crate::study::layers::layers_csv;
use crate::study::results::Results;
use crate::study::runner::StudyError;
use crate::study::telemetry::telemetry_csv;
use crate::study::whole_file::write_whole;

/// Writes all files of a study into `out`.
///
/// # Errors
///
/// One of them can't be written.
pub fn write(
    outline: &Outline,
    results: &Results,
    out: &Path,
    with_charts: bool,
) -> Result<(), StudyError> {
    write_close_ups(results, &out.join(close_up::FOLDER))?;
    write_data(outline, results, out)?;
    write_where_due(out.join("layers.csv"), layers_csv(results))?;
    write_where_due(out.join("telemetry.csv"), telemetry_csv(results))?;
    draw_charts(outline, results, &out.join("charts"), with_charts)
}

/// Writes the files of close-ups, or removes those that an earlier run has left.
fn write_close_ups(results: &Results, folder: &Path) -> Result<(), StudyError> {
    let failed = |path: &Path, error| StudyError::Write(path.to_path_buf(), error);
    let files = close_up::close_up_files(results).map_err(|error| failed(folder, error))?;
    if files.is_empty() {
        for name in close_up::NAMES {
            write_or_remove(folder.join(name), None)?;
        }
        // It is gone, or holds what is not ours.
        let _ = fs::remove_dir(folder);
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, bytes) in files {
        let path = folder.join(name);
        write_whole(&path, &bytes).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// Writes a file that exists only where there is something to tell.
fn write_where_due(path: PathBuf, bytes: io::Result<Option<Vec<u8>>>) -> Result<(), StudyError> {
    match bytes {
        Ok(bytes) => write_or_remove(path, bytes),
        Err(error) => Err(StudyError::Write(path, error)),
    }
}

/// Writes a file that not every run has, or removes the one that an earlier run has left.
///
/// # Errors
///
/// It can't be written or removed.
pub fn write_or_remove(path: PathBuf, bytes: Option<Vec<u8>>) -> Result<(), StudyError> {
    let done = match bytes {
        Some(bytes) => write_whole(&path, &bytes),
        None => match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    };
    done.map_err(|error| StudyError::Write(path, error))
}

fn write_data(outline: &Outline, results: &Results, out: &Path) -> Result<(), StudyError> {
    let files = data_files(outline, results)
        .map_err(|error| StudyError::Write(out.to_path_buf(), error))?;
    for (name, bytes) in files {
        let path = out.join(name);
        write_whole(&path, &bytes).map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(())
}

/// Draws the charts, and removes those that an earlier run has left and this one does not draw:
/// a folder never shows a mixture.
fn draw_charts(
    outline: &Outline,
    results: &Results,
    folder: &Path,
    with_charts: bool,
) -> Result<(), StudyError> {
    let write_error = |path: &Path, error| StudyError::Write(path.to_path_buf(), error);
    let drawings = if with_charts { draw::drawings(outline, results) } else { Vec::new() };
    if !drawings.is_empty() {
        fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
    }
    let styles = Styles::new(&results.policies);
    for name in draw::names() {
        let [svg, png] = ["svg", "png"].map(|ending| folder.join(format!("{name}.{ending}")));
        let Some(drawing) = drawings.iter().find(|drawing| drawing.name == name) else {
            // Mostly there is nothing to remove.
            let _ = (fs::remove_file(svg), fs::remove_file(png));
            continue;
        };
        write_chart(drawing.chart.as_ref(), &styles, svg, png)?;
    }
    Ok(())
}

/// Writes a chart in both forms.
///
/// # Errors
///
/// One of them can't be written.
pub fn write_chart(
    chart: &dyn Chart,
    styles: &Styles,
    svg: PathBuf,
    png: PathBuf,
) -> Result<(), StudyError> {
    for (path, bytes) in
        [(svg, chart.to_svg(styles).map(String::into_bytes)), (png, chart.to_png(styles))]
    {
        let bytes = bytes.map_err(|e| StudyError::Write(path.clone(), io::Error::other(e)))?;
        write_whole(&path, &bytes).map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(())
}
