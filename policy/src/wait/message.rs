//! Message texts: `Please try again in 9.816s.`
//!
//! Texts are written for people and are full of numbers that are no waits: limits, dates, names of
//! models, the minutes that a new permission takes. So a number counts only right after one of a
//! few phrases, and only with a unit.

use super::duration;
use super::{Place, Read, Waits};

/// What a wait follows. OpenAI, Groq and litellm say `try again in`, Azure `retry after`, Gemini
/// `retry in` and `reset after`. Lower case.
const PHRASES: [&str; 11] = [
    "try again in",
    "try again after",
    "retry in",
    "retry after",
    "reset in",
    "reset after",
    "resets in",
    "resets after",
    "available in",
    "available again in",
    "wait",
];

/// A phrase must begin within this many bytes of a text: a server that answers with megabytes is
/// not talking about waits.
const SEARCHED: usize = 64 * 1024;

/// The first wait of every text; of a text without any, the first number that is none.
pub(super) fn read(texts: &[&str], waits: &mut Waits) {
    for text in texts {
        let first = durations(text).find(|(_, read)| read.is_ok());
        if let Some((written, read)) = first.or_else(|| durations(text).next()) {
            waits.push(Place::Message, "message", written, read);
        }
    }
}

/// Every number that follows a phrase, as written, and the wait it stands for.
///
/// One pass over the text: no phrase begins inside of another one's number.
fn durations(text: &str) -> impl Iterator<Item = (&str, Read)> {
    let starts = 0..text.len().min(SEARCHED);
    starts.filter_map(|start| duration::in_prose(after_phrase(text, start)?))
}

/// What follows the phrase that begins at byte `start`, if one does.
fn after_phrase(text: &str, start: usize) -> Option<&str> {
    let (before, from) = text.as_bytes().split_at_checked(start)?;
    // Tells nearly all bytes apart, so that the search costs one look at each.
    if !matches!(from.first()?.to_ascii_lowercase(), b't' | b'r' | b'a' | b'w')
        || !ends_word(before)
    {
        return None;
    }
    PHRASES.iter().find_map(|phrase| {
        let is_here = from.get(..phrase.len())?.eq_ignore_ascii_case(phrase.as_bytes());
        is_here.then(|| text.get(start + phrase.len()..)?.strip_prefix(' ')).flatten()
    })
}

/// Whether a word can begin after `before`. In JSON inside of a text, line breaks are two
/// characters of which the second is a letter.
fn ends_word(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b'r' | b't'] | [] => true,
        [.., last] => !last.is_ascii_alphanumeric() && *last != b'_',
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::super::why;
    use super::*;
    use crate::time::Nanos;

    fn read_one(text: &str) -> Waits {
        let mut waits = Waits::default();
        read(&[text], &mut waits);
        waits
    }

    /// Texts of replies that were posted, and boundaries.
    #[test]
    fn waits_are_found_in_sentences() {
        for (text, written, nanos) in [
            ("Please try again in 174ms. Visit https://x", "174ms", 174_000_000),
            ("Requested 3082. Please try again in 9.816s. Visit", "9.816s", 9_816_000_000),
            ("Please try again in 9m38.016s. Need more?", "9m38.016s", 578_016_000_000),
            ("limit: 2\nPlease retry in 44.097740004s.", "44.097740004s", 44_097_740_004),
            ("Please retry in 900.2ms.", "900.2ms", 900_200_000),
            ("Please retry after 86400 seconds. Please go", "86400 seconds", 86_400_000_000_000),
            ("'Please retry after 3 seconds.'}}\nReceived", "3 seconds", 3_000_000_000),
            ("for selected model, Try again in 5 seconds. Passed", "5 seconds", 5_000_000_000),
            ("Your quota will reset after 5h59m59s.", "5h59m59s", 21_599_000_000_000),
            ("Rate limited. Please wait 1 minute.", "1 minute", 60_000_000_000),
            ("WAIT 1 MINUTE 30 SECONDS", "1 MINUTE 30 SECONDS", 90_000_000_000),
            ("The plan resets in 2 days", "2 days", 172_800_000_000_000),
            ("available again in 5 minutes", "5 minutes", 300_000_000_000),
            (r"limit: 2\nTry again in 12.5s", "12.5s", 12_500_000_000),
            ("reset after 0s. retry in 539.4ms", "539.4ms", 539_400_000),
            ("wait 5. Or rather wait 5 s", "5 s", 5_000_000_000),
            ("retry in 3s or retry in 9s", "3s", 3_000_000_000),
            ("再试。retry in 3s", "3s", 3_000_000_000),
        ] {
            let waits = read_one(text);
            assert_eq!(waits.ignored, [], "{text}");
            assert_eq!(waits.found.len(), 1, "{text}");
            assert_eq!(waits.found[0].value, written);
            assert_eq!(waits.found[0].hint.0, Nanos::new(nanos), "{text}");
            assert_eq!((waits.found[0].place, &*waits.found[0].name), (Place::Message, "message"));
        }
        let waits = read_one("retry in 99999999999999999999 hours");
        assert_eq!(waits.found[0].hint.0, Nanos::MAX);
    }

    #[test]
    fn other_numbers_are_no_waits() {
        for text in [
            "",
            "Please try again later.",
            "it can take up to 15 minutes for access to propagate",
            "in 20 days",
            "You will regain access in 20 days on 2026-12-01 at 00:00 UTC",
            "limited to 40 API calls / minute",
            "claude-3-5-sonnet-20241022 is not available in your region",
            "Rate limit of 5s per request; gpt-4o-2024-08-06",
            "Please wait before trying again.",
            "await 5 seconds",
            "presets in 5 seconds",
            "retry in -5 seconds",
            "retry in a few seconds",
            "retry-after 5 seconds",
            "retry  in 5 seconds",
            "wait for 5 seconds",
            "reduce your message size and try again. Limit 6000, Requested 6284 in 5s",
        ] {
            assert_eq!(read_one(text), Waits::default(), "{text}");
        }
    }

    #[test]
    fn a_text_without_a_wait_says_why_once() {
        for (text, written, why) in [
            ("Please retry after 86400. Or retry after 5.", "86400", why::NO_UNIT),
            ("Your quota will reset after 0s.", "0s", why::ZERO),
            ("available in 3 regions", "3", why::NO_UNIT),
            ("retry in 1e3 seconds", "1", why::NO_UNIT),
        ] {
            let waits = read_one(text);
            assert_eq!(waits.found, [], "{text}");
            assert_eq!(waits.ignored.len(), 1, "{text}");
            assert_eq!((&*waits.ignored[0].value, waits.ignored[0].why), (written, why));
        }
    }

    #[test]
    fn every_text_counts_and_the_innermost_comes_first() {
        let mut waits = Waits::default();
        read(&["retry in 5s", "nothing", "retry in 9s"], &mut waits);
        let found: alloc::vec::Vec<_> = waits.found.iter().map(|found| &*found.value).collect();
        assert_eq!(found, ["5s", "9s"]);
    }

    #[test]
    fn long_texts_are_searched_at_the_beginning_only() {
        let after = |bytes| format!("{} retry in 5s", "x".repeat(bytes));
        assert_eq!(read_one(&after(SEARCHED - 2)).found.len(), 1);
        assert_eq!(read_one(&after(SEARCHED - 1)).found.len(), 0);
        let cut_inside_a_character: String = "é".repeat(SEARCHED);
        assert_eq!(read_one(&cut_inside_a_character), Waits::default());
    }
}
