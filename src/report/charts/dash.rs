//! Dashed lines, cut into pieces: plotters has none.

use super::scene::{Point, Scene, Shape};
use super::style::Colour;

/// Draws lines, all pieces as one shape; `pattern` as for [`pieces`].
pub fn draw(scene: &mut Scene, lines: &[Vec<Point>], pattern: &[f64], width: f64, colour: Colour) {
    let paths: Vec<_> = lines.iter().flat_map(|line| pieces(line, pattern)).collect();
    if !paths.is_empty() {
        scene.shapes.push(Shape::Paths { paths, width, colour });
    }
}

/// The drawn pieces of a line through `points`; `pattern` holds the lengths drawn and left out in
/// turn, and is empty for a solid line.
fn pieces(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    if pattern.is_empty() || points.len() < 2 {
        return vec![points.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut piece = vec![points[0]];
    let (mut phase, mut left) = (0, pattern[0]);
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = ((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)).sqrt();
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let cut = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
            piece.push(cut);
            let end = std::mem::replace(&mut piece, vec![cut]);
            if phase % 2 == 0 {
                pieces.push(end);
            }
            phase = (phase + 1) % pattern.len();
            left = pattern[phase];
        }
        left -= length - done;
        piece.push((x1, y1));
    }
    if phase % 2 == 0 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_drawn_and_left_out_in_turn() {
        let line = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)];
        let expected = [vec![(0.0, 0.0), (6.0, 0.0)], vec![(9.0, 0.0), (10.0, 0.0), (10.0, 5.0)]];
        let drawn = pieces(&line, &[6.0, 3.0]);
        assert_eq!(drawn[..2], expected);
        assert_eq!(drawn.len(), 3);
        assert_eq!(pieces(&line, &[]), [line.to_vec()]);
    }
}
