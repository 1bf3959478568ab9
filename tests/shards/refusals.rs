//! What is no shard, and what does not merge.

use std::collections::BTreeSet;
use std::fs;

use super::{Folder, text};

#[test]
fn what_is_no_shard_is_refused() {
    let folder = Folder::new();
    for (shard, problem) in [
        ("0/4", "shards are numbered from 1 to 4, or auto/N in an array job"),
        ("5/4", "shards are numbered from 1 to 4"),
        ("1/0", "`0` is no number of shards"),
        ("4", "write I/N, such as 1/4"),
        ("auto/0", "`0` is no number of shards"),
        ("auto/4", "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and AWS_BATCH"),
    ] {
        let refused = folder.refused(&["run", "x.toml", "--out", "part", "--shard", shard]);
        assert!(refused.contains(problem), "{shard}: {refused}");
    }
    let refused = folder.refused(&["run", "x.toml", "--shard", "1/4", "--requests"]);
    assert!(refused.contains("'--shard <I/N>' cannot be used with '--requests'"), "{refused}");
    assert!(!folder.path("part").exists());
}

/// A study of 3 replications: 10 units, of which shard 1 of 2 makes 5.
fn few(folder: &Folder, out: &str, more: &[&str]) {
    let few = ["--replications", "3", "--quiet", "--out", out, "--shard"];
    folder.run(0, &[&few[..], more].concat());
}

#[test]
fn missing_units_are_named_with_the_shards_that_make_them() {
    let folder = Folder::new();
    few(&folder, "part", &["1/2"]);
    let refused = folder.refused(&["merge", "part", "--out", "merged"]);
    let mut lines = refused.lines();
    assert_eq!(
        lines.next(),
        Some(
            "error: 5 of 10 units are missing: run --shard 2/2 with the command of the other \
             shards, and merge again"
        )
    );
    // Which units shard 2 makes is a matter of hashes; a policy without the key is named at the
    // first of the points that share its unit.
    let possible = |policy: &str, base: &str| {
        ["1.0", "2.5"].map(|speed| {
            format!(
                "  missing: `{policy}` at workload.trace.speed = {speed}, \
                 policies.jitter.backoff.base = {base}, replications 0 to 2"
            )
        })
    };
    let of_jitter = ["50ms", "100ms", "200ms"].map(|base| possible("jitter", base));
    let others = ["layers", "never"].map(|policy| possible(policy, "50ms"));
    let possible: BTreeSet<_> = of_jitter.into_iter().chain(others).flatten().collect();
    let named: BTreeSet<_> = lines.map(str::to_string).collect();
    assert_eq!((named.len(), named.is_subset(&possible)), (5, true), "{refused}");
    assert!(!folder.path("merged").exists(), "nothing is half written");
    // One that is cut off is missing, too.
    few(&folder, "part", &["2/2"]);
    let unit = folder.path("part/units").join(&folder.units("part")[0]);
    let bytes = fs::read(&unit).unwrap();
    fs::write(&unit, &bytes[..bytes.len() / 2]).unwrap();
    let refused = folder.refused(&["merge", "part", "--out", "merged"]);
    assert!(refused.starts_with("error: 1 of 10 unit is missing: run --shard "), "{refused}");
}

#[test]
fn parts_of_another_plan_are_refused_and_told_apart() {
    let folder = Folder::new();
    few(&folder, "a", &["1/2"]);
    for (changes, difference) in [
        (&["--seed", "2"][..], "seed `2` instead of `1`"),
        (&["--replications", "4"], "replications `4` instead of `3`"),
        (&["--set", "title=Another"], "title `Another` instead of `A trace meets an outage`"),
        (&["--against", "never"], "--against `never` instead of `nothing`"),
        (&["--set", "sweep.'workload.trace.speed'=[1.0]"], "points `3` instead of `6`"),
        (&["--set", "route.primary.workers=11"], "experiment `…"),
    ] {
        let shard = ["--shard", "2/2", "--out", "b", "--quiet", "--set", "replications=3"];
        let output = folder.output(&[&["run", "x.toml"], &shard[..], changes].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let refused = folder.refused(&["merge", "a", "b", "--out", "merged"]);
        let expected = format!("error: b belongs to another plan than a: {difference}");
        assert!(refused.starts_with(&expected), "{refused}");
    }
    // The same path, with another content.
    let trace = fs::read_to_string(folder.path("calls.csv")).unwrap();
    fs::write(folder.path("calls.csv"), format!("{trace}40000,1,1\n")).unwrap();
    few(&folder, "b", &["2/2"]);
    let refused = folder.refused(&["merge", "a", "b", "--out", "merged"]);
    assert!(refused.contains("another plan than a: data files `"), "{refused}");
    assert!(!folder.path("merged").exists());
}

#[test]
fn a_changed_unit_a_changed_plan_and_another_program_are_refused() {
    let folder = Folder::new();
    few(&folder, "a", &["1/1"]);
    few(&folder, "b", &["1/1"]);
    let unit = folder.path("b/units").join(&folder.units("b")[0]);
    let text = fs::read_to_string(&unit).unwrap();
    let (before, after) = text.split_once("\"fingerprint\":").unwrap();
    let other = if after.starts_with('1') { "2" } else { "1" };
    fs::write(&unit, format!("{before}\"fingerprint\":{other}{}", &after[1..])).unwrap();
    let refused = folder.refused(&["merge", "a", "b", "--out", "merged"]);
    let name = &folder.units("b")[0];
    assert_eq!(
        refused,
        format!(
            "error: a/units/{name} and b/units/{name} should hold the same runs, and differ: one \
             was changed or damaged\n"
        )
    );

    let plan = folder.path("b/plan.json");
    let text = fs::read_to_string(&plan).unwrap();
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        fs::write(&plan, text.replacen(from, to, 1)).unwrap();
        folder.refused(&["merge", "a", "b", "--out", "merged"])
    };
    let refused = changed("\"replications\":3", "\"replications\":4");
    assert!(refused.starts_with("error: b is no part: plan.json: it was changed"), "{refused}");
    let refused = changed("\"program\":\"", "\"program\":\"9.9.9+");
    assert!(refused.starts_with("error: b was made by retrial 9.9.9+"), "{refused}");
    assert!(refused.contains("one version must make and merge all parts"), "{refused}");
    let refused = changed("{", "[");
    assert!(refused.starts_with("error: b is no part: plan.json: "), "{refused}");

    fs::create_dir(folder.path("empty")).unwrap();
    let refused = folder.refused(&["merge", "a", "empty", "--out", "merged"]);
    let expected = "error: empty is no part: it has no plan.json; parts are the folders that \
                    `retrial run --shard I/N` wrote to\n";
    assert_eq!(refused, expected);
    assert!(folder.refused(&["merge", "nowhere", "--out", "m"]).contains("nowhere is no part"));
    assert!(folder.refused(&["merge", "--out", "m"]).contains("<PARTS>..."));
    assert!(folder.refused(&["merge", "a"]).contains("--out <DIR>"));
    assert!(!folder.path("merged").exists());
}
