//! The order of evidence: from what a reply says to the one row that decides.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::chain::{Chain, RowRef};
use super::check::{FINAL, REFUSED};
use super::library::Library;
use super::phrases::Occurring;
use super::row::{AnswerKind, Conditions, Row};
use super::table::Table;
use crate::class::Class;
use crate::evidence::{self, Group, Layer};

/// A reply's evidence against the rows of a chain.
pub(super) struct Judge<'r> {
    pub(super) all: &'r Library,
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
}

impl<'r> Judge<'r> {
    /// The row for a failure: codes, then messages, then the status.
    pub(super) fn failure(&self) -> Result<Verdict<'r>, Option<String>> {
        if let Some(verdict) = self.first_coded(|_| true) {
            // Of two that contradict each other the more restrictive one holds: no rate and no
            // fault of the server's brings a spent account back.
            let is_spent = |row: &Row| {
                row.classification.class == Class::Exhausted && !row.when.reads_messages()
            };
            let spent = verdict.row.repeats().then(|| self.first_coded(is_spent)).flatten();
            // What one code means is the first table's to say.
            let other = spent.filter(|spent| spent.code != verdict.code);
            return Ok(other.unwrap_or(verdict));
        }
        let code = self.first_code();
        let (table, row) = self
            .first(&self.chain.told)
            .or_else(|| self.first(&self.chain.plain))
            .ok_or_else(|| code.clone())?;
        Ok(Verdict { table, row, code })
    }

    /// The first row of those `wanted` that holds for any code, those that say most first.
    fn first_coded(&self, wanted: impl Fn(&Row) -> bool) -> Option<Verdict<'r>> {
        let mut all = self.layers.iter().flat_map(|layer| Group::ALL.map(|group| (layer, group)));
        all.find_map(|(layer, group)| self.coded(layer, group, &wanted))
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
        let rows = candidates.iter().filter_map(|at| self.all.row(at.table, at.row));
        rows.filter(|(_, row)| wanted(row)).find_map(|(table, row)| {
            let code = self.found(row, layer, &names).filter(|_| self.holds(row))?;
            Some(Verdict { table, row, code: Some(code) })
        })
    }

    /// The row for the reasons why an answer ended. A reason that ends the matter goes before one
    /// that lets the request be repeated, that before a cut answer, and that before a whole one.
    /// `Err` names a reason that no table knows, and nothing else ends the matter.
    pub(super) fn stopped<'s>(&self, reasons: &'s [String]) -> Result<Verdict<'r>, &'s str> {
        let mut best: Option<(u8, Verdict<'r>)> = None;
        let mut unknown = None;
        for reason in reasons {
            let candidates = self.chain.stopped.candidates(&[reason], false);
            let mut rows = candidates.iter().filter_map(|at| self.all.row(at.table, at.row));
            let Some((table, row)) = rows.find(|(_, row)| self.messages_hold(&row.when)) else {
                unknown.get_or_insert(reason.as_str());
                continue;
            };
            let accepts = row.classification.class == Class::Ok;
            let rank = match (accepts, row.repeats()) {
                (false, false) => 0,
                (false, true) => 1,
                (true, _) if row.continues => 2,
                (true, _) if row.truncated => 3,
                (true, _) => 4,
            };
            // A plain success has no code; anything else is named after its reason.
            let code = (rank < 3).then(|| reason.clone());
            let verdict = Verdict { table, row, code };
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, verdict));
            }
        }
        match (best, unknown) {
            (Some((0, verdict)), _) | (Some((_, verdict)), None) => Ok(verdict),
            (_, unknown) => Err(unknown.unwrap_or_default()),
        }
    }

    /// The row that a status, a header or the kind of the body has by itself.
    pub(super) fn plain(&self) -> Option<(&'r Table, &'r Row)> {
        self.first(&self.chain.plain)
    }

    fn first(&self, rows: &[RowRef]) -> Option<(&'r Table, &'r Row)> {
        let mut rows = rows.iter().filter_map(|at| self.all.row(at.table, at.row));
        rows.find(|(_, row)| self.holds(row))
    }

    fn holds(&self, row: &Row) -> bool {
        let when = &row.when;
        let accepts = row.classification.class == Class::Ok;
        // A number in a body does not take back what the response itself says for good.
        let status = match (when.codes.is_empty(), FINAL.contains(&self.http)) {
            (true, true) => Some(self.http),
            (true, false) if !when.reads_messages() => self.status.or(Some(self.http)),
            (true, false) | (false, _) => self.status,
        };
        // What contradicts a final status must say that it knows of it, and no code from inside
        // lifts the refusal of whoever stands in front.
        let denies = |it: u16| !when.names_status(it);
        let contradicts = row.repeats()
            && (status.is_some_and(|it| FINAL.contains(&it) && denies(it))
                || REFUSED.contains(&self.http) && denies(self.http));
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

    /// The code that says most, if no table knows it.
    pub(super) fn unknown_code(&self) -> Option<String> {
        self.first_code().filter(|code| !self.chain.coded.knows(code))
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
