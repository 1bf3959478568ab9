//! Whoever reads the output may stop reading; a full disk is a failure.

use std::process::{Command, Stdio};

const PRINTING: [&[&str]; 4] = [&["list"], &["new", "-"], &["schema"], &["completions", "bash"]];

#[test]
fn a_reader_that_stops_is_no_failure() {
    for args in PRINTING {
        let mut child = Command::new(env!("CARGO_BIN_EXE_retrial"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_a_failure() {
    for args in PRINTING {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_retrial"))
            .args(args)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: can't write to the standard output"), "{error}");
    }
}
