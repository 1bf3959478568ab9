//! What a study would take, in words.

use super::figures::{milliseconds, with_decimals};
use crate::study::dry_run::{DryRun, Estimate};

/// Runs, units and an estimate of the time, a line each.
pub fn in_words(dry_run: &DryRun) -> String {
    let DryRun { experiment, estimate, .. } = dry_run;
    let number = |number: u64| with_decimals(number as f64, 0);
    let count = |count: u64, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{} {what}s", number(count)),
    };
    let policies = match dry_run.policies {
        1 => "1 policy".to_string(),
        policies => format!("{} policies", number(policies)),
    };
    let study = format!(
        "{experiment}: {policies} × {} × {} = {} in {}",
        count(dry_run.points, "point"),
        count(dry_run.replications, "replication"),
        count(dry_run.runs, "run"),
        count(dry_run.units, "unit"),
    );
    let units = format!(
        "kept: {}; missing: {} with {}",
        count(dry_run.units_kept, "unit"),
        count(dry_run.units_missing, "unit"),
        count(dry_run.runs_missing, "run"),
    );
    let Estimate { cpu_s, wall_s, threads, runs_tried } = *estimate;
    let time = match runs_tried {
        0 => "nothing is left to run".to_string(),
        tried => format!(
            "estimate: {} of CPU time, {} on {}, judged by {} that {} tried; charts and files come \
             on top",
            milliseconds(cpu_s * 1e3),
            milliseconds(wall_s * 1e3),
            count(threads as u64, "thread"),
            count(tried, "run"),
            if tried == 1 { "was" } else { "were" },
        ),
    };
    let stop = dry_run.runs_at_most.map_or_else(String::new, |most| {
        format!(
            "\nthis is the first look of `stop`: it may ask for up to {} in all",
            count(most, "run")
        )
    });
    format!("{study}\n{units}\n{time}{stop}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_is_told_in_three_lines() {
        let estimate = Estimate { cpu_s: 61.3, wall_s: 30.65, threads: 2, runs_tried: 87 };
        let mut dry_run = DryRun {
            experiment: "mine".into(),
            policies: 5,
            points: 20,
            replications: 30,
            runs: 3000,
            runs_at_most: None,
            units: 300,
            units_kept: 1,
            units_missing: 299,
            runs_missing: 2990,
            estimate,
        };
        assert_eq!(
            in_words(&dry_run),
            "mine: 5 policies × 20 points × 30 replications = 3,000 runs in 300 units\n\
             kept: 1 unit; missing: 299 units with 2,990 runs\n\
             estimate: 61.3 s of CPU time, 30.6 s on 2 threads, judged by 87 runs that were tried; \
             charts and files come on top"
        );
        dry_run.estimate = Estimate { cpu_s: 0.0, wall_s: 0.0, threads: 2, runs_tried: 0 };
        assert!(in_words(&dry_run).ends_with("\nnothing is left to run"));
        dry_run.runs_at_most = Some(40_000);
        let last = "this is the first look of `stop`: it may ask for up to 40,000 runs in all";
        assert!(in_words(&dry_run).ends_with(last));
    }
}
