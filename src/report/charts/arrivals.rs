//! [`ArrivalsChart`]: are the attempts of a policy clustered?
//!
//! One panel a policy, stacked, with one x axis and one y axis for all: the same height is the
//! same rate and, as the y axis is linear, the same area the same number of attempts. A
//! square-root axis would show small policies larger, and lie about just what is compared; each
//! panel's note gives its own peak instead.

use super::axis::{self, Plot};
use super::heading::{self, MARGIN};
use super::number::{grouped, rounded};
use super::scale::Scale;
use super::scene::{Scene, Shape, Text};
use super::span::{Arrived, Span};
use super::strip::{self, Strip};
use super::style::{Colour, MUTED, Styles};
use super::{Chart, font, ticks};
use crate::measure::series::Bin;

const WIDTH: f64 = 880.0;
const NOTE: f64 = 11.5;
const SWATCH: f64 = 11.0;
/// How much of a policy's colour is in what was accepted; what was refused is in full colour.
const ACCEPTED: f64 = 0.42;
/// Columns narrower than this are merged: nobody could tell them apart.
const NARROWEST: f64 = 1.0;
/// Few attempts are drawn at least this high, to be told from none.
const LOWEST: f64 = 1.0;

/// Attempts per second over time, one panel a policy, in steps; the refused ones in a second tone.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrivalsChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// One a policy, from top to bottom.
    pub panels: Vec<ArrivalsPanel>,
}

/// What happened under one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrivalsPanel {
    /// The name of the policy.
    pub policy: String,
    /// What happened when.
    pub bins: Vec<Bin>,
}

/// What a bin shows: attempts and refusals per second.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rate {
    all: f64,
    refused: f64,
}

impl Rate {
    fn of(bin: &Bin) -> Rate {
        let per_s = |count: u64| count as f64 / (bin.width_ms / 1e3);
        // A refusal may come in a later bin than its attempt.
        Rate { all: per_s(bin.attempts), refused: per_s(bin.rejected.min(bin.attempts)) }
    }
}

impl ArrivalsPanel {
    /// The highest rate before `end_ms`.
    fn peak(&self, end_ms: f64) -> f64 {
        let bins = self.bins.iter().filter(|bin| bin.start_ms < end_ms);
        bins.map(|bin| Rate::of(bin).all).fold(0.0, f64::max)
    }

    fn arrived(&self) -> Vec<Arrived> {
        self.bins.iter().map(|bin| (bin.start_ms + bin.width_ms, bin.attempts)).collect()
    }

    fn attempts(&self) -> u64 {
        self.bins.iter().map(|bin| bin.attempts).sum()
    }

    fn refused(&self) -> u64 {
        self.bins.iter().map(|bin| bin.rejected).sum()
    }

    /// The panel's peak and total, and what the shared x axis cuts off.
    fn note(&self, span: &Span) -> String {
        let attempts = self.attempts();
        if attempts == 0 {
            return "no attempts".to_owned();
        }
        let noun = if attempts == 1 { "attempt" } else { "attempts" };
        let peak = rounded(self.peak(f64::INFINITY));
        let mut note = format!("up to {peak}/s · {} {noun}", grouped(attempts as f64, 0));
        if let Some(rest) = span.cuts(&self.arrived()) {
            note += &format!(" · {rest}");
        }
        note
    }

    /// Left, right and rate of each column, merged where columns would be too narrow.
    ///
    /// A merged column is as high as its highest bin: a mean would hide the peaks that the chart
    /// is about.
    fn columns(&self, x: &Scale, span: &Span) -> Vec<(f64, f64, Rate)> {
        let mut columns: Vec<(f64, f64, Rate)> = Vec::new();
        for bin in self.bins.iter().filter(|bin| bin.start_ms < span.end_ms) {
            let rate = Rate::of(bin);
            let right = x.place(bin.start_ms + bin.width_ms);
            match columns.last_mut() {
                Some((left, end, highest)) if *end - *left < NARROWEST => {
                    *end = right;
                    if rate.all > highest.all {
                        *highest = rate;
                    }
                }
                _ => columns.push((x.place(bin.start_ms), right, rate)),
            }
        }
        columns
    }
}

impl Chart for ArrivalsChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        let arrived: Vec<_> = self.panels.iter().map(ArrivalsPanel::arrived).collect();
        let span = Span::of(&arrived);
        scene.description = self.description(&span);

        let height = if self.panels.len() > 6 { 64.0 } else { 88.0 };
        let steps = if self.panels.len() > 6 { 2 } else { 3 };
        let peak = self.panels.iter().map(|panel| panel.peak(span.end_ms)).fold(0.0, f64::max);
        let peak = if peak > 0.0 { peak } else { 1.0 };
        let rates = ticks::widen_linear(0.0, peak, steps);
        let rate_ticks = ticks::linear(rates.0, rates.1, steps);
        let (left, right) = (MARGIN + axis::width(&rate_ticks), WIDTH - MARGIN);

        let x = Scale::linear((0.0, span.end_ms), (left, right));
        let time_ticks = span.ticks();

        let mut top = heading::draw(&mut scene, &self.title, &self.subtitle);
        top += axis::TEXT + 4.0;
        let title = Text::new((MARGIN, top), axis::TEXT, "attempts per second");
        scene.text(title.coloured(MUTED));
        if self.panels.iter().any(|panel| panel.refused() > 0) {
            key(&mut scene, (right, top));
        }
        let notes: Vec<_> = self.panels.iter().map(|panel| panel.note(&span)).collect();
        let named = self.panels.iter().zip(&notes);
        let strip = Strip::of(named.map(|(panel, note)| (&*panel.policy, &**note)), right - left);
        let mut bottom = top + 4.0;
        for (panel, note) in self.panels.iter().zip(&notes) {
            let top = bottom + strip.height();
            let plot = Plot { left, right, top, bottom: top + height };
            let y = Scale::linear(rates, (plot.bottom, plot.top));
            axis::horizontal(&mut scene, &plot, &x, &time_ticks);
            axis::vertical(&mut scene, &plot, &y, &rate_ticks);
            panel.draw(&mut scene, &plot, (&x, &y), &span, styles);
            strip.draw(&mut scene, &plot, &panel.policy, note, styles);
            axis::base(&mut scene, &plot);
            bottom = plot.bottom + 6.0;
        }
        if self.panels.is_empty() {
            let below = strip::no_policies(&mut scene, bottom);
            return scene.finish(below);
        }
        let plot = Plot { left, right, top: bottom, bottom: bottom - 6.0 };
        let frame = (MARGIN / 2.0, WIDTH - MARGIN / 2.0);
        let below = axis::below(&mut scene, &plot, &x, &time_ticks, &span.title(), frame);
        scene.finish(below + MARGIN / 2.0)
    }
}

impl ArrivalsChart {
    fn description(&self, span: &Span) -> String {
        let panels = self.panels.iter().map(|panel| {
            let refused = match panel.refused() {
                0 => String::new(),
                refused => format!(" · {} refused", grouped(refused as f64, 0)),
            };
            format!(" {}: {}{refused}.", panel.policy, panel.note(span))
        });
        format!("Attempts per second over time, one panel a policy.{}", panels.collect::<String>())
    }
}

impl ArrivalsPanel {
    fn draw(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        (x, y): (&Scale, &Scale),
        span: &Span,
        styles: &Styles,
    ) {
        let style = styles.of(&self.policy);
        let columns = self.columns(x, span);
        let mut steps = |part: fn(&Rate) -> f64, fill: Colour| {
            let top = |rate: f64| match rate {
                0.0 => plot.bottom,
                rate => y.place(rate).min(plot.bottom - LOWEST),
            };
            let columns =
                columns.iter().map(|(left, right, rate)| (*left, *right, top(part(rate))));
            let columns: Vec<_> = columns.collect();
            if columns.iter().any(|(.., top)| *top < plot.bottom) {
                scene.shapes.push(Shape::Steps { base: plot.bottom, columns, fill });
            }
        };
        steps(|rate| rate.all, style.colour.tint(ACCEPTED));
        steps(|rate| rate.refused, style.colour);
    }
}

/// What the two tones mean, in grey as every panel has a colour of its own; ends at `right`.
fn key(scene: &mut Scene, (right, baseline): (f64, f64)) {
    let mut right = right;
    for (word, share) in [("accepted", ACCEPTED), ("refused", 1.0)] {
        let start = right - font::space(word, NOTE, false);
        scene.text(Text::new((start, baseline), NOTE, word).coloured(MUTED));
        let end = start - 5.0;
        scene.shapes.push(Shape::Rect {
            from: (end - SWATCH, baseline - SWATCH + 1.5),
            to: (end, baseline + 1.5),
            fill: Colour(0x44, 0x44, 0x44).tint(share),
        });
        right = end - SWATCH - 16.0;
    }
}
