//! Sentences that name policies and keys between backticks.

use maud::{Markup, html};

/// A sentence as HTML: what stands between backticks is code.
pub fn sentence(text: &str) -> Markup {
    html! {
        @for (index, part) in text.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (together(part)) }
        }
    }
}

/// A text whose numbers stay with what belongs to them at the end of a line.
fn together(text: &str) -> String {
    text.replace(" ± ", "\u{a0}±\u{a0}").replace(" %", "\u{a0}%")
}

/// A text in Markdown that comes to no effect as HTML.
pub fn without_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_code_and_nothing_becomes_a_tag() {
        let html = sentence("`<b>` makes 3 & `x`").into_string();
        assert_eq!(html, "<code>&lt;b&gt;</code> makes 3 &amp; <code>x</code>");
    }
}
