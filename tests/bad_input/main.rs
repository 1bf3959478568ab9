//! Bad input: every fault is answered with its place, its line and what would be right, exit
//! code 2, and nothing written. Whatever the bytes, the answer is a plan or such a message.

mod changes;
mod contradictions;
mod files;
mod keys;
mod mutations;
mod outputs;
mod stopping;

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A valid experiment that each case spoils.
const GOOD: &str = r#"
seed = 1
replications = 1

[workload]
clients = 3
closed = { requests = 1, start = "together" }

[network]
delay = "1ms"

[[route]]
name = "row"
kind = "occ"

[policies.full]
backoff = { kind = "exponential", base = "10ms", cap = "2s", jitter = "full" }
limits = { max_attempts = 9, deadline = "unlimited" }
"#;

/// A folder with an experiment and the files beside it.
struct Folder(TempDir);

/// How a command ended.
struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with `text` as `x.toml`.
    fn with(text: &str) -> Self {
        let folder = Folder::new();
        folder.write("x.toml", text);
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// `retrial run --out out` with more arguments, in this folder.
    fn run(&self, arguments: &[&str]) -> Answer {
        self.run_to("out", arguments)
    }

    fn run_to(&self, out: &str, arguments: &[&str]) -> Answer {
        let output = Command::new(env!("CARGO_BIN_EXE_retrial"))
            .args(["run", "--out", out, "--no-charts"])
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap();
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// As [`Folder::run`], for input that is refused before anything is written.
    fn refusal(&self, arguments: &[&str]) -> String {
        let answer = self.run(arguments);
        assert_eq!(answer.code, Some(2), "{arguments:?}\n{}", answer.stderr);
        assert_eq!(answer.stdout, "", "{arguments:?}");
        assert!(!self.path().join("out").exists(), "{arguments:?} wrote something");
        answer.stderr
    }

    /// No file that was begun and not finished.
    fn assert_nothing_partial(&self) {
        let mut folders = vec![self.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                assert_ne!(path.extension().and_then(|e| e.to_str()), Some("partial"), "{path:?}");
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
    }
}

/// What stderr says of one fault in `text`: the message, the place, the line, the underlined part
/// and the help. `at` is found in the text; what stands between `«` and `»` in it is underlined.
fn complaint((name, text): (&str, &str), at: &str, message: &str, help: &str) -> String {
    let needle = at.replace(['«', '»'], "");
    let underlined = at.split_once('«').map_or(at, |(_, rest)| rest.split_once('»').unwrap().0);
    let found = text.find(&needle).unwrap_or_else(|| panic!("{needle} is not in {text}"));
    let start = found + at.find('«').unwrap_or(0);
    let line = text[..start].matches('\n').count() + 1;
    let column = text[..start].chars().rev().take_while(|c| *c != '\n').count() + 1;
    let shown = text.lines().nth(line - 1).unwrap();
    let (spaces, carets) = (" ".repeat(column - 1), "^".repeat(underlined.chars().count().max(1)));
    let margin = " ".repeat(line.to_string().len());
    let mut complaint = format!(
        "error: {message}\n{margin}--> {name}:{line}:{column}\n{margin} |\n{line} | {shown}\n\
         {margin} | {spaces}{carets}\n"
    );
    if !help.is_empty() {
        complaint.push_str(&format!("{margin} |\n{margin} = help: {help}\n"));
    }
    complaint
}

/// One way to spoil [`GOOD`].
struct Case {
    /// What is replaced; nothing to add at the end.
    from: &'static str,
    to: &'static str,
    /// What the message points at, as [`complaint`] takes it.
    at: &'static str,
    message: &'static str,
    /// Nothing if there is none.
    help: &'static str,
}

fn case(
    (from, to): (&'static str, &'static str),
    at: &'static str,
    message: &'static str,
    help: &'static str,
) -> Case {
    Case { from, to, at, message, help }
}

fn assert_all_refused(cases: &[Case]) {
    let mut wrong = Vec::new();
    for Case { from, to, at, message, help } in cases {
        let text = match *from {
            "" => format!("{GOOD}{to}\n"),
            from => {
                assert_eq!(GOOD.matches(from).count(), 1, "{from}");
                GOOD.replace(from, to)
            }
        };
        let stderr = Folder::with(&text).refusal(&["x.toml"]);
        let expected = complaint(("x.toml", &text), at, message, help);
        if stderr != expected {
            wrong.push(format!("expected\n{expected}found\n{stderr}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const WORKLOAD: &str = "closed = { requests = 1, start = \"together\" }";
const ROUTE: &str = "kind = \"occ\"";
const BACKOFF: &str =
    "backoff = { kind = \"exponential\", base = \"10ms\", cap = \"2s\", jitter = \"full\" }";
const LIMITS: &str = "limits = { max_attempts = 9, deadline = \"unlimited\" }";

/// Without this every refusal below could have another reason.
#[test]
fn the_experiment_that_cases_spoil_is_valid() {
    let folder = Folder::with(GOOD);
    let answer = folder.run(&["x.toml", "--quiet"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(folder.path().join("out/runs.csv").is_file());
    folder.assert_nothing_partial();
}

/// Messages made of parts; a test leaks a few bytes gladly.
fn leak(text: String) -> &'static str {
    text.leak()
}
