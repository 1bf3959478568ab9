//! From class to action: every class in every situation against a table worked out by hand.

use retrial_policy::*;

use crate::support::{SpyBudget, secs};
use crate::{Driver, spec};

const ACTIONS: &str = include_str!("data/class_to_action.txt");
const WAITS: &str = include_str!("data/repeat_to_wait.txt");

/// The values of each column but the class.
const BOUNDS: [&str; 2] = ["policy", "never"];
const ANSWERS: [&str; 2] = ["no", "yes"];
const LISTS: [&str; 2] = ["none", "all"];
const PROGRESS: [&str; 4] = ["not_sent", "sent", "partial", "checkpoint"];
const KEYS: [&str; 3] = ["none", "key", "safe"];
const ROWS: [&str; 3] = ["as_policy", "safe", "needs_key"];
const HINTS: [&str; 4] = ["none", "within", "over_stop", "over_fallback"];

/// What surrounds an outcome, each as the table calls it.
#[derive(Clone, Copy, Debug)]
struct Situation {
    class: Class,
    bound: &'static str,
    veto: &'static str,
    grant: &'static str,
    lists: &'static str,
    progress: &'static str,
    key: &'static str,
    row: &'static str,
    effect: &'static str,
    small: &'static str,
    hint: &'static str,
}

/// All of them.
fn situations() -> Vec<Situation> {
    let [bound, veto, grant, lists, progress, key, row, effect, small, hint] = [""; 10];
    let of = |class| Situation {
        class,
        bound,
        veto,
        grant,
        lists,
        progress,
        key,
        row,
        effect,
        small,
        hint,
    };
    let mut all: Vec<_> = Class::ALL.into_iter().map(of).collect();
    cross(&mut all, &BOUNDS, |of, value| of.bound = value);
    cross(&mut all, &ANSWERS, |of, value| of.veto = value);
    cross(&mut all, &ANSWERS, |of, value| of.grant = value);
    cross(&mut all, &LISTS, |of, value| of.lists = value);
    cross(&mut all, &PROGRESS, |of, value| of.progress = value);
    cross(&mut all, &KEYS, |of, value| of.key = value);
    cross(&mut all, &ROWS, |of, value| of.row = value);
    cross(&mut all, &ANSWERS, |of, value| of.effect = value);
    cross(&mut all, &ANSWERS, |of, value| of.small = value);
    cross(&mut all, &HINTS, |of, value| of.hint = value);
    all
}

/// Each situation with each value.
fn cross(
    all: &mut Vec<Situation>,
    values: &[&'static str],
    set: impl Fn(&mut Situation, &'static str),
) {
    let mut crossed = Vec::with_capacity(all.len() * values.len());
    for situation in all.iter() {
        for value in values {
            let mut with = *situation;
            set(&mut with, value);
            crossed.push(with);
        }
    }
    *all = crossed;
}

/// A table of the folder `data`.
struct Table {
    /// After the header, cell by cell.
    lines: Vec<Vec<&'static str>>,
    /// Which of them were of use.
    met: Vec<bool>,
}

impl Table {
    fn read(text: &'static str) -> Table {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines: Vec<_> = lines.skip(1).map(|line| line.split_whitespace().collect()).collect();
        Table { met: vec![false; lines.len()], lines }
    }

    /// The last cell of the one line that `values` meet.
    fn look_up(&mut self, values: &[&str]) -> &'static str {
        let meets =
            |cell: &str, value: &str| cell == "." || cell.split('|').any(|one| one == value);
        let mut found = None;
        for (line, met) in self.lines.iter().zip(&mut self.met) {
            assert_eq!(line.len(), values.len() + 1, "{line:?}");
            if line.iter().zip(values).all(|(cell, value)| meets(cell, value)) {
                assert_eq!(found, None, "two lines for {values:?}");
                found = Some(line[values.len()]);
                *met = true;
            }
        }
        found.unwrap_or_else(|| panic!("no line for {values:?}"))
    }

    /// Lines that say nothing are a mistake of whoever wrote them.
    fn assert_all_met(&self) {
        for (line, met) in self.lines.iter().zip(&self.met) {
            assert!(met, "nothing meets {line:?}");
        }
    }
}

impl Situation {
    fn expected(&self, actions: &mut Table, waits: &mut Table) -> &'static str {
        let class = self.class.as_str();
        let Situation {
            bound, veto, grant, lists, progress, key, row, effect, small, hint, ..
        } = *self;
        let columns = [class, bound, veto, grant, lists, progress, key, row, effect, small];
        match actions.look_up(&columns) {
            "repeat" => waits.look_up(&[class, lists, hint]),
            action => action,
        }
    }

    fn policy(&self) -> PolicySpec {
        let mut spec = spec();
        spec.replay = Replay { safe: self.key == "safe", idempotency_key: self.key == "key" };
        if self.lists == "all" {
            spec.fallback.routes = vec!["model".into()];
            spec.fallback.content = vec!["content".into()];
            spec.fallback.exhausted = vec!["account".into()];
        }
        if self.hint == "over_fallback" {
            spec.retry_after.over_cap = OverCap::Fallback;
        }
        spec
    }

    fn outcome(&self) -> Outcome<'static> {
        Outcome {
            progress: match self.progress {
                "not_sent" => Progress::NotSent,
                "sent" => Progress::Sent,
                _ => Progress::PartialResponse,
            },
            hint: match self.hint {
                "none" => None,
                "within" => Some(Hint(secs(2))),
                _ => Some(Hint(secs(61))),
            },
            vetoed: self.veto == "yes",
            granted: self.grant == "yes",
            ..Outcome::response(503)
        }
    }

    fn decide(&self) -> (Driver, Decision) {
        let request = Request {
            deadline: None,
            reducible: self.small == "yes",
            possible_effect: self.effect == "yes",
            resumable: self.progress == "checkpoint",
            ..Request::default()
        };
        let bound = if self.bound == "never" { Bound::Never } else { Bound::Policy };
        let replay = match self.row {
            "safe" => RowReplay::Safe,
            "needs_key" => RowReplay::NeedsKey,
            _ => RowReplay::AsPolicy,
        };
        let read = Classification::of(self.class).bounded(bound).with_replay(replay);
        let mut driver = Driver::start_with(self.policy(), request, SpyBudget::default());
        let decision = driver.decide(read, &self.outcome());
        (driver, decision)
    }
}

/// A decision as the table writes it.
fn written(driver: &Driver, decision: Decision) -> String {
    match decision {
        Decision::Stop(stop) => format!("stop:{}", stop.reason.as_str()),
        Decision::Fallback(_) => {
            let reason = driver.last().fallback_reason.expect("it says why");
            format!("fallback:{}", reason.as_str())
        }
        other => other.action().as_str().to_string(),
    }
}

/// What an action asks of the budget, withdrawn and given back; and the wait before it.
fn price(action: &str) -> ((u32, u32), Option<u64>) {
    match action {
        "retry_same_route" => ((1, 0), Some(200)),
        "retry_after_hint" => ((1, 0), Some(2_000)),
        "fallback:hint_over_cap" | "fallback:server_forbade" => ((1, 0), Some(0)),
        "fallback:content_refused" | "fallback:account_exhausted" => ((0, 0), Some(0)),
        "reduce_and_retry_once" => ((0, 0), Some(0)),
        "stop:hint_over_cap" => ((1, 1), None),
        _ => ((0, 0), None),
    }
}

#[test]
fn each_class_leads_to_one_action_in_each_situation() {
    let (mut actions, mut waits) = (Table::read(ACTIONS), Table::read(WAITS));
    let situations = situations();
    assert_eq!(situations.len(), 11 * 2 * 2 * 2 * 2 * 4 * 3 * 3 * 2 * 2 * 4);
    for situation in situations {
        let expected = situation.expected(&mut actions, &mut waits);
        let (driver, decision) = situation.decide();
        let found = written(&driver, decision);
        assert_eq!(found, expected, "{situation:?}");

        let ((withdrawn, restored), delay) = price(expected);
        // A conflict clears in a time of its own.
        let own = situation.class == Class::Conflict && expected == "retry_same_route";
        let delay = if own { Some(1_000) } else { delay };
        let SpyBudget { withdrawals, restored: returned, request_ends, .. } = driver.budget;
        assert_eq!((withdrawals, returned), (withdrawn, restored), "{situation:?}");
        assert_eq!(driver.last().delay, delay.map(Nanos::from_millis), "{situation:?}");
        assert_eq!(request_ends, u32::from(delay.is_none()), "{situation:?}");
        assert_eq!(driver.records.len(), 1, "{situation:?}");
        let settled = match situation.class {
            Class::Ok => Settlement::Succeeded,
            class => Settlement::Failed(class),
        };
        assert_eq!(driver.budget.settlements, 1, "{situation:?}");
        assert_eq!(driver.budget.settled, Some(settled), "{situation:?}");
    }
    actions.assert_all_met();
    waits.assert_all_met();
}
