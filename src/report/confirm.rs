//! What the best of a screening are worth.

use super::figures;
use crate::measure::metric;
use crate::study::confirm::{Confirmed, Screening};
use crate::study::results::Results;

/// A line for each, in the order of the screening.
pub fn lines(results: &Results, screening: Screening, confirmed: &[Confirmed]) -> Vec<String> {
    let name = metric::ALL[screening.metric].name;
    let line = |one: &Confirmed| {
        let place = match results.describe_point(one.point) {
            place if place.is_empty() => String::new(),
            place => format!(" at {place}"),
        };
        format!(
            "confirmed on {} fresh replications: `{}`{place}: {name} {} ({} when it was chosen)",
            one.replications,
            results.policies[one.policy],
            figures::estimate(&one.confirmed),
            figures::estimate(&one.screened),
        )
    };
    if confirmed.is_empty() {
        return vec![format!("nothing is confirmed: no policy has an estimate of {name}")];
    }
    confirmed.iter().map(line).collect()
}
