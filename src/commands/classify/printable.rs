//! Texts out of replies on their way to a terminal.

/// `text` with control characters spelt out: a server must not move anybody's cursor.
pub(super) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character.is_control() {
            true => shown.extend(character.escape_default()),
            false => shown.push(character),
        }
    }
    shown
}
