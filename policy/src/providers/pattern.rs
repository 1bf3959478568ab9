//! [`Pattern`]: a code, or the beginning, the end or the middle of one.

use alloc::string::String;

/// A name with a `*` for anything at either end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    pub(super) name: String,
    pub(super) open_start: bool,
    pub(super) open_end: bool,
}

impl Pattern {
    /// Reads `name`, `name*`, `*name` or `*name*`; `None` if there is no name in it, or a `*`
    /// inside.
    pub(super) fn parse(text: &str) -> Option<Pattern> {
        let (open_start, rest) = text.strip_prefix('*').map_or((false, text), |rest| (true, rest));
        let (open_end, name) = rest.strip_suffix('*').map_or((false, rest), |name| (true, name));
        let is_name = !name.is_empty() && !name.contains('*');
        is_name.then(|| Pattern { name: name.into(), open_start, open_end })
    }

    /// The one name that it matches, if it is closed at both ends.
    pub(super) fn exact(&self) -> Option<&str> {
        (!self.open_start && !self.open_end).then_some(&self.name)
    }

    /// Whether the table writes it like this.
    pub(super) fn is_spelled(&self, text: &str) -> bool {
        Pattern::parse(text).as_ref() == Some(self)
    }

    /// Whether it matches nothing but a number.
    pub(super) fn is_number(&self) -> bool {
        self.exact().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    }

    pub(super) fn matches(&self, code: &str) -> bool {
        match (self.open_start, self.open_end) {
            (false, false) => code == self.name,
            (false, true) => code.starts_with(&self.name),
            (true, false) => code.ends_with(&self.name),
            (true, true) => code.contains(&self.name),
        }
    }

    /// Whether everything that `other` matches is matched by this one too.
    pub(super) fn covers(&self, other: &Pattern) -> bool {
        match (self.open_start, self.open_end) {
            (true, true) => other.name.contains(&self.name),
            (true, false) => !other.open_end && other.name.ends_with(&self.name),
            (false, true) => !other.open_start && other.name.starts_with(&self.name),
            (false, false) => self == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_and_cover_what_they_say() {
        let pattern = |text| Pattern::parse(text).unwrap();
        assert!(pattern("*PerDay*").matches("GenerateRequestsPerDayPerProject"));
        assert!(pattern("block:*").matches("block:SAFETY"));
        assert!(!pattern("safety").matches("SAFETY"));
        assert!(pattern("*Day*").covers(&pattern("*PerDay*")));
        assert!(pattern("*Day*").covers(&pattern("PerDay")));
        assert!(pattern("Per*").covers(&pattern("PerDay")));
        assert!(!pattern("Per*").covers(&pattern("*PerDay")));
        assert!(!pattern("PerDay").covers(&pattern("*PerDay")));
        assert_eq!(Pattern::parse("*"), None);
        assert_eq!(Pattern::parse("a*b"), None);
    }
}
