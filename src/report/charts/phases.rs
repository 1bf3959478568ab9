//! [`PhasesChart`]: at which phase of the backoff's period retries arrive.
//!
//! A sub-second-offset heat map (Gregg, 2013) whose offset is that within the period: policies whose
//! clients come back in step make horizontal bands, spread ones an even ground.

use super::axis::{self, Plot};
use super::cells::Cells;
use super::colour_scale::{Around, ColourScale};
use super::heading::{self, MARGIN};
use super::number::grouped;
use super::panels::Panels;
use super::scale::Scale;
use super::scene::{Anchor, Scene, Text};
use super::span::{Arrived, Span};
use super::strip::{self, Strip};
use super::style::{MUTED, Styles};
use super::ticks::Tick;
use super::{Chart, font, time_axis};
use crate::measure::close_up::Phases;

const WIDTH: f64 = 880.0;
/// A column is at least so many pixels wide: narrower ones are added up.
const NARROWEST: f64 = 2.0;
const MOST_TICKS: usize = 8;

/// Retries by time and by phase, one panel a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PhasesChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// One a policy.
    pub panels: Vec<PhasesPanel>,
}

/// The retries under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PhasesPanel {
    /// The name of the policy.
    pub policy: String,
    /// Its retries; `None` if its backoff has no period.
    pub phases: Option<Phases>,
    /// The share of retries in the tenth of the period that has most at the time, if there are
    /// retries enough to tell.
    pub busiest_tenth: Option<f64>,
}

impl PhasesPanel {
    fn arrived(&self) -> Vec<Arrived> {
        let Some(phases) = &self.phases else { return Vec::new() };
        let until = |column: u32| f64::from(column + 1) * phases.column_ms;
        phases.cells.iter().map(|(column, _, attempts)| (until(*column), *attempts)).collect()
    }

    fn note(&self, span: &Span) -> String {
        let Some(phases) = &self.phases else { return "no period".to_owned() };
        let mut note = format!("period {}", time_axis::label(phases.period_ms));
        if let Some(share) = self.busiest_tenth {
            note += &format!(" · busiest tenth {} %", (100.0 * share).round());
        }
        if let Some(rest) = span.cuts(&self.arrived()) {
            note += &format!(" · {rest}");
        }
        note
    }

    /// The rate of retries up to `end_ms` in cells that are wide enough to be seen, with the width
    /// of a column. Columns and periods of policies differ, so that counts would not compare.
    fn cells(&self, end_ms: f64, width: f64) -> (f64, Cells) {
        let Some(phases) = &self.phases else { return (0.0, Cells::default()) };
        let pixels = width * phases.column_ms / end_ms;
        let merged = (NARROWEST / pixels).ceil().max(1.0);
        let shown = phases
            .cells
            .iter()
            .filter(|(column, ..)| f64::from(*column) * phases.column_ms < end_ms);
        let column_ms = merged * phases.column_ms;
        // A cell is that part of each of the periods in its column.
        let cell_s = column_ms / f64::from(phases.rows.max(1)) / 1e3;
        let cells = shown.map(|(column, row, attempts)| {
            (((f64::from(*column) / merged) as u32, *row), *attempts as f64 / cell_s)
        });
        (column_ms, cells.collect())
    }
}

impl PhasesChart {
    fn description(&self, notes: &[String]) -> String {
        let panels = self.panels.iter().zip(notes).map(|(panel, note)| {
            let attempts: u64 = panel.arrived().iter().map(|(_, attempts)| attempts).sum();
            format!(" {}: {note}; {} retries.", panel.policy, grouped(attempts as f64, 0))
        });
        format!(
            "Retries by time since start and by time within the period of the backoff, one panel a \
             policy.{}",
            panels.collect::<String>()
        )
    }
}

impl Chart for PhasesChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        let arrived: Vec<_> = self.panels.iter().map(PhasesPanel::arrived).collect();
        let span = Span::of(&arrived);
        let notes: Vec<_> = self.panels.iter().map(|panel| panel.note(&span)).collect();
        scene.description = self.description(&notes);

        let period_ticks: Vec<_> = self
            .panels
            .iter()
            .map(|panel| panel.phases.as_ref().map_or(Vec::new(), ticks))
            .collect();
        let labels = period_ticks.iter().map(|ticks| axis::width(ticks)).fold(0.0, f64::max);
        let panels = Panels { width: WIDTH, count: self.panels.len(), labels };
        let height = match self.panels.len() {
            0 | 1 => 260.0,
            2 => 180.0,
            3 | 4 => 130.0,
            _ => 100.0,
        };
        let cells: Vec<_> =
            self.panels.iter().map(|panel| panel.cells(span.end_ms, panels.plot_width())).collect();
        let values = cells.iter().flat_map(|(_, cells)| cells.values());
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
        let title = Text::new((MARGIN, top), axis::TEXT, "time within the period of the backoff");
        scene.text(title.coloured(MUTED));
        let plots = panels.plots(top + 4.0, strip.height(), height);
        let x = |plot: &Plot| Scale::linear((0.0, span.end_ms), (plot.left, plot.right));
        let most_ticks = if Panels::columns(self.panels.len()) == 1 { MOST_TICKS } else { 5 };
        let time_ticks = time_axis::ticks(span.end_ms, most_ticks);
        for (index, (panel, plot)) in self.panels.iter().zip(&plots).enumerate() {
            strip.draw(&mut scene, plot, &panel.policy, &notes[index], styles);
            let x = x(plot);
            let Some(phases) = &panel.phases else {
                nothing(&mut scene, plot, "its backoff has no period to be in step with");
                continue;
            };
            let y = Scale::linear((0.0, phases.period_ms), (plot.bottom, plot.top));
            axis::horizontal(&mut scene, plot, &x, &time_ticks);
            axis::vertical(&mut scene, plot, &y, &period_ticks[index]);
            let (column_ms, cells) = &cells[index];
            let row_ms = phases.period_ms / f64::from(phases.rows.max(1));
            let left = |column: u32| x.place(f64::from(column) * column_ms);
            let bottom = |row: u32| y.place(f64::from(row) * row_ms);
            cells.draw(&mut scene, &colours, left, bottom);
            axis::base(&mut scene, plot);
            if cells.is_empty() {
                nothing(&mut scene, plot, "no retries");
            }
        }
        let title = time_axis::title("time since start", span.end_ms);
        let mut below = panels.x_axis(&mut scene, &plots, x, &time_ticks, &title);
        if cells.iter().any(|(_, cells)| !cells.is_empty()) {
            let at = (plots[0].left, below + 16.0);
            below = colours.bar(&mut scene, "retries per second at that time and phase", at);
        }
        scene.finish(below + MARGIN / 2.0)
    }
}

/// Beginning, middle and end of the period, each with its unit: periods differ.
fn ticks(phases: &Phases) -> Vec<Tick> {
    let tick = |value: f64| Tick { value, label: time_axis::label(value) };
    [0.0, phases.period_ms / 2.0, phases.period_ms].map(tick).into()
}

/// Says why a panel is empty.
fn nothing(scene: &mut Scene, plot: &Plot, why: &str) {
    let middle = (f64::midpoint(plot.left, plot.right), f64::midpoint(plot.top, plot.bottom));
    let why = font::fit(why, axis::TEXT, false, plot.right - plot.left);
    let text = Text::new((middle.0, middle.1 + 0.35 * axis::TEXT), axis::TEXT, why);
    scene.text(text.anchored(Anchor::Middle).coloured(MUTED));
}
