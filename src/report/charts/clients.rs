//! [`ClientsChart`]: who sends what when, and who is in step.
//!
//! One row a client, sorted by first success, so that the front between those who wait and those who
//! are done is one line; clients in step make upright lines of marks. All panels have one x axis and
//! the same clients, each in an order of its own.

mod rows;

use rows::Rows;

use super::axis::{self, Plot};
use super::heading::{self, MARGIN};
use super::number::grouped;
use super::panels::Panels;
use super::scale::Scale;
use super::scene::{Scene, Shape, Text};
use super::span::{Arrived, Span};
use super::strip::{self, Strip};
use super::style::{Colour, MUTED, Styles};
use super::{Chart, font, outcome, ticks, time_axis};
use crate::measure::close_up::{About, AttemptOutcome, SampledAttempt};

const WIDTH: f64 = 880.0;
/// Marks at the first and the last moment stay whole.
const INSET: f64 = 5.0;
/// A row is never higher.
const ROW: f64 = 15.0;
const LOWEST: f64 = 54.0;
const MOST_TICKS: usize = 8;
const FAULT: Colour = Colour(0xF3, 0xE9, 0xD8);
const WAIT: Colour = Colour(0xB4, 0xB4, 0xB4);
const FLIGHT: Colour = Colour(0x80, 0x80, 0x80);
/// Rows lower than this have their lines lighter, or they would be a grey ground.
const DENSE: f64 = 3.0;
/// More rows to a pixel can't be told apart.
const ROWS_PER_PIXEL: f64 = 1.4;

/// Attempts by client over time, one panel a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientsChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// One a policy.
    pub panels: Vec<ClientsPanel>,
}

/// The attempts under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientsPanel {
    /// The name of the policy.
    pub policy: String,
    /// The run that they are of.
    pub about: About,
    /// The attempts of some of its clients.
    pub attempts: Vec<SampledAttempt>,
}

impl ClientsPanel {
    /// When attempts were sent.
    fn arrived(&self) -> Vec<Arrived> {
        let mut sent: Vec<f64> = self.attempts.iter().map(|attempt| attempt.sent_ms).collect();
        sent.sort_by(f64::total_cmp);
        sent.into_iter().map(|sent| (sent, 1)).collect()
    }

    /// Whose attempts are shown, and until when.
    fn note(&self, rows: &Rows<'_>, span: &Span) -> String {
        let (shown, all) = (rows.count() as f64, f64::from(self.about.clients));
        let mut note = match shown < all {
            true => format!("{} of {} clients", grouped(shown, 0), grouped(all, 0)),
            false if all == 1.0 => "1 client".to_owned(),
            false => format!("{} clients", grouped(all, 0)),
        };
        if let Some(until) = self.about.attempts_until_ms {
            note += &format!(" · recorded until {}", time_axis::label(until));
        }
        if let Some(rest) = span.cuts(&self.arrived()) {
            note += &format!(" · {rest}");
        }
        note
    }

    /// How many attempts had each of the outcomes.
    fn count(&self, outcome: AttemptOutcome) -> usize {
        self.attempts.iter().filter(|attempt| attempt.outcome == outcome).count()
    }

    fn draw(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        (x, y): (&Scale, &Scale),
        rows: &Rows<'_>,
        end_ms: f64,
    ) {
        let pitch = (plot.bottom - plot.top) / rows.count().max(1) as f64;
        let radius = (0.42 * pitch).clamp(1.5, 3.8);
        let place = |row: usize| y.place(row as f64 + 0.5);
        let (mut waits, mut flights) = (Vec::new(), Vec::new());
        for request in rows.requests() {
            let line = |from: f64, until: f64| {
                let ends = [from, until].map(|ms| (x.place(ms.min(end_ms)), place(request.row)));
                (ends[1].0 - ends[0].0 > 2.0 * radius).then(|| ends.to_vec())
            };
            waits.extend(line(request.began(), request.ended(end_ms)));
            let ended = |attempt: &SampledAttempt| attempt.ended_ms.unwrap_or(end_ms);
            let sent = request.attempts.iter().map(|attempt| (attempt.sent_ms, ended(attempt)));
            flights.extend(sent.filter_map(|(sent, ended)| line(sent, ended)));
        }
        let thin = (0.5 * pitch).clamp(0.4, 0.8);
        let lighter = (pitch / DENSE).clamp(0.55, 1.0);
        for (paths, width, colour) in [(waits, thin, WAIT), (flights, 1.4 * thin, FLIGHT)] {
            if !paths.is_empty() {
                scene.shapes.push(Shape::Paths { paths, width, colour: colour.tint(lighter) });
            }
        }
        for outcome in outcome::ALL.into_iter().rev() {
            let mut places: Vec<(f64, f64)> = Vec::new();
            for (row, attempt) in rows.attempts() {
                if attempt.outcome != outcome || attempt.sent_ms > end_ms {
                    continue;
                }
                let (at, row) = (x.place(attempt.sent_ms), place(row));
                // A mark on a mark of the same look is not seen.
                if places.last().is_none_or(|last| last.1 != row || (at - last.0).abs() >= 0.5) {
                    places.push((at, row));
                }
            }
            if !places.is_empty() {
                scene.shapes.push(outcome::marks(outcome, places, radius));
            }
        }
    }
}

impl ClientsChart {
    /// What the marks mean, and the shading if there is some; ends at `right`.
    fn key(&self, scene: &mut Scene, (right, baseline): (f64, f64)) {
        let mut right = right;
        if self.panels.iter().any(|panel| !panel.about.faults.is_empty()) {
            let start = right - font::space("fault", axis::TEXT, false);
            scene.text(Text::new((start, baseline), axis::TEXT, "fault").coloured(MUTED));
            let (from, to) = ((start - 19.0, baseline - 10.0), (start - 5.0, baseline + 2.0));
            scene.shapes.push(Shape::Rect { from, to, fill: FAULT });
            right = from.0 - 16.0;
        }
        let occurs = |outcome: &AttemptOutcome| self.panels.iter().any(|p| p.count(*outcome) > 0);
        let present: Vec<_> = outcome::ALL.into_iter().filter(occurs).collect();
        outcome::key(scene, &present, (right, baseline));
    }

    fn description(&self, rows: &[Rows<'_>], notes: &[String]) -> String {
        let mut text = "Attempts over time, a row a client, one panel a policy.".to_owned();
        for ((panel, rows), note) in self.panels.iter().zip(rows).zip(notes) {
            let counts = outcome::ALL.into_iter().map(|outcome| (outcome, panel.count(outcome)));
            let counts = counts.filter(|(_, count)| *count > 0).map(|(outcome, count)| {
                format!("{} {}", grouped(count as f64, 0), outcome::word(outcome))
            });
            let counts = match counts.collect::<Vec<_>>() {
                none if none.is_empty() => "no attempts".to_owned(),
                counts => format!("attempts {}", counts.join(", ")),
            };
            text += &format!(" {}: {note}; {counts}", panel.policy);
            if let Some(half) = rows.half_succeeded() {
                text +=
                    &format!("; half of the clients had a success by {}", time_axis::label(half));
            }
            text.push('.');
        }
        text
    }
}

impl Chart for ClientsChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        let arrived: Vec<_> = self.panels.iter().map(ClientsPanel::arrived).collect();
        let span = Span::of(&arrived);
        let highest = match self.panels.len() {
            0 | 1 => 420.0,
            2 => 320.0,
            3 | 4 => 230.0,
            _ => 180.0,
        };
        let stride = Rows::stride(&self.panels, (ROWS_PER_PIXEL * highest) as u32);
        let rows: Vec<_> = self.panels.iter().map(|panel| Rows::of(panel, stride)).collect();
        let notes: Vec<_> =
            self.panels.iter().zip(&rows).map(|(panel, rows)| panel.note(rows, &span)).collect();
        scene.description = self.description(&rows, &notes);

        let most = rows.iter().map(Rows::count).max().unwrap_or(0) as f64;
        let height = (ROW * most).clamp(LOWEST, highest);
        let row_ticks = ticks::linear(0.0, most, if height < 100.0 { 2 } else { 4 });
        // Clients are whole.
        let whole = |tick: &ticks::Tick| tick.value.fract() == 0.0;
        let row_ticks: Vec<_> = row_ticks.into_iter().filter(whole).collect();
        let panels =
            Panels { width: WIDTH, count: self.panels.len(), labels: axis::width(&row_ticks) };
        let named = self.panels.iter().zip(&notes);
        let strip =
            Strip::of(named.map(|(panel, note)| (&*panel.policy, &**note)), panels.plot_width());

        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        if self.panels.is_empty() {
            let below = strip::no_policies(&mut scene, top);
            return scene.finish(below);
        }
        top += axis::TEXT + 4.0;
        let title = Text::new((MARGIN, top), axis::TEXT, "clients, by first success");
        scene.text(title.coloured(MUTED));
        self.key(&mut scene, (WIDTH - MARGIN, top));

        let plots = panels.plots(top + 4.0, strip.height(), height);
        let x = |plot: &Plot| {
            Scale::linear((0.0, span.end_ms), (plot.left + INSET, plot.right - INSET))
        };
        let most_ticks = if Panels::columns(self.panels.len()) == 1 { MOST_TICKS } else { 5 };
        let time_ticks = time_axis::ticks(span.end_ms, most_ticks);
        for (((panel, rows), note), plot) in self.panels.iter().zip(&rows).zip(&notes).zip(&plots) {
            let x = x(plot);
            let y = Scale::linear((0.0, most.max(1.0)), (plot.top, plot.bottom));
            for (from, until) in &panel.about.faults {
                let until = until.unwrap_or(panel.about.end_ms);
                if *from < span.end_ms {
                    let (from, to) = (x.place(*from), x.place(until));
                    let (from, to) = ((from, plot.top), (to, plot.bottom));
                    scene.shapes.push(Shape::Rect { from, to, fill: FAULT });
                }
            }
            axis::horizontal(&mut scene, plot, &x, &time_ticks);
            axis::vertical(&mut scene, plot, &y, &row_ticks);
            panel.draw(&mut scene, plot, (&x, &y), rows, span.end_ms);
            strip.draw(&mut scene, plot, &panel.policy, note, styles);
        }
        let title = time_axis::title("time since start", span.end_ms);
        let below = panels.x_axis(&mut scene, &plots, x, &time_ticks, &title);
        scene.finish(below + MARGIN / 2.0)
    }
}
