//! Where replications ended before figures were exact enough.

use crate::experiment::outline::Outline;
use crate::study::results::Results;
use crate::study::stopping::Why;

/// A line if the cap of `stop` ended some points: which, and what to do.
pub fn note(outline: &Outline, results: &Results) -> Option<String> {
    let stop = outline.stop.as_ref()?;
    let points = 0..results.points.len();
    let capped: Vec<_> = points.filter(|point| results.why_stopped(*point) == Why::Cap).collect();
    let first = *capped.first()?;
    let place = match (results.describe_point(first), capped.len() - 1) {
        (place, _) if place.is_empty() => String::new(),
        (place, 0) => format!(" at {place}"),
        (place, more) => format!(" at {place} and {more} more points"),
    };
    let max = stop.max;
    Some(format!(
        "`stop` ended{place} at the cap of {max} replications: figures are not as exact as it asks"
    ))
}
