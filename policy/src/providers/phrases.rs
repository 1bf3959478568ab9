//! Which phrases of all tables occur in a text, found in one pass over it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use aho_corasick::{AhoCorasick, BuildError};

/// A phrase by its number.
pub(super) type PhraseId = usize;

/// All phrases of a library.
#[derive(Clone, Debug)]
pub(super) struct Phrases {
    automaton: AhoCorasick,
    phrases: Vec<String>,
}

/// The phrases that occur in a text.
#[derive(Clone, Debug)]
pub(super) struct Occurring(Vec<bool>);

impl Occurring {
    pub(super) fn has(&self, phrase: PhraseId) -> bool {
        self.0.get(phrase).is_some_and(|occurs| *occurs)
    }
}

/// In lower case, with plain quotes: how phrases and texts are compared.
pub(super) fn normal(text: &str) -> String {
    plain_quotes(text).to_ascii_lowercase()
}

fn plain_quotes(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c| match c {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        // No-break spaces.
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    };
    Cow::Owned(text.chars().map(plain).collect())
}

impl Phrases {
    /// # Errors
    ///
    /// There are too many for the automaton: more than two billion.
    pub(super) fn new(phrases: Vec<String>) -> Result<Self, BuildError> {
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(&phrases)?;
        Ok(Phrases { automaton, phrases })
    }

    /// The phrases that occur in any of `texts`, between the edges of words.
    pub(super) fn occurring(&self, texts: &[&str]) -> Occurring {
        let mut found = Vec::from_iter(self.phrases.iter().map(|_| false));
        for text in texts {
            let text = plain_quotes(text);
            for hit in self.automaton.find_overlapping_iter(text.as_ref()) {
                if is_whole(text.as_bytes(), hit.start(), hit.end())
                    && let Some(slot) = found.get_mut(hit.pattern().as_usize())
                {
                    *slot = true;
                }
            }
        }
        Occurring(found)
    }
}

/// Whether `phrase` occurs in `text`, between the edges of words; both as [`normal`] makes them.
pub(super) fn occurs(phrase: &str, text: &str) -> bool {
    let mut starts = text.match_indices(phrase).map(|(start, _)| start);
    starts.any(|start| is_whole(text.as_bytes(), start, start + phrase.len()))
}

/// Whether `text[start..end]` neither begins nor ends inside a word or a number.
fn is_whole(text: &[u8], start: usize, end: usize) -> bool {
    let is_word = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let cuts = |before: Option<usize>, after: usize| {
        before.is_some_and(|before| is_word(before) && is_word(after))
    };
    let cuts_start = cuts(start.checked_sub(1), start);
    let cuts_end = cuts(end.checked_sub(1), end);
    // `limit: 0` is not in `limit: 0.5`.
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let cuts_number =
        end > 0 && is_digit(end - 1) && text.get(end) == Some(&b'.') && is_digit(end + 1);
    !cuts_start && !cuts_end && !cuts_number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_between_the_edges_of_words() {
        let phrases = ["limit: 0", "isn't", "rate limit", "limit"];
        let phrases = Phrases::new(phrases.map(normal).into()).unwrap();
        let found = |text: &str| {
            let occurring = phrases.occurring(&[text]);
            (0..4).filter(|id| occurring.has(*id)).collect::<Vec<_>>()
        };
        assert_eq!(found("LIMIT: 0, model: x"), [0, 3]);
        assert_eq!(found("limit: 05"), [3]);
        assert_eq!(found("limit: 0.5"), [3]);
        assert_eq!(found("it isn\u{2019}t"), [1]);
        assert_eq!(found("Rate limit reached"), [2, 3]);
        assert_eq!(found("crate limits"), [0_usize; 0]);
    }
}
