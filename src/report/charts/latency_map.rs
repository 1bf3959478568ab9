//! [`LatencyMapChart`]: how long requests take, by when they were to begin.
//!
//! A latency heat map (Gregg, 2010): a mean or a percentile hides two populations behind one figure,
//! and here they are two bands.

use super::axis::{self, Plot};
use super::cells::Cells;
use super::colour_scale::{Around, ColourScale};
use super::heading::{self, MARGIN};
use super::number::grouped;
use super::panels::Panels;
use super::scale::Scale;
use super::scene::{Anchor, Scene, Shape, Text};
use super::span::{Arrived, Span};
use super::strip::{self, Strip};
use super::style::{INK, MUTED, Styles, WHITE};
use super::ticks::{self, Tick};
use super::{Chart, dash, font, time_axis};
use crate::measure::close_up::LatencyCell;

const WIDTH: f64 = 880.0;
/// A column is at least so many pixels wide: narrower ones are added up.
const NARROWEST: f64 = 2.0;
const MOST_TICKS: usize = 8;
/// The least height between two ticks of latency.
const TICK: f64 = 24.0;
/// The deadline is on the axis if it is at most so many times the longest latency.
const NEAR: f64 = 4.0;

/// Requests by planned start and latency, one panel a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyMapChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// One a policy.
    pub panels: Vec<LatencyMapPanel>,
}

/// The requests under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyMapPanel {
    /// The name of the policy.
    pub policy: String,
    /// How long a request may take, in milliseconds; `None` is unlimited.
    pub deadline_ms: Option<f64>,
    /// The requests.
    pub cells: Vec<LatencyCell>,
}

fn requests(cell: &LatencyCell) -> u64 {
    cell.accepted + cell.gave_up
}

impl LatencyMapPanel {
    fn shown(&self) -> impl Iterator<Item = &LatencyCell> {
        self.cells.iter().filter(|cell| requests(cell) > 0)
    }

    fn arrived(&self) -> Vec<Arrived> {
        let mut arrived: Vec<_> =
            self.shown().map(|cell| (cell.start_ms + cell.width_ms, requests(cell))).collect();
        arrived.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        arrived
    }

    fn note(&self, span: &Span, range: (f64, f64)) -> String {
        let all: u64 = self.shown().map(requests).sum();
        let gave_up: u64 = self.shown().map(|cell| cell.gave_up).sum();
        let mut note = match all {
            0 => return "no request ended".to_owned(),
            1 => "1 request".to_owned(),
            all => format!("{} requests", grouped(all as f64, 0)),
        };
        if gave_up > 0 {
            note += &format!(" · {} gave up", grouped(gave_up as f64, 0));
        }
        if let Some(deadline) = self.deadline_ms.filter(|deadline| *deadline > range.1) {
            note += &format!(" · deadline {}", time_axis::label(deadline));
        }
        if let Some(rest) = span.cuts(&self.arrived()) {
            note += &format!(" · {rest}");
        }
        note
    }

    /// The end of the cell by which so large a share of the requests have ended, however they did;
    /// `None` without requests.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let mut cells: Vec<_> = self.shown().map(|cell| (cell.to_ms, requests(cell))).collect();
        cells.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let wanted = share * cells.iter().map(|(_, count)| count).sum::<u64>() as f64;
        let mut sum = 0;
        let reached = cells.into_iter().find(|(_, count)| {
            sum += count;
            sum as f64 >= wanted
        });
        reached.map(|(to_ms, _)| to_ms)
    }
}

impl LatencyMapChart {
    /// The ends of the latency axis: what was measured, and deadlines that are near.
    fn range(&self) -> (f64, f64) {
        let cells = || self.panels.iter().flat_map(LatencyMapPanel::shown);
        let longest = cells().map(|cell| cell.to_ms).fold(0.0, f64::max);
        let deadlines = self.panels.iter().filter_map(|panel| panel.deadline_ms);
        let high = deadlines.filter(|ms| *ms <= NEAR * longest).fold(longest, f64::max);
        // A cell that begins at 0 is drawn from the end of the axis on.
        let ends = cells().flat_map(|cell| [cell.from_ms, cell.to_ms]).filter(|ms| *ms > 0.0);
        let low = ends.fold(f64::INFINITY, f64::min);
        if low > high {
            return (1.0, 1000.0);
        }
        match ticks::widen_logarithmic(low, high * 1.05) {
            (low, high) if low == high => (low / 10.0, high * 10.0),
            ends => ends,
        }
    }

    fn description(&self, notes: &[String]) -> String {
        let panels = self.panels.iter().zip(notes).map(|(panel, note)| {
            let quantile = |share| panel.quantile(share).map(time_axis::label);
            let quantiles = match (quantile(0.5), quantile(0.99)) {
                (Some(half), Some(nearly)) => format!("; half within {half}, 99 % within {nearly}"),
                _ => String::new(),
            };
            format!(" {}: {note}{quantiles}.", panel.policy)
        });
        format!(
            "Requests by planned start and latency, one panel a policy.{}",
            panels.collect::<String>()
        )
    }
}

impl Chart for LatencyMapChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        let arrived: Vec<_> = self.panels.iter().map(LatencyMapPanel::arrived).collect();
        let span = Span::of(&arrived);
        let range = self.range();
        let notes: Vec<_> = self.panels.iter().map(|panel| panel.note(&span, range)).collect();
        scene.description = self.description(&notes);

        let height = match self.panels.len() {
            0 | 1 => 300.0,
            2 => 200.0,
            3 | 4 => 150.0,
            _ => 112.0,
        };
        let most = (height / TICK) as usize;
        let latency_ticks = ticks::logarithmic(range.0, range.1, most).into_iter();
        let latency_ticks: Vec<_> = latency_ticks
            .map(|tick| Tick { label: time_axis::label(tick.value), ..tick })
            .collect();
        let panels =
            Panels { width: WIDTH, count: self.panels.len(), labels: axis::width(&latency_ticks) };
        let columns =
            self.panels.iter().map(|panel| Columns::of(panel, &span, panels.plot_width()));
        let columns: Vec<_> = columns.collect();
        let values = columns.iter().flat_map(|columns| columns.cells.values());
        let colours = ColourScale::of(values, Around::White);
        let named = self.panels.iter().zip(&notes);
        let strip =
            Strip::of(named.map(|(panel, note)| (&*panel.policy, &**note)), panels.plot_width());

        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        if self.panels.is_empty() {
            let below = strip::no_policies(&mut scene, top);
            return scene.finish(below);
        }
        top += axis::TEXT + 4.0;
        let title = Text::new((MARGIN, top), axis::TEXT, "latency of requests (log scale)");
        scene.text(title.coloured(MUTED));
        let plots = panels.plots(top + 4.0, strip.height(), height);
        let x = |plot: &Plot| Scale::linear((0.0, span.end_ms), (plot.left, plot.right));
        let most_ticks = if Panels::columns(self.panels.len()) == 1 { MOST_TICKS } else { 5 };
        let time_ticks = time_axis::ticks(span.end_ms, most_ticks);
        for (index, (panel, plot)) in self.panels.iter().zip(&plots).enumerate() {
            strip.draw(&mut scene, plot, &panel.policy, &notes[index], styles);
            let x = x(plot);
            let y = Scale::logarithmic(range, (plot.bottom, plot.top));
            axis::horizontal(&mut scene, plot, &x, &time_ticks);
            axis::vertical(&mut scene, plot, &y, &latency_ticks);
            columns[index].draw(&mut scene, &colours, (&x, &y));
            if let Some(deadline) = panel.deadline_ms.filter(|deadline| *deadline <= range.1) {
                draw_deadline(&mut scene, plot, y.place(deadline));
            }
            axis::base(&mut scene, plot);
        }
        let title = time_axis::title("when the request was to begin, since start", span.end_ms);
        let mut below = panels.x_axis(&mut scene, &plots, x, &time_ticks, &title);
        if columns.iter().any(|columns| !columns.cells.is_empty()) {
            let at = (plots[0].left, below + 16.0);
            below = colours.bar(&mut scene, "requests per cell", at);
        }
        scene.finish(below + MARGIN / 2.0)
    }
}

/// A dashed line with its name, on white so that both are read on any colour.
fn draw_deadline(scene: &mut Scene, plot: &Plot, y: f64) {
    let line = [(plot.left, y), (plot.right, y)];
    scene.line(line.to_vec(), 2.4, WHITE);
    let paths = dash::pieces(&line, &[6.0, 3.0]);
    scene.shapes.push(Shape::Paths { paths, width: 1.3, colour: INK });
    let space = font::space("deadline", axis::TEXT, false);
    // Below the line where there is no room above it.
    let baseline = if y - plot.top > 16.0 { y - 5.0 } else { y + 14.0 };
    let ground = (plot.right - space - 4.0, baseline - 0.85 * axis::TEXT - 1.0);
    let to = (plot.right, baseline + 3.0);
    scene.shapes.push(Shape::Rect { from: ground, to, fill: WHITE });
    let text = Text::new((plot.right - 2.0, baseline), axis::TEXT, "deadline");
    scene.text(text.anchored(Anchor::End));
}

/// The cells of a panel, with the edges of their columns and rows.
struct Columns {
    cells: Cells,
    width_ms: f64,
    /// The shortest latency of each row, and the end of the last.
    edges: Vec<f64>,
}

impl Columns {
    /// The cells on the axis, as columns that are wide enough to be seen.
    fn of(panel: &LatencyMapPanel, span: &Span, pixels: f64) -> Columns {
        let width_ms = panel.shown().map(|cell| cell.width_ms).fold(0.0, f64::max);
        let merged = (NARROWEST / (pixels * width_ms / span.end_ms)).ceil().max(1.0);
        let width_ms = merged * width_ms;
        let mut edges: Vec<_> = panel.shown().flat_map(|cell| [cell.from_ms, cell.to_ms]).collect();
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        let on_axis = panel.shown().filter(|cell| cell.start_ms < span.end_ms);
        let cells = on_axis.filter_map(|cell| {
            let row = edges.binary_search_by(|edge| edge.total_cmp(&cell.from_ms)).ok()?;
            let column = (cell.start_ms / width_ms).floor() as u32;
            Some(((column, row as u32), requests(cell) as f64))
        });
        let cells = cells.collect();
        Columns { cells, width_ms, edges }
    }

    fn draw(&self, scene: &mut Scene, colours: &ColourScale, (x, y): (&Scale, &Scale)) {
        let edge = |row: u32| self.edges.get(row as usize).copied().unwrap_or(f64::INFINITY);
        let left = |column: u32| x.place(f64::from(column) * self.width_ms);
        self.cells.draw(scene, colours, left, |row| y.place(edge(row)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_end_of_a_cell() {
        let cell = |to_ms: f64, accepted: u64, gave_up: u64| LatencyCell {
            start_ms: 0.0,
            width_ms: 100.0,
            from_ms: to_ms / 2.0,
            to_ms,
            accepted,
            gave_up,
        };
        let panel = |cells: &[LatencyCell]| {
            let policy = "full-jitter".to_owned();
            LatencyMapPanel { policy, deadline_ms: None, cells: cells.to_vec() }
        };
        let most = panel(&[cell(80.0, 1, 0), cell(10.0, 90, 0), cell(40.0, 5, 4)]);
        assert_eq!(most.quantile(0.5), Some(10.0));
        assert_eq!(most.quantile(0.99), Some(40.0), "99 of 100");
        assert_eq!(panel(&[cell(80.0, 2, 0), cell(10.0, 98, 0)]).quantile(0.99), Some(80.0));
        assert_eq!(panel(&[cell(80.0, 0, 0)]).quantile(0.99), None);
    }
}
