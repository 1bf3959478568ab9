//! The verdict sentence: praise goes to policies that did the work, and claims only what was shown.

use std::process::Command;

/// The verdict of `aws-occ` at 20 clients, changed.
fn verdict(replications: u32, sets: &[&str]) -> String {
    let out = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_retrial"))
        .args(["run", "aws-occ", "--quiet", "--no-charts", "--out"])
        .arg(out.path())
        .args(["--replications", &replications.to_string(), "--set", "workload.clients=20"])
        .args(sets.iter().flat_map(|set| ["--set", set]))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let stdout = String::from_utf8(output.stdout).unwrap();
    stdout.lines().last().unwrap().to_string()
}

/// With one attempt each, 19 of 20 clients fail at once: the fewest attempts and the earliest end,
/// and no merit. Of 400 requests without a failure one in 133 might still fail.
#[test]
fn giving_up_early_is_no_way_to_be_fast() {
    let verdict = verdict(20, &["policies.none.limits.max_attempts=1"]);
    assert!(
        verdict.contains("succeed most often (100 %, at least 99.2 %; `none` least, "),
        "{verdict}"
    );
    assert!(!verdict.contains("`none` is done first"), "{verdict}");
    let price = "`none` makes the fewest attempts of all, 20.0, and pays with success: 5.00 %";
    assert!(verdict.contains(price), "{verdict}");
}

/// Where nobody has ended yet, nobody is done first.
#[test]
fn a_run_that_was_cut_off_has_no_first() {
    let verdict = verdict(20, &["stop_after=150ms"]);
    assert!(!verdict.contains("done first"), "{verdict}");
}

#[test]
fn few_replications_are_called_few() {
    let few = verdict(2, &[]);
    assert!(few.ends_with("2 replications tell little."), "{few}");
    let enough = verdict(10, &[]);
    assert!(!enough.contains("tell little"), "{enough}");
}

/// The orderings of the published study at 20 clients: no backoff ends first, jitter saves calls.
#[test]
fn the_study_is_summed_up() {
    let verdict = verdict(50, &[]);
    assert!(verdict.starts_with("At workload.clients = 20, `"), "{verdict}");
    assert!(verdict.contains("`none` is done first, after "), "{verdict}");
    assert!(verdict.contains("the fewest attempts"), "{verdict}");
    assert!(!verdict.contains("succeed"), "all succeed equally often: {verdict}");
}
