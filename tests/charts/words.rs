//! The words of an SVG and the boxes that they fill.

use ab_glyph::{Font, FontRef};

/// One `<text>` of an SVG and the box that it fills, in pixels.
#[derive(Debug)]
pub struct Word {
    pub content: String,
    pub size: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Word {
    fn touches(&self, other: &Word) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).and_then(|value| value.parse().ok()).unwrap_or_else(|| {
        panic!("no number {name} in {tag}");
    })
}

fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&apos;", "'").replace("&amp;", "&")
}

/// Width and height of an SVG, and its words with a tenth of slack for other fonts.
pub fn read(svg: &str) -> (f64, f64, Vec<Word>) {
    let regular = include_bytes!("../../src/report/charts/font/LiberationSans-Regular.ttf");
    let bold = include_bytes!("../../src/report/charts/font/LiberationSans-Bold.ttf");
    let fonts = [regular.as_slice(), bold.as_slice()]
        .map(|file| FontRef::try_from_slice(file).expect("the font can be read"));
    let opening = svg.split_once('>').map_or("", |(tag, _)| tag);
    let (width, height) = (number(opening, "width"), number(opening, "height"));
    let view = attribute(opening, "viewBox").expect("a view box");
    let units: f64 = view.split(' ').nth(2).and_then(|width| width.parse().ok()).expect("a width");
    let scale = width / units;
    let words = svg.split("<text").skip(1).map(|text| {
        let (tag, rest) = text.split_once('>').expect("a whole tag");
        let content = unescape(rest.split_once("</text>").expect("an end").0.trim());
        let font = &fonts[usize::from(attribute(tag, "font-weight") == Some("bold"))];
        let size = number(tag, "font-size") * scale;
        let em = f64::from(font.units_per_em().expect("an em"));
        let advance = |char| f64::from(font.h_advance_unscaled(font.glyph_id(char)));
        let space = content.chars().map(advance).sum::<f64>() / em * size * 1.1;
        let x = number(tag, "x") * scale;
        let left = match attribute(tag, "text-anchor").expect("an anchor") {
            "start" => x,
            "middle" => x - space / 2.0,
            _ => x - space,
        };
        let shift = attribute(tag, "dy").and_then(|dy| dy.strip_suffix("em")).expect("ems");
        let baseline = number(tag, "y") * scale + shift.parse::<f64>().expect("a number") * size;
        Word {
            content,
            size,
            left,
            right: left + space,
            top: baseline - 0.74 * size,
            bottom: baseline + 0.22 * size,
        }
    });
    (width, height, words.collect())
}

/// All words are inside the frame, large enough, and apart from each other.
pub fn assert_readable(case: &str, svg: &str) {
    let (width, height, words) = read(svg);
    for (index, word) in words.iter().enumerate() {
        assert!(word.size >= 10.99, "{case}: small {word:?}");
        assert!(word.left >= 0.0 && word.right <= width + 1e-6, "{case}: outside {word:?}");
        assert!(word.top >= 0.0 && word.bottom <= height, "{case}: outside {word:?}");
        for other in &words[..index] {
            assert!(!word.touches(other), "{case}: {word:?} touches {other:?}");
        }
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{case}");
}
