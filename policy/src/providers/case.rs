//! [`Case`]: what there is to decide about a reply, before any row is looked at.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::row::AnswerKind;
use super::table::Accept;
use crate::evidence::{self, Body, BodyKind, Layer};
use crate::replies::{Ending, Reply};
use crate::stream::{self, StreamEnd};

/// What there is to decide about a reply.
pub(super) enum Case {
    /// A failure.
    Failed,
    /// An answer that ended for these reasons.
    Ended(Vec<String>),
    /// A success that says no more.
    Accepted,
    /// A stream that broke off.
    Truncated { content_started: bool },
}

impl Case {
    /// Whether there is no answer.
    pub(super) fn is_failure(&self) -> bool {
        match self {
            Case::Failed | Case::Truncated { .. } => true,
            Case::Ended(_) | Case::Accepted => false,
        }
    }

    /// Whether the reply is a failure, an answer, or neither.
    pub(super) fn of(
        accept: Accept,
        reply: &Reply,
        status: u16,
        body: &Body,
        stream: Option<(StreamEnd, bool)>,
    ) -> Case {
        // Whatever follows it, a response that began as a failure is one.
        if !(200..=299).contains(&status) {
            return Case::Failed;
        }
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
        if body.layers.iter().any(|layer| evidence::says_failure(&layer.value)) {
            return Case::Failed;
        }
        if is_media(reply) {
            return Case::Accepted;
        }
        let whole = body.whole.as_ref().unwrap_or(&Value::Null);
        match (stream::answer_in(whole), accept) {
            (stream::Answer::Ended(reasons), _) => {
                Case::Ended(reasons.into_iter().map(|reason| reason.into_owned()).collect())
            }
            (stream::Answer::NoStopReason, _) | (_, Accept::Any) => Case::Accepted,
            (stream::Answer::NotAnAnswer, Accept::Json) if is_json(whole) => Case::Accepted,
            (stream::Answer::NotAnAnswer, _) => Case::Failed,
        }
    }

    /// The innermost status that anybody names; a success that hides a failure names none.
    pub(super) fn status(&self, layers: &[Layer], status: u16) -> Option<u16> {
        match self {
            Case::Ended(_) | Case::Accepted => Some(status),
            Case::Truncated { .. } => None,
            Case::Failed => {
                let inside = layers.iter().find_map(evidence::in_body);
                inside.or_else(|| (!(200..=299).contains(&status)).then_some(status))
            }
        }
    }

    /// What kind of answer the body is, or is not.
    pub(super) fn body(&self, body: &Body) -> Option<AnswerKind> {
        match (body.kind, self) {
            (_, Case::Accepted) => None,
            (BodyKind::Empty, _) => Some(AnswerKind::Empty),
            (BodyKind::Html, _) => Some(AnswerKind::Html),
            (BodyKind::Text, _) => Some(AnswerKind::Text),
            (BodyKind::Json, Case::Failed) => Some(AnswerKind::NoAnswer),
            (BodyKind::Json, _) => None,
        }
    }
}

fn is_json(whole: &Value) -> bool {
    whole.is_object() || whole.is_array()
}

/// An answer that is no text: speech, pictures, files.
fn is_media(reply: &Reply) -> bool {
    const KINDS: [&str; 5] = ["audio/", "image/", "video/", "application/octet-stream", "text/vtt"];
    let kind = reply.header("content-type").unwrap_or_default().to_ascii_lowercase();
    KINDS.iter().any(|media| kind.starts_with(media))
}
