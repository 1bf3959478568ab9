//! The tuned policy against every policy that SDKs and libraries come with.
//!
//! Presets are put in whole, as their libraries have them. Each either breaks a constraint, shown by
//! its interval, or has a worse objective, shown pair by pair with Holm's correction.

use retrial::experiment::load::{Loaded, Wanted, load};
use retrial::experiment::policy_sources::{fill, of_preset};
use retrial::experiment::source::Sources;
use retrial::experiment::space::Space;
use retrial::study::runner::Progress;
use retrial::study::tune::confirm::{differences, fresh};
use retrial::study::tune::goal::Combination;
use retrial::study::tune::simulated::{Simulated, Stage};
use retrial::study::tune::tuning::{Settings, tune};
use retrial_policy::presets::Preset;

const EXPERIMENTS: [&str; 3] = ["thundering-herd", "open-overload", "metastable"];

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: u64, _: u64) {}
    fn ran(&self) {}
}

fn loaded(experiment: &str) -> Loaded {
    let wanted = Wanted { experiment: Some(experiment.to_string()), ..Wanted::default() };
    load(&wanted).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
#[ignore = "takes minutes; in release, with --nocapture for the table"]
fn the_tuned_policy_beats_every_preset() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = EXPERIMENTS.map(loaded);
    let units = folder.path().join("units");
    let combination = Combination::Worst;
    let settings = Settings { runs: None, combination, threads: 0, units: units.clone() };
    let tuning = tune(&loaded, &settings, &Silent).unwrap_or_else(|error| panic!("{error}"));
    let winner = tuning.confirmed.winner();
    assert!(winner.standing.is_feasible());

    let stages = loaded.iter().zip(&tuning.experiments);
    let stages = stages.map(|(loaded, e)| Stage::of(loaded, &tuning.policy, e.seed).unwrap());
    let start = (winner.policy.clone(), Space::default());
    let (stages, columns) = (stages.collect(), tuning.columns.clone());
    let mut trial = Simulated::new(stages, start, columns, (units, 0), &Silent).unwrap();
    let replications = fresh(winner.samples.len() as u64);
    let mut names = Vec::new();
    let mut all = Vec::new();
    for preset in Preset::all() {
        let mut sources = Sources::default();
        let mut policy = of_preset(preset, &mut sources).unwrap();
        fill(&mut policy, None, &mut sources).unwrap();
        match trial.cells(&policy) {
            Ok(cells) => {
                let rows = trial.rows(&[(&cells, replications.clone())]).unwrap();
                names.push(preset.name);
                all.push(trial.samples(&rows[0]));
            }
            Err(why) => println!("{:24} can't be run here: {}", preset.name, why.message),
        }
    }
    assert!(names.len() >= 45, "{} presets were run", names.len());
    let goal = &tuning.confirmed.goal;
    let others: Vec<_> = all.iter().map(|samples| &samples[..]).collect();
    let differences = differences(goal, &winner.samples, &others);
    let mut unbeaten = Vec::new();
    for ((name, samples), difference) in names.iter().zip(&all).zip(differences) {
        // At the end of the interval that is most in its favour.
        let breaks = goal.standing(samples, -1.0).violation;
        let mean = difference.paired.difference.mean.unwrap_or(f64::NAN);
        let is_worse = mean > 0.0 && difference.is_shown();
        let verdict = match (breaks > 0.0, is_worse) {
            (true, true) => "breaks a constraint and is worse",
            (true, false) => "breaks a constraint",
            (false, true) => "is worse",
            (false, false) => "IS NOT BEATEN",
        };
        let p = difference.p.unwrap_or(f64::NAN);
        println!("{name:24} {:+8.1} points, p {p:.1e}, {verdict}", 100.0 * mean);
        if breaks == 0.0 && !is_worse {
            unbeaten.push(*name);
        }
    }
    assert_eq!(unbeaten, [""; 0]);
}
