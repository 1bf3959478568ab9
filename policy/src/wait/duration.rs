//! Durations: numbers with units, largest unit first, as programs write them (`2m59.56s`) and as
//! people do (`1 minute 30 seconds`).

use super::decimal::{self, Decimal};
use super::{Read, why};

pub(super) const MILLISECOND: u64 = 1_000_000;
pub(super) const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A way to write durations.
struct Form {
    /// The nanoseconds in a unit.
    unit: fn(&str) -> Option<u64>,
    /// What may stand between a number and its unit.
    gap: Option<char>,
    /// What may stand between two parts, besides nothing.
    separators: &'static [&'static str],
}

/// As Go's `Duration` prints. Protobuf's JSON form, such as `0.539477544s`, is a part of it.
const GO: Form = Form { unit: go_unit, gap: None, separators: &[] };

const PROSE: Form =
    Form { unit: prose_unit, gap: Some(' '), separators: &[", and ", " and ", ", ", " "] };

fn go_unit(name: &str) -> Option<u64> {
    Some(match name {
        "h" => HOUR,
        "m" => MINUTE,
        "s" => SECOND,
        "ms" => MILLISECOND,
        // Go prints the micro sign and reads the Greek letter as well.
        "µs" | "μs" | "us" => 1_000,
        "ns" => 1,
        _ => return None,
    })
}

fn prose_unit(name: &str) -> Option<u64> {
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "d" | "day" | "days" => DAY,
        "hr" | "hrs" | "hour" | "hours" => HOUR,
        "min" | "mins" | "minute" | "minutes" => MINUTE,
        "sec" | "secs" | "second" | "seconds" => SECOND,
        "msec" | "msecs" | "millisecond" | "milliseconds" => MILLISECOND,
        other => return go_unit(other),
    })
}

/// A number with its unit.
struct Part<'a> {
    nanos: u128,
    unit: u64,
    rest: &'a str,
}

impl Form {
    /// The nanoseconds of the duration that `text` begins with, and what follows it.
    ///
    /// Units must get smaller: no program prints others, and a number that follows a duration
    /// without belonging to it is not swallowed.
    fn prefix<'a>(&self, text: &'a str) -> Option<(u128, &'a str)> {
        let Part { mut nanos, mut unit, mut rest } = self.part(text)?;
        loop {
            let touches = rest.starts_with(|c: char| c.is_ascii_digit());
            let next = if touches {
                self.part(rest)
            } else {
                self.separators.iter().find_map(|text| self.part(rest.strip_prefix(text)?))
            };
            match next {
                Some(part) if part.unit < unit => {
                    nanos = nanos.saturating_add(part.nanos);
                    (unit, rest) = (part.unit, part.rest);
                }
                // `5s3x` is not five seconds and something else, it is not a duration.
                _ if touches => return None,
                _ => return Some((nanos, rest)),
            }
        }
    }

    fn part<'a>(&self, text: &'a str) -> Option<Part<'a>> {
        let (number, rest) = Decimal::prefix(text)?;
        let rest = self.gap.and_then(|gap| rest.strip_prefix(gap)).unwrap_or(rest);
        // All letters that follow, so that no unit is found at the beginning of another word.
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let unit = (self.unit)(name).filter(|_| !rest.starts_with('_'))?;
        Some(Part { nanos: number.times(unit), unit, rest })
    }
}

/// All of `text` as Go prints durations.
pub(super) fn go(text: &str) -> Read {
    let unsigned = text.strip_prefix('-');
    match GO.prefix(unsigned.unwrap_or(text)) {
        Some((_, "")) if unsigned.is_some() => Err(why::NEGATIVE),
        Some((nanos, "")) => decimal::above_zero(nanos),
        _ => Err(why::NO_DURATION),
    }
}

/// The duration that a sentence goes on with, as written, and what it says. `None` if the sentence
/// does not go on with a number.
pub(super) fn in_prose(text: &str) -> Option<(&str, Read)> {
    let (_, after_number) = Decimal::prefix(text)?;
    let written = |rest: &str| &text[..text.len() - rest.len()];
    Some(match PROSE.prefix(text) {
        Some((nanos, rest)) => (written(rest), decimal::above_zero(nanos)),
        None => (written(after_number), Err(why::NO_UNIT)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Nanos;

    /// The printed forms are those of replies from OpenAI, Groq and Google.
    #[test]
    fn go_durations_are_read_exactly() {
        for (text, nanos) in [
            ("6ms", 6_000_000),
            ("7.66s", 7_660_000_000),
            ("2m59.56s", 179_560_000_000),
            ("1m0.052s", 60_052_000_000),
            ("5h59m59.96s", 21_599_960_000_000),
            ("5h59m59.960323804s", 21_599_960_323_804),
            ("539.477544ms", 539_477_544),
            ("0.539477544s", 539_477_544),
            ("26s", 26_000_000_000),
            ("1h0m0s", 3_600_000_000_000),
            ("17µs", 17_000),
            ("17μs", 17_000),
            ("17us", 17_000),
            ("1ns", 1),
            ("0.1ns", 1),
            ("1.5h", 5_400_000_000_000),
        ] {
            assert_eq!(go(text), Ok(Nanos::new(nanos)), "{text}");
        }
        assert_eq!(go("9999999h"), Ok(Nanos::MAX));
        let fifty_digits = alloc::format!("{}s", "9".repeat(50));
        assert_eq!(go(&fifty_digits), Ok(Nanos::MAX));
    }

    #[test]
    fn what_go_does_not_print_is_no_duration() {
        for (text, why) in [
            ("0s", why::ZERO),
            ("0h0m0.000s", why::ZERO),
            ("-6ms", why::NEGATIVE),
            ("-1m30s", why::NEGATIVE),
            ("", why::NO_DURATION),
            ("s", why::NO_DURATION),
            ("5", why::NO_DURATION),
            ("1m5", why::NO_DURATION),
            ("+5s", why::NO_DURATION),
            ("5 s", why::NO_DURATION),
            ("5S", why::NO_DURATION),
            ("5s ", why::NO_DURATION),
            ("1m 5s", why::NO_DURATION),
            ("5s1m", why::NO_DURATION),
            ("5s5s", why::NO_DURATION),
            (".5s", why::NO_DURATION),
            ("5.s", why::NO_DURATION),
            ("1e3s", why::NO_DURATION),
            ("1d", why::NO_DURATION),
            ("5seconds", why::NO_DURATION),
            ("NaNs", why::NO_DURATION),
            ("--5s", why::NO_DURATION),
        ] {
            assert_eq!(go(text), Err(why), "{text}");
        }
    }

    #[test]
    fn prose_ends_where_the_duration_does() {
        for (text, written, millis) in [
            ("174ms", "174ms", 174),
            ("9.816s. Visit", "9.816s", 9_816),
            ("9m38.016s.", "9m38.016s", 578_016),
            ("3 seconds. Please", "3 seconds", 3_000),
            ("1 minute 30 seconds", "1 minute 30 seconds", 90_000),
            ("1 minute and 30 seconds", "1 minute and 30 seconds", 90_000),
            ("2 days, 3 hours, and 4 minutes!", "2 days, 3 hours, and 4 minutes", 183_840_000),
            ("1 hour", "1 hour", 3_600_000),
            ("5 S", "5 S", 5_000),
            ("1d2h", "1d2h", 93_600_000),
            ("5 seconds 10 requests", "5 seconds", 5_000),
            ("5 seconds, 1 minute at most", "5 seconds", 5_000),
            ("20 sec and 3 more", "20 sec", 20_000),
        ] {
            assert_eq!(in_prose(text), Some((written, Ok(Nanos::from_millis(millis)))), "{text}");
        }
    }

    #[test]
    fn prose_without_a_unit_is_no_duration() {
        for (text, written) in [
            ("86400", "86400"),
            ("5.", "5"),
            ("3 regions", "3"),
            ("5-10 seconds", "5"),
            ("1,000 seconds", "1"),
            ("1.2.3 seconds", "1.2"),
            ("5  seconds", "5"),
            ("5s3 buckets", "5"),
            ("5 secondary ones", "5"),
            ("5 s_max", "5"),
        ] {
            assert_eq!(in_prose(text), Some((written, Err(why::NO_UNIT))), "{text}");
        }
        for text in ["", "a few seconds", "-5 seconds", " 5 seconds", ".5s", "~5s"] {
            assert_eq!(in_prose(text), None, "{text}");
        }
        assert_eq!(in_prose("0s."), Some(("0s", Err(why::ZERO))));
    }
}
