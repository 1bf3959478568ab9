//! Two sentences for whoever decides: what to roll out and what it costs, and how sure that is.
//!
//! A policy that breaks one of its thresholds is not recommended, and that is said first. Of the
//! others the most successful count, and of these the ones that make the fewest attempts or not
//! many more: load is what a retry policy answers for. Among those it is the wait of callers that
//! decides. Each step goes by differences that were shown, as the verdict does.

use super::ranking::{Ranking, name, worse_than};
use super::{MIN_REPLICATIONS, capitalised, describe};
use crate::measure::metric::Id;
use crate::report::recommended::NEAR;
use crate::report::{figures, thresholds};
use crate::study::results::{CellResults, Results};
use crate::study::threshold::Judgement;

/// What to do, in two sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The index of the policy to roll out; `None` if nothing speaks for one.
    pub policy: Option<usize>,
    /// Which policy, and what it costs.
    pub finding: String,
    /// How sure that is.
    pub certainty: String,
}

/// The recommendation at one point.
pub fn recommendation(results: &Results, judgements: &[Judgement], point: usize) -> Recommendation {
    let cells: Vec<_> = results.at_point(point).collect();
    let mut failed: Vec<_> = judgements.iter().filter(|judged| judged.fails()).collect();
    // What fails at the point itself comes first, and decides.
    failed.sort_by_key(|judged| judged.point != point);
    let breaks = |cell: &CellResults| {
        failed.iter().any(|judged| judged.point == point && judged.policy == cell.policy)
    };
    let fit: Vec<_> = cells.iter().copied().filter(|cell| !breaks(cell)).collect();
    let choice = Choice { results, cells: &cells, fit: &fit };
    let at = match results.describe_point(point) {
        place if place.is_empty() => String::new(),
        place => format!("at {place}, "),
    };
    let (policy, choice, shown) = choice.make();
    let failures = failures(results, &failed).map_or_else(String::new, |text| text + "; ");
    Recommendation {
        policy,
        finding: capitalised(&format!("{failures}{at}{choice}.")),
        certainty: certainty(results, point, &cells, shown),
    }
}

/// What broke, in short.
fn failures(results: &Results, failed: &[&Judgement]) -> Option<String> {
    let (first, more) = failed.split_first()?;
    let place = match results.describe_point(first.point) {
        place if place.is_empty() => place,
        place => format!(" at {place}"),
    };
    let first = format!(
        "`{}` breaks its threshold {}{place} ({})",
        results.policies[first.policy],
        first.condition,
        thresholds::found(first),
    );
    Some(match more.len() {
        0 => first,
        1 => format!("{first}, and one more fails"),
        more => format!("{first}, and {more} more fail"),
    })
}

/// What there is to choose from.
struct Choice<'a> {
    results: &'a Results,
    cells: &'a [&'a CellResults],
    /// Those that break no threshold.
    fit: &'a [&'a CellResults],
}

/// A policy, why and at what price, and what was shown on the way.
type Made = (Option<usize>, String, Vec<String>);

impl Choice<'_> {
    fn make(&self) -> Made {
        let none = |text: &str| (None, text.to_string(), Vec::new());
        match (self.cells, self.fit) {
            ([], _) => none("nothing was run"),
            ([only], [_]) => (None, describe(self.results, only), Vec::new()),
            ([_], []) => none("there is no other policy to roll out instead"),
            (_, []) => none("none of the policies meets its thresholds, so none is recommended"),
            (_, [only]) => {
                let why = "the only policy that breaks no threshold";
                (Some(only.policy), self.praise(only, why), self.shown(only, None))
            }
            _ => self
                .by_success()
                .unwrap_or_else(|| none("no request ended in the time that counts")),
        }
    }

    fn by_success(&self) -> Option<Made> {
        let results = self.results;
        let success = Ranking::new(self.fit, Id::SuccessRatio)?;
        let best = success.best.estimate(Id::SuccessRatio);
        if best.mean == Some(0.0) {
            let text = "nothing succeeds, so no policy is recommended";
            return Some((None, text.to_string(), Vec::new()));
        }
        // A difference that few replications can't show is still no reason to prefer the worse one.
        let least = best.ci95.map(|(low, _)| low).or(best.mean);
        let is_able = |cell: &&CellResults| {
            success.leads(cell) && cell.estimate(Id::SuccessRatio).mean >= least
        };
        let able: Vec<_> = self.fit.iter().copied().filter(is_able).collect();
        let [_, _, ..] = able[..] else {
            let only = success.best;
            let why = format!("the one to roll out: {}none succeeds as often", self.of_those());
            let mut sentence = self.praise(only, &why);
            let wait = Wait::of(self.cells);
            if let Some((wait, waits)) =
                wait.and_then(|wait| Some((wait, Ranking::new(self.cells, wait.metric)?)))
                && !waits.leads(only)
            {
                sentence.push_str(&wait.against(results, waits.best, only));
            }
            return Some((Some(only.policy), sentence, self.shown(only, wait)));
        };
        let beaten = success.beaten(results);
        let attempts = Ranking::new(&able, Id::Attempts)?;
        let wait = Wait::of(&able);
        let waits = wait.and_then(|wait| Ranking::new(&able, wait.metric));
        let differ = |ranking: &Ranking<'_>| !ranking.beaten(results).is_empty();
        if beaten.is_empty() && !differ(&attempts) && !waits.as_ref().is_some_and(differ) {
            return Some((None, self.undecided(&able, wait.is_some()), Vec::new()));
        }
        let near: Vec<_> =
            able.iter().copied().filter(|cell| attempts.is_within(cell, NEAR)).collect();
        let swift = wait.and_then(|wait| Ranking::new(&near, wait.metric));
        let swift =
            near.iter().copied().filter(|cell| swift.as_ref().is_none_or(|r| r.leads(cell)));
        let mean = |cell: &CellResults| cell.estimate(Id::Attempts).mean.unwrap_or(f64::INFINITY);
        // Of equals the first: the order of the file decides.
        let chosen = swift.min_by(|a, b| mean(a).total_cmp(&mean(b)))?;
        let why = match beaten.is_empty() {
            true => "no difference in success was shown",
            false => "none was shown to succeed more often",
        };
        let why = format!("the one to roll out: {}{why}", self.of_those());
        let mut sentence = self.praise(chosen, &why);
        if let Some(wait) = wait {
            let others = [Some(&attempts), waits.as_ref()].map(|ranking| {
                ranking.filter(|ranking| !ranking.leads(chosen)).map(|ranking| ranking.best)
            });
            let mut others: Vec<_> = others.into_iter().flatten().collect();
            others.dedup_by_key(|cell| cell.policy);
            for other in others {
                sentence.push_str(&wait.against(results, other, chosen));
            }
        }
        Some((Some(chosen.policy), sentence, self.shown(chosen, wait)))
    }

    /// Whom a claim is about, where a threshold has taken some policies out of the choice.
    fn of_those(&self) -> &'static str {
        match self.fit.len() < self.cells.len() {
            true => "of those that keep their thresholds, ",
            false => "",
        }
    }

    /// That nothing was found between policies, which is not that there is nothing.
    fn undecided(&self, able: &[&CellResults], has_wait: bool) -> String {
        let of_those = self.of_those();
        if able.iter().all(|cell| cell.replications() < 2) {
            return format!(
                "{of_those}none is recommended: one replication can't tell policies apart"
            );
        }
        let what = if has_wait { "success, attempts or waits" } else { "success or attempts" };
        format!("{of_those}no policy is shown to be better: no difference in {what} was shown")
    }

    /// In what a policy was shown to be better, and than whom.
    fn shown(&self, cell: &CellResults, wait: Option<Wait>) -> Vec<String> {
        let known =
            [("more success", Some(Id::SuccessRatio)), ("fewer attempts", Some(Id::Attempts))];
        let waits = wait.map(|wait| (wait.less, Some(wait.metric)));
        let claims = known.into_iter().chain(waits);
        let claims = claims.filter_map(|(what, id)| {
            let worse = worse_than(self.results, cell, self.cells, id?);
            (!worse.is_empty()).then(|| format!("{what} than {}", list(&worse)))
        });
        claims.collect()
    }

    /// What one policy reaches, what it takes, and who takes less and reaches less.
    fn praise(&self, cell: &CellResults, why: &str) -> String {
        let results = self.results;
        let mut sentence = format!(
            "{} is {why} ({}), and it costs {} attempts a request",
            name(results, cell),
            figures::percent(&cell.estimate(Id::SuccessRatio)),
            figures::estimate(&cell.estimate(Id::Amplification)),
        );
        if let Some(p99) = cell.estimate(Id::LatencyAllP99Ms).mean {
            let p99 = figures::milliseconds(p99);
            sentence.push_str(&format!(", with a p99 of all requests of {p99}"));
        }
        if let Some(attempts) = Ranking::new(self.cells, Id::Attempts)
            && !attempts.leads(cell)
            && let Some(success) = Ranking::new(self.cells, Id::SuccessRatio)
            && !success.leads(attempts.best)
        {
            sentence.push_str(&format!(
                "; {} makes {} and succeeds with {} only",
                name(results, attempts.best),
                figures::estimate(&attempts.best.estimate(Id::Amplification)),
                figures::percent(&attempts.best.estimate(Id::SuccessRatio)),
            ));
        }
        sentence
    }
}

/// How long callers wait at worst.
#[derive(Clone, Copy)]
struct Wait {
    metric: Id,
    verb: &'static str,
    less: &'static str,
}

impl Wait {
    /// What all of `cells` have an estimate of: runs of few requests have no p99.
    fn of(cells: &[&CellResults]) -> Option<Wait> {
        let waits = [
            Wait {
                metric: Id::LatencyAllP99Ms,
                verb: "has a p99 of",
                less: "a lower p99 of all requests",
            },
            Wait { metric: Id::MakespanMs, verb: "is done after", less: "an earlier last end" },
        ];
        let has = |wait: &Wait| cells.iter().all(|cell| cell.estimate(wait.metric).mean.is_some());
        waits.into_iter().find(has)
    }

    /// What another policy would bring instead of the chosen one.
    fn against(self, results: &Results, other: &CellResults, chosen: &CellResults) -> String {
        let mean = |cell: &CellResults, id: Id| cell.estimate(id).mean.unwrap_or_default();
        let wait = |cell: &CellResults| figures::milliseconds(mean(cell, self.metric));
        format!(
            "; {} {} {} against {}, with {} times the attempts",
            name(results, other),
            self.verb,
            wait(other),
            wait(chosen),
            figures::plain(mean(other, Id::Attempts) / mean(chosen, Id::Attempts)),
        )
    }
}

/// How many runs it rests on, what stands after correction, and whether that is enough.
fn certainty(
    results: &Results,
    point: usize,
    cells: &[&CellResults],
    shown: Vec<String>,
) -> String {
    let replications = results.replications_at(point);
    let runs = match replications {
        1 => "one replication".to_string(),
        n => format!("{n} replications"),
    };
    let seed = results.seed;
    let which = if replications == 1 { "which" } else { "each of which" };
    let mut sentence = match (&shown[..], cells.len()) {
        (_, 0) => return "There is nothing to be sure of.".to_string(),
        (_, 1) => format!(
            "That rests on {runs} with seed {seed}, and there is no second policy to hold it against"
        ),
        ([], _) => format!(
            "That rests on {runs} with seed {seed}, in {which} all policies met the same world"
        ),
        (shown, _) => format!(
            "Over {runs} with seed {seed}, in each of which all policies met the same world, this \
             stands at the 5 % level after Holm's correction within each metric: {}",
            shown.join("; ")
        ),
    };
    if replications < MIN_REPLICATIONS {
        sentence.push_str("; so few tell little");
    }
    sentence + "."
}

/// The names of a few, and the number of more.
fn list(names: &[String]) -> String {
    match names {
        [] => "none".to_string(),
        [only] => only.clone(),
        [first @ .., last] if names.len() <= LISTED => {
            format!("{} and {last}", first.join(", "))
        }
        [first, rest @ ..] => format!("{first} and {} others", rest.len()),
    }
}

/// More names than this only tire.
const LISTED: usize = 4;
