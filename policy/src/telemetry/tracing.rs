//! [`TracingObserver`]: decision records as events of the `tracing` crate.

use core::fmt;

use crate::decision::Action;
use crate::fallback::FallbackReason;
use crate::observer::Observer;
use crate::record::DecisionRecord;
use crate::terminal_outcome::TerminalOutcome;
use crate::time::Nanos;

/// Makes an event of each record, with the target `retrial_policy`.
///
/// Its fields are those of the serialised record, by the same names and in the same order; one that
/// has no value is left out. A policy with inner ones adds `layer`, from 1, the outermost. The
/// message is that of the stop, else the action. Accepting is DEBUG; a retry on the same route, a
/// reduction and the continuation of a turn are INFO; a fallback, a stop and a reconciliation are
/// WARN.
#[derive(Clone, Copy, Debug, Default)]
pub struct TracingObserver;

impl Observer for TracingObserver {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        event(None, record);
    }

    fn decided_in_layer(&mut self, depth: usize, record: &DecisionRecord<'_>) {
        event(Some(depth as u64 + 1), record);
    }
}

/// The level of an event is part of the place that makes it, so each level has its own.
macro_rules! event_at {
    ($level:ident, $layer:expr, $record:expr) => {{
        let record = $record;
        tracing::event!(
            target: "retrial_policy",
            tracing::Level::$level,
            logical_request_id = %record.logical_request_id,
            attempt = record.attempt,
            branch = record.branch.as_str(),
            route = record.route,
            model = record.model,
            class = record.class.as_str(),
            reason = record.reason,
            status = record.status,
            code = record.code,
            request_id = record.request_id,
            rejected_param = record.rejected_param,
            delay_ms = record.delay.map(Nanos::as_millis_f64),
            delay_source = record.delay_source.as_str(),
            fallback_reason = record.fallback_reason.map(FallbackReason::as_str),
            remaining_attempts = record.remaining_attempts,
            remaining_time_ms = record.remaining_time.map(Nanos::as_millis_f64),
            action = record.action.as_str(),
            terminal_outcome = record.terminal_outcome.map(TerminalOutcome::as_str),
            layer = $layer,
            "{}",
            Message(record)
        );
    }};
}

fn event(layer: Option<u64>, record: &DecisionRecord<'_>) {
    match record.action {
        Action::Accept => event_at!(DEBUG, layer, record),
        Action::RetrySameRoute
        | Action::RetryAfterHint
        | Action::ReduceAndRetryOnce
        | Action::ContinueTurn => event_at!(INFO, layer, record),
        Action::Fallback | Action::Stop | Action::Reconcile => event_at!(WARN, layer, record),
    }
}

/// What a person reads first.
struct Message<'r, 'a>(&'r DecisionRecord<'a>);

impl fmt::Display for Message<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.stop_message() {
            Some(message) => message.fmt(f),
            None => self.0.action.fmt(f),
        }
    }
}
