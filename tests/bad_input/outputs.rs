//! Folders that can't be written: exit code 1, not 2.

use super::*;

/// Something that fails while running is not bad input: exit code 1.
#[test]
fn an_output_that_cannot_be_written_is_named() {
    let folder = Folder::with(GOOD);
    folder.write("out", "a file stands here");
    folder.write("units", "and here");
    for out in ["out", "out/below", "."] {
        let answer = folder.run_to(out, &["x.toml"]);
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""), "{}", answer.stderr);
        let start = format!("error: can't write {out}/units: ");
        assert!(answer.stderr.starts_with(&start), "{}", answer.stderr);
    }
    // What stood there stands there still, and nothing was put beside it.
    assert_eq!(fs::read_to_string(folder.path().join("out")).unwrap(), "a file stands here");
    assert_eq!(fs::read_to_string(folder.path().join("units")).unwrap(), "and here");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}
