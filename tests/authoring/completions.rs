//! `retrial completions`.

use super::{printed, retrial};

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    for (shell, mark) in [
        ("bash", "complete -F _retrial"),
        ("zsh", "#compdef retrial"),
        ("fish", "complete -c retrial"),
        ("elvish", "edit:completion:arg-completer[retrial]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = printed(&["completions", shell]);
        for part in [mark, "run", "list", "new", "schema", "completions", "replications"] {
            assert!(script.contains(part), "{shell}: {part}");
        }
    }
}

#[test]
fn a_shell_nobody_knows_is_wrong_usage() {
    retrial(&["completions", "cmd.exe"]).assert().code(2);
    retrial(&["completions"]).assert().code(2);
}
