//! Which units a shard makes, and how it is told which one it is.

use std::collections::BTreeSet;

use super::{Folder, RUNS, UNITS, text};

#[test]
fn shards_are_disjoint_and_together_everything() {
    let folder = Folder::new();
    let mut all = BTreeSet::new();
    let (mut count, mut close_ups) = (0, 0);
    for number in 1..=7 {
        let out = format!("part-{number}");
        folder.run(0, &["--shard", &format!("{number}/7"), "--out", &out, "--quiet"]);
        let units = folder.units(&out);
        assert!((4..=5).contains(&units.len()), "30 units are 4 or 5 for each of 7");
        count += units.len();
        close_ups += folder.close_ups(&out);
        all.extend(units);
    }
    assert_eq!((count, all.len()), (UNITS, UNITS));
    folder.run(3, &["--out", "one", "--quiet", "--no-charts"]);
    assert_eq!(all.into_iter().collect::<Vec<_>>(), folder.units("one"));
    assert_eq!(close_ups, folder.close_ups("one"), "one shard looks closely at each policy");
}

#[test]
fn a_shard_says_what_it_did_and_how_to_go_on() {
    let folder = Folder::new();
    let first = folder.run(0, &["--shard", "1/1", "--out", "part"]);
    assert_eq!(text(&first.stdout), "");
    let stderr = text(&first.stderr);
    let said = format!("shard 1/1: {UNITS} of {UNITS} units, {RUNS} runs, in ");
    assert!(stderr.contains(&said), "{stderr}");
    let next = "s\nwhen all shards are there: retrial merge part … --out DIR\n";
    assert!(stderr.ends_with(next), "{stderr}");
    let again = text(&folder.run(0, &["--shard", "1/2", "--out", "part"]).stderr);
    assert!(again.contains("shard 1/2: 15 of 30 units, "), "{again}");
    assert!(
        again.contains("runs, 12") && again.contains("of them kept from before, in"),
        "{again}"
    );
    assert_eq!(folder.units("part").len(), UNITS, "other shards may be at work in the folder");
    // More shards than units: most of them have nothing to do.
    let idle = text(&folder.run(0, &["--shard", "100/100", "--out", "idle"]).stderr);
    assert!(idle.contains("shard 100/100: 0 of 30 units, 0 runs, in "), "{idle}");
}

#[test]
fn an_array_job_says_which_shard_a_task_is() {
    let folder = Folder::new();
    folder.run(0, &["--shard", "2/7", "--out", "given", "--quiet"]);
    for (out, variables) in [
        ("slurm", &[("SLURM_ARRAY_TASK_ID", "6"), ("SLURM_ARRAY_TASK_MIN", "5")][..]),
        ("kubernetes", &[("JOB_COMPLETION_INDEX", "1")]),
        ("aws", &[("AWS_BATCH_JOB_ARRAY_INDEX", "1")]),
    ] {
        let mut task = folder.retrial(&["run", "x.toml", "--shard", "auto/7", "--out", out]);
        task.envs(variables.iter().copied()).assert().success();
        assert_eq!(folder.units(out), folder.units("given"), "{out}");
    }
    let mut outside = folder.retrial(&["run", "x.toml", "--shard", "auto/7", "--out", "outside"]);
    let refused = outside.env("JOB_COMPLETION_INDEX", "7").assert().code(2).get_output().clone();
    assert_eq!(
        text(&refused.stderr),
        "error: --shard auto/7: JOB_COMPLETION_INDEX is 7, and shards are numbered from 1 to 7\n"
    );
    assert!(!folder.path("outside").exists());
}
