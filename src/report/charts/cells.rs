//! [`Cells`]: the cells of a heat map.
//!
//! Neighbours in a row that have the same colour are one line as wide as the row is high, and all
//! such lines of a colour are one shape: a heat map of thousands of cells stays small.

use std::collections::BTreeMap;

use super::colour_scale::ColourScale;
use super::scene::{Point, Scene, Shape};
use super::style::Colour;

/// Values by column and row; where several have a place, their sum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells(BTreeMap<(u32, u32), f64>);

impl FromIterator<((u32, u32), f64)> for Cells {
    fn from_iter<I: IntoIterator<Item = ((u32, u32), f64)>>(cells: I) -> Self {
        let mut sums = BTreeMap::new();
        for ((column, row), value) in cells {
            // By row, so that neighbours follow each other.
            *sums.entry((row, column)).or_insert(0.0) += value;
        }
        Cells(sums)
    }
}

impl Cells {
    /// All values.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.0.values().copied()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Draws the cells: column `c` from `x(c)` to `x(c + 1)`, row `r` from `y(r)` up to `y(r + 1)`.
    pub fn draw(
        &self,
        scene: &mut Scene,
        colours: &ColourScale,
        x: impl Fn(u32) -> f64,
        y: impl Fn(u32) -> f64,
    ) {
        let mut lines: BTreeMap<(Colour, u32), Vec<Vec<Point>>> = BTreeMap::new();
        let mut run: Option<(Colour, u32, u32, u32)> = None;
        // Edges on whole pixels leave no seams between colours.
        let mut end = |(colour, row, from, until): (Colour, u32, u32, u32)| {
            let (left, right) = (x(from).round(), x(until).round());
            let (bottom, top) = (y(row).round(), y(row + 1).round());
            let line = [left, right].map(|x| (x, f64::midpoint(bottom, top)));
            lines.entry((colour, (bottom - top) as u32)).or_default().push(line.to_vec());
        };
        for ((row, column), value) in &self.0 {
            let colour = colours.colour(*value);
            match &mut run {
                Some((of, at, _, until)) if (*of, *at, *until) == (colour, *row, *column) => {
                    *until += 1;
                }
                _ => {
                    let begun = (colour, *row, *column, *column + 1);
                    run.replace(begun).into_iter().for_each(&mut end);
                }
            }
        }
        run.into_iter().for_each(&mut end);
        for ((colour, height), paths) in lines {
            scene.shapes.push(Shape::Paths { paths, width: f64::from(height), colour });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::colour_scale::Around;
    use super::*;

    #[test]
    fn neighbours_of_one_colour_are_one_line() {
        let cells: Cells =
            [((0, 0), 5.0), ((1, 0), 2.0), ((1, 0), 3.0), ((3, 0), 5.0), ((0, 1), 9.0)]
                .into_iter()
                .collect();
        let colours = ColourScale::of(cells.values(), Around::White);
        let mut scene = Scene::new(100.0, "");
        let at = |place: u32| 10.0 * f64::from(place);
        cells.draw(&mut scene, &colours, at, |row| 100.0 - at(row));
        let line = |from: f64, to: f64, y: f64| vec![(from, y), (to, y)];
        let few = vec![line(0.0, 20.0, 95.0), line(30.0, 40.0, 95.0)];
        let many = vec![line(0.0, 10.0, 85.0)];
        let shape = |value: f64, paths: Vec<Vec<Point>>| Shape::Paths {
            paths,
            width: 10.0,
            colour: colours.colour(value),
        };
        let expected = [shape(5.0, few), shape(9.0, many)];
        assert_eq!(scene.shapes.len(), 2);
        assert!(expected.iter().all(|shape| scene.shapes.contains(shape)), "{:?}", scene.shapes);
    }
}
