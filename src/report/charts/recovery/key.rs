//! The key of a recovery chart: what lines and grounds mean.

use super::super::disturbance;
use super::super::heading::MARGIN;
use super::super::scene::{Scene, Shape, Text};
use super::super::style::{Colour, INK, MUTED};
use super::super::{dash, font};
use super::panel::{ATTEMPTS, Axes, CAPACITY, DASHED, OFFERED};
use super::{RecoveryChart, TEXT, WIDTH};

const SAMPLE: f64 = 26.0;
const GREY: Colour = Colour(0x70, 0x70, 0x70);

impl RecoveryChart {
    /// What lines and grounds mean, in grey as every panel has a colour of its own; gives the y
    /// below it.
    pub(super) fn key(&self, scene: &mut Scene, top: f64, axes: &Axes) -> f64 {
        let line = |dash, width, colour| Sample::Line { dash, width, colour };
        let mut flows = vec![
            (Sample::Area, "attempts arriving".to_owned()),
            (line(OFFERED, 1.6, INK), "requests offered".to_owned()),
            (line(DASHED, 1.4, GREY), "answered".to_owned()),
            (line(&[], 2.4, GREY), "answered in time (goodput)".to_owned()),
        ];
        if self.panels.iter().flat_map(|panel| &panel.bins).any(|bin| bin.capacity_per_s.is_some())
        {
            flows.push((line(CAPACITY, 1.3, INK), "capacity of the first route".to_owned()));
        }
        let disturbed = disturbance::words(&self.disturbed, axes.end_ms);
        flows.extend(disturbed.map(|text| (Sample::Ground(disturbance::GROUND), text)));
        let below = vec![
            (line(&[], 1.6, INK), "at the routes".to_owned()),
            (line(DASHED, 1.6, INK), "between attempts".to_owned()),
        ];
        let title = format!("{}:", axes.rates.title);
        let top = row(scene, top + 2.0, &title, &flows);
        row(scene, top, "below, waiting:", &below) + 4.0
    }
}

/// What stands before a word of the key.
enum Sample {
    Line { dash: &'static [f64], width: f64, colour: Colour },
    Area,
    Ground(Colour),
}

/// A title and samples with their words, in as many rows as they need; gives the y below.
fn row(scene: &mut Scene, top: f64, title: &str, entries: &[(Sample, String)]) -> f64 {
    let mut baseline = top + TEXT;
    scene.text(Text::new((MARGIN, baseline), TEXT, title).coloured(MUTED));
    let start = MARGIN + font::space(title, TEXT, false) + 12.0;
    let mut x = start;
    for (sample, word) in entries {
        let word = font::fit(word, TEXT, false, WIDTH - MARGIN - start - SAMPLE - 6.0);
        let space = font::space(&word, TEXT, false);
        if x > start && x + SAMPLE + 6.0 + space > WIDTH - MARGIN {
            x = start;
            baseline += 18.0;
        }
        let (left, right, middle) = (x, x + SAMPLE, baseline - TEXT * 0.35);
        let (from, to) = ((left, middle - 5.0), (right, middle + 5.0));
        match sample {
            Sample::Line { dash, width, colour } => {
                let line = vec![(left, middle), (right, middle)];
                dash::draw(scene, &[line], dash, *width, *colour);
            }
            Sample::Area => {
                scene.shapes.push(Shape::Rect { from, to, fill: GREY.tint(ATTEMPTS) });
                scene.line(vec![from, (right, from.1)], 1.0, GREY);
            }
            Sample::Ground(fill) => scene.shapes.push(Shape::Rect { from, to, fill: *fill }),
        }
        scene.text(Text::new((right + 6.0, baseline), TEXT, word).coloured(MUTED));
        x = right + 6.0 + space + 18.0;
    }
    baseline + 7.0
}
