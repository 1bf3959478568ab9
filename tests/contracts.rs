//! `retrial run` with contracts: what it refuses, what it says before it simulates, and which
//! routes it takes.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// A dead first route, and a second one that serves all.
const WORLD: &str = "replications = 1\n\
                     [workload]\nclients = 4\nclosed = { requests = 1 }\nNEEDS\n\
                     [network]\ndelay = '5ms'\n\
                     [[route]]\nname = 'dead'\nFIRST\n[[route.fault]]\nreply = 'generic-503'\n\
                     [[route]]\nname = 'second'\nSECOND\n\
                     [policies.p]\nbackoff = { kind = 'constant', base = '10ms' }\n\
                     limits = { max_attempts = 3, deadline = '1h' }\n\
                     fallback = { routes = ['second'], after_attempts = 1 }\n";

fn world(needs: &str, first: &str, second: &str) -> String {
    WORLD.replace("NEEDS", needs).replace("FIRST", first).replace("SECOND", second)
}

struct Answer {
    code: Option<i32>,
    stderr: String,
    folder: TempDir,
}

impl Answer {
    /// A column of `runs.csv` in its first row.
    fn first(&self, name: &str) -> String {
        column(&self.folder.path().join("out/runs.csv"), name)[0].clone()
    }
}

fn column(path: &Path, name: &str) -> Vec<String> {
    let mut csv = csv::Reader::from_path(path).unwrap();
    let column = csv.headers().unwrap().iter().position(|header| header == name).unwrap();
    csv.records().map(|row| row.unwrap()[column].to_string()).collect()
}

fn run(experiment: &str, files: &[(&str, &str)]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), experiment).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let output = Command::cargo_bin("retrial")
        .unwrap()
        .current_dir(folder.path())
        .args(["run", "x.toml", "--out", "out", "--no-charts"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    Answer { code: output.status.code(), stderr, folder }
}

#[test]
fn a_qualified_route_is_taken_and_an_unqualified_one_is_not() {
    let needs = "needs = { tools = ['function', 'parallel'], streaming = true }";
    for (contract, gaps) in [
        ("contract = { tools = ['function', 'parallel', 'strict'], streaming = true }", None),
        ("contract = { tools = ['function'], streaming = true }", Some("tools = parallel")),
        ("contract = { tools = ['function'] }", Some("tools = parallel, streaming")),
        ("", Some("tools = function, tools = parallel, streaming")),
    ] {
        let answer = run(&world(needs, "", contract), &[]);
        assert_eq!(answer.code, Some(0), "{}", answer.stderr);
        let ways = (answer.first("succeeded"), answer.first("fallbacks"), answer.first("attempts"));
        let ways = (&*ways.0, &*ways.1, &*ways.2);
        match gaps {
            None => {
                assert_eq!(ways, ("4", "4", "8"), "{contract}");
                assert!(!answer.stderr.contains("warning"), "{}", answer.stderr);
            }
            Some(gaps) => {
                assert_eq!(ways, ("0", "0", "12"), "{contract}");
                let warning = format!(
                    "warning: no fallback to `second`: requests need what its contract does not \
                     cover: {gaps}\n"
                );
                assert!(answer.stderr.starts_with(&warning), "{}", answer.stderr);
            }
        }
    }
}

#[test]
fn a_first_route_that_says_it_cannot_serve_the_requests_is_refused() {
    let needs = "needs = { context = 200_000 }";
    let (small, large) = ("contract = { context = 32_000 }", "contract = { context = 200_000 }");
    let answer = run(&world(needs, small, large), &[]);
    assert_eq!(answer.code, Some(2));
    let message = "error: requests need what the first route `dead` does not serve: context = \
                   200000 (it has 32000)\n --> x.toml:5:1\n";
    assert!(answer.stderr.starts_with(message), "{}", answer.stderr);
    let answer = run(&world(needs, large, large), &[]);
    assert_eq!((answer.code, &*answer.first("succeeded")), (Some(0), "4"), "{}", answer.stderr);
}

/// Two of four requests of a trace fit in the second route.
#[test]
fn a_request_that_does_not_fit_stays_where_it_is() {
    let trace = "t_ms,input_tokens,output_tokens\n0,900,100\n1,900,101\n2,500,10\n3,5000,10\n";
    let experiment = world("", "", "contract = { context = 1000 }");
    let experiment =
        experiment.replace("closed = { requests = 1 }", "trace = { file = 'trace.csv' }");
    let answer = run(&experiment, &[("trace.csv", trace)]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!((&*answer.first("succeeded"), &*answer.first("fallbacks")), ("2", "2"));
}

/// Each group is compared by its own needs.
#[test]
fn groups_differ_in_what_they_need() {
    let experiment = world("", "", "contract = { inputs = ['text'] }");
    let groups = "[[group]]\nname = 'readers'\nclients = 3\nclosed = { requests = 1 }\n\
                  needs = { inputs = ['text'] }\n\
                  [[group]]\nname = 'viewers'\nclients = 5\nclosed = { requests = 1 }\n\
                  needs = { inputs = ['text', 'image'] }\n";
    let experiment =
        experiment.replace("[workload]\nclients = 4\nclosed = { requests = 1 }\n\n", groups);
    let answer = run(&experiment, &[]);
    assert_eq!(answer.code, Some(0), "{}", answer.stderr);
    assert_eq!((&*answer.first("succeeded"), &*answer.first("attempts")), ("3", "21"));
    let warning = "warning: no fallback to `second`: requests of `viewers` need what its contract \
                   does not cover: inputs = image\n";
    assert!(answer.stderr.starts_with(warning), "{}", answer.stderr);
    assert_eq!(answer.stderr.matches("warning").count(), 1, "{}", answer.stderr);
}
