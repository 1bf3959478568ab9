//! [`UnknownCodes`]: a count of the codes that no table knows.
//!
//! Providers add and rename codes without notice; a growing count says that a table is due for a
//! review.

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::replies::Reading;

/// A server that invents codes must not fill the memory.
const MOST: usize = 256;

/// How often each unknown code came.
#[derive(Clone, Debug, Default)]
pub struct UnknownCodes {
    counts: BTreeMap<(String, String), u64>,
    others: u64,
}

impl UnknownCodes {
    /// Counts the code that no table knows in a `reading` for `provider`, if there is one.
    pub fn note(&mut self, provider: &str, reading: &Reading) {
        let Some(code) = &reading.unknown_code else { return };
        let key = (String::from(provider), code.clone());
        if let Some(count) = self.counts.get_mut(&key) {
            *count += 1;
        } else if self.counts.len() < MOST {
            self.counts.insert(key, 1);
        } else {
            self.others += 1;
        }
    }

    /// Provider, code and how often it came, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, u64)> {
        self.counts.iter().map(|((provider, code), count)| (&**provider, &**code, *count))
    }

    /// How many came after 256 different ones were known.
    pub fn others(&self) -> u64 {
        self.others
    }
}
