//! How attempts arrive: in step, or spread out.

use maud::{Markup, html};

use super::metrics::{self, Column};
use super::section::{Section, figures};
use super::study::Study;
use crate::measure::metric::Id;

/// The section.
pub const SECTION: Section = Section { id: "arrivals", title: "How attempts arrive" };

/// Its charts and how to read them.
pub const FIGURES: [(&str, &str); 4] = [
    (
        "arrivals",
        "Do attempts come in waves? Each panel is one policy on the same axes: the coloured area is \
         what arrived in each bin, so spikes with gaps between them are clients that return in step, \
         and a level band is a crowd that has been spread out. The panels are replication 0; a mean \
         in the title is over all replications.",
    ),
    (
        "clients",
        "Which clients are in step? A row is a client, a mark an attempt, and rows are sorted by \
         first success: upright lines of marks are clients that come back at the same moment, and \
         the front between waiting and done shows who is served late.",
    ),
    (
        "phases",
        "Do waves follow the backoff? Height is the place within one period of the backoff, colour \
         a rate: retries per second at that time and place. A horizontal band is a wave that comes \
         back period after period, an even ground is jitter at work.",
    ),
    (
        "dispersion",
        "On which time scale do attempts bunch? The index of dispersion over windows from short to \
         long: 1 is as spread as chance, and the window at which a line rises is the length of its \
         waves.",
    ),
];

const METRICS: [Column; 8] = [
    ("peak (1/s)", Id::ArrivalsPeakPerS),
    ("peak ÷ mean", Id::ArrivalsPeakToMean),
    ("clustering", Id::ArrivalsClustering),
    ("dispersion 10 ms", Id::ArrivalsFano10Ms),
    ("dispersion 100 ms", Id::ArrivalsFano100Ms),
    ("dispersion 1 s", Id::ArrivalsFano1S),
    ("refused", Id::BlockingRatio),
    ("before the hint", Id::EarlyRetries),
];

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    html! {
        p {
            "Clustering of 1 is as spread as chance; so is a dispersion of 1. The peak is the largest \
             count in any 100 ms, as a rate."
        }
        (metrics::table(study, "Arrivals at the routes", &METRICS))
        (figures(study, &FIGURES))
    }
}
