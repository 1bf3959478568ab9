//! What a reading names beside its class: ids, the rejected parameter, the server's word on a
//! retry, and how long to wait.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::row::{HintsTaken, Row};
use crate::class::Class;
use crate::evidence::{self, Body, Layer};
use crate::replies::{Ignored, Reading, WaitSource, header_in};
use crate::retry_after::Hint;
use crate::wait::{self, Said, UnixTime};

/// Adds what is named, at the row's own place first.
pub(super) fn add_names(
    reading: &mut Reading,
    row: Option<&Row>,
    headers: &[(String, String)],
    body: &Body,
) {
    let values: Vec<&Value> = body.layers.iter().map(|layer| &layer.value).collect();
    let header = |name: &str| header_in(headers, name);
    reading.request_id = evidence::request_id(header, &values).map(String::from);
    let own_place = row.and_then(|row| row.param.as_ref());
    reading.rejected_param = evidence::rejected_param(&values, own_place);
    let says = evidence::retryable(headers, &values);
    reading.vetoed = says == Some(false);
    reading.granted = says == Some(true);
}

/// Adds the wait that counts on the row, and what does not count.
pub(super) fn add_wait(
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
