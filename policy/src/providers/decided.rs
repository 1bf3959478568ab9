//! [`Decided`]: the row that decides, as a reading.

use alloc::format;
use alloc::string::{String, ToString};

use super::case::Case;
use super::judge::{Judge, Verdict};
use super::row::Row;
use crate::class::Class;
use crate::classify::{Bound, Classification};
use crate::outcome::Signal;
use crate::replies::{DecidedBy, Ignored, Reading};

/// A reading that lacks its names and its wait, and the row that it comes from.
pub(super) struct Decided<'r> {
    pub(super) reading: Reading,
    pub(super) row: Option<&'r Row>,
}

/// The reading of `case` by the table called `table`, without names and wait.
pub(super) fn decided<'r>(table: &str, judge: &Judge<'r>, case: &Case) -> Decided<'r> {
    match case {
        Case::Truncated { content_started } => {
            let (class, row) = match content_started {
                true => (Class::OutcomeUnknown, "stream-truncated"),
                // Nothing was handed on: as safe to repeat as a 5xx.
                false => (Class::Transient, "stream-truncated-before-content"),
            };
            let note = "the stream ended without its terminal event";
            without_row(table, Classification::of(class), row, note)
        }
        Case::Ended(reasons) => match judge.stopped(reasons) {
            Ok(verdict) => by_row(&verdict),
            Err(unknown) => {
                let once = Classification::of(Class::Unknown).bounded(Bound::Once);
                let note = "no table knows why this answer ended: look the reason up";
                let mut decided = without_row(table, once, "unknown-stop-reason", note);
                decided.reading.code = Some(unknown.into());
                decided.reading.unknown_code = true;
                decided
            }
        },
        Case::Accepted => match judge.plain() {
            Some((table, row)) => by_row(&Verdict { table, row, code: None, unknown_code: false }),
            None => without_row(table, Classification::of(Class::Ok), "accepted", ""),
        },
        Case::Failed => match judge.failure() {
            Ok(verdict) => {
                let mut decided = by_row(&verdict);
                decided.reading.ignored.extend(contradiction(judge, &verdict));
                decided
            }
            Err(code) => {
                let is_final = |status: u16| !(200..=299).contains(&status) && status < 500;
                let bound = match is_final(judge.http) || judge.status.is_some_and(is_final) {
                    true => Bound::Never,
                    false => Bound::Once,
                };
                let class = Classification::of(Class::Unknown).bounded(bound);
                let note = "no row holds: look the reply up and add it to the table";
                let mut decided = without_row(table, class, "no-row", note);
                decided.reading.unknown_code = code.is_some();
                decided.reading.code = code;
                decided
            }
        },
    }
}

/// What holds for every provider.
fn without_row(
    table: &str,
    classification: Classification,
    row: &str,
    note: &str,
) -> Decided<'static> {
    let decided_by = DecidedBy {
        table: table.into(),
        row: row.into(),
        note: note.into(),
        source: String::new(),
    };
    let reading = Reading { classification, decided_by, ..Reading::of(Signal::Response(200)) };
    Decided { reading, row: None }
}

fn by_row<'r>(verdict: &Verdict<'r>) -> Decided<'r> {
    let Verdict { table, row, code, unknown_code } = verdict;
    let signal = if row.continues { Signal::TurnPaused } else { Signal::Response(200) };
    let decided_by = DecidedBy {
        table: table.name().into(),
        row: row.id.clone(),
        note: row.note.clone(),
        source: row.source.clone(),
    };
    let reading = Reading {
        classification: row.classification,
        code: code.clone(),
        unknown_code: *unknown_code,
        truncated: row.truncated,
        decided_by,
        ..Reading::of(signal)
    };
    Decided { reading, row: Some(row) }
}

/// That the status alone would have meant something else.
fn contradiction(judge: &Judge<'_>, verdict: &Verdict<'_>) -> Option<Ignored> {
    let status = judge.status?;
    let (_, alone) = judge.plain()?;
    let differs = alone.classification.class != verdict.row.classification.class;
    let says = match (&verdict.code, verdict.row.when.reads_messages()) {
        (Some(code), _) if !verdict.row.when.codes.is_empty() => format!("{code} says more"),
        (_, true) => "the message says more".to_string(),
        _ => return None,
    };
    differs.then(|| Ignored {
        name: "status".into(),
        value: status.to_string(),
        why: format!("alone it would mean {}, but {says}", alone.classification.class),
    })
}
