//! Texts of users in Markdown: they come out as they were written and to no effect.

use super::inline::{Piece, pieces};

/// Characters that Markdown may take for markup; a backslash before one makes it plain. Code spans and
/// cells of tables know no backslash, so that backticks and bars are written as entities.
const MARKS: [char; 8] = ['\\', '*', '_', '[', ']', '#', '!', '~'];

/// A text on one line that is no HTML and no Markdown.
pub fn plain(text: &str) -> String {
    escaped(text.trim())
}

/// A sentence that names policies and keys between backticks.
pub fn sentence(text: &str, names: &[String]) -> String {
    let mut line = String::new();
    let mut after_code = false;
    for piece in pieces(text, names) {
        match piece {
            Piece::Words(words) => line.push_str(&escaped(words)),
            Piece::Code(inner) => {
                // Two fences side by side would be one that is longer.
                line.push_str(if after_code { " " } else { "" });
                line.push_str(&code(inner));
            }
        }
        after_code = matches!(piece, Piece::Code(_));
    }
    line
}

/// A code span whose fence is longer than any in the text.
fn code(text: &str) -> String {
    let text = on_one_line(text);
    let fence = "`".repeat(longest_fence(&text) + 1);
    // One space on both sides is not shown; without it the fence would go on, or the text would
    // lose spaces of its own.
    let at_an_end = |mark| text.starts_with(mark) || text.ends_with(mark);
    let pad = if at_an_end('`') || at_an_end(' ') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A block of code whose fence is longer than any in the text.
pub fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_fence(text).max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}")
}

/// The length of the longest run of backticks.
fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text without what would end its paragraph.
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character.is_whitespace() || character.is_control() {
            true if line.ends_with(' ') => {}
            true => line.push(' '),
            false => line.push(character),
        }
    }
    line
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in on_one_line(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '`' => escaped.push_str("&#96;"),
            '|' => escaped.push_str("&#124;"),
            mark => {
                escaped.extend(MARKS.contains(&mark).then_some('\\'));
                escaped.push(mark);
            }
        }
    }
    // Addresses are links without any mark.
    escaped.replace("://", ":\\//").replace("www.", "www\\.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markdown_and_no_html() {
        assert_eq!(plain("a\n# <b> *c* [d](e)"), "a \\# &lt;b> \\*c\\* \\[d\\](e)");
        assert_eq!(
            plain(" ![p](http://e) | `c` &lt; "),
            "\\!\\[p\\](http:\\//e) &#124; &#96;c&#96; &amp;lt;"
        );
        assert_eq!(plain("\\[x](www.e)"), "\\\\\\[x\\](www\\.e)");
        assert_eq!(fenced("sh", "a ``` b"), "````sh\na ``` b\n````");
    }

    /// The rules of code spans: CommonMark 0.31.2, section 6.1.
    #[test]
    fn a_code_span_ends_where_its_text_does() {
        assert_eq!(code("a-b"), "`a-b`");
        assert_eq!(code("<&>"), "`<&>`");
        assert_eq!(code("a`` b ` c"), "```a`` b ` c```");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code("a\n\nb"), "`a b`");
        let names = ["a` [x](http://e) `b".to_string()];
        assert_eq!(
            sentence("`a` [x](http://e) `b` makes <3 of `x`, `", &names),
            "``a` [x](http://e) `b`` makes &lt;3 of `x`, &#96;"
        );
        assert_eq!(sentence("`a``b`", &[]), "`a` `b`");
    }
}
