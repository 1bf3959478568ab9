//! What a reader of a chart relies on: every word can be read, the same policy looks the same,
//! and the picture has its words in the PNG too.

use ab_glyph::{Font, FontRef};
use retrial::measure::series::Bin;
use retrial::report::charts::{
    ArrivalsChart, ArrivalsPanel, Chart, Line, LinePoint, LinesChart, LinesPanel, Styles,
};

/// One `<text>` of an SVG and the box that it fills, in pixels.
#[derive(Debug)]
struct Word {
    content: String,
    size: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
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
fn read(svg: &str) -> (f64, f64, Vec<Word>) {
    let regular = include_bytes!("../src/report/charts/font/LiberationSans-Regular.ttf");
    let bold = include_bytes!("../src/report/charts/font/LiberationSans-Bold.ttf");
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
fn assert_readable(case: &str, svg: &str) {
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

fn names(count: usize, long: bool) -> Vec<String> {
    let wide = |index| format!("{index:02} {}", "Wide name that takes forty".repeat(2));
    let name = |index| match long {
        true => wide(index).chars().take(40).collect(),
        false => format!("policy-{index}"),
    };
    (0..count).map(name).collect()
}

fn bins(count: usize, attempts: impl Fn(usize) -> u64) -> Vec<Bin> {
    let bin = |index: usize| Bin {
        start_ms: index as f64 * 100.0,
        width_ms: 100.0,
        attempts: attempts(index),
        rejected: attempts(index) / 2,
        in_flight: 0.0,
        waiting: 0.0,
    };
    (0..count).map(bin).collect()
}

fn arrivals(policies: &[String], bins: impl Fn(usize) -> Vec<Bin>) -> ArrivalsChart {
    let panels = policies.iter().enumerate();
    let panels =
        panels.map(|(index, policy)| ArrivalsPanel { policy: policy.clone(), bins: bins(index) });
    ArrivalsChart {
        title: "Without jitter, clients that collide once keep colliding".into(),
        subtitle: "200 clients, seed 1, one replication".into(),
        panels: panels.collect(),
    }
}

/// A chart of `panels` metrics, the second logarithmic, with `mean(policy, point)` as values.
fn lines(
    policies: &[String],
    panels: usize,
    points: usize,
    mean: impl Fn(usize, usize) -> f64,
) -> LinesChart {
    let line = |(index, policy): (usize, &String)| Line {
        policy: policy.clone(),
        points: (0..points)
            .map(|point| {
                let mean = mean(index, point);
                let x = 10.0 * (point + 1) as f64;
                LinePoint { x, mean, low: mean * 0.9, high: mean * 1.1 }
            })
            .collect(),
    };
    let panel = |place| LinesPanel {
        y_title: "Attempts until all requests are done".into(),
        log_y: place == 1,
        lines: policies.iter().enumerate().map(line).collect(),
    };
    LinesChart {
        title: "Jitter halves the attempts".into(),
        subtitle: "20 replications, seed 1; bands are 95 % intervals".into(),
        x_title: "clients".into(),
        panels: (0..panels).map(panel).collect(),
    }
}

fn svg(chart: &impl Chart, policies: &[String]) -> String {
    chart.to_svg(&Styles::new(policies)).expect("the chart can be drawn")
}

fn rising(policy: usize, point: usize) -> f64 {
    (1 + policy) as f64 * (point as f64 + 1.0) * 37.0
}

#[test]
fn every_word_of_an_arrivals_chart_can_be_read() {
    for count in [0, 1, 2, 5, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            let cases: [(&str, Vec<ArrivalsPanel>); 6] = [
                ("no bins", arrivals(&policies, |_| Vec::new()).panels),
                ("one bin", arrivals(&policies, |_| bins(1, |_| 7)).panels),
                ("all zero", arrivals(&policies, |_| bins(50, |_| 0)).panels),
                (
                    "2,000 bins",
                    arrivals(&policies, |i| bins(2000, |b| (b * (i + 7) % 97) as u64)).panels,
                ),
                ("many", arrivals(&policies, |_| bins(9, |_| 123_456_789)).panels),
                (
                    "one far longer",
                    arrivals(&policies, |i| bins(if i == 1 { 2000 } else { 40 }, |_| 41)).panels,
                ),
            ];
            for (case, panels) in cases {
                let chart = ArrivalsChart { panels, ..arrivals(&[], |_| Vec::new()) };
                assert_readable(&format!("{count} {long} {case}"), &svg(&chart, &policies));
            }
        }
    }
}

#[test]
fn every_word_of_a_lines_chart_can_be_read() {
    for count in [0, 1, 2, 5, 6, 12] {
        for long in [false, true] {
            let policies = names(count, long);
            for panels in [0, 1, 2, 3] {
                for points in [0, 1, 2, 25, 60] {
                    let case = format!("{count} {long} {panels} {points}");
                    let draw = |mean: &dyn Fn(usize, usize) -> f64| {
                        svg(&lines(&policies, panels, points, mean), &policies)
                    };
                    assert_readable(&format!("{case} rising"), &draw(&rising));
                    assert_readable(&format!("{case} zero"), &draw(&|_, _| 0.0));
                    assert_readable(&format!("{case} equal"), &draw(&|_, _| 1234.5));
                    assert_readable(&format!("{case} large"), &draw(&|p, x| rising(p, x) * 1e7));
                    assert_readable(&format!("{case} small"), &draw(&|p, x| rising(p, x) * 1e-8));
                    assert_readable(&format!("{case} absent"), &draw(&|_, _| f64::NAN));
                    let gaps = |policy, point| match point % 3 {
                        1 => f64::NAN,
                        2 => f64::INFINITY,
                        _ => -rising(policy, point),
                    };
                    assert_readable(&format!("{case} gaps"), &draw(&gaps));
                }
            }
        }
    }
}

#[test]
fn long_titles_wrap_inside_the_frame() {
    let policies = names(2, false);
    let long = "Clients without jitter come back together, and so do those with a hint ".repeat(6);
    let mut chart = lines(&policies, 2, 5, rising);
    (chart.title, chart.subtitle, chart.x_title) = (long.clone(), long.clone(), long.clone());
    chart.panels[0].y_title = long.clone();
    assert_readable("lines", &svg(&chart, &policies));
    let mut chart = arrivals(&policies, |_| bins(9, |_| 5));
    (chart.title, chart.subtitle) = (long.clone(), "x".repeat(500));
    assert_readable("arrivals", &svg(&chart, &policies));
}

#[test]
fn names_are_whole_where_they_fit() {
    let policies = names(12, true);
    let short = names(5, false);
    let (_, _, words) = read(&svg(&lines(&short, 3, 5, rising), &short));
    assert!(words.iter().all(|word| !word.content.contains('…')));
    for svg in [
        svg(&lines(&policies, 2, 5, rising), &policies),
        svg(&lines(&policies[..5], 2, 5, rising), &policies),
        svg(&arrivals(&policies, |_| bins(9, |_| 5)), &policies),
    ] {
        let (_, _, words) = read(&svg);
        assert!(words.iter().any(|word| word.content == policies[4]));
        assert!(words.iter().all(|word| !word.content.contains('…')));
    }
}

#[test]
fn lines_are_labelled_at_their_ends_while_there_are_few() {
    let below = |count| {
        let policies = names(count, false);
        let (_, height, words) = read(&svg(&lines(&policies, 2, 5, rising), &policies));
        let named = words.iter().filter(|word| word.content.starts_with("policy-"));
        let named: Vec<_> = named.collect();
        (named.len(), named.iter().all(|word| word.top > height * 0.7))
    };
    assert_eq!(below(5), (10, false), "a label in each of two panels");
    assert_eq!(below(6), (6, true), "one legend");
}

#[test]
fn the_same_chart_is_the_same_svg() {
    let policies = names(5, false);
    let chart = || svg(&lines(&policies, 2, 25, rising), &policies);
    assert_eq!(chart(), chart());
    let chart =
        || svg(&arrivals(&policies, |i| bins(700, |b| (b * (i + 3) % 11) as u64)), &policies);
    assert_eq!(chart(), chart());
}

#[test]
fn names_are_escaped() {
    let policies = vec!["a<b & \"c\" 'd' \u{1}>".to_owned(), "two".to_owned()];
    for svg in [
        svg(&lines(&policies, 1, 3, rising), &policies),
        svg(&arrivals(&policies, |_| bins(3, |_| 5)), &policies),
    ] {
        let (_, _, words) = read(&svg);
        assert!(words.iter().any(|word| word.content == "a<b & \"c\" 'd'  >"), "{words:?}");
        assert!(!svg.contains("a<b") && !svg.contains("& ") && !svg.contains('\u{1}'));
        assert!(svg.contains("a&lt;b &amp; "));
    }
}

#[test]
fn those_who_cannot_see_the_picture_are_told_what_it_shows() {
    let policies = names(2, false);
    let chart = arrivals(&policies, |_| bins(12, |bin| if bin == 3 { 200 } else { 100 }));
    let svg = svg(&chart, &policies);
    assert!(svg.starts_with("<svg ") && svg.contains(" role=\"img\""));
    assert!(svg.contains("<title>Without jitter, clients"));
    let summary = "policy-0: up to 2,000/s · 1,300 attempts · 650 refused.";
    assert!(svg.contains(summary), "{svg}");
    let chart = lines(&policies, 1, 3, rising);
    let svg = self::svg(&chart, &policies);
    assert!(svg.contains("policy-1 from 74 at 10 to 222 at 30"), "{svg}");
}

#[test]
fn a_policy_has_one_look_in_all_charts() {
    let all = names(3, false);
    let only_last = &all[2..];
    let green = "#009E73";
    for svg in [
        svg(&lines(only_last, 1, 3, rising), &all),
        svg(&arrivals(only_last, |_| bins(3, |_| 5)), &all),
    ] {
        assert!(svg.contains(green), "the third colour");
        assert!(!svg.contains("#0072B2"), "the first colour");
    }
}

#[test]
fn a_chart_that_is_cut_says_so() {
    let policies = names(2, false);
    let length = |policy| if policy == 0 { 1000 } else { 50 };
    let svg = svg(&arrivals(&policies, |policy| bins(length(policy), |_| 10)), &policies);
    assert!(svg.contains("goes on to 100 s (25 % shown)"), "{svg}");
}

#[test]
fn the_png_is_twice_as_large_and_has_its_words() {
    let policies = names(5, false);
    let styles = Styles::new(&policies);
    let arrivals = arrivals(&policies, |i| bins(700, |b| (b * (i + 3) % 11) as u64));
    let lines = lines(&policies, 2, 25, rising);
    let charts: [&dyn Chart; 2] = [&arrivals, &lines];
    for chart in charts {
        let svg = chart.to_svg(&styles).expect("the chart can be drawn");
        let (width, height, words) = read(&svg);
        let png = chart.to_png(&styles).expect("the chart can be drawn");
        let decoder = png::Decoder::new(std::io::Cursor::new(png));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("a picture");
        assert_eq!((f64::from(info.width), f64::from(info.height)), (2.0 * width, 2.0 * height));
        assert_eq!(info.color_type, png::ColorType::Rgb);

        let dark_share = |left: f64, top: f64, right: f64, bottom: f64| {
            let rows = (2.0 * top) as usize..(2.0 * bottom) as usize;
            let dark = rows.clone().flat_map(|y| {
                let row = &pixels[y * info.width as usize * 3..];
                let row = &row[(2.0 * left) as usize * 3..(2.0 * right) as usize * 3];
                row.chunks_exact(3).map(|pixel| pixel.iter().all(|part| *part < 0x90))
            });
            let dark: Vec<_> = dark.collect();
            dark.iter().filter(|dark| **dark).count() as f64 / dark.len() as f64
        };
        for word in &words {
            let share = dark_share(word.left, word.top, word.right, word.bottom);
            assert!((0.05..0.5).contains(&share), "{word:?}: {share}");
        }
        assert_eq!(dark_share(0.0, 0.0, width, 10.0), 0.0, "a margin");
        assert_eq!(dark_share(0.0, height - 5.0, width, height), 0.0, "a margin");
    }
}
