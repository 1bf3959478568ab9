//! `retrial new`, and the file it writes.

use std::fs;

use assert_cmd::assert::Assert;
use retrial::experiment::deserialize::from_node;
use retrial::experiment::load::{Wanted, load};
use retrial::experiment::schema::ExperimentFile;
use retrial_policy::config::PolicyFile;
use tempfile::TempDir;

use super::schema::Validator;
use super::{printed, retrial};

fn new_in(folder: &TempDir, args: &[&str]) -> Assert {
    retrial(&["new"]).args(args).current_dir(folder).assert().stdout("")
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The starter file.
fn starter() -> String {
    printed(&["new", "-"])
}

#[test]
fn writes_the_starter_and_says_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    let said = stderr(&new_in(&folder, &[]).success());
    assert!(said.contains("retrial run experiment.toml"), "{said}");
    let said = stderr(&new_in(&folder, &["mine.toml"]).success());
    assert!(said.contains("retrial run mine.toml"), "{said}");
    for name in ["experiment.toml", "mine.toml"] {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), starter(), "{name}");
    }
}

#[test]
fn overwrites_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("experiment.toml");
    fs::write(&file, "precious").unwrap();
    let said = stderr(&new_in(&folder, &[]).code(2));
    assert_eq!(said, "error: `experiment.toml` exists; --force overwrites it\n");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    new_in(&folder, &["--force"]).success();
    assert_eq!(fs::read_to_string(&file).unwrap(), starter());
}

#[test]
fn names_the_place_it_cannot_write_to() {
    let folder = tempfile::tempdir().unwrap();
    let said = stderr(&new_in(&folder, &["."]).code(2));
    assert_eq!(said, "error: `.` is a folder: name a file in it\n");
    let said = stderr(&new_in(&folder, &["no/such/folder.toml"]).code(1));
    assert!(said.starts_with("error: can't write `no/such/folder.toml`: "), "{said}");
}

/// A key that is shown as a comment has its `#` right before it, prose has a blank between.
fn with_commented_keys() -> String {
    let is_key = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '"') && rest.contains(" = ")
    };
    let line = |line: &str| match line.strip_prefix('#') {
        Some(rest) if is_key(rest) => format!("{rest}\n"),
        _ => format!("{line}\n"),
    };
    starter().lines().map(line).collect()
}

#[test]
fn every_key_is_in_the_schema_those_in_comments_too() {
    let validator = Validator::of_experiments();
    assert_eq!(validator.faults(&starter()), [""; 0]);
    let all = with_commented_keys();
    assert_eq!(validator.faults(&all), [""; 0]);
    let keys = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count();
    assert!(keys(&all) >= keys(&starter()) + 20, "the comments show too few keys");
}

#[test]
fn the_program_reads_every_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.toml");
    for text in [starter(), with_commented_keys()] {
        fs::write(&path, text).unwrap();
        let wanted = Wanted { experiment: Some(path.display().to_string()), ..Wanted::default() };
        let loaded = load(&wanted).unwrap();
        let file: ExperimentFile = from_node(&loaded.root).unwrap();
        let workload = file.workload.unwrap();
        assert_eq!((workload.clients, file.route.len()), (200, 1));
        let mut names = Vec::new();
        for (name, node) in loaded.root.entries("policies") {
            let policy: PolicyFile = from_node(node).unwrap();
            policy.into_policy().unwrap();
            names.push(name);
        }
        assert_eq!(names, ["no-jitter", "full-jitter", "capped-budget"]);
    }
}

#[test]
fn the_starter_runs() {
    let folder = tempfile::tempdir().unwrap();
    new_in(&folder, &[]).success();
    let run = ["run", "experiment.toml", "--replications", "2", "--quiet"];
    retrial(&run).current_dir(&folder).assert().success();
}
