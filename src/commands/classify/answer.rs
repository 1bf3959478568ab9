//! A verdict for programs.

use serde::Serialize;

use super::verdict::Verdict;

/// The object that is printed; its keys and their order are what scripts rely on.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    /// Of a case; a single reply has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    class: &'static str,
    action: &'static str,
    /// What the server asked for or the row says, before any spread. A wait too long for the clock
    /// is a large number.
    retry_after_s: Option<f64>,
    table: &'a str,
    rule: &'a str,
    raw_status: Option<u16>,
    raw_code: Option<&'a str>,
    request_id: Option<&'a str>,
    rejected_param: Option<&'a str>,
    /// Who can do something about it, if the call ended without an answer.
    owner: Option<&'static str>,
    reason: &'static str,
}

impl<'a> Answer<'a> {
    pub(super) fn of(id: Option<&'a str>, verdict: &'a Verdict) -> Self {
        let reading = &verdict.reading;
        Answer {
            id,
            class: verdict.class(),
            action: verdict.action(),
            retry_after_s: verdict.retry_after_s(),
            table: &reading.decided_by.table,
            rule: &reading.decided_by.row,
            raw_status: verdict.status,
            raw_code: reading.code.as_deref(),
            request_id: reading.request_id.as_deref(),
            rejected_param: reading.rejected_param.as_deref(),
            owner: verdict.owner(),
            reason: verdict.reason,
        }
    }

    /// The object on a line of its own.
    pub(super) fn line(&self) -> String {
        // Texts and numbers under fixed keys: nothing here can fail to be JSON.
        serde_json::to_string(self).map_or_else(|_| String::new(), |text| text + "\n")
    }
}
