//! Rows that can't be what their author meant: twice the same, never reached, or too loose.

use alloc::format;
use alloc::string::String;

use super::phrases::occurs;
use super::row::{Conditions, Row};
use super::table::Table;
use crate::retry_on::StatusRange;

/// Statuses that say that the request or the account is wrong, or that the server never does this.
/// Nothing but a row that looks further may have such a request repeated.
pub(super) const FINAL: [u16; 22] = [
    400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 416, 417, 422, 426, 428, 431, 451,
    501, 505, 511,
];

/// Those of them that refuse the caller, whoever it is that answers.
pub(super) const REFUSED: [u16; 3] = [401, 402, 403];

/// What is wrong with a table: the line, and what would be right.
pub(super) fn problem(table: &Table) -> Option<(usize, String)> {
    table.rows.iter().enumerate().find_map(|(index, row)| {
        let before = &table.rows[..index];
        twice(row, before)
            .or_else(|| unreachable(row, before, &table.rows[index + 1..]))
            .or_else(|| asks_nothing(row))
            .or_else(|| too_loose(row))
            .map(|problem| (row.line, problem))
    })
}

fn twice(row: &Row, before: &[Row]) -> Option<String> {
    let other = before.iter().find(|other| other.id == row.id)?;
    Some(format!("row `{}` is there twice, first in line {}", row.id, other.line))
}

fn unreachable(row: &Row, before: &[Row], after: &[Row]) -> Option<String> {
    let covers = |other: &&Row| other.when.covers(&row.when);
    let same_tier = |other: &&Row| other.when.reads_messages() == row.when.reads_messages();
    // Rows that look at messages come before those for the same code that don't.
    let earlier = |other: &&Row| other.when.reads_messages() && !row.when.reads_messages();
    let shadow = before
        .iter()
        .find(|other| (same_tier(other) || earlier(other)) && covers(other))
        .or_else(|| after.iter().find(|other| earlier(other) && covers(other)))?;
    Some(format!(
        "row `{}` can never be reached: `{}` in line {} holds wherever it does, and is looked at first",
        row.id, shadow.id, shadow.line
    ))
}

fn asks_nothing(row: &Row) -> Option<String> {
    let asks = row.when.has_evidence() || !row.when.status.is_empty();
    (!asks).then(|| {
        format!("row `{}` holds for every reply: give it a status, a code or a message", row.id)
    })
}

fn too_loose(row: &Row) -> Option<String> {
    if row.when.has_evidence() || !row.repeats() {
        return None;
    }
    let holds = |status: u16| row.when.status.is_empty() || row.when.names_status(status);
    let status = FINAL.into_iter().find(|status| holds(*status))?;
    Some(format!(
        "row `{}` would have every {status} repeated: look at a code or a message too, \
         or say retries = \"never\"",
        row.id
    ))
}

impl Conditions {
    /// Whether this holds wherever `other` does.
    fn covers(&self, other: &Conditions) -> bool {
        let status = self.status.is_empty()
            || !other.status.is_empty()
                && other.status.iter().all(|range| inside(*range, &self.status));
        let names = |mine: &[_], others: &[_]| covers_patterns(mine, others);
        let codes =
            names(&self.codes, &other.codes) && names(&self.stop_reasons, &other.stop_reasons);
        let phrases = self.phrases.is_empty()
            || !other.phrases.is_empty()
                && other
                    .phrases
                    .iter()
                    .all(|phrase| self.phrases.iter().any(|mine| occurs(mine, phrase)));
        let bodies = self.bodies.is_empty()
            || !other.bodies.is_empty()
                && other.bodies.iter().all(|kind| self.bodies.contains(kind));
        let headers = self.headers.iter().all(|mine| other.headers.contains(mine));
        let limit = !self.over_limit || other.over_limit;
        let place = self.at == other.at;
        status && codes && phrases && bodies && headers && limit && place
    }
}

fn covers_patterns(mine: &[super::pattern::Pattern], others: &[super::pattern::Pattern]) -> bool {
    // A row without a code is looked at after all that have one, so it covers none of them.
    match (mine.is_empty(), others.is_empty()) {
        (true, true) => true,
        (false, false) => others.iter().all(|other| mine.iter().any(|one| one.covers(other))),
        (true, false) | (false, true) => false,
    }
}

fn inside(range: StatusRange, all: &[StatusRange]) -> bool {
    (range.first..=range.last).all(|status| all.iter().any(|other| other.contains(status)))
}
