//! Several answers side by side: OpenAI's choices, Gemini's candidates.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

/// OpenAI gives 128 choices at most, the others fewer. With more, a stream is never complete: the
/// memory for them is bounded.
const MOST: usize = 128;

/// Which choices were seen, and why each that ended did.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// By index; `None` while one goes on.
    seen: BTreeMap<u64, Option<String>>,
    /// There were more than can be followed.
    too_many: bool,
}

impl Choices {
    /// Takes what an event says of a choice. True if it stopped now, or for another reason than it
    /// had said: some gateways repeat the reason in a last event.
    pub(super) fn saw(&mut self, index: u64, reason: Option<&str>) -> bool {
        if self.seen.len() == MOST && !self.seen.contains_key(&index) {
            self.too_many = true;
            return false;
        }
        let known = self.seen.entry(index).or_default();
        let is_new = reason.is_some() && known.as_deref() != reason;
        if is_new {
            *known = reason.map(str::to_string);
        }
        is_new
    }

    /// Whether there was one and none goes on.
    pub(super) fn all_stopped(&self) -> bool {
        !self.too_many && !self.seen.is_empty() && self.seen.values().all(Option::is_some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_that_began_must_stop() {
        let mut choices = Choices::default();
        assert!(!choices.all_stopped(), "no choice is no answer");
        assert!(!choices.saw(0, None));
        assert!(choices.saw(1, Some("stop")));
        assert!(!choices.all_stopped());
        assert!(choices.saw(0, Some("length")));
        assert!(choices.all_stopped());
        assert!(!choices.saw(0, Some("length")), "said before");
        assert!(choices.saw(0, Some("content_filter")));
    }

    #[test]
    fn more_choices_than_any_provider_gives_are_not_vouched_for() {
        let mut choices = Choices::default();
        for index in 0..=MOST as u64 {
            choices.saw(index, Some("stop"));
        }
        assert!(!choices.all_stopped());
    }
}
