//! [`ColourScale`]: from values to colours, and the bar that explains it.
//!
//! More is darker, as the ground is white. The colours are those of viridis (van der Walt and Smith,
//! matplotlib 1.5, 2015): equal steps look equal, in greyscale and to colour-blind readers too.

use super::axis::{self, Plot};
use super::number::rounded;
use super::scale::Scale;
use super::scene::{Scene, Shape};
use super::style::{Colour, WHITE};
use super::ticks::{self, Tick};

/// Every fifteenth of the 256 published colours. Between them a line is never off by more than 5 of
/// 255.
const VIRIDIS: [Colour; 18] = [
    Colour(0x44, 0x01, 0x54),
    Colour(0x48, 0x17, 0x69),
    Colour(0x47, 0x2A, 0x7A),
    Colour(0x43, 0x3D, 0x84),
    Colour(0x3D, 0x4E, 0x8A),
    Colour(0x35, 0x5E, 0x8D),
    Colour(0x2E, 0x6D, 0x8E),
    Colour(0x29, 0x7B, 0x8E),
    Colour(0x23, 0x89, 0x8E),
    Colour(0x1F, 0x97, 0x8B),
    Colour(0x21, 0xA5, 0x85),
    Colour(0x2E, 0xB3, 0x7C),
    Colour(0x46, 0xC0, 0x6F),
    Colour(0x65, 0xCB, 0x5E),
    Colour(0x89, 0xD5, 0x48),
    Colour(0xB0, 0xDD, 0x2F),
    Colour(0xD8, 0xE2, 0x19),
    Colour(0xFD, 0xE7, 0x25),
];

/// Up to here the colours stand out from white by 3:1.
const STANDS_OUT: f64 = 10.0 / 17.0;
/// Colours of a scale: neighbours that look the same are drawn as one.
const STEPS: f64 = 30.0;
/// From this ratio of its ends on a scale is logarithmic: half of its values would look alike
/// otherwise.
const WIDE: f64 = 30.0;
const BAR: (f64, f64) = (280.0, 10.0);
const MOST_TICKS: usize = 6;
/// The least distance of a tick from the last one.
const LAST: f64 = 44.0;

/// What lies around the coloured cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// White: the lightest colour has to stand out from it.
    White,
    /// Other cells, whose values are printed.
    Cells,
}

/// Colours for the values of one range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColourScale {
    low: f64,
    high: f64,
    log: bool,
    lightest: f64,
}

impl ColourScale {
    /// The scale of these values, those that are finite.
    pub fn of(values: impl Iterator<Item = f64>, around: Around) -> ColourScale {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        let lightest = match around {
            Around::White => STANDS_OUT,
            Around::Cells => 1.0,
        };
        ColourScale { low, high, log: low > 0.0 && high >= WIDE * low, lightest }
    }

    /// The least and the greatest value.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Whether equal ratios have equal distances.
    pub fn is_logarithmic(&self) -> bool {
        self.log
    }

    /// The colour of a value.
    pub fn colour(&self, value: f64) -> Colour {
        self.at(self.along((0.0, 1.0)).place(value))
    }

    /// The colour at a share of the way from the least to the greatest value.
    pub fn at(&self, share: f64) -> Colour {
        viridis(self.lightest * (1.0 - (share * STEPS).round() / STEPS))
    }

    fn along(&self, pixels: (f64, f64)) -> Scale {
        match self.log {
            true => Scale::logarithmic((self.low, self.high), pixels),
            false => Scale::linear((self.low, self.high), pixels),
        }
    }

    /// Draws the bar with its ticks and `title`; gives the y below it.
    pub fn bar(&self, scene: &mut Scene, title: &str, (left, top): (f64, f64)) -> f64 {
        let (width, height) = BAR;
        let plot = Plot { left, right: left + width, top, bottom: top + height };
        let mut before = left;
        for step in 0..=STEPS as u32 {
            let share = f64::from(step) / STEPS;
            let right = (left + (share + 0.5 / STEPS) * width).min(plot.right).round();
            let fill = if self.low == self.high { self.at(0.5) } else { self.at(share) };
            let (from, to) = ((before, plot.top), (right, plot.bottom));
            scene.shapes.push(Shape::Rect { from, to, fill });
            before = right;
        }
        let scale = self.along((plot.left, plot.right));
        let mut ticks = match self.log {
            _ if self.low == self.high => Vec::new(),
            true => ticks::logarithmic(self.low, self.high, MOST_TICKS),
            false => ticks::linear(self.low, self.high, MOST_TICKS),
        };
        // The greatest value is worth more than a round one beside it.
        ticks.retain(|tick| plot.right - scale.place(tick.value) > LAST);
        ticks.push(Tick { value: self.high, label: rounded(self.high) });
        let title = if self.log { format!("{title} (log scale)") } else { title.to_owned() };
        let frame = (left - 12.0, plot.right + 60.0);
        axis::below(scene, &plot, &scale, &ticks, &title, frame)
    }
}

/// Black or white, whichever is read better on a colour: by 4.5:1 at least.
pub fn text_on(colour: Colour) -> Colour {
    let black = Colour(0, 0, 0);
    if contrast(colour, WHITE) >= contrast(colour, black) { WHITE } else { black }
}

/// The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
fn contrast(a: Colour, b: Colour) -> f64 {
    let luminance = |Colour(r, g, b): Colour| {
        let linear = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => libm::pow((part + 0.055) / 1.055, 2.4),
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05
    };
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// From 0, dark, to 1, light.
fn viridis(share: f64) -> Colour {
    let last = VIRIDIS.len() - 1;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last - 1);
    let (Colour(r, g, b), Colour(r1, g1, b1)) = (VIRIDIS[below], VIRIDIS[below + 1]);
    let mix = |from: u8, to: u8| {
        let (from, to) = (f64::from(from), f64::from(to));
        (from + (to - from) * (place - below as f64)).round() as u8
    };
    Colour(mix(r, r1), mix(g, g1), mix(b, b1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_darker_and_the_least_still_stands_out() {
        let scale = ColourScale::of([1.0, 2.0, f64::NAN, 1000.0].into_iter(), Around::White);
        assert_eq!(scale.colour(1.0), viridis(STANDS_OUT));
        assert_eq!(scale.colour(1000.0), Colour(0x44, 0x01, 0x54));
        let mut before = 3.0;
        for value in [1.0, 3.0, 10.0, 31.0, 100.0, 310.0, 1000.0] {
            let contrast = contrast(scale.colour(value), WHITE);
            assert!(contrast > before, "{value}: {contrast}");
            before = contrast;
        }
    }

    #[test]
    fn between_anchors_the_published_colours_are_met() {
        // Colours 7, 127 and 200 of matplotlib's table.
        for (index, Colour(r, g, b)) in [
            (7.0, Colour(0x46, 0x0B, 0x5E)),
            (127.0, Colour(0x21, 0x90, 0x8D)),
            (200.0, Colour(0x70, 0xCF, 0x57)),
        ] {
            let Colour(own_r, own_g, own_b) = viridis(index / 255.0);
            for (own, published) in [(own_r, r), (own_g, g), (own_b, b)] {
                assert!(own.abs_diff(published) <= 5, "{index}: {own} and {published}");
            }
        }
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast(Colour(0, 0, 0), WHITE) - 21.0).abs() < 1e-9);
        // The lightest grey that passes for text on white.
        assert!((contrast(Colour(0x76, 0x76, 0x76), WHITE) - 4.54).abs() < 0.005);
    }

    #[test]
    fn text_is_read_on_every_colour() {
        for step in 0..=100 {
            let ground = viridis(f64::from(step) / 100.0);
            assert!(contrast(text_on(ground), ground) >= 4.5, "{ground:?}");
        }
    }

    #[test]
    fn a_scale_needs_no_values() {
        let scale = ColourScale::of(std::iter::empty(), Around::Cells);
        assert_eq!(scale.colour(0.0), scale.at(0.5));
    }
}
