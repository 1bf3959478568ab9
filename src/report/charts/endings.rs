//! [`EndingsChart`]: how logical requests ended, policy by policy.
//!
//! Stacked bars of shares. The endings stand in one order and look the same in all bars: three
//! colours for answered, given up and not retried, and a hatch of its own for each shade, so that
//! a grey print and colour-blind readers can tell them.

mod ending;

pub use ending::Ending;

use super::axis::{self, Plot};
use super::heading::{self, MARGIN};
use super::number::{grouped, rounded};
use super::reference::{Area, meet};
use super::scale::Scale;
use super::scene::{Anchor, Scene, Shape, Text};
use super::style::{INK, MUTED, Styles, WHITE};
use super::ticks::Tick;
use super::{Chart, font, legend, marker};

const WIDTH: f64 = 960.0;
const NAME: f64 = 12.5;
const LABEL: f64 = 11.5;
const BAR: f64 = 24.0;
const ROW: f64 = 36.0;
/// From the left edge to the name, behind the marker.
const INDENT: f64 = 15.0;
/// Names take at most this share of the width.
const NAMES: f64 = 0.4;
const SWATCH: (f64, f64) = (26.0, 14.0);

/// How logical requests ended, as shares of all.
#[derive(Clone, Debug, PartialEq)]
pub struct EndingsChart {
    /// The finding, or the question.
    pub title: String,
    /// Under which conditions.
    pub subtitle: String,
    /// One a policy, from top to bottom.
    pub rows: Vec<EndingsRow>,
}

/// How those of one policy ended.
#[derive(Clone, Debug, PartialEq)]
pub struct EndingsRow {
    /// The name of the policy.
    pub policy: String,
    /// The shares, between 0 and 1, by [`Ending::ALL`]; they add up to 1 if there was any request.
    pub shares: [f64; 8],
}

impl EndingsChart {
    /// The endings that occur.
    fn endings(&self) -> Vec<(usize, Ending)> {
        let endings = Ending::ALL.into_iter().enumerate();
        endings.filter(|(index, _)| self.rows.iter().any(|row| row.shares[*index] > 0.0)).collect()
    }

    fn description(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let shares = Ending::ALL.iter().zip(row.shares).filter(|(_, share)| *share > 0.0);
            let shares = shares
                .map(|(ending, share)| format!("{} % {}", rounded(100.0 * share), ending.name()));
            let shares: Vec<_> = shares.collect();
            match shares.is_empty() {
                true => format!(" {}: no requests.", row.policy),
                false => format!(" {}: {}.", row.policy, shares.join(", ")),
            }
        });
        format!("How logical requests ended, as shares of all.{}", rows.collect::<String>())
    }
}

impl Chart for EndingsChart {
    fn scene(&self, styles: &Styles) -> Scene {
        let mut scene = Scene::new(WIDTH, &self.title);
        scene.description = self.description();
        let names = self.rows.iter().map(|row| font::space(&row.policy, NAME, true));
        let widest = names.fold(0.0, f64::max).min(NAMES * WIDTH);
        let (left, right) = (MARGIN + INDENT + widest + 12.0, WIDTH - MARGIN);
        let x = Scale::linear((0.0, 1.0), (left, right));

        let top = heading::draw(&mut scene, &self.title, &self.subtitle) + 4.0;
        let height = ROW * self.rows.len().max(1) as f64;
        let plot = Plot { left, right, top, bottom: top + height };
        let tick = |step: u32| {
            let (value, label) = (f64::from(step) / 5.0, format!("{} %", 20 * step));
            Tick { value, label }
        };
        let ticks: Vec<_> = (0..=5).map(tick).collect();
        axis::horizontal(&mut scene, &plot, &x, &ticks);
        for (place, row) in self.rows.iter().enumerate() {
            let middle = top + (place as f64 + 0.5) * ROW;
            let style = styles.of(&row.policy);
            marker::draw(&mut scene, (MARGIN + marker::RADIUS, middle), marker::RADIUS, &style);
            let name = font::fit(&row.policy, NAME, true, widest);
            let at = (MARGIN + INDENT, middle + NAME * 0.35);
            scene.text(Text::new(at, NAME, name).bold());
            row.draw(&mut scene, &x, middle);
        }
        if self.rows.is_empty() {
            let at = (f64::midpoint(left, right), top + ROW * 0.6);
            scene.text(Text::new(at, NAME, "no policies").anchored(Anchor::Middle));
        }
        let frame = (MARGIN, WIDTH - MARGIN / 2.0 + 4.0);
        let below = axis::below(&mut scene, &plot, &x, &ticks, "share of logical requests", frame);
        let endings = self.endings();
        let names: Vec<_> = endings.iter().map(|(_, ending)| ending.name()).collect();
        let swatch = |scene: &mut Scene, place: usize, (x, y): (f64, f64)| {
            let half = SWATCH.1 / 2.0;
            endings[place].1.draw(scene, &(x, y - half, x + SWATCH.0, y + half));
        };
        let (top, frame) = (below + 12.0, (MARGIN, WIDTH - MARGIN));
        let below = legend::entries(&mut scene, &names, SWATCH.0, top, frame, swatch);
        scene.finish(below + MARGIN / 2.0)
    }
}

impl EndingsRow {
    /// The share that was answered.
    pub fn answered(&self) -> f64 {
        self.shares[Ending::FirstTry as usize] + self.shares[Ending::Retried as usize]
    }

    fn draw(&self, scene: &mut Scene, x: &Scale, middle: f64) {
        let (top, bottom) = (middle - BAR / 2.0, middle + BAR / 2.0);
        let mut before = 0.0;
        let mut taken: Option<Area> = None;
        for (ending, share) in Ending::ALL.into_iter().zip(self.shares) {
            let (from, to) = (x.place(before), x.place(before + share));
            before += share;
            if to - from < 0.3 {
                continue;
            }
            // White between neighbours.
            let gap = if to - from > 3.0 { 1.0 } else { 0.0 };
            ending.draw(scene, &(from, top, to - gap, bottom));
            let label = format!("{} %", percent(share));
            let space = font::space(&label, LABEL, true);
            let centre = f64::midpoint(from, to);
            let area =
                (centre - space / 2.0 - 3.0, top + 4.5, centre + space / 2.0 + 3.0, bottom - 4.5);
            if to - from < space + 10.0 || taken.is_some_and(|taken| meet(&taken, &area)) {
                continue;
            }
            taken = Some(area);
            let look = ending.look();
            let solid = look.hatch.is_none() && look.fill != WHITE;
            if look.hatch.is_some() {
                let (from, to) = ((area.0, area.1), (area.2, area.3));
                scene.shapes.push(Shape::Rect { from, to, fill: WHITE });
            }
            let text = Text::new((centre, middle + LABEL * 0.36), LABEL, label);
            let colour = if solid { WHITE } else { INK };
            scene.text(text.anchored(Anchor::Middle).bold().coloured(colour));
        }
        if before == 0.0 {
            let at = (x.place(0.0) + 6.0, middle + LABEL * 0.36);
            scene.text(Text::new(at, LABEL, "no requests").coloured(MUTED));
        }
    }
}

/// A share in per cent. One that is not all is not called 100.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if share < 1.0 && percent >= 99.95 => "> 99.9".to_owned(),
        percent if percent >= 1.0 => {
            grouped(percent, usize::from(percent < 100.0)).trim_end_matches(".0").to_owned()
        }
        percent => rounded(percent),
    }
}
