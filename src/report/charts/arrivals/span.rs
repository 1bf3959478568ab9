//! [`Span`]: how much of the time the shared x axis shows.

use super::super::number::rounded;
use super::super::ticks::{self, Tick};
use crate::measure::series::Bin;

/// A policy's stragglers do not get more of the axis once so much of it has arrived.
const ARRIVED: f64 = 0.95;
/// The shortest policy gets at least this share of the axis.
const SHORTEST: f64 = 0.2;
/// An axis is not cut to win less than this.
const WORTH: f64 = 1.25;
const MOST_TICKS: usize = 8;

/// The time from the start that the x axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The end of the axis.
    pub end_ms: f64,
}

/// A unit of time.
struct Unit {
    name: &'static str,
    ms: f64,
}

impl Span {
    /// The span for these policies.
    ///
    /// One policy may take twenty times as long as the others. The axis ends where all policies
    /// have made nearly all their attempts, or earlier if the shortest would become too small to
    /// read; a panel that goes on says so.
    pub fn of<'a>(policies: impl Iterator<Item = &'a [Bin]> + Clone) -> Span {
        let longest = |measure: fn(&[Bin]) -> Option<f64>| {
            policies.clone().filter_map(measure).fold(0.0, f64::max)
        };
        let last = longest(end);
        if last == 0.0 {
            let end_ms = longest(|bins| bins.last().map(|bin| bin.start_ms + bin.width_ms));
            return Span { end_ms: if end_ms > 0.0 { end_ms } else { 1000.0 } };
        }
        let shortest = policies.clone().filter_map(end).fold(f64::INFINITY, f64::min);
        let cut = longest(nearly_end).min(shortest / SHORTEST);
        Span { end_ms: if last > WORTH * cut { cut } else { last } }
    }

    /// Where a policy's attempts end and how many are shown, if not all are.
    pub fn cuts(&self, bins: &[Bin]) -> Option<String> {
        let end = end(bins).filter(|end| *end > self.end_ms)?;
        let unit = unit(end);
        let shown = bins.iter().filter(|bin| bin.start_ms < self.end_ms);
        let shown: u64 = shown.map(|bin| bin.attempts).sum();
        let all: u64 = bins.iter().map(|bin| bin.attempts).sum();
        // Rounded down: something is missing, so it is never all.
        let percent = (shown as f64 / all as f64 * 100.0).floor();
        Some(format!("goes on to {} {} ({percent} % shown)", rounded(end / unit.ms), unit.name))
    }

    /// The title of the axis.
    pub fn title(&self) -> String {
        format!("time since start ({})", unit(self.end_ms).name)
    }

    /// The ticks of the axis, in milliseconds, with labels in its unit.
    pub fn ticks(&self) -> Vec<Tick> {
        let unit = unit(self.end_ms);
        let ticks = ticks::linear(0.0, self.end_ms / unit.ms, MOST_TICKS);
        ticks.into_iter().map(|tick| Tick { value: tick.value * unit.ms, ..tick }).collect()
    }
}

fn unit(ms: f64) -> Unit {
    match ms {
        ms if ms < 1e3 => Unit { name: "ms", ms: 1.0 },
        ms if ms < 1200e3 => Unit { name: "s", ms: 1e3 },
        ms if ms < 12.0 * 3600e3 => Unit { name: "min", ms: 60e3 },
        _ => Unit { name: "h", ms: 3600e3 },
    }
}

/// Where the last bin with attempts ends.
fn end(bins: &[Bin]) -> Option<f64> {
    bins.iter().rfind(|bin| bin.attempts > 0).map(|bin| bin.start_ms + bin.width_ms)
}

/// Where nearly all attempts have arrived.
fn nearly_end(bins: &[Bin]) -> Option<f64> {
    let wanted = ARRIVED * bins.iter().map(|bin| bin.attempts).sum::<u64>() as f64;
    let mut arrived = 0;
    let bin = bins.iter().find(|bin| {
        arrived += bin.attempts;
        arrived as f64 >= wanted
    });
    bin.map(|bin| bin.start_ms + bin.width_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(attempts: &[u64]) -> Vec<Bin> {
        let bins = attempts.iter().enumerate().map(|(index, attempts)| Bin {
            start_ms: index as f64 * 1000.0,
            width_ms: 1000.0,
            attempts: *attempts,
            rejected: 0,
            in_flight: 0.0,
            waiting: 0.0,
        });
        bins.collect()
    }

    fn span(policies: &[Vec<Bin>]) -> Span {
        Span::of(policies.iter().map(Vec::as_slice))
    }

    #[test]
    fn policies_of_about_one_length_are_shown_in_full() {
        let span = span(&[bins(&[5; 10]), bins(&[5; 8])]);
        assert_eq!(span, Span { end_ms: 10_000.0 });
        assert_eq!(span.cuts(&bins(&[5; 10])), None);
    }

    #[test]
    fn stragglers_are_cut_and_said_so() {
        let mut slow = vec![100; 10];
        slow.extend([0; 89]);
        slow.push(1);
        let span = span(&[bins(&slow), bins(&[50; 6])]);
        assert_eq!(span, Span { end_ms: 10_000.0 });
        assert_eq!(span.cuts(&bins(&slow)).as_deref(), Some("goes on to 100 s (99 % shown)"));
    }

    #[test]
    fn the_shortest_policy_keeps_a_fifth() {
        assert_eq!(span(&[bins(&[5; 100]), bins(&[5; 2])]), Span { end_ms: 10_000.0 });
    }

    #[test]
    fn an_axis_needs_no_attempts() {
        assert_eq!(span(&[]), Span { end_ms: 1000.0 });
        assert_eq!(span(&[bins(&[0; 3])]), Span { end_ms: 3000.0 });
    }
}
