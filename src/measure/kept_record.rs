//! [`KeptRecord`]: a decision record that outlives the decision.

use retrial_policy::DecisionRecord;

/// A record of the policy core, with copies of what it only borrows.
#[derive(Clone, Debug)]
pub struct KeptRecord {
    /// All but the borrowed texts, which are empty.
    rest: DecisionRecord<'static>,
    route: String,
    model: Option<String>,
    code: Option<String>,
    request_id: Option<String>,
    rejected_param: Option<String>,
}

impl KeptRecord {
    /// A copy of `record`.
    pub fn of(record: &DecisionRecord<'_>) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_string);
        KeptRecord {
            rest: DecisionRecord {
                route: "",
                model: None,
                code: None,
                request_id: None,
                rejected_param: None,
                logical_request_id: record.logical_request_id,
                attempt: record.attempt,
                branch: record.branch,
                class: record.class,
                reason: record.reason,
                status: record.status,
                delay: record.delay,
                delay_source: record.delay_source,
                fallback_reason: record.fallback_reason,
                remaining_attempts: record.remaining_attempts,
                remaining_time: record.remaining_time,
                elapsed: record.elapsed,
                sent: record.sent,
                attempts_on_wire: record.attempts_on_wire,
                action: record.action,
                terminal_outcome: record.terminal_outcome,
                stop: record.stop,
            },
            route: record.route.to_string(),
            model: owned(record.model),
            code: owned(record.code),
            request_id: owned(record.request_id),
            rejected_param: owned(record.rejected_param),
        }
    }

    /// The record as the policy core made it.
    pub fn get(&self) -> DecisionRecord<'_> {
        DecisionRecord {
            route: &self.route,
            model: self.model.as_deref(),
            code: self.code.as_deref(),
            request_id: self.request_id.as_deref(),
            rejected_param: self.rejected_param.as_deref(),
            ..self.rest
        }
    }
}
