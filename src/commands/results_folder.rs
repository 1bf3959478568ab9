//! What a study leaves in its folder: data files, charts and the report.

use std::path::{Path, PathBuf};
use std::{fs, io};

use rayon::prelude::*;

use crate::experiment::outline::Outline;
use crate::report::charts::scene::Scene;
use crate::report::charts::{Chart, Styles};
use crate::report::document::{self, Picture, Study};
use crate::report::draw;
use crate::report::tuning::chart::{pareto, styles};
use crate::study::close_up::files as close_up;
use crate::study::files::data_files;
use crate::study::layers::layers_csv;
use crate::study::results::Results;
use crate::study::runner::StudyError;
use crate::study::telemetry::telemetry_csv;
use crate::study::tune::trade_off::TradeOff;
use crate::study::whole_file::write_whole;

/// The report for people.
pub const PAGE: &str = "report.html";
/// The report for a pull request.
pub const MARKDOWN: &str = "report.md";

/// What goes with the data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pictures {
    /// Nothing.
    None,
    /// Charts.
    Charts,
    /// Charts, and the report that shows them.
    Report,
}

/// Writes all files of a study into `out`, and removes charts and a report that an earlier run has
/// left and this one does not make.
///
/// # Errors
///
/// One of them can't be written.
pub fn write(
    outline: &Outline,
    results: &Results,
    out: &Path,
    pictures: Pictures,
) -> Result<(), StudyError> {
    write_close_ups(results, &out.join(close_up::FOLDER))?;
    write_data(outline, results, out)?;
    write_where_due(out.join("layers.csv"), layers_csv(results))?;
    write_where_due(out.join("telemetry.csv"), telemetry_csv(results))?;
    if pictures == Pictures::Report {
        return write_report(outline, results, out).map(|_| ());
    }
    draw_charts(outline, results, &out.join("charts"), pictures == Pictures::Charts)?;
    for report in [PAGE, MARKDOWN] {
        write_or_remove(out.join(report), None)?;
    }
    Ok(())
}

/// Draws the charts of a study and writes its report into `out`; the paths of what it wrote.
///
/// # Errors
///
/// Something can't be written.
pub fn write_report(
    outline: &Outline,
    results: &Results,
    out: &Path,
) -> Result<Vec<PathBuf>, StudyError> {
    let charts = out.join("charts");
    let pictures = draw_charts(outline, results, &charts, true)?;
    let study = Study::new(outline, results, &pictures);
    let mut written = Vec::new();
    for (name, text) in [(PAGE, document::html(&study)), (MARKDOWN, document::markdown(&study))] {
        let path = out.join(name);
        write_whole(&path, text.as_bytes())
            .map_err(|error| StudyError::Write(path.clone(), error))?;
        written.push(path);
    }
    let charts = pictures.iter().flat_map(|picture| {
        ["svg", "png"].map(|ending| charts.join(format!("{}.{ending}", picture.name)))
    });
    written.extend(charts);
    Ok(written)
}

/// Draws the chart of a tuning into its folder; the paths of what it wrote.
///
/// # Errors
///
/// Something can't be written.
pub fn draw_trade_off(trade_off: &TradeOff, out: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let charts = out.join("charts");
    fs::create_dir_all(&charts).map_err(|error| StudyError::Write(charts.clone(), error))?;
    let [svg, png] = ["svg", "png"].map(|ending| charts.join(format!("pareto.{ending}")));
    write_scene(&pareto(trade_off).scene(&styles()), svg.clone(), png.clone())?;
    Ok(vec![svg, png])
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
/// a folder never shows a mixture. Gives those it has drawn.
fn draw_charts(
    outline: &Outline,
    results: &Results,
    folder: &Path,
    with_charts: bool,
) -> Result<Vec<Picture>, StudyError> {
    let write_error = |path: &Path, error| StudyError::Write(path.to_path_buf(), error);
    let drawings = if with_charts { draw::drawings(outline, results) } else { Vec::new() };
    if !drawings.is_empty() {
        fs::create_dir_all(folder).map_err(|error| write_error(folder, error))?;
    }
    let styles = Styles::new(&results.policies);
    let pictures = draw::names().collect::<Vec<_>>().into_par_iter().map(|name| {
        let [svg, png] = ["svg", "png"].map(|ending| folder.join(format!("{name}.{ending}")));
        let Some(drawing) = drawings.iter().find(|drawing| drawing.name == name) else {
            // Mostly there is nothing to remove.
            let _ = (fs::remove_file(svg), fs::remove_file(png));
            return Ok(None);
        };
        let scene = drawing.chart.scene(&styles);
        let svg = write_scene(&scene, svg, png)?;
        Ok(Some(Picture { name, title: scene.title, svg }))
    });
    let pictures: Vec<_> = pictures.collect::<Result<_, StudyError>>()?;
    Ok(pictures.into_iter().flatten().collect())
}

/// Writes a drawn chart in both forms; gives the SVG.
fn write_scene(scene: &Scene, svg: PathBuf, png: PathBuf) -> Result<String, StudyError> {
    let drawn = scene.to_svg();
    let drawn = drawn.map_err(|e| StudyError::Write(svg.clone(), io::Error::other(e)))?;
    let pixels = scene.to_png();
    let pixels = pixels.map_err(|e| StudyError::Write(png.clone(), io::Error::other(e)))?;
    for (path, bytes) in [(svg, drawn.as_bytes()), (png, &pixels)] {
        write_whole(&path, bytes).map_err(|error| StudyError::Write(path, error))?;
    }
    Ok(drawn)
}
