//! Flags that contradict each other, and files that can't be read.

use std::fs;

use super::Folder;

#[test]
fn contradictions_are_refused() {
    for (flags, complaint) in [
        (&["--status", "429", "--transport", "dns_error"][..], "cannot be used with"),
        (&["--transport", "dns_error", "--body", "b"], "cannot be used with"),
        (&["--transport", "dns_error", "--stream", "s"], "cannot be used with"),
        (&["--transport", "dns_error", "--header", "a: b"], "cannot be used with"),
        (&["--stream", "s", "--body", "b"], "cannot be used with"),
        (&["--cases", "c", "--status", "429"], "cannot be used with"),
        (&["--cases", "c", "--body", "b"], "cannot be used with"),
        (&["--cases", "c", "--stream", "s"], "cannot be used with"),
        (&["--cases", "c", "--transport", "dns_error"], "cannot be used with"),
        (&["--sent"], "--transport <NAME>"),
        (&["--sent", "--status", "429"], "cannot be used with"),
        (&["--status", "429", "--header", "retry-after"], "there is no colon: write NAME: VALUE"),
        (&["--status", "429", "--header", ":status: 429"], "there is no name before the colon"),
        (&["--status", "42"], "42 is not in 100..=999"),
        (&["--status", "ok"], "invalid value 'ok'"),
        (&["--transport", "gone"], "connect_error, dns_error, connection_reset, read_timeout"),
        (&[], "nothing says how the attempt ended"),
        (&["--body", "b"], "give --status N, --stream FILE or --transport NAME"),
    ] {
        let stderr = Folder::new().refusal(&[&["classify"], flags].concat(), "");
        assert!(stderr.starts_with("error: ") && stderr.contains(complaint), "{flags:?}\n{stderr}");
    }
}

#[test]
fn an_unknown_provider_is_answered_with_the_nearest() {
    for command in
        [&["classify", "--status", "429", "--provider", "opnai"][..], &["providers", "opnai"]]
    {
        let complaint = Folder::new().refusal(command, "");
        let start =
            "error: no provider is called `opnai`\n |\n = help: did you mean `openai`? allowed: ";
        assert!(complaint.starts_with(start), "{complaint}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new().with("latin1.toml", b"# caf\xe9");
    fs::create_dir(folder.path().join("folder")).unwrap();
    for (flags, complaint) in [
        (
            &["--status", "429", "--body", "nope"][..],
            "can't read the body `nope`: there is no such file",
        ),
        (&["--status", "429", "--body", "folder"], "can't read the body `folder`: it is a folder"),
        (&["--stream", "nope"], "can't read the stream `nope`: there is no such file"),
        (&["--cases", "nope"], "can't read the cases `nope`: there is no such file"),
        (
            &["--status", "429", "--policy", "nope"],
            "can't read the policy `nope`: there is no such file",
        ),
        (
            &["--status", "429", "--policy", "latin1.toml"],
            "can't read the policy `latin1.toml`: it is not text in UTF-8",
        ),
        (
            &["--status", "429", "--table", "latin1.toml"],
            "can't read the table `latin1.toml`: it is not text in UTF-8",
        ),
    ] {
        let stderr = folder.refusal(&[&["classify"], flags].concat(), "");
        assert_eq!(stderr, format!("error: {complaint}\n"), "{flags:?}");
    }
}

/// Sixty-four mebibytes are enough for any error; a sparse file takes no room.
#[test]
fn a_body_that_is_too_large_is_refused() {
    let folder = Folder::new().with("large", "");
    let file = fs::File::options().write(true).open(folder.path().join("large")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let stderr = folder.refusal(&["classify", "--status", "429", "--body", "large"], "");
    assert_eq!(stderr, "error: can't read the body `large`: it is larger than 64 MiB\n");
}

#[test]
fn a_policy_file_is_shown_where_it_is_wrong() {
    let folder = Folder::new().with("p.toml", "[limits]\nmax_attempts = 3\ndedline = \"9s\"\n");
    let complaint = folder.refusal(&["classify", "--status", "429", "--policy", "p.toml"], "");
    assert!(
        complaint.starts_with("error: policy `p.toml`: unknown key `dedline`\n"),
        "{complaint}"
    );
    assert!(complaint.contains("--> p.toml:3:1\n"), "{complaint}");
}
