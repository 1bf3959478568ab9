//! [`Span`]: how much of the time the shared x axis shows.

use super::number::rounded;
use super::ticks::Tick;
use super::time_axis;

/// A policy's stragglers do not get more of the axis once so much of it has arrived.
const ARRIVED: f64 = 0.95;
/// The shortest policy gets at least this share of the axis.
const SHORTEST: f64 = 0.2;
/// An axis is not cut to win less than this.
const WORTH: f64 = 1.25;
const MOST_TICKS: usize = 8;

/// So many attempts, or whatever a chart counts, until this time in milliseconds.
pub type Arrived = (f64, u64);

/// The time from the start that the x axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The end of the axis.
    pub end_ms: f64,
}

impl Span {
    /// The span for these policies.
    ///
    /// One policy may take twenty times as long as the others. The axis ends where all policies
    /// have made nearly all their attempts, or earlier if the shortest would become too small to
    /// read; a panel that goes on says so.
    pub fn of(policies: &[Vec<Arrived>]) -> Span {
        let longest = |measure: fn(&[Arrived]) -> Option<f64>| {
            policies.iter().filter_map(|arrived| measure(arrived)).fold(0.0, f64::max)
        };
        let last = longest(end);
        if last == 0.0 {
            let end_ms = longest(|arrived| arrived.last().map(|(until, _)| *until));
            return Span { end_ms: if end_ms > 0.0 { end_ms } else { 1000.0 } };
        }
        let ends = policies.iter().filter_map(|arrived| end(arrived));
        let shortest = ends.fold(f64::INFINITY, f64::min);
        let cut = longest(nearly_end).min(shortest / SHORTEST);
        Span { end_ms: if last > WORTH * cut { cut } else { last } }
    }

    /// Where a policy's attempts end and how many are shown, if not all are.
    pub fn cuts(&self, arrived: &[Arrived]) -> Option<String> {
        let end = end(arrived).filter(|end| *end > self.end_ms)?;
        let unit = time_axis::unit(end);
        let shown = arrived.iter().filter(|(until, _)| *until <= self.end_ms);
        let shown: u64 = shown.map(|(_, count)| count).sum();
        let all: u64 = arrived.iter().map(|(_, count)| count).sum();
        // Rounded down: something is missing, so it is never all.
        let percent = (shown as f64 / all as f64 * 100.0).floor();
        Some(format!("goes on to {} {} ({percent} % shown)", rounded(end / unit.ms), unit.name))
    }

    /// The title of the axis.
    pub fn title(&self) -> String {
        time_axis::title("time since start", self.end_ms)
    }

    /// The ticks of the axis, in milliseconds, with labels in its unit.
    pub fn ticks(&self) -> Vec<Tick> {
        time_axis::ticks(self.end_ms, MOST_TICKS)
    }
}

/// Where the last ones have arrived.
fn end(arrived: &[Arrived]) -> Option<f64> {
    arrived.iter().rfind(|(_, count)| *count > 0).map(|(until, _)| *until)
}

/// Where nearly all have arrived.
fn nearly_end(arrived: &[Arrived]) -> Option<f64> {
    let wanted = ARRIVED * arrived.iter().map(|(_, count)| count).sum::<u64>() as f64;
    let mut sum = 0;
    let reached = arrived.iter().find(|(_, count)| {
        sum += count;
        sum as f64 >= wanted
    });
    reached.map(|(until, _)| *until)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many attempts in each second.
    fn bins(attempts: &[u64]) -> Vec<Arrived> {
        attempts.iter().zip(1..).map(|(count, second)| (f64::from(second) * 1e3, *count)).collect()
    }

    #[test]
    fn policies_of_about_one_length_are_shown_in_full() {
        let span = Span::of(&[bins(&[5; 10]), bins(&[5; 8])]);
        assert_eq!(span, Span { end_ms: 10_000.0 });
        assert_eq!(span.cuts(&bins(&[5; 10])), None);
    }

    #[test]
    fn stragglers_are_cut_and_said_so() {
        let mut slow = vec![100; 10];
        slow.extend([0; 89]);
        slow.push(1);
        let span = Span::of(&[bins(&slow), bins(&[50; 6])]);
        assert_eq!(span, Span { end_ms: 10_000.0 });
        assert_eq!(span.cuts(&bins(&slow)).as_deref(), Some("goes on to 100 s (99 % shown)"));
    }

    #[test]
    fn the_shortest_policy_keeps_a_fifth() {
        assert_eq!(Span::of(&[bins(&[5; 100]), bins(&[5; 2])]), Span { end_ms: 10_000.0 });
    }

    #[test]
    fn an_axis_needs_no_attempts() {
        assert_eq!(Span::of(&[]), Span { end_ms: 1000.0 });
        assert_eq!(Span::of(&[bins(&[0; 3])]), Span { end_ms: 3000.0 });
    }
}
