//! How policies look: colour, marker and dash, the same in every chart.
//!
//! Colours are those of Okabe and Ito that stand out from white by 3:1 or more. Colour-blind
//! readers and greyscale prints can't tell all of them apart, so every policy has its own marker
//! too, and from the sixth on, where colours repeat, its own dash.

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Colour(pub u8, pub u8, pub u8);

/// The ground.
pub const WHITE: Colour = Colour(255, 255, 255);
/// Text that matters.
pub const INK: Colour = Colour(0x22, 0x22, 0x22);
/// Text of axes and notes: 6:1 on white.
pub const MUTED: Colour = Colour(0x5C, 0x5C, 0x5C);
/// Grid lines.
pub const GRID: Colour = Colour(0xE6, 0xE6, 0xE6);
/// Axis lines.
pub const AXIS: Colour = Colour(0x99, 0x99, 0x99);

const COLOURS: [Colour; 5] = [
    Colour(0x00, 0x72, 0xB2),
    Colour(0xD5, 0x5E, 0x00),
    Colour(0x00, 0x9E, 0x73),
    Colour(0xCC, 0x79, 0xA7),
    Colour(0x00, 0x00, 0x00),
];

const FORMS: [Form; 5] = [Form::Circle, Form::Square, Form::Triangle, Form::Diamond, Form::Wedge];

/// The outline of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    Wedge,
}

/// How one policy looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// The colour of line, filling and marker.
    pub colour: Colour,
    /// The outline of the marker.
    pub form: Form,
    /// Whether the marker is hollow.
    pub hollow: bool,
    /// Drawn and left out in turn along the line; empty for a solid line.
    pub dash: &'static [f64],
}

/// The looks of all policies, by their place in one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Styles {
    policies: Vec<String>,
}

impl Colour {
    /// The colour mixed with white: `share` of 1 leaves it, 0 is white.
    pub fn tint(self, share: f64) -> Colour {
        let mix = |part: u8| (255.0 - (255.0 - f64::from(part)) * share).round() as u8;
        Colour(mix(self.0), mix(self.1), mix(self.2))
    }
}

impl Styles {
    /// The looks of `policies`. All charts of a report must be given the same list.
    pub fn new(policies: &[String]) -> Self {
        Styles { policies: policies.to_vec() }
    }

    /// How `policy` looks. One that isn't in the list looks like the one after the last.
    pub fn of(&self, policy: &str) -> Style {
        let place = self.policies.iter().position(|listed| listed == policy);
        Style::nth(place.unwrap_or(self.policies.len()))
    }
}

impl Style {
    /// The look of the policy at `index`. The first 25 differ.
    fn nth(index: usize) -> Style {
        let round = index / COLOURS.len();
        Style {
            colour: COLOURS[index % COLOURS.len()],
            // A colour that comes again gets another outline.
            form: FORMS[(index + round) % FORMS.len()],
            hollow: round % 2 == 1,
            dash: match round % 3 {
                0 => &[],
                1 => &[6.0, 3.0],
                _ => &[2.0, 2.5],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_looks_the_same_wherever_it_is_drawn() {
        let names: Vec<_> = ["none", "full", "budget"].map(String::from).into();
        let styles = Styles::new(&names);
        assert_eq!(styles.of("full"), Style::nth(1));
        assert_eq!(styles.of("of another list"), Style::nth(3));
    }

    #[test]
    fn twenty_five_policies_look_different_even_without_colour_within_five() {
        let styles: Vec<_> = (0..25).map(Style::nth).collect();
        for (index, style) in styles.iter().enumerate() {
            assert!(!styles[..index].contains(style), "{index}");
        }
        for five in styles.chunks(5) {
            for (index, style) in five.iter().enumerate() {
                assert!(five[..index].iter().all(|other| other.form != style.form));
            }
        }
    }
}
