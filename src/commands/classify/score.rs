//! How many cases come out as their labels say.

use retrial_policy::Class;
use retrial_policy::replies::{Label, Recorded};

use super::printable::printable;
use super::verdict::Verdict;

/// A wait is right within a hundredth, or ten milliseconds.
const TOLERANCE: f64 = 0.01;

/// Classes of which no repetition can ever succeed.
const DEAD: [Class; 3] = [Class::Exhausted, Class::Auth, Class::InvalidRequest];

/// Counts over labelled cases.
#[derive(Debug, Default)]
pub(super) struct Score {
    labelled: u64,
    right: u64,
    retries_of_dead: u64,
    false_accepts: u64,
    waits: u64,
    waits_right: u64,
    /// A line for each case that comes out differently.
    differing: Vec<String>,
}

impl Score {
    /// Counts a case, if it has a label. An alternative that the label tolerates is right too.
    pub(super) fn add(&mut self, case: &Recorded, verdict: &Verdict) {
        let Some(label) = &case.label else { return };
        let (class, action) = (verdict.class(), verdict.action());
        let tolerates = |right: &str, also: &[String], found: &str| {
            right == found || also.iter().any(|also| also == found)
        };
        let right = tolerates(&label.class, &label.also_class, class)
            && tolerates(&label.action, &label.also_action, action);
        self.labelled += 1;
        self.right += u64::from(right);
        let dead = DEAD.iter().any(|class| class.as_str() == label.class);
        self.retries_of_dead += u64::from(dead && action.starts_with("retry"));
        self.false_accepts += u64::from(action == "accept" && label.action != "accept");
        let wait = verdict.retry_after_s();
        let wait_right = label.retry_after_s.map(|right| is_near(wait, right));
        self.waits += u64::from(wait_right.is_some());
        self.waits_right += u64::from(wait_right == Some(true));
        if !right || wait_right == Some(false) {
            self.differing.push(difference(case, label, verdict));
        }
    }

    /// The score in a line; `None` without labels.
    pub(super) fn line(&self) -> Option<String> {
        let Score { labelled, right, retries_of_dead, false_accepts, .. } = self;
        (*labelled > 0).then(|| {
            format!(
                "{right} of {labelled} right (class and action), {retries_of_dead} retries of dead \
                 requests, {false_accepts} false accepts, waits {} of {}",
                self.waits_right, self.waits
            )
        })
    }

    /// The cases that come out differently, a line each.
    pub(super) fn differences(&self) -> String {
        match self.differing.is_empty() {
            true => String::new(),
            false => format!("\nnot as labelled:\n{}", self.differing.concat()),
        }
    }
}

fn is_near(found: Option<f64>, right: f64) -> bool {
    found.is_some_and(|found| (found - right).abs() <= (TOLERANCE * right).max(TOLERANCE))
}

fn difference(case: &Recorded, label: &Label, verdict: &Verdict) -> String {
    let described = |class: &str, action: &str, wait: Option<f64>| {
        let wait = wait.map_or(String::new(), |wait| format!(" after {wait} s"));
        format!("{class} {action}{wait}")
    };
    let found = described(verdict.class(), verdict.action(), verdict.retry_after_s());
    let right = described(&label.class, &label.action, label.retry_after_s);
    let by = &verdict.reading.decided_by;
    printable(&format!("  {}: {found}, expected {right}", case.id))
        + &format!(" (row {} in {})\n", by.row, by.table)
}
