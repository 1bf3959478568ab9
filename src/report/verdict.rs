//! One sentence about who does best at what, and what it costs.
//!
//! Policies meet the same world replication by replication, so they are compared pair by pair, all
//! with the best by the metric: a difference is claimed only if it stands after Holm's correction
//! for as many comparisons. Points are not compared: the verdict is on one that was chosen before
//! anything was run, not on the luckiest.

mod ranking;
pub mod recommendation;

use self::ranking::{Ranking, name};
use super::figures;
use crate::measure::metric::Id;
use crate::study::results::{CellResults, Results};

/// The verdict at one point.
pub fn verdict(results: &Results, point: usize) -> String {
    let cells: Vec<_> = results.at_point(point).collect();
    let at = match results.describe_point(point) {
        place if place.is_empty() => String::new(),
        place => format!("At {place}, "),
    };
    let sentence = match cells[..] {
        [] => "nothing was run".to_string(),
        [only] => describe(results, only),
        _ => compare(results, &cells),
    };
    let replications = cells.first().map_or(0, |cell| cell.replications());
    let doubt = match replications {
        0..MIN_REPLICATIONS => format!(" {replications} replications tell little."),
        _ => String::new(),
    };
    capitalised(&format!("{at}{sentence}.{doubt}"))
}

/// Fewer replications than this do not make an interval to rely on (Law, "Simulation Modeling and
/// Analysis", chapter 9).
pub(super) const MIN_REPLICATIONS: u64 = 10;

/// Who succeeds most often, and among those who does it with the least load and the fastest: giving
/// up early is neither.
fn compare(results: &Results, cells: &[&CellResults]) -> String {
    let Some(ranking) = Ranking::new(cells, Id::SuccessRatio) else {
        return "no request ended".to_string();
    };
    let able: Vec<_> = cells.iter().copied().filter(|cell| ranking.leads(cell)).collect();
    let mut findings = Vec::new();
    if able.len() < cells.len() {
        findings.push(success(results, &ranking));
    }
    match able[..] {
        [only] => findings.extend(price(results, only, cells)),
        _ => {
            let of_these = if able.len() < cells.len() { "of these " } else { "" };
            findings.extend(attempts(results, &able).map(|found| format!("{of_these}{found}")));
            findings.extend(speed(results, &able));
            findings.extend(thrift(results, &ranking, cells));
        }
    }
    findings.join("; ")
}

/// A policy that has nothing to be compared with.
fn describe(results: &Results, cell: &CellResults) -> String {
    format!(
        "{} succeeds with {} of requests and needs {} attempts per request",
        name(results, cell),
        figures::percent(&cell.estimate(Id::SuccessRatio)),
        figures::estimate(&cell.estimate(Id::Amplification)),
    )
}

/// Who succeeds most often, and who least.
fn success(results: &Results, ranking: &Ranking<'_>) -> String {
    format!(
        "{} most often ({}; {} least, {})",
        ranking.subject(results, "succeeds", "succeed"),
        figures::percent(&ranking.best.estimate(Id::SuccessRatio)),
        name(results, ranking.worst),
        figures::percent(&ranking.worst.estimate(Id::SuccessRatio)),
    )
}

/// What the only policy that succeeds so often costs.
fn price(results: &Results, only: &CellResults, cells: &[&CellResults]) -> Option<String> {
    let fewest = Ranking::new(cells, Id::Attempts)?.best;
    let attempts = |cell: &CellResults| cell.estimate(Id::Attempts);
    if fewest.policy == only.policy {
        return Some(format!("with the fewest attempts, {}", figures::estimate(&attempts(only))));
    }
    Some(format!(
        "that takes {} attempts, {} times those of {}",
        figures::estimate(&attempts(only)),
        figures::plain(attempts(only).mean? / attempts(fewest).mean?),
        name(results, fewest),
    ))
}

/// Who makes the fewest attempts of all because it gives up more requests.
fn thrift(results: &Results, success: &Ranking<'_>, cells: &[&CellResults]) -> Option<String> {
    let fewest = Ranking::new(cells, Id::Attempts)?.best;
    if success.leads(fewest) {
        return None;
    }
    Some(format!(
        "{} makes the fewest attempts of all, {}, and pays with success: {} against {}",
        name(results, fewest),
        figures::estimate(&fewest.estimate(Id::Attempts)),
        figures::percent(&fewest.estimate(Id::SuccessRatio)),
        figures::percent(&success.best.estimate(Id::SuccessRatio)),
    ))
}

/// Who puts the least load on the API.
fn attempts(results: &Results, cells: &[&CellResults]) -> Option<String> {
    let ranking = Ranking::new(cells, Id::Attempts)?;
    if ranking.leaders(results).len() == cells.len() {
        return Some("no difference in the number of attempts was shown".to_string());
    }
    Some(format!(
        "{} the fewest attempts ({}; {} makes {} times as many)",
        ranking.subject(results, "makes", "make"),
        figures::estimate(&ranking.best.estimate(Id::Attempts)),
        name(results, ranking.worst),
        figures::plain(ranking.worst_to_best(Id::Attempts)?),
    ))
}

/// Who is done first, and what that costs in attempts.
fn speed(results: &Results, cells: &[&CellResults]) -> Option<String> {
    let ranking = Ranking::new(cells, Id::MakespanMs)?;
    if ranking.leaders(results).len() == cells.len() {
        return Some("no difference in the time of the last end was shown".to_string());
    }
    let fewest = Ranking::new(cells, Id::Attempts)?;
    let mean = |cell: &CellResults, id: Id| cell.estimate(id).mean;
    let best = ranking.best;
    let (ends, fewest_ends) = (mean(best, Id::MakespanMs)?, mean(fewest.best, Id::MakespanMs)?);
    let mut sentence = format!(
        "{} first, after {}",
        ranking.subject(results, "is done", "are done"),
        figures::milliseconds(ends),
    );
    // Whoever is as fast is not what the best is measured against.
    if !ranking.leads(fewest.best) {
        sentence.push_str(&format!(
            " against {} of {}",
            figures::milliseconds(fewest_ends),
            name(results, fewest.best),
        ));
        if !fewest.leads(best) {
            let load = mean(best, Id::Attempts)? / mean(fewest.best, Id::Attempts)?;
            sentence.push_str(&format!(", with {} times its attempts", figures::plain(load)));
        }
    }
    Some(sentence)
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
