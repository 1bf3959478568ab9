//! What people have at hand while they write experiments: the list of packaged ones, the starter
//! file, the JSON Schema, completions.

mod completions;
mod list;
mod new;
mod output;
mod schema;

use assert_cmd::Command;

/// `retrial` with arguments.
fn retrial(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("retrial").unwrap();
    command.args(args);
    command
}

/// What a successful command printed, with nothing on stderr.
fn printed(args: &[&str]) -> String {
    let output = retrial(args).assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}
