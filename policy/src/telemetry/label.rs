//! [`Label`]: a short text without an allocation.

use core::fmt;

/// Bytes that are kept of a name. The longest code in the providers' tables has 40.
const LENGTH: usize = 47;

/// The beginning of a name: as much of it as fits into 47 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    length: u8,
    bytes: [u8; LENGTH],
}

impl Label {
    /// The beginning of `text`.
    pub fn new(text: &str) -> Self {
        let mut length = text.len().min(LENGTH);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        let mut bytes = [0; LENGTH];
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        Label { length: length as u8, bytes }
    }

    /// Whether this is the label of `text`.
    pub(super) fn is_of(&self, text: &str) -> bool {
        *self == Label::new(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        // It was cut between characters.
        core::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_cut_between_characters() {
        assert_eq!(Label::new("overloaded_error").as_str(), "overloaded_error");
        assert_eq!(Label::new("").as_str(), "");
        // 46 bytes, then a character of two that does not fit.
        let (fits, long) = ("a".repeat(46), "a".repeat(46) + "é");
        assert_eq!(Label::new(&long).as_str(), fits);
        assert!(Label::new(&long).is_of(&long));
    }
}
