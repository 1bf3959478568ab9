//! Fillings that can be told apart without colour: strokes of one direction.

use super::reference::Area;
use super::scene::Point;

/// The direction of the strokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hatch {
    /// From lower left to upper right.
    Rising,
    /// From upper left to lower right.
    Falling,
    /// Upright.
    Upright,
    /// Level.
    Level,
}

/// One line that strokes an area, so far apart, and goes from stroke to stroke along the edges: one
/// element in SVG, and invisible at the edges under an outline of the same colour.
pub fn strokes(area: &Area, hatch: Hatch, apart: f64) -> Vec<Point> {
    let (left, top, right, bottom) = *area;
    let (width, height) = (right - left, bottom - top);
    let length = match hatch {
        Hatch::Rising | Hatch::Falling => width + height,
        Hatch::Upright => width,
        Hatch::Level => height,
    };
    let mut line = Vec::new();
    let strokes = (length / apart).floor() as u32;
    for stroke in 1..=strokes {
        let at = f64::from(stroke) * apart;
        let (from, to) = match hatch {
            // The stroke enters at the left edge or, once that is used up, at the bottom.
            Hatch::Rising => {
                (((at - height).max(0.0), at.min(height)), (at.min(width), (at - width).max(0.0)))
            }
            Hatch::Falling => (
                ((at - height).max(0.0), height - at.min(height)),
                (at.min(width), height - (at - width).max(0.0)),
            ),
            Hatch::Upright => ((at, 0.0), (at, height)),
            Hatch::Level => ((0.0, at), (width, at)),
        };
        let pair = if stroke % 2 == 0 { [to, from] } else { [from, to] };
        line.extend(pair.map(|(x, y)| (left + x, top + y)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_stay_inside_and_end_at_edges() {
        let area = (10.0, 20.0, 43.0, 40.0);
        for hatch in [Hatch::Rising, Hatch::Falling, Hatch::Upright, Hatch::Level] {
            let line = strokes(&area, hatch, 6.0);
            assert!(line.len() >= 6, "{hatch:?}");
            for (x, y) in line {
                assert!((10.0..=43.0).contains(&x) && (20.0..=40.0).contains(&y), "{hatch:?}");
                assert!(x == 10.0 || x == 43.0 || y == 20.0 || y == 40.0, "{hatch:?}");
            }
        }
        assert_eq!(strokes(&area, Hatch::Upright, 20.0), [(30.0, 20.0), (30.0, 40.0)]);
    }

    #[test]
    fn a_narrow_area_has_no_strokes() {
        assert!(strokes(&(0.0, 0.0, 3.0, 2.0), Hatch::Rising, 6.0).is_empty());
    }
}
