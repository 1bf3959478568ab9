//! Sentences that name policies and keys between backticks.

use maud::{Markup, html};

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words.
    Words(&'a str),
    /// What stood between backticks.
    Code(&'a str),
}

/// The parts of a sentence, none of them empty. A name in `names` may hold backticks itself; a
/// backtick that nothing closes is a word.
pub fn pieces<'a>(text: &'a str, names: &[String]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let (mut words, mut at) = (0, 0);
    while let Some(found) = text[at..].find('`') {
        let open = at + found;
        let rest = &text[open + 1..];
        let is_here =
            |name: &&String| rest.strip_prefix(&name[..]).is_some_and(|r| r.starts_with('`'));
        let longest = names.iter().filter(is_here).map(String::len).max();
        let Some(length) = longest.or_else(|| rest.find('`')) else { break };
        if open > words {
            pieces.push(Piece::Words(&text[words..open]));
        }
        if length > 0 {
            pieces.push(Piece::Code(&rest[..length]));
        }
        at = open + length + 2;
        words = at;
    }
    if words < text.len() {
        pieces.push(Piece::Words(&text[words..]));
    }
    pieces
}

/// A sentence as HTML: what stands between backticks is code.
pub fn sentence(text: &str, names: &[String]) -> Markup {
    html! {
        @for piece in pieces(text, names) {
            @match piece {
                Piece::Words(words) => (together(words)),
                Piece::Code(code) => code { (code) },
            }
        }
    }
}

/// A text whose numbers stay with what belongs to them at the end of a line.
fn together(text: &str) -> String {
    text.replace(" ± ", "\u{a0}±\u{a0}").replace(" %", "\u{a0}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_code_and_nothing_becomes_a_tag() {
        let html = sentence("`<b>` makes 3 & `x`", &[]).into_string();
        assert_eq!(html, "<code>&lt;b&gt;</code> makes 3 &amp; <code>x</code>");
    }

    #[test]
    fn names_with_backticks_are_kept_whole() {
        let names = ["a` b `c", "a", ""].map(String::from);
        assert_eq!(
            pieces("`a` b `c` and `a` and `d", &names),
            [
                Piece::Code("a` b `c"),
                Piece::Words(" and "),
                Piece::Code("a"),
                Piece::Words(" and `d")
            ]
        );
    }
}
