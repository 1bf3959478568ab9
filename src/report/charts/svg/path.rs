//! Many equal shapes as one SVG path.
//!
//! A path's commands are relative, with no space that isn't needed: a mark among thousands takes
//! about ten bytes instead of a hundred for an element of its own.

use super::super::scene::Shape;
use super::super::style::Colour;
use super::GRID;

/// The element of a shape that stands for many; `None` for any other.
pub fn element(shape: &Shape) -> Option<String> {
    let mut pen = Pen::default();
    let look = match shape {
        Shape::Paths { paths, width, colour } => {
            for points in paths {
                let points: Vec<_> = points.iter().map(|point| GRID.place(*point)).collect();
                match points[..] {
                    [] => {}
                    [first, ref between @ .., last] if first == last => {
                        pen.go(first);
                        between.iter().for_each(|point| pen.draw(*point));
                        pen.close(first);
                    }
                    [first, ref rest @ ..] => {
                        pen.go(first);
                        rest.iter().for_each(|point| pen.draw(*point));
                    }
                }
            }
            stroke(*colour, GRID.units(*width), "")
        }
        Shape::Dots { centres, radius, fill } => {
            for (x, y) in centres.iter().map(|centre| GRID.place(*centre)) {
                // The shortest line with round ends; one without length is left out by some.
                pen.go((x, y));
                pen.draw((x + 1, y));
            }
            stroke(*fill, GRID.units(2.0 * radius), " stroke-linecap=\"round\"")
        }
        _ => return None,
    };
    Some(format!("<path d=\"{}\" {look}/>\n", pen.data))
}

fn stroke(colour: Colour, width: i32, ends: &str) -> String {
    format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"{ends}", hex(colour))
}

fn hex(Colour(r, g, b): Colour) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// Writes a path's data.
#[derive(Default)]
struct Pen {
    data: String,
    at: (i32, i32),
    command: char,
}

impl Pen {
    /// Goes to a place without drawing.
    fn go(&mut self, (x, y): (i32, i32)) {
        let (dx, dy) = (x - self.at.0, y - self.at.1);
        self.write('m', &[dx, dy]);
        self.at = (x, y);
    }

    /// Draws a line to a place.
    fn draw(&mut self, (x, y): (i32, i32)) {
        match (x - self.at.0, y - self.at.1) {
            (dx, 0) => self.write('h', &[dx]),
            (0, dy) => self.write('v', &[dy]),
            (dx, dy) => self.write('l', &[dx, dy]),
        }
        self.at = (x, y);
    }

    /// Draws a line to where the line began.
    fn close(&mut self, start: (i32, i32)) {
        self.data.push('z');
        self.command = 'z';
        self.at = start;
    }

    fn write(&mut self, command: char, numbers: &[i32]) {
        // A command that comes again needs no letter.
        let named = command != self.command || command == 'm';
        if named {
            self.data.push(command);
        }
        self.command = command;
        for (place, number) in numbers.iter().enumerate() {
            // A sign separates numbers as well as a space does.
            if *number >= 0 && (place > 0 || !named) {
                self.data.push(' ');
            }
            self.data += &number.to_string();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Colour = Colour(0, 0x10, 0xFF);

    #[test]
    fn equal_shapes_share_an_element() {
        let centres = vec![(1.0, 1.0), (2.0, 0.5)];
        assert_eq!(
            element(&Shape::Dots { centres, radius: 1.5, fill: INK }).as_deref(),
            Some(
                "<path d=\"m10 10h1m9-5h1\" fill=\"none\" stroke=\"#0010FF\" stroke-width=\"30\" \
                 stroke-linecap=\"round\"/>\n"
            )
        );
        let closed = vec![(2.0, 0.0), (3.0, 1.0), (4.0, -1.0), (2.0, 0.0)];
        let paths = vec![vec![(0.0, 0.0), (1.0, 1.0), (1.0, 0.0)], vec![], closed];
        assert_eq!(
            element(&Shape::Paths { paths, width: 1.0, colour: INK }).as_deref(),
            Some(
                "<path d=\"m0 0l10 10v-10m10 0l10 10 10-20z\" fill=\"none\" stroke=\"#0010FF\" \
                 stroke-width=\"10\"/>\n"
            )
        );
    }

    #[test]
    fn a_shape_of_its_own_is_none() {
        assert_eq!(element(&Shape::Disc { centre: (0.0, 0.0), radius: 1.0, fill: INK }), None);
    }
}
