//! How the runs of a tuning are dealt to its parts.

use super::confirm::{BATCH, BATCHES};
use super::search::{FULL, least_effort};

/// The fewest runs an experiment that a tuning can do with.
pub const LEAST_PER_EXPERIMENT: u64 = 300;

/// Runs an experiment if nobody says how many.
pub const DEFAULT_PER_EXPERIMENT: u64 = 3500;

/// Fewer replications of a comparison than these are not worth making.
const FEWEST: u64 = 5;

/// Replications of candidates, each in every experiment, by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// All of the search.
    pub search: u64,
    /// Of each finalist.
    pub confirm: u64,
    /// Of each value beside the best; 0 leaves the part out.
    pub sensitivity: u64,
    /// Of each policy under each changed guess; 0 leaves the part out.
    pub guesses: u64,
}

impl Effort {
    /// Deals `runs` to the parts. `values` are tried beside the best; `guesses` take six runs a
    /// replication each, of one experiment. The confirmation gets `replications` at most; the parts
    /// that are held against it no more than it has; the search has the rest.
    pub fn deal(
        runs: u64,
        experiments: u64,
        values: u64,
        guesses: u64,
        replications: u64,
    ) -> Effort {
        let all = runs / experiments;
        let worth = |replications: u64| if replications < FEWEST { 0 } else { replications };
        let most = BATCH as u64 * BATCHES as u64 + 1;
        let confirm = (all / 5 / most).min(replications).max(FEWEST.min(replications));
        let sensitivity = worth((all / 4 / values.max(1)).min(confirm));
        let per_guess = (6 * guesses).max(1);
        let of_guesses = worth((runs * 3 / 20 / per_guess).min(confirm));
        let spent = FULL
            + most * confirm
            + values * sensitivity
            + (per_guess * of_guesses).div_ceil(experiments);
        let search = all.saturating_sub(spent).max(least_effort());
        Effort { search, confirm, sensitivity, guesses: of_guesses }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 3,500: 11 · 30 = 330 for finalists, 20 · 30 for sensitivity, 32 for today's.
    #[test]
    fn the_search_gets_what_is_left() {
        let effort = Effort::deal(10_500, 3, 20, 0, 30);
        let expected = Effort {
            search: 3500 - 330 - 600 - 32 - 10,
            confirm: 30,
            sensitivity: 30,
            guesses: 30,
        };
        assert_eq!(effort, expected);
    }

    /// With the fewest runs there are, all parts together still stay within them.
    #[test]
    fn nothing_is_spent_that_is_not_there() {
        for (experiments, values, guesses) in [(1, 5, 0), (1, 40, 3), (3, 20, 10)] {
            let runs = LEAST_PER_EXPERIMENT * experiments;
            let effort = Effort::deal(runs, experiments, values, guesses, 30);
            let candidates = FULL
                + effort.search
                + effort.confirm * (BATCH * BATCHES + 1) as u64
                + effort.sensitivity * values;
            let most = effort.sensitivity.max(effort.guesses);
            assert!(most <= effort.confirm, "{effort:?}: {most} replications of the confirmation");
            let all = candidates * experiments + 6 * guesses * effort.guesses;
            assert!(all <= runs, "{effort:?}: {all} of {runs}");
        }
    }
}
