//! Files that are complete or absent.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Writes beside the file, then renames: whoever looks sees the old file or the new one, whole.
///
/// # Errors
///
/// The file can't be written or renamed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    let beside = PathBuf::from(beside);
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}
