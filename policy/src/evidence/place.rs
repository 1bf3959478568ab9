//! [`Place`]: where in a body something stands, such as `error.details[].reason`.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter};
use core::str::FromStr;

use serde_json::Value;

/// No list of codes is longer; whoever sends more is not listened to.
const MOST_ENTRIES: usize = 64;

/// A path of keys, of which `[]` means every entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(Box<[Step]>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Each,
}

/// Text that names no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoPlace;

impl FromStr for Place {
    type Err = NoPlace;

    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let key = part.trim_end_matches("[]");
            if key.is_empty() || key.contains(['[', ']']) {
                return Err(NoPlace);
            }
            steps.push(Step::Key(key.into()));
            steps.extend((0..(part.len() - key.len()) / 2).map(|_| Step::Each));
        }
        Ok(Place(steps.into()))
    }
}

impl Display for Place {
    /// As it is written.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if index == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Each => f.write_str("[]")?,
            }
        }
        Ok(())
    }
}

impl Place {
    /// The values at this place, in order; of each list, those in its first 64 entries.
    pub(crate) fn values<'v>(&self, root: &'v Value) -> Vec<&'v Value> {
        let mut found = Vec::new();
        collect(&self.0, root, &mut found);
        found
    }
}

fn collect<'v>(steps: &[Step], here: &'v Value, found: &mut Vec<&'v Value>) {
    match steps {
        [] => found.push(here),
        [Step::Key(key), rest @ ..] => {
            if let Some(value) = here.get(key) {
                collect(rest, value, found);
            }
        }
        [Step::Each, rest @ ..] => {
            let entries = here.as_array().into_iter().flatten();
            entries.take(MOST_ENTRIES).for_each(|entry| collect(rest, entry, found));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_names_every_entry_of_its_lists() {
        let root = serde_json::json!({"error": {"details": [{"v": [{"q": "a"}, {"q": "b"}]}, {"v": [{"q": "c"}]}]}});
        let place: Place = "error.details[].v[].q".parse().unwrap();
        assert_eq!(place.values(&root), ["a", "b", "c"]);
        let place: Place = "error.message".parse().unwrap();
        assert!(place.values(&root).is_empty());
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["", ".", "a..b", "[]", "a[0]", "a.[]", "a]b"] {
            assert_eq!(text.parse::<Place>(), Err(NoPlace), "{text}");
        }
    }
}
