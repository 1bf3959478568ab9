//! [`Provider`]: a table that reads replies.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde_json::Value;

use super::chain::Chain;
use super::judge::{Judge, Verdict};
use super::library::Library;
use super::row::{AnswerKind, HintsTaken, Row};
use super::table::{Accept, Table};
use crate::class::Class;
use crate::classify::{Bound, Classification};
use crate::evidence::{self, Body, BodyKind, Layer};
use crate::outcome::{Progress, Signal};
use crate::replies::{
    DecidedBy, Ending, Ignored, Reading, Reply, StreamVerdict, WaitSource, header_in,
};
use crate::retry_after::Hint;
use crate::stream::{self, StreamEnd};
use crate::wait::{self, Said, UnixTime};

/// A table of a [`Library`], with all that it extends, ready to read replies.
#[derive(Clone, Debug)]
pub struct Provider {
    library: Arc<Library>,
    table: usize,
    chain: Arc<Chain>,
}

/// Headers that are looked at; HTTP clients take no more than a hundred or so.
const MOST_HEADERS: usize = 256;

/// What there is to decide about a reply.
enum Case {
    /// A failure.
    Failed,
    /// An answer that ended for these reasons.
    Ended(Vec<String>),
    /// A success that says no more.
    Accepted,
    /// A stream that broke off.
    Truncated { content_started: bool },
}

impl Provider {
    pub(super) fn new(library: Arc<Library>, table: usize, chain: Arc<Chain>) -> Self {
        Provider { library, table, chain }
    }

    /// The embedded table with this name or alias; `-` and `_` are the same.
    pub fn find(name: &str) -> Option<Provider> {
        Library::embedded().provider(name)
    }

    /// The table itself.
    pub fn table(&self) -> &Table {
        // The number is one of this library: `new` is given nothing else.
        &self.library.tables[self.table]
    }

    /// Whether any table of the chain has a row for this code.
    pub fn knows_code(&self, code: &str) -> bool {
        self.chain.coded.knows(code)
    }

    /// Whether any table of the chain has a row for an answer that ended for this reason.
    pub fn knows_stop_reason(&self, reason: &str) -> bool {
        self.chain.stopped.knows(reason)
    }

    /// What `reply` means, and everything a call and its record need of it.
    ///
    /// Looks at the first 64 KiB of the body and the first 256 headers. No reply makes it panic.
    pub fn read(&self, reply: &Reply) -> Reading {
        let (status, stream) = match reply.ending() {
            Ending::Transport(signal, progress) => {
                return Reading::of_transport(*signal, *progress);
            }
            Ending::Response(status) => (*status, None),
            Ending::Stream { status, end, content_started, .. } => {
                (*status, Some((*end, *content_started)))
            }
        };
        let body = Body::read(reply.body());
        let headers = &reply.headers()[..reply.headers().len().min(MOST_HEADERS)];
        let texts: Vec<&str> =
            body.layers.iter().flat_map(|layer| evidence::messages(&layer.value)).collect();
        let case = self.case(reply, status, &body, stream);
        let judge = Judge {
            library: &self.library,
            chain: &self.chain,
            layers: &body.layers,
            status: effective_status(&body.layers, status, &case),
            http: status,
            failed: matches!(case, Case::Failed),
            headers,
            occurring: self.library.phrases.occurring(&texts),
            over_limit: texts.iter().any(|text| evidence::asks_for_more_than_the_limit(text)),
            body: kind_of(&body, &case),
        };
        let Decided { mut reading, row } = self.decided(&judge, &case);
        let (signal, progress) = ending(&reading, status, stream);
        reading.signal = signal;
        reading.progress = progress;
        reading.stream = stream.map(|(end, _)| verdict_of_stream(&reading, end));
        add_names(&mut reading, row, headers, &body);
        let received = reply.received();
        add_wait(&mut reading, row, headers, received, &texts, &body.layers);
        reading
    }

    /// Whether the reply is a failure, an answer, or neither.
    fn case(
        &self,
        reply: &Reply,
        status: u16,
        body: &Body,
        stream: Option<(StreamEnd, bool)>,
    ) -> Case {
        match (stream, reply.ending()) {
            (Some((StreamEnd::Truncated, content_started)), _) => {
                return Case::Truncated { content_started };
            }
            (Some((StreamEnd::ErrorEvent, _)), _) => return Case::Failed,
            (Some((StreamEnd::Complete, _)), Ending::Stream { stop_reasons, .. })
                if !stop_reasons.is_empty() =>
            {
                return Case::Ended(stop_reasons.clone());
            }
            _ => {}
        }
        if !(200..=299).contains(&status)
            || body.layers.iter().any(|layer| evidence::says_failure(&layer.value))
        {
            return Case::Failed;
        }
        let whole = body.whole.as_ref().unwrap_or(&Value::Null);
        match (stream::answer(whole), self.chain.accept) {
            (stream::Answer::Ended(reasons), _) => {
                Case::Ended(reasons.into_iter().map(|reason| reason.into_owned()).collect())
            }
            (stream::Answer::NoStopReason, _) | (_, Accept::Any) => Case::Accepted,
            (stream::Answer::NotAnAnswer, Accept::Json) if is_json(whole) => Case::Accepted,
            (stream::Answer::NotAnAnswer, _) => Case::Failed,
        }
    }

    fn decided<'r>(&self, judge: &Judge<'r>, case: &Case) -> Decided<'r> {
        match case {
            Case::Truncated { content_started } => {
                let (class, row) = match content_started {
                    true => (Class::OutcomeUnknown, "stream-truncated"),
                    // Nothing was handed on: as safe to repeat as a 5xx.
                    false => (Class::Transient, "stream-truncated-before-content"),
                };
                let note = "the stream ended without its terminal event";
                self.without_row(Classification::of(class), row, note)
            }
            Case::Ended(reasons) => match judge.stopped(reasons) {
                Ok(verdict) => by_row(&verdict),
                Err(unknown) => {
                    let once = Classification::of(Class::Unknown).bounded(Bound::Once);
                    let note = "no table knows why this answer ended: look the reason up";
                    let mut decided = self.without_row(once, "unknown-stop-reason", note);
                    decided.reading.code = Some(unknown.into());
                    decided.reading.unknown_code = true;
                    decided
                }
            },
            Case::Accepted => match judge.plain() {
                Some((table, row)) => {
                    by_row(&Verdict { table, row, code: None, unknown_code: false })
                }
                None => self.without_row(Classification::of(Class::Ok), "accepted", ""),
            },
            Case::Failed => match judge.failure() {
                Ok(verdict) => {
                    let mut decided = by_row(&verdict);
                    decided.reading.ignored.extend(contradiction(judge, &verdict));
                    decided
                }
                Err(code) => {
                    let bound = match judge.status {
                        Some(100..=499) => Bound::Never,
                        _ => Bound::Once,
                    };
                    let class = Classification::of(Class::Unknown).bounded(bound);
                    let note = "no row holds: look the reply up and add it to the table";
                    let mut decided = self.without_row(class, "no-row", note);
                    decided.reading.unknown_code = code.is_some();
                    decided.reading.code = code;
                    decided
                }
            },
        }
    }

    /// What holds for every provider.
    fn without_row(
        &self,
        classification: Classification,
        row: &str,
        note: &str,
    ) -> Decided<'static> {
        let decided_by = DecidedBy {
            table: self.table().name().into(),
            row: row.into(),
            note: note.into(),
            source: String::new(),
        };
        let reading = Reading { classification, decided_by, ..Reading::of(Signal::Response(200)) };
        Decided { reading, row: None }
    }
}

/// A reading that lacks its names and its wait, and the row that it comes from.
struct Decided<'r> {
    reading: Reading,
    row: Option<&'r Row>,
}

fn add_names(reading: &mut Reading, row: Option<&Row>, headers: &[(String, String)], body: &Body) {
    let values: Vec<&Value> = body.layers.iter().map(|layer| &layer.value).collect();
    let header = |name: &str| header_in(headers, name);
    reading.request_id = evidence::request_id(header, &values).map(String::from);
    let own_place = row.and_then(|row| row.param.as_ref());
    reading.rejected_param = evidence::rejected_param(&values, own_place);
    let says = evidence::retryable(header, &values);
    reading.vetoed = says == Some(false);
    reading.granted = says == Some(true);
}

fn add_wait(
    reading: &mut Reading,
    row: Option<&Row>,
    headers: &[(String, String)],
    received: Option<UnixTime>,
    texts: &[&str],
    layers: &[Layer],
) {
    if !waits(reading.classification.class) {
        return;
    }
    let bodies: Vec<&Value> = layers.iter().map(|layer| &layer.value).collect();
    let mut headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (&**name, &**value)).collect();
    headers.extend(bodies.iter().flat_map(|body| evidence::headers_inside(body)));
    let said = wait::waits(&Said { headers: &headers, bodies: &bodies, texts, received });
    reading.ignored.extend(said.ignored.into_iter().map(|ignored| Ignored {
        name: ignored.name,
        value: ignored.value,
        why: ignored.why.into(),
    }));
    let (takes, fixed) = row.map_or((HintsTaken::Any, None), |row| (row.hint, row.wait));
    for found in said.found {
        let why = match (takes.takes(found.place), reading.hint) {
            (true, None) => {
                reading.hint = Some(found.hint);
                reading.wait_source = Some(WaitSource::Hint(found.place, found.name));
                continue;
            }
            (true, Some(_)) => "another hint goes before",
            (false, _) => "it says nothing about this failure",
        };
        reading.ignored.push(Ignored { name: found.name, value: found.value, why: why.into() });
    }
    if let (None, Some(fixed)) = (reading.hint, fixed) {
        reading.hint = Some(Hint(fixed));
        reading.wait_source = Some(WaitSource::Row);
    }
}

/// Whether anybody will come back, here or with another account.
fn waits(class: Class) -> bool {
    match class {
        Class::Transient
        | Class::Throttled
        | Class::Exhausted
        | Class::Conflict
        | Class::OutcomeUnknown
        | Class::Unknown => true,
        Class::Ok | Class::InvalidRequest | Class::Auth | Class::TooLarge | Class::Content => false,
    }
}

fn is_json(whole: &Value) -> bool {
    whole.is_object() || whole.is_array()
}

/// The innermost status that anybody names; a success that hides a failure names none.
fn effective_status(layers: &[Layer], status: u16, case: &Case) -> Option<u16> {
    match case {
        Case::Ended(_) | Case::Accepted => Some(status),
        Case::Truncated { .. } => None,
        Case::Failed => {
            let inside = layers.iter().find_map(evidence::in_body);
            inside.or_else(|| (!(200..=299).contains(&status)).then_some(status))
        }
    }
}

fn kind_of(body: &Body, case: &Case) -> Option<AnswerKind> {
    match (body.kind, case) {
        (_, Case::Accepted) => None,
        (BodyKind::Empty, _) => Some(AnswerKind::Empty),
        (BodyKind::Html, _) => Some(AnswerKind::Html),
        (BodyKind::Text, _) => Some(AnswerKind::Text),
        (BodyKind::Json, Case::Failed) => Some(AnswerKind::NoAnswer),
        (BodyKind::Json, _) => None,
    }
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
    let (_, alone) = judge.plain()?;
    let differs = alone.classification.class != verdict.row.classification.class;
    let says = match (&verdict.code, verdict.row.when.reads_messages()) {
        (Some(code), _) if !verdict.row.when.codes.is_empty() => format!("{code} says more"),
        (_, true) => "the message says more".to_string(),
        _ => return None,
    };
    differs.then(|| Ignored {
        name: "status".into(),
        value: judge.status.map_or_else(String::new, |status| status.to_string()),
        why: format!("alone it would mean {}, but {says}", alone.classification.class),
    })
}

/// How the attempt ended, and how far it had come.
fn ending(reading: &Reading, status: u16, stream: Option<(StreamEnd, bool)>) -> (Signal, Progress) {
    let by_content = |started| if started { Progress::PartialResponse } else { Progress::Sent };
    if reading.signal == Signal::TurnPaused {
        return (Signal::TurnPaused, Progress::Sent);
    }
    match stream {
        None => (Signal::Response(status), Progress::Sent),
        Some((StreamEnd::ErrorEvent, started)) => (Signal::StreamError, by_content(started)),
        Some((StreamEnd::Truncated, started)) => (Signal::StreamTruncated, by_content(started)),
        Some((StreamEnd::Complete, started)) => {
            // The model's own verdict on a whole turn leaves nothing half done.
            let whole = match reading.classification.class {
                Class::Ok | Class::Content | Class::TooLarge => true,
                Class::Transient
                | Class::Throttled
                | Class::Exhausted
                | Class::InvalidRequest
                | Class::Auth
                | Class::Conflict
                | Class::OutcomeUnknown
                | Class::Unknown => false,
            };
            (Signal::Response(status), by_content(started && !whole))
        }
    }
}

fn verdict_of_stream(reading: &Reading, end: StreamEnd) -> StreamVerdict {
    match (end, reading.signal, reading.classification.class) {
        (StreamEnd::ErrorEvent, ..) => StreamVerdict::ErrorEvent,
        (StreamEnd::Truncated, ..) => StreamVerdict::Truncated,
        (StreamEnd::Complete, Signal::TurnPaused, _) => StreamVerdict::Paused,
        (StreamEnd::Complete, _, Class::Ok) => StreamVerdict::Complete,
        (StreamEnd::Complete, _, Class::Content) => StreamVerdict::Refused,
        (StreamEnd::Complete, _, Class::TooLarge) => StreamVerdict::ContextExceeded,
        (StreamEnd::Complete, ..) => StreamVerdict::Failed,
    }
}
