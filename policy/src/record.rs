//! One record per decision: what a log line, a trace and a chart are made of. No bodies, no
//! secrets.

use core::fmt;

use crate::branch::Branch;
use crate::class::Class;
use crate::decision::{Action, DelaySource};
use crate::fallback::FallbackReason;
use crate::key::CallKey;
use crate::stop::Stop;
use crate::terminal_outcome::TerminalOutcome;
use crate::time::Nanos;

/// A decision with everything that led to it.
#[derive(Clone, Copy, Debug)]
pub struct DecisionRecord<'a> {
    /// The logical request; its key replays every delay of the call.
    pub logical_request_id: CallKey,
    /// The number of the attempt that just ended, from 1.
    pub attempt: u32,
    /// The path that had led to that attempt.
    pub branch: Branch,
    /// The route it went to.
    pub route: &'a str,
    /// The model it asked for.
    pub model: Option<&'a str>,
    /// What its outcome means.
    pub class: Class,
    /// Why the action was chosen: the stop reason, or the class that authorised going on.
    pub reason: &'static str,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The provider's error code.
    pub code: Option<&'a str>,
    /// The provider's request id.
    pub request_id: Option<&'a str>,
    /// The parameter that the provider rejected.
    pub rejected_param: Option<&'a str>,
    /// The wait before the next attempt, if there is one.
    pub delay: Option<Nanos>,
    /// What decided the wait.
    pub delay_source: DelaySource,
    /// Why the next attempt goes to another route.
    pub fallback_reason: Option<FallbackReason>,
    /// Attempts left after the one that just ended. `None` is unlimited.
    pub remaining_attempts: Option<u32>,
    /// Time left at the decision, before the wait. `None` is unlimited.
    pub remaining_time: Option<Nanos>,
    /// Time since the call began. For messages; a record's own time stamps come from its log.
    pub elapsed: Nanos,
    /// Whether an attempt had been sent that this decision follows. If not, the budget kept it from
    /// leaving, or there was no time left for it.
    pub sent: bool,
    /// Attempts made on the wire so far. More than `attempt` where policies inside this one repeat.
    pub attempts_on_wire: u32,
    /// What to do.
    pub action: Action,
    /// How the call ended, if it did.
    pub terminal_outcome: Option<TerminalOutcome>,
    /// The end without an answer, if that is what it was.
    pub stop: Option<Stop>,
}

impl<'a> DecisionRecord<'a> {
    /// The one message for whoever has to act on a stop; `None` if the call did not stop.
    pub fn stop_message(&self) -> Option<StopMessage<'_, 'a>> {
        self.stop.map(|stop| StopMessage { record: self, stop })
    }
}

/// Class, raw status and code, rejected parameter, last request id, attempts, time spent, and what
/// to change, in one line.
#[derive(Clone, Copy, Debug)]
pub struct StopMessage<'r, 'a> {
    record: &'r DecisionRecord<'a>,
    stop: Stop,
}

impl fmt::Display for StopMessage<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StopMessage { record, stop } = self;
        write!(f, "{} on route {}", stop, record.route)?;
        if let Some(status) = record.status {
            write!(f, ", status {status}")?;
        }
        if let Some(code) = record.code {
            write!(f, ", code {code}")?;
        }
        if let Some(param) = record.rejected_param {
            write!(f, ", rejected parameter {param}")?;
        }
        if let Some(id) = record.request_id {
            write!(f, ", request id {id}")?;
        }
        let attempts = if record.attempt == 1 { "attempt" } else { "attempts" };
        write!(f, "; {} {attempts} in {}", record.attempt, record.elapsed)?;
        write!(f, "; {}: {}", stop.owner().as_str(), stop.advice())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for DecisionRecord<'_> {
    /// The stable field names of the record, in their order.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("DecisionRecord", 18)?;
        out.serialize_field("logical_request_id", &format_args!("{}", self.logical_request_id))?;
        out.serialize_field("attempt", &self.attempt)?;
        out.serialize_field("branch", self.branch.as_str())?;
        out.serialize_field("route", self.route)?;
        out.serialize_field("model", &self.model)?;
        out.serialize_field("class", self.class.as_str())?;
        out.serialize_field("reason", self.reason)?;
        out.serialize_field("status", &self.status)?;
        out.serialize_field("code", &self.code)?;
        out.serialize_field("request_id", &self.request_id)?;
        out.serialize_field("rejected_param", &self.rejected_param)?;
        out.serialize_field("delay_ms", &self.delay.map(Nanos::as_millis_f64))?;
        out.serialize_field("delay_source", self.delay_source.as_str())?;
        out.serialize_field("fallback_reason", &self.fallback_reason.map(FallbackReason::as_str))?;
        out.serialize_field("remaining_attempts", &self.remaining_attempts)?;
        out.serialize_field("remaining_time_ms", &self.remaining_time.map(Nanos::as_millis_f64))?;
        out.serialize_field("action", self.action.as_str())?;
        let terminal = self.terminal_outcome.map(TerminalOutcome::as_str);
        out.serialize_field("terminal_outcome", &terminal)?;
        out.end()
    }
}
