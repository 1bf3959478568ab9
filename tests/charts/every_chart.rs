//! What holds for every kind of chart, shown by two of them.

use retrial::report::charts::{Chart, Styles};

use crate::arrivals::{arrivals, bins};
use crate::lines::{lines, rising};
use crate::policies::{names, svg};
use crate::words::{assert_readable, read};

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
    let svg = crate::policies::svg(&chart, &policies);
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
