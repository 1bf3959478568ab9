//! When routes were disturbed: shaded, and told in words.

use super::axis::Plot;
use super::number::rounded;
use super::scale::Scale;
use super::scene::{Scene, Shape};
use super::style::Colour;
use super::time_axis;

/// The ground while something is disturbed.
pub const GROUND: Colour = Colour(0xE9, 0xE9, 0xE9);
/// So many are told with their times.
const TOLD: usize = 3;

/// From and to in milliseconds; `None` is to the end.
pub type Disturbance = (f64, Option<f64>);

/// When something was disturbed before `end_ms`, in words; `None` if nothing was.
pub fn words(disturbed: &[Disturbance], end_ms: f64) -> Option<String> {
    let unit = time_axis::unit(end_ms);
    let time = |ms: f64| rounded(ms / unit.ms);
    let seen: Vec<_> = disturbed.iter().filter(|(from, _)| *from < end_ms).collect();
    let spans = seen.iter().take(TOLD).map(|(from, until)| match until {
        Some(until) => format!("{}–{} {}", time(*from), time(*until), unit.name),
        None => format!("from {} {}", time(*from), unit.name),
    });
    let spans: Vec<_> = spans.collect();
    let more = match seen.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!spans.is_empty()).then(|| format!("disturbed {}{more}", spans.join(", ")))
}

/// Shades a plot where something was disturbed before `end_ms`.
pub fn shade(scene: &mut Scene, plot: &Plot, x: &Scale, disturbed: &[Disturbance], end_ms: f64) {
    for (from, until) in disturbed.iter().filter(|(from, _)| *from < end_ms) {
        let (left, right) = (x.place(*from), x.place(until.unwrap_or(end_ms)));
        // The shortest can still be seen.
        let (from, to) = ((left, plot.top), (right.max(left + 1.0), plot.bottom));
        scene.shapes.push(Shape::Rect { from, to, fill: GROUND });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disturbances_are_told_with_their_times() {
        let told = |disturbed: &[Disturbance]| words(disturbed, 60_000.0);
        assert_eq!(told(&[(20e3, Some(30e3))]).as_deref(), Some("disturbed 20–30 s"));
        let two = [(500.0, Some(1500.0)), (50e3, None)];
        assert_eq!(told(&two).as_deref(), Some("disturbed 0.5–1.5 s, from 50 s"));
        let five = [(1e3, None); 5];
        let text = "disturbed from 1 s, from 1 s, from 1 s and 2 more";
        assert_eq!(told(&five).as_deref(), Some(text));
        assert_eq!(told(&[(70e3, Some(80e3))]), None, "beyond what is shown");
    }
}
