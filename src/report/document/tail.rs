//! How long callers wait, the slowest of them above all.

use maud::{Markup, html};

use super::metrics::{self, Column};
use super::section::{Section, figures};
use super::study::Study;
use crate::measure::metric::Id;

/// The section.
pub const SECTION: Section = Section { id: "tail", title: "Latency and its tail" };

/// Its charts and how to read them.
pub const FIGURES: [(&str, &str); 4] = [
    (
        "percentiles",
        "How bad is the tail? Latency against the percentile on a scale that stretches the slowest \
         requests: the further right a line stays low, the fewer callers wait long.",
    ),
    (
        "cdf",
        "What share is answered in time? Read up from a latency to the share of all requests \
         that had their answer by then: a line that ends below 100 % is short of those that never \
         had one.",
    ),
    (
        "latency-heatmap",
        "When did callers wait long? Time runs to the right, height is latency on a log scale, and \
         colour the number of requests: two bands are two populations that a mean would hide.",
    ),
    (
        "waterfall",
        "What did a single request go through? A row is one of its attempts: a bar while it was in \
         flight, then a dashed line where the request waited for the next.",
    ),
];

const ACCEPTED: [Column; 6] = [
    ("mean", Id::LatencyMeanMs),
    ("p50", Id::LatencyP50Ms),
    ("p90", Id::LatencyP90Ms),
    ("p99", Id::LatencyP99Ms),
    ("p99.9", Id::LatencyP999Ms),
    ("longest", Id::LatencyMaxMs),
];

const ALL: [Column; 6] = [
    ("mean", Id::LatencyAllMeanMs),
    ("p50", Id::LatencyAllP50Ms),
    ("p90", Id::LatencyAllP90Ms),
    ("p99", Id::LatencyAllP99Ms),
    ("p99.9", Id::LatencyAllP999Ms),
    ("longest", Id::LatencyAllMaxMs),
];

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    html! {
        p {
            "From the planned start of a request to its end, waits and retries included. A policy \
             that gives up early has fast answers and few of them, so requests without an answer \
             are counted in a table of their own."
        }
        (metrics::table(study, "Latency of accepted requests (ms)", &ACCEPTED))
        (metrics::table(study, "Latency of all requests that ended (ms)", &ALL))
        (figures(study, &FIGURES))
    }
}
