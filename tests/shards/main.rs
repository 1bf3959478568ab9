//! A study on several machines: `retrial run --shard I/N` and `retrial merge`.
//!
//! The experiment has everything that a merge must do without: policies in files, one in layers, a
//! trace, a sweep with an axis that leaves some policies as they are, thresholds of which one
//! fails, alerts.

mod merging;
mod refusals;
mod running;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// Distinct units: the swept policy at six points and two others at two, three blocks each.
const UNITS: usize = 30;
/// Their runs, 25 a cell.
const RUNS: usize = 250;

const EXPERIMENT: &str = r#"
title = "A trace meets an outage"
replications = 25
stop_after = "60s"
workload = { clients = 20, trace = { file = "calls.csv" } }
network.delay = { normal = { mean = "10ms", sd = "2ms" } }

[[route]]
name = "primary"
workers = 10
queue = 20
service = { tokens = { first = "50ms", per_input = "0s", per_output = "1ms" } }
full = { reply = "generic-503" }
fault = [{ from = "10s", until = "15s", reply = "generic-503" }]

[policies]
jitter = { file = "jitter.toml" }
layers = { file = "layers.toml" }
never = { file = "jitter.toml", retry_on = { mode = "statuses", statuses = [429] } }

[sweep]
"workload.trace.speed" = [1.0, 2.5]
"policies.jitter.backoff.base" = ["50ms", "100ms", "200ms"]

[thresholds]
jitter = ["amplification <= 3"]
never = ["success_ratio >= 0.999"]
"#;

const JITTER: &str = r#"
backoff = { kind = "exponential", base = "100ms", cap = "2s", jitter = "full" }
limits = { max_attempts = 4, deadline = "20s" }
replay.safe = true
"#;

const LAYERS: &str = r#"
backoff = { kind = "constant", base = "300ms", jitter = "full" }
limits = { max_attempts = 2, deadline = "20s" }
replay.safe = true
inner = { file = "jitter.toml" }
"#;

/// A folder with the experiment in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        let trace: String =
            (0..1000).map(|i| format!("{},{},{}\n", i * 40, i % 7, i % 90)).collect();
        for (name, text) in [
            ("x.toml", EXPERIMENT),
            ("jitter.toml", JITTER),
            ("layers.toml", LAYERS),
            ("calls.csv", &format!("t_ms,input_tokens,output_tokens\n{trace}")),
        ] {
            fs::write(folder.path(name), text).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `retrial` in the folder, in no array job.
    fn retrial(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("retrial").unwrap();
        for variable in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"]
        {
            command.env_remove(variable);
        }
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.retrial(arguments).output().unwrap()
    }

    /// Runs the experiment, which must end with code `code`.
    fn run(&self, code: i32, arguments: &[&str]) -> Output {
        let output = self.output(&[&["run", "x.toml"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        output
    }

    /// Makes a shard in a folder of its own.
    fn shard(&self, shard: &str, out: &str) -> Output {
        self.run(0, &["--shard", shard, "--out", out])
    }

    /// What stderr says of something refused with code 2; nothing was printed.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "");
        text(&output.stderr)
    }

    /// The names of the unit files in a results folder.
    fn units(&self, out: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(out).join("units")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| !name.ends_with(CLOSE_UP)).collect();
        names.sort();
        names
    }

    /// How many close-ups a results folder has.
    fn close_ups(&self, out: &str) -> usize {
        let entries = fs::read_dir(self.path(out).join("units")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(CLOSE_UP)).count()
    }
}

/// How the names of close-ups end.
const CLOSE_UP: &str = "-close-up.json";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// All files of a results folder apart from the units.
fn results(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![out.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(out).unwrap().to_path_buf();
            match path.is_dir() {
                true if name == Path::new("units") => {}
                true => folders.push(path),
                false => {
                    files.insert(name, fs::read(&path).unwrap());
                }
            }
        }
    }
    files
}

/// That two results folders hold the same bytes, file by file.
fn assert_same_results(got: &Path, expected: &Path) {
    let (got, expected) = (results(got), results(expected));
    assert_eq!(got.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in &expected {
        assert!(got[name] == *bytes, "{} differs", name.display());
    }
}
