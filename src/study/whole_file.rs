//! Files that are complete or absent.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// How the name of a file ends until it is complete.
pub const PARTIAL: &str = ".partial";

/// Writes beside the file, then renames: whoever looks sees the old file or the new one, whole.
/// Two processes that write one file do not get into each other's way; the last one stays.
///
/// # Errors
///
/// The file can't be written or renamed; nothing is left beside it then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}{PARTIAL}", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    written
}
