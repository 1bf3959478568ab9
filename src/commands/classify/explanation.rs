//! A verdict for people: what was read, what is done, and why.

use retrial_policy::replies::{Ignored, Reading, StreamVerdict};
use retrial_policy::{Bound, Decision, Policy, Progress, RowReplay, StopReason, Wait};

use super::printable::printable;
use super::verdict::Verdict;
use super::wait;

/// The width of the names before the texts.
const NAMES: usize = 10;

/// Lines of names and texts.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, text: impl AsRef<str>) {
        let text = printable(text.as_ref());
        self.0.push_str(format!("{name:NAMES$}  {text}").trim_end());
        self.0.push('\n');
    }

    /// Leaves the line out where there is nothing to say.
    fn add_some(&mut self, name: &str, text: Option<impl AsRef<str>>) {
        if let Some(text) = text.filter(|text| !text.as_ref().is_empty()) {
            self.add(name, text);
        }
    }
}

/// The explanation of `verdict` under `policy`.
pub(super) fn of(policy: &Policy, verdict: &Verdict) -> String {
    let reading = &verdict.reading;
    let by = &reading.decided_by;
    let mut lines = Lines::default();
    lines.add("class", verdict.class());
    lines.add("action", format!("{}: {}", verdict.action(), in_words(policy, verdict)));
    lines.add_some("wait", wait::in_words(policy, verdict));
    if let Some(stop) = verdict.stop {
        lines.add("reason", why(stop.reason));
        lines.add("owner", stop.owner().as_str());
        lines.add("change", stop.advice());
    }
    lines.add("row", format!("{} in the table {}", by.row, by.table));
    lines.add_some("note", Some(&by.note));
    lines.add_some("source", Some(&by.source));
    lines.add_some("row says", row_says(verdict));
    lines.add_some("status", verdict.status.map(|status| status.to_string()));
    lines.add_some("code", code(verdict));
    lines.add_some("parameter", reading.rejected_param.as_ref());
    lines.add_some("request id", reading.request_id.as_ref());
    lines.add_some("stream", reading.stream.map(|end| stream(end, reading.progress)));
    if reading.truncated {
        lines.add("truncated", "the answer is cut at the caller's own limit on its length");
    }
    if reading.vetoed {
        lines.add("server", "forbids a retry");
    } else if reading.granted {
        lines.add("server", "says that a retry is worth it");
    }
    for (index, ignored) in reading.ignored.iter().enumerate() {
        lines.add(if index == 0 { "ignored" } else { "" }, because(ignored));
    }
    lines.0
}

/// What the action means.
fn in_words(policy: &Policy, verdict: &Verdict) -> String {
    let once = match verdict.reading.classification.bound {
        Bound::Once => ", once",
        Bound::Policy | Bound::Never => "",
    };
    match verdict.decision {
        Decision::Accept => "use the answer".to_string(),
        Decision::Stop(_) => "surface the failure, no further call".to_string(),
        Decision::RetrySameRoute(_) => format!("send it again to the same route{once}"),
        Decision::RetryAfterHint(_) => {
            format!("send it again to the same route when the wait is over{once}")
        }
        Decision::ReduceAndRetryOnce(_) => "make the request smaller and send it once more".into(),
        Decision::Fallback(Wait { route, .. }) => {
            let reason = verdict.fallback_reason.map_or("", |reason| reason.as_str());
            format!("send it to the route `{}` ({reason})", policy.route_name(route))
        }
        Decision::Reconcile(_) => "find out what happened before anything is repeated".into(),
        Decision::ContinueTurn(_) => "send the partial turn back to be continued".to_string(),
    }
}

/// Why no further attempt is made.
fn why(reason: StopReason) -> String {
    let words = match reason {
        StopReason::NotRetryable => "sending it again would end the same way",
        StopReason::BoundReached => "the row allows no further retry",
        StopReason::AttemptsExhausted => "the policy allows no further attempt",
        StopReason::DeadlineExceeded { .. } => "the wait would outlast the policy's deadline",
        StopReason::BudgetDenied => "the retry budget is spent",
        StopReason::ServerForbade => "the server forbids a retry",
        StopReason::HintOverCap { .. } => {
            "the server asks for a longer wait than the policy accepts, and no other route is there"
        }
        StopReason::NotReplayable => {
            "the call may have taken effect, and nothing makes it repeatable"
        }
        StopReason::PartialResponse => {
            "part of the answer was handed on: repeating would hand it on twice"
        }
    };
    format!("{}: {words}", reason.as_str())
}

/// What the row says beside its class.
fn row_says(verdict: &Verdict) -> Option<String> {
    let row = verdict.reading.classification;
    let mut says = Vec::new();
    match row.bound {
        Bound::Once => says.push("one retry"),
        Bound::Never => says.push("no retry"),
        Bound::Policy => {}
    }
    match row.replay {
        RowReplay::Safe => says.push("sending it again does no harm"),
        RowReplay::NeedsKey => says.push("nothing is repeated without an idempotency key"),
        RowReplay::AsPolicy => {}
    }
    if row.route_unavailable {
        says.push("the whole route is unavailable");
    }
    (!says.is_empty()).then(|| says.join("; "))
}

fn code(verdict: &Verdict) -> Option<String> {
    let Reading { code, unknown_code, .. } = &verdict.reading;
    Some(match (code, unknown_code) {
        (None, None) => return None,
        (Some(code), None) => code.clone(),
        (Some(code), Some(unknown)) if code != unknown => {
            format!("{code} ({unknown} is there too, and no table knows it)")
        }
        (_, Some(unknown)) => format!("{unknown} (no table knows it)"),
    })
}

fn stream(end: StreamVerdict, progress: Progress) -> String {
    let how_far = match progress {
        Progress::PartialResponse => ", after part of the answer had been handed on",
        Progress::Sent | Progress::NotSent => "",
    };
    format!("{}{how_far}", end.as_str())
}

fn because(ignored: &Ignored) -> String {
    let Ignored { name, value, why } = ignored;
    match value.as_str() {
        "" => format!("{name}: {why}"),
        value => format!("{name} `{value}`: {why}"),
    }
}
