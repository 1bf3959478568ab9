//! `retrial classify` and `retrial providers` as whole commands: what they print for real replies,
//! and what they say of input that they can't use.

mod bad_input;
mod calls;
mod cases;
mod explanation;
mod own_table;
mod providers;
mod replies;
mod streams;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder to run the command in.
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

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// With `content` in the file `name`.
    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path().join(name), content).unwrap();
        self
    }

    /// `retrial` with arguments and something piped in.
    fn retrial(&self, arguments: &[&str], stdin: &str) -> Answer {
        let mut command = Command::cargo_bin("retrial").unwrap();
        let output =
            command.current_dir(self.path()).args(arguments).write_stdin(stdin).output().unwrap();
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// `retrial classify`, which has nothing to complain about.
    fn classify(&self, arguments: &[&str], body: &str) -> String {
        let answer = self.retrial(&[&["classify"], arguments].concat(), body);
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        answer.stdout
    }

    /// Input that is refused before anything is printed: the complaint.
    fn refusal(&self, arguments: &[&str], stdin: &str) -> String {
        let answer = self.retrial(arguments, stdin);
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        answer.stderr
    }
}

/// The object that `classify --json` prints for a body, as text and parsed.
fn classified(arguments: &[&str], body: &str) -> (String, Value) {
    let text = Folder::new().classify(&[arguments, &["--json"]].concat(), body);
    let value = serde_json::from_str(&text).unwrap();
    (text, value)
}

/// Asserts some values of an object.
#[track_caller]
fn assert_says(object: &Value, expected: &[(&str, Value)]) {
    for (key, value) in expected {
        assert_eq!(&object[*key], value, "{key} of {object}");
    }
}
