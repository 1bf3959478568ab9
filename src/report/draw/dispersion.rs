//! At which time scale do attempts cluster?

use super::Shown;
use crate::report::charts::{
    Line, LinePoint, LinesChart, LinesPanel, Quantity, Reference, Spacing, time_axis,
};
use crate::report::figures;

/// The index of dispersion against the width of the window, a line a policy.
pub fn chart(shown: &Shown<'_>) -> Option<LinesChart> {
    let line = |policy: &str, points: Vec<LinePoint>| Line {
        policy: policy.to_string(),
        points,
        stepped: false,
    };
    let lines = shown.close_ups().map(|(policy, _, close_up)| {
        let points = close_up.dispersion.iter();
        line(policy, points.map(|at| LinePoint::exact(at.window_ms, at.index)).collect())
    });
    let lines: Vec<Line> = lines.filter(|line| !line.points.is_empty()).collect();
    let (title, summary) = findings(&lines)?;
    let y = Quantity::new("index of dispersion (variance ÷ mean)", Spacing::Logarithmic);
    let mut panel = LinesPanel::new(y, lines);
    panel.across.push(Reference { at: 1.0, label: "as spread as chance (Poisson)".to_string() });
    Some(LinesChart {
        title,
        subtitle: shown.subtitle(),
        summary: Some(summary),
        x: Quantity::new("width of the window", Spacing::Logarithmic).of_times(),
        panels: vec![panel],
    })
}

/// Who is how far from chance at most, and where, in a title and in full.
fn findings(lines: &[Line]) -> Option<(String, String)> {
    lines.first()?;
    let worst = |line: &Line| {
        let points = line.points.iter().copied();
        points.max_by(|a, b| a.mean.total_cmp(&b.mean))
    };
    let worsts: Vec<_> =
        lines.iter().filter_map(|line| Some((&line.policy, worst(line)?))).collect();
    let told = worsts.iter().map(|(policy, worst)| {
        let (index, width) = (figures::plain(worst.mean), time_axis::label(worst.x));
        format!(" {policy}: {index} at most, in windows of {width}.")
    });
    let summary = format!(
        "Index of dispersion of arrivals by width of the window; 1 is as spread as chance.{}",
        told.collect::<String>()
    );
    Some((title(lines, &worsts), summary))
}

/// At which width policies differ most, and how much; how far the only one is from chance.
fn title(lines: &[Line], worsts: &[(&String, LinePoint)]) -> String {
    let (plain, span) = (figures::plain, time_axis::label);
    let at = |line: &Line, width: f64| {
        let point = line.points.iter().find(|point| point.x == width);
        point.map(|point| (point.mean, line.policy.clone()))
    };
    let widths = lines.first().into_iter().flat_map(|line| &line.points).map(|point| point.x);
    let contrasts = widths.filter_map(|width| {
        let all: Option<Vec<_>> = lines.iter().map(|line| at(line, width)).collect();
        let mut all = all?;
        all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let (least, most) = (all.first()?.clone(), all.last()?.clone());
        (least.0 > 0.0).then_some((most.0 / least.0, width, least, most))
    });
    let contrast = contrasts.max_by(|a, b| a.0.total_cmp(&b.0));
    match (contrast, worsts) {
        (Some((ratio, width, (least, calm), (most, herd))), _) if ratio >= NOTABLE => format!(
            "In windows of {}, attempts vary {}× as much as by chance under {herd}, {}× under {calm}",
            span(width),
            plain(most),
            plain(least),
        ),
        (_, [(policy, worst), others @ ..]) => format!(
            "{} vary up to {}× as much as by chance, in windows of {}",
            if others.is_empty() {
                format!("Attempts under {policy}")
            } else {
                "All policies are about alike: attempts".to_string()
            },
            plain(worst.mean),
            span(worst.x),
        ),
        (_, []) => "At which time scale attempts cluster".to_string(),
    }
}

/// Figures that differ by less make no headline.
const NOTABLE: f64 = 1.3;
