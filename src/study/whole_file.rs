//! Files that are complete or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How the name of a file ends until it is complete.
pub const PARTIAL: &str = ".partial";

/// Writes beside the file, then renames: whoever looks sees the old file or the new one, whole.
/// Processes that write one file, on one machine or on several that share the folder, do not get
/// into each other's way; the last one stays.
///
/// # Errors
///
/// The file can't be written or renamed; nothing is left beside it then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (beside, mut file) = open_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A file of nobody else's. The process's number alone would not do: in containers on several
/// machines it is mostly the same.
fn open_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let process = std::process::id();
    let mut tried = 0_u64;
    loop {
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{process}-{tried}{PARTIAL}"));
        match File::create_new(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => tried += 1,
            opened => return opened.map(|file| (PathBuf::from(beside), file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_process_is_writing_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        let (theirs, mut file) = open_beside(&path).unwrap();
        write_whole(&path, b"mine").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        file.write_all(b"theirs").unwrap();
        fs::rename(&theirs, &path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
