//! At which time scale do attempts cluster?

use super::Shown;
use crate::report::charts::{
    Line, LinePoint, LinesChart, LinesPanel, Quantity, Reference, Spacing,
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
    let worst = |line: &Line| {
        let points = line.points.iter().copied();
        points.max_by(|a, b| a.mean.total_cmp(&b.mean))
    };
    let mut worsts: Vec<_> =
        lines.iter().filter_map(|line| Some((&line.policy, worst(line)?))).collect();
    let told = worsts.iter().map(|(policy, worst)| {
        let (index, width) = (figures::plain(worst.mean), figures::milliseconds(worst.x));
        format!(" {policy}: {index} at most, in windows of {width}.")
    });
    let summary = format!(
        "Index of dispersion of arrivals by width of the window; 1 is as spread as chance.{}",
        told.collect::<String>()
    );
    worsts.sort_by(|(_, one), (_, other)| other.mean.total_cmp(&one.mean));
    let (policy, worst) = worsts.first()?;
    let width = figures::milliseconds(worst.x);
    let mut title = format!(
        "In windows of {width}, attempts under {policy} vary {}× as much as by chance",
        figures::plain(worst.mean)
    );
    if let Some((calm, least)) = worsts.get(1..).and_then(|others| others.last()) {
        title += &format!(", under {calm} {}× at most", figures::plain(least.mean));
    }
    Some((title, summary))
}
