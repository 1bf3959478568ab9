//! The conditions of a row in words, for people who look a table up.

use alloc::string::{String, ToString};
use core::fmt::{self, Display, Formatter};

use super::pattern::Pattern;
use super::row::{AnswerKind, Conditions, Row};
use crate::retry_on::StatusRange;

impl Row {
    /// What a reply must have to be meant, in short:
    /// `status 429; code quota_exceeded or *PerDay*; message "per day"`.
    pub fn conditions(&self) -> impl Display + '_ {
        &self.when
    }
}

impl Display for Conditions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts = Parts { f, is_first: true };
        parts.any_of("status", &self.status, |f, range| status(f, *range))?;
        let codes: String = match &self.at {
            Some(place) => place.to_string(),
            None => "code".into(),
        };
        parts.any_of(&codes, &self.codes, |f, code| code.fmt(f))?;
        parts.any_of("message", &self.phrases, |f, phrase| write!(f, "\"{phrase}\""))?;
        if self.over_limit {
            parts.begin("message that one request asks for more than the limit")?;
        }
        for (name, value) in &self.headers {
            parts.begin("header ")?;
            match value.as_str() {
                "*" => parts.f.write_str(name)?,
                value => write!(parts.f, "{name}: {value}")?,
            }
        }
        parts.any_of("body", &self.bodies, |f, kind| f.write_str(kind.in_words()))?;
        parts.any_of("stop reason", &self.stop_reasons, |f, reason| reason.fmt(f))
    }
}

/// Conditions that must all hold.
struct Parts<'f, 'w> {
    f: &'f mut Formatter<'w>,
    is_first: bool,
}

impl Parts<'_, '_> {
    fn begin(&mut self, name: &str) -> fmt::Result {
        if !core::mem::take(&mut self.is_first) {
            self.f.write_str("; ")?;
        }
        self.f.write_str(name)
    }

    /// One of `all`; nothing where nothing is asked for.
    fn any_of<T>(
        &mut self,
        name: &str,
        all: &[T],
        write: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
    ) -> fmt::Result {
        for (index, one) in all.iter().enumerate() {
            match index {
                0 => self.begin(name)?,
                _ => self.f.write_str(" or")?,
            }
            self.f.write_str(" ")?;
            write(self.f, one)?;
        }
        Ok(())
    }
}

/// `429`, `5xx`, `500-503`.
fn status(f: &mut Formatter<'_>, range: StatusRange) -> fmt::Result {
    let StatusRange { first, last } = range;
    if first == last {
        write!(f, "{first}")
    } else if first % 100 == 0 && last == first.saturating_add(99) {
        write!(f, "{}xx", first / 100)
    } else {
        write!(f, "{first}-{last}")
    }
}

impl Display for Pattern {
    /// As the table spells it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let star = |is_open| if is_open { "*" } else { "" };
        write!(f, "{}{}{}", star(self.open_start), self.name, star(self.open_end))
    }
}

impl AnswerKind {
    fn in_words(self) -> &'static str {
        match self {
            AnswerKind::Empty => "empty",
            AnswerKind::Html => "html",
            AnswerKind::Text => "text",
            AnswerKind::NoAnswer => "no_answer",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn conditions_read_as_the_table_has_them() {
        let text = r#"
            title = "T"
            reviewed = 2026-01-31
            [[row]]
            id = "a"
            status = [429, "5xx"]
            code = ["*PerDay*", "spent"]
            at = "error.details[].reason"
            message = "Per Day"
            over_limit = true
            header = { x-kind = "Queue", x-any = "*" }
            body = ["html", "no_answer"]
            class = "throttled"
            note = "n"
            example = { status = 429 }
            [[row]]
            id = "b"
            stop_reason = "block:*"
            class = "content"
            note = "n"
            example = { status = 200 }
        "#;
        let table = file::read("t", text).unwrap();
        let words = |row: usize| table.rows[row].conditions().to_string();
        assert_eq!(
            words(0),
            "status 429 or 5xx; error.details[].reason *PerDay* or spent; \
             message \"per day\"; message that one request asks for more than the limit; \
             header x-any; header x-kind: queue; body html or no_answer"
        );
        assert_eq!(words(1), "stop reason block:*");
    }
}
