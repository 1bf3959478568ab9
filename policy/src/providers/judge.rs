//! The order of evidence: from what a reply says to the one row that decides.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::chain::{Chain, RowRef};
use super::check::FINAL;
use super::library::Library;
use super::phrases::Occurring;
use super::row::{AnswerKind, Conditions, Row};
use super::table::Table;
use crate::class::Class;
use crate::evidence::{self, Group, Layer};

/// A reply's evidence against the rows of a chain.
pub(super) struct Judge<'r> {
    pub(super) library: &'r Library,
    pub(super) chain: &'r Chain,
    /// The envelopes, innermost first.
    pub(super) layers: &'r [Layer],
    /// The innermost status that anybody names; none for a failure under a success.
    pub(super) status: Option<u16>,
    /// The status of the response.
    pub(super) http: u16,
    /// There is no answer, so no row may call it one.
    pub(super) failed: bool,
    /// Those that are looked at.
    pub(super) headers: &'r [(String, String)],
    pub(super) occurring: Occurring,
    pub(super) over_limit: bool,
    pub(super) body: Option<AnswerKind>,
}

/// The row that decides, and the code it was found by.
#[derive(Clone, Debug)]
pub(super) struct Verdict<'r> {
    pub(super) table: &'r Table,
    pub(super) row: &'r Row,
    pub(super) code: Option<String>,
    /// There is a code, and no table knows it.
    pub(super) unknown_code: bool,
}

impl<'r> Judge<'r> {
    /// The row for a failure: codes, then messages, then the status.
    pub(super) fn failure(&self) -> Result<Verdict<'r>, Option<String>> {
        for layer in self.layers {
            for group in Group::ALL {
                let Some(verdict) = self.coded(layer, group, |_| true) else { continue };
                let throttled = verdict.row.classification.class == Class::Throttled;
                // Of two that contradict each other the more restrictive one holds.
                let spent = (throttled && group == Group::Code).then(|| {
                    self.coded(layer, Group::Type, |row| {
                        row.classification.class == Class::Exhausted && !row.when.reads_messages()
                    })
                });
                return Ok(spent.flatten().unwrap_or(verdict));
            }
        }
        let code = self.first_code();
        let unknown_code = code.as_ref().is_some_and(|code| !self.chain.coded.knows(code));
        let (table, row) = self
            .first(&self.chain.told)
            .or_else(|| self.first(&self.chain.plain))
            .ok_or_else(|| code.clone())?;
        Ok(Verdict { table, row, code, unknown_code })
    }

    /// The first row of those `wanted` that holds for the codes of a group.
    fn coded(
        &self,
        layer: &Layer,
        group: Group,
        wanted: impl Fn(&Row) -> bool,
    ) -> Option<Verdict<'r>> {
        let names = self.names(layer, group);
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        let candidates = self.chain.coded.candidates(&names, group == Group::Detail);
        let rows = candidates.iter().filter_map(|at| self.library.row(at.table, at.row));
        rows.filter(|(_, row)| wanted(row)).find_map(|(table, row)| {
            let code = self.found(row, layer, &names).filter(|_| self.holds(row))?;
            Some(Verdict { table, row, code: Some(code), unknown_code: false })
        })
    }

    /// The row for the reasons why an answer ended: the first reason that is not a plain success
    /// decides. `Err` names a reason that no table knows.
    pub(super) fn stopped<'s>(&self, reasons: &'s [String]) -> Result<Verdict<'r>, &'s str> {
        let mut accepted = None;
        for reason in reasons {
            let candidates = self.chain.stopped.candidates(&[reason], false);
            let rows = candidates.iter().filter_map(|at| self.library.row(at.table, at.row));
            let (table, row) = rows
                .into_iter()
                .find(|(_, row)| self.messages_hold(&row.when))
                .ok_or(reason.as_str())?;
            let is_plain = row.classification.class == Class::Ok && !row.continues;
            // A plain success has no code; anything else is named after its reason.
            let code = (!is_plain).then(|| reason.clone());
            let verdict = Verdict { table, row, code, unknown_code: false };
            match (is_plain, &accepted) {
                (false, _) => return Ok(verdict),
                // A cut answer must not hide behind a whole one.
                (true, Some(Verdict { row: known, .. })) if known.truncated || !row.truncated => {}
                (true, _) => accepted = Some(verdict),
            }
        }
        accepted.ok_or("")
    }

    /// The row that a status, a header or the kind of the body has by itself.
    pub(super) fn plain(&self) -> Option<(&'r Table, &'r Row)> {
        self.first(&self.chain.plain)
    }

    fn first(&self, rows: &[RowRef]) -> Option<(&'r Table, &'r Row)> {
        let mut rows = rows.iter().filter_map(|at| self.library.row(at.table, at.row));
        rows.find(|(_, row)| self.holds(row))
    }

    fn holds(&self, row: &Row) -> bool {
        let when = &row.when;
        // What contradicts a final status must say that it knows of it.
        let contradicts = row.repeats()
            && self.status.is_some_and(|it| FINAL.contains(&it) && !when.names_status(it));
        let accepts = row.classification.class == Class::Ok;
        let says_more = !when.codes.is_empty() || when.reads_messages();
        let status = if says_more { self.status } else { self.status.or(Some(self.http)) };
        // The title of an error page is the status once more.
        let reads_page = self.body == Some(AnswerKind::Html) && when.reads_messages();
        if contradicts || reads_page && when.bodies.is_empty() || self.failed && accepts {
            return false;
        }
        when.covers_status(status)
            && self.messages_hold(when)
            && when.headers.iter().all(|wanted| self.has_header(wanted))
            && (when.bodies.is_empty() || self.body.is_some_and(|body| when.bodies.contains(&body)))
    }

    fn messages_hold(&self, when: &Conditions) -> bool {
        let says = when.phrases.is_empty()
            || when.phrase_ids.iter().any(|phrase| self.occurring.has(*phrase));
        says && (!when.over_limit || self.over_limit)
    }

    fn has_header(&self, (name, text): &(String, String)) -> bool {
        let mut same = self.headers.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name));
        same.any(|(_, value)| text == "*" || contains_in_any_case(value, text))
    }

    /// The code by which `layer` meets `row`.
    fn found(&self, row: &Row, layer: &Layer, names: &[&str]) -> Option<String> {
        let matches = |name: &str| row.when.codes.iter().any(|pattern| pattern.matches(name));
        match &row.when.at {
            None => names.iter().find(|name| matches(name)).map(|name| String::from(*name)),
            Some(place) => {
                let mut values = place.values(&layer.value).into_iter().filter_map(Value::as_str);
                values.find(|value| matches(value)).map(String::from)
            }
        }
    }

    /// The codes of a group; AWS's headers and numeric codes stand with the error's code.
    fn names<'l>(&self, layer: &'l Layer, group: Group) -> Vec<Cow<'l, str>>
    where
        'r: 'l,
    {
        let mut names: Vec<Cow<'l, str>> =
            evidence::codes(&layer.value, group).into_iter().map(Cow::Borrowed).collect();
        if group == Group::Code {
            names.extend(evidence::numeric(&layer.value));
            let is_outermost = self.layers.last().is_some_and(|last| core::ptr::eq(last, layer));
            if is_outermost {
                names.extend(self.header_codes().map(Cow::Borrowed));
            }
        }
        names
    }

    fn header_codes(&self) -> impl Iterator<Item = &'r str> {
        const NAMES: [&str; 2] = ["x-amzn-errortype", ":exception-type"];
        let headers = self.headers.iter();
        headers
            .filter(|(name, _)| NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)))
            .filter_map(|(_, value)| evidence::code_of_header(value))
    }

    /// The code that says most, known or not.
    fn first_code(&self) -> Option<String> {
        let mut layers = self
            .layers
            .iter()
            .flat_map(|layer| Group::ALL.into_iter().flat_map(|group| self.names(layer, group)));
        layers.next().map(Cow::into_owned)
    }
}

fn contains_in_any_case(value: &str, text: &str) -> bool {
    let (value, text) = (value.as_bytes(), text.as_bytes());
    text.is_empty() || value.windows(text.len()).any(|part| part.eq_ignore_ascii_case(text))
}
