//! Whether the API comes back after a disturbance, when, and how requests ended.

use maud::{Markup, html};

use super::metrics::{self, Column};
use super::section::{Section, figures};
use super::study::Study;
use crate::measure::metric::Id;

/// The section.
pub const SECTION: Section = Section { id: "recovery", title: "Recovery" };

/// Its charts and how to read them.
pub const FIGURES: [(&str, &str); 2] = [
    (
        "recovery",
        "Does it come back, and how fast? What flows is above and what waits below, with the \
         disturbance shaded: it has recovered where goodput meets the offered load again, and a gap \
         that never closes is an overload that feeds itself. The panels are replication 0; the \
         title speaks of all replications.",
    ),
    (
        "endings",
        "How did requests end? A bar is a policy, and its parts are shares of all requests: \
         answered, given up after trying, and stopped because trying again could not help.",
    ),
];

const METRICS: [Column; 8] = [
    ("recovered", Id::RecoveredRatio),
    ("recovery (ms)", Id::RecoveryMs),
    ("drain (ms)", Id::DrainMs),
    ("goodput (1/s)", Id::GoodputPerS),
    ("largest backlog", Id::BacklogPeak),
    ("mean queue", Id::QueueMean),
    ("busy workers", Id::Utilisation),
    ("wasted", Id::WastedRatio),
];

const ENDINGS: [Column; 9] = [
    ("first try", Id::FirstTrySucceeded),
    ("after retries", Id::RetriedSucceeded),
    ("stopped", Id::Stopped),
    ("out of attempts", Id::GaveUpAttempts),
    ("out of time", Id::GaveUpDeadline),
    ("out of budget", Id::GaveUpBudget),
    ("reconciled", Id::Reconciled),
    ("unfinished", Id::Unfinished),
    ("all requests", Id::Requests),
];

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    html! {
        (metrics::table(study, "After the last disturbance, and over the whole run", &METRICS))
        (metrics::table(study, "How requests ended, per replication", &ENDINGS))
        (figures(study, &FIGURES))
    }
}
