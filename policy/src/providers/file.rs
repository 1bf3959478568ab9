//! A table as written in TOML, and why one is refused.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use super::list::List;
use super::pattern::Pattern;
use super::phrases::normal;
use super::row::{AnswerKind, Conditions, HintsTaken, Row};
use super::table::{Accept, Table};
use crate::class::Class;
use crate::classify::{Bound, Classification, RowReplay};
use crate::config::{LoadError, StatusName};
use crate::evidence::Place;
use crate::replies::Reply;
use crate::time::Nanos;
use crate::wait;

/// Why a table was refused, and where.
pub type TableError = LoadError;

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    title: String,
    reviewed: Spanned<Datetime>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(default)]
    aliases: Vec<String>,
    extends: Option<Vec<String>>,
    accept: Option<Accept>,
    #[serde(default)]
    codes: Vec<String>,
    #[serde(default)]
    stop_reasons: Vec<String>,
    #[serde(default)]
    row: Vec<RowFile>,
}

/// One `[[row]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    id: Spanned<String>,
    #[serde(default)]
    status: List<StatusName>,
    code: Option<Spanned<List<String>>>,
    at: Option<Spanned<String>>,
    message: Option<Spanned<List<String>>>,
    #[serde(default)]
    over_limit: bool,
    #[serde(default)]
    header: BTreeMap<String, String>,
    #[serde(default)]
    body: List<AnswerKind>,
    stop_reason: Option<Spanned<List<String>>>,
    class: Class,
    retries: Option<Retries>,
    wait: Option<Nanos>,
    #[serde(default)]
    hint: HintName,
    #[serde(default)]
    route_unavailable: bool,
    replay: Option<Spanned<ReplayName>>,
    #[serde(rename = "continue")]
    continues: Option<Spanned<bool>>,
    truncated: Option<Spanned<bool>>,
    param: Option<Spanned<String>>,
    note: String,
    source: Option<String>,
    example: Example,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Retries {
    Policy,
    Once,
    Never,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HintName {
    #[default]
    Any,
    None,
    Header,
    Body,
    Message,
    Reset,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReplayName {
    Safe,
    NeedsKey,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: String,
}

/// Reads the table called `name`.
///
/// # Errors
///
/// Text that is not TOML, an unknown key or class, a pattern or place that is none, notes that
/// contradict the class; each with line and column.
pub(super) fn read(name: &str, text: &str) -> Result<Table, TableError> {
    let file: TableFile = toml::from_str(text)
        .map_err(|error| TableError::at(text, error.span(), error.message().trim().to_string()))?;
    if file.reviewed.get_ref().date.is_none() || file.reviewed.get_ref().time.is_some() {
        let message = "reviewed: a date such as 2026-11-30".into();
        return Err(TableError::at(text, Some(file.reviewed.span()), message));
    }
    let newlines = text.match_indices('\n').map(|(at, _)| at).collect();
    let reader = Reader { text, newlines, first_source: file.sources.first() };
    let rows = file.row.into_iter().map(|row| reader.row(row)).collect::<Result<_, _>>()?;
    Ok(Table {
        name: name.replace('-', "_"),
        title: file.title,
        reviewed: format!("{}", file.reviewed.into_inner()),
        sources: file.sources,
        aliases: file.aliases,
        extends: file.extends,
        accept: file.accept,
        codes: file.codes,
        stop_reasons: file.stop_reasons,
        rows,
    })
}

struct Reader<'t> {
    text: &'t str,
    /// Where each line ends.
    newlines: Vec<usize>,
    first_source: Option<&'t String>,
}

impl Reader<'_> {
    fn row(&self, row: RowFile) -> Result<Row, TableError> {
        let id = row.id.get_ref().clone();
        let begin = row.id.span().start;
        let line = self.newlines.partition_point(|newline| *newline < begin) + 1;
        self.check_notes(&row)?;
        let phrases = row.message.map(Spanned::into_inner).unwrap_or_default().0;
        let lower = |(name, value): (String, String)| {
            (name.to_ascii_lowercase(), value.to_ascii_lowercase())
        };
        let when = Conditions {
            status: row.status.0.into_iter().map(|name| name.0).collect(),
            codes: self.patterns(row.code)?,
            at: row.at.map(|at| self.place(at)).transpose()?,
            phrases: phrases.iter().map(|phrase| normal(phrase)).collect(),
            phrase_ids: Vec::new(),
            over_limit: row.over_limit,
            headers: row.header.into_iter().map(lower).collect(),
            bodies: row.body.0,
            stop_reasons: self.patterns(row.stop_reason)?,
        };
        let bound = match row.retries {
            None | Some(Retries::Policy) => Bound::Policy,
            Some(Retries::Once) => Bound::Once,
            Some(Retries::Never) => Bound::Never,
        };
        let replay = match row.replay.map(Spanned::into_inner) {
            None => RowReplay::AsPolicy,
            Some(ReplayName::Safe) => RowReplay::Safe,
            Some(ReplayName::NeedsKey) => RowReplay::NeedsKey,
        };
        Ok(Row {
            id,
            line,
            when,
            classification: Classification {
                bound,
                replay,
                route_unavailable: row.route_unavailable,
                ..Classification::of(row.class)
            },
            wait: row.wait,
            hint: match row.hint {
                HintName::Any => HintsTaken::Any,
                HintName::None => HintsTaken::None,
                HintName::Header => HintsTaken::Only(wait::Place::Header),
                HintName::Body => HintsTaken::Only(wait::Place::Body),
                HintName::Message => HintsTaken::Only(wait::Place::Message),
                HintName::Reset => HintsTaken::Only(wait::Place::Reset),
            },
            continues: row.continues.is_some_and(Spanned::into_inner),
            truncated: row.truncated.is_some_and(Spanned::into_inner),
            param: row.param.map(|at| self.place(at)).transpose()?,
            note: row.note,
            source: row.source.or_else(|| self.first_source.cloned()).unwrap_or_default(),
            example: Reply::response(row.example.status, row.example.headers, row.example.body),
        })
    }

    /// Notes that go with some classes only.
    fn check_notes(&self, row: &RowFile) -> Result<(), TableError> {
        for (name, note) in [("continue", &row.continues), ("truncated", &row.truncated)] {
            if let Some(note) = note.as_ref().filter(|_| row.class != Class::Ok) {
                let message = format!("{name}: goes with class = \"ok\" only");
                return self.refuse(note.span(), message);
            }
        }
        let safe = |replay: &&Spanned<ReplayName>| matches!(replay.get_ref(), ReplayName::Safe);
        if let Some(replay) = row.replay.as_ref().filter(safe)
            && row.class != Class::OutcomeUnknown
        {
            let message = "replay: \"safe\" goes with class = \"outcome_unknown\" only".to_string();
            return self.refuse(replay.span(), message);
        }
        if let Some(at) = row.at.as_ref().filter(|_| row.code.is_none()) {
            return self.refuse(at.span(), "at: needs `code`, the value at this place".into());
        }
        Ok(())
    }

    fn patterns(&self, list: Option<Spanned<List<String>>>) -> Result<Vec<Pattern>, TableError> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let span = list.span();
        let read = |text: &String| {
            Pattern::parse(text).ok_or_else(|| {
                let message =
                    format!("`{text}` is no code: write a name, with a `*` at its ends only");
                TableError::at(self.text, Some(span.clone()), message)
            })
        };
        list.get_ref().0.iter().map(read).collect()
    }

    fn place(&self, text: Spanned<String>) -> Result<Place, TableError> {
        text.get_ref().parse().map_err(|_| {
            let message = format!(
                "`{}` is no place: write keys with dots between, such as error.details[].reason",
                text.get_ref()
            );
            TableError::at(self.text, Some(text.span()), message)
        })
    }

    fn refuse<T>(&self, span: core::ops::Range<usize>, message: String) -> Result<T, TableError> {
        Err(TableError::at(self.text, Some(span), message))
    }
}

impl<'de> Deserialize<'de> for Class {
    /// From the name that records use.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct V;
        impl serde::de::Visitor<'_> for V {
            type Value = Class;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a class")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Class, E> {
                let known = Class::ALL.into_iter().find(|class| class.as_str() == name);
                known.ok_or_else(|| {
                    let names = Class::ALL.map(Class::as_str).join(", ");
                    E::custom(format!("unknown class `{name}`, expected one of {names}"))
                })
            }
        }
        deserializer.deserialize_str(V)
    }
}
