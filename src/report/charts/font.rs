//! The font that ships with the program: it measures texts for both writers and gives the PNG its
//! letters, so that no font needs to be installed.
//!
//! Liberation Sans has the widths of Arial and Helvetica, which are what an SVG is shown with in
//! most places. Layouts leave [`SLACK`] for others.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale};

/// The family that an SVG names.
pub const FAMILY: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/// How much wider than measured a text may turn out with another font.
pub const SLACK: f64 = 1.1;

static REGULAR: LazyLock<FontRef<'static>> =
    LazyLock::new(|| read(include_bytes!("font/LiberationSans-Regular.ttf")));
static BOLD: LazyLock<FontRef<'static>> =
    LazyLock::new(|| read(include_bytes!("font/LiberationSans-Bold.ttf")));

fn read(file: &'static [u8]) -> FontRef<'static> {
    // The file is part of the program, and every test that draws reads it.
    FontRef::try_from_slice(file).expect("the font that ships with the program can be read")
}

/// A glyph of a text and where it stands.
pub struct Placed {
    /// The glyph.
    pub glyph: GlyphId,
    /// Distance from the beginning of the text.
    pub x: f64,
}

/// The font file in use.
pub fn face(bold: bool) -> &'static FontRef<'static> {
    if bold { &BOLD } else { &REGULAR }
}

/// The scale at which an em is `size` pixels.
pub fn scale(bold: bool, size: f64) -> PxScale {
    let face = face(bold);
    PxScale::from(size as f32 * face.height_unscaled() / units_per_em(face))
}

fn units_per_em(face: &FontRef<'static>) -> f32 {
    // Liberation's own value; a font always states it.
    face.units_per_em().unwrap_or(2048.0)
}

/// The glyphs of a text, and its width.
pub fn set(text: &str, size: f64, bold: bool) -> (Vec<Placed>, f64) {
    let face = face(bold);
    let unit = size / f64::from(units_per_em(face));
    let mut placed = Vec::new();
    let mut x = 0.0;
    for char in text.chars() {
        let glyph = face.glyph_id(char);
        if let Some(Placed { glyph: before, .. }) = placed.last() {
            x += f64::from(face.kern_unscaled(*before, glyph)) * unit;
        }
        placed.push(Placed { glyph, x });
        // Who shows the SVG takes a missing letter from another font, as wide as an em maybe.
        let missing = glyph == GlyphId(0);
        x += if missing { size } else { f64::from(face.h_advance_unscaled(glyph)) * unit };
    }
    (placed, x)
}

/// The space to keep for a text: its width and some slack.
pub fn space(text: &str, size: f64, bold: bool) -> f64 {
    set(text, size, bold).1 * SLACK
}

/// The text, cut with an ellipsis if it needs more than `room`.
pub fn fit(text: &str, size: f64, bold: bool, room: f64) -> String {
    let text = clean(text);
    // The room is often made for just this text, by a sum in another order: allow for rounding.
    if space(&text, size, bold) <= room + 1e-6 {
        return text;
    }
    let chars: Vec<_> = text.chars().collect();
    let cut = |kept: usize| {
        let kept: String = chars[..kept].iter().collect();
        format!("{}…", kept.trim_end())
    };
    let kept = (0..chars.len()).rev().find(|kept| space(&cut(*kept), size, bold) <= room);
    cut(kept.unwrap_or(0))
}

/// The text in lines that need `room` at most, `most` of them at most.
pub fn wrap(text: &str, size: f64, bold: bool, room: f64, most: usize) -> Vec<String> {
    let text = clean(text);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match (longer, lines.last_mut()) {
            (Some(longer), Some(last)) if space(&longer, size, bold) <= room => *last = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > most {
        let rest = lines.split_off(most.saturating_sub(1)).join(" ");
        lines.push(rest);
    }
    lines.iter().map(|line| fit(line, size, bold, room)).collect()
}

/// The text without characters that XML forbids or that would break the line.
pub fn clean(text: &str) -> String {
    let forbidden = |char: char| char.is_control() || matches!(char, '\u{FFFE}' | '\u{FFFF}');
    text.chars().map(|char| if forbidden(char) { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_a_short_one_is_not() {
        assert_eq!(fit("full-jitter", 12.0, false, 100.0), "full-jitter");
        let cut = fit("a name that is much too long for its place", 12.0, false, 100.0);
        assert!(cut.ends_with('…') && space(&cut, 12.0, false) <= 100.0, "{cut}");
        assert_eq!(fit("a\nb", 12.0, false, 100.0), "a b");
    }

    #[test]
    fn a_title_wraps_between_words_and_keeps_them_all_if_it_can() {
        let lines = wrap("one two three four five six", 12.0, true, 80.0, 9);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), "one two three four five six");
        let lines = wrap("one two three four five six", 12.0, true, 60.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'));
    }

    #[test]
    fn an_em_is_as_many_pixels_as_the_size_says() {
        // Arial's zero is 1139 of 2048 units wide.
        assert!((set("0", 2048.0, false).1 - 1139.0).abs() < 1e-6);
    }
}
