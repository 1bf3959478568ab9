//! What a route answers, as the table of its provider reads it.

use std::cell::RefCell;

use retrial_policy::providers::{Provider, UnknownCodes};
use retrial_policy::replies::{self, Reading};
use retrial_policy::stream::{StreamEnd, StreamOutcome};

use crate::experiment::check::problem::Problem;
use crate::experiment::schema::Reply;
use crate::experiment::suggest;
use crate::model::reply::{Replies, ReplyId};

/// The replies of one route. Each is read once, however often it is sent.
pub(super) struct RouteReplies<'a> {
    pub(super) provider: &'a Provider,
    pub(super) unknown: &'a RefCell<UnknownCodes>,
    /// Those of the whole scenario.
    pub(super) replies: &'a mut Replies,
}

impl RouteReplies<'_> {
    /// What the route's table makes of `reply`.
    pub(super) fn read(&self, key: &str, reply: &Reply) -> Result<Reading, Problem> {
        let reply = match reply {
            Reply::Named(id) => replies::find(id).ok_or_else(|| unknown_reply(key, id))?,
            Reply::Given(given) if !(100..=599).contains(&given.status) => {
                return Err(Problem {
                    key: format!("{key}.reply.status"),
                    message: format!("{} is no HTTP status", given.status),
                    help: Some("an error is from 400 to 599, such as 503".to_string()),
                });
            }
            Reply::Given(given) => {
                let headers = given.headers.iter().map(|(k, v)| (k.clone(), v.clone()));
                replies::Reply::response(given.status, headers, given.body.clone())
            }
        };
        Ok(self.read_by_table(&reply))
    }

    /// A stream that breaks.
    pub(super) fn stream(&mut self, key: &str, end: StreamOutcome) -> Result<ReplyId, Problem> {
        let reading = self.read_by_table(&replies::Reply::stream(200, [], end));
        self.add(key, reading)
    }

    pub(super) fn add(&mut self, key: &str, reading: Reading) -> Result<ReplyId, Problem> {
        self.replies.add(reading).map_err(|_| Problem {
            key: key.to_string(),
            message: "more different replies than a run can tell apart".to_string(),
            help: None,
        })
    }

    fn read_by_table(&self, reply: &replies::Reply) -> Reading {
        let reading = self.provider.read(reply);
        self.unknown.borrow_mut().note(self.provider.table().name(), &reading);
        reading
    }
}

fn unknown_reply(key: &str, id: &str) -> Problem {
    let ids = replies::ids();
    let near = suggest::nearest(id, ids.iter().copied());
    let in_place = "or give it in place: { status = 503, headers = { retry-after = \"2\" } }";
    Problem {
        key: format!("{key}.reply"),
        message: format!("no reply is called `{id}`"),
        help: Some(match near {
            Some(near) => format!("did you mean `{near}`? {in_place}"),
            None => format!("generic-503 is one, {in_place}"),
        }),
    }
}

/// How a stream that breaks looks to its client; `None` for a text that names no way to break.
pub(in crate::experiment) fn broken_stream(text: &str) -> Option<StreamOutcome> {
    let ended = |end, content_started, data: &str| StreamOutcome {
        end,
        content_started,
        stop_reasons: Vec::new(),
        headers: Vec::new(),
        data: data.to_string(),
    };
    if text == "truncated" {
        return Some(ended(StreamEnd::Truncated, true, ""));
    }
    let chunks: u32 = text.strip_prefix("error_after_")?.parse().ok()?;
    // Before the first chunk nothing has reached the caller. The error is the one that every
    // provider may send at any time.
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    Some(ended(StreamEnd::ErrorEvent, chunks > 0, error))
}
