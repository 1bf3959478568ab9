//! The deadlines of the policies that a chart shows.

use super::Shown;
use crate::report::charts::Reference;
use crate::report::figures;

/// Deadlines at most: more lines than these are none to hold anything against.
const MOST: usize = 4;

/// A line for each deadline, with the policies that have it unless all do.
pub fn deadlines(shown: &Shown<'_>) -> Vec<Reference> {
    let mut found: Vec<(f64, Vec<&str>)> = Vec::new();
    for (policy, _, close_up) in shown.close_ups() {
        let Some(deadline) = close_up.about.deadline_ms else { continue };
        match found.iter_mut().find(|(other, _)| *other == deadline) {
            Some((_, policies)) => policies.push(policy),
            None => found.push((deadline, vec![policy])),
        }
    }
    let all = shown.close_ups().count();
    let reference = |(at, policies): (f64, Vec<&str>)| {
        let whose = match policies.len() {
            count if count == all => String::new(),
            count if count > 2 => format!(" ({} policies)", policies.len()),
            _ => format!(" ({})", policies.join(", ")),
        };
        Reference { at, label: format!("deadline {}{whose}", figures::milliseconds(at)) }
    };
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    found.into_iter().take(MOST).map(reference).collect()
}
