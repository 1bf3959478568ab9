//! What commands read: files and the standard input, up to a size.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use crate::experiment::diagnostic::{Diagnostic, Report};
use crate::experiment::files::why;
use crate::experiment::source::Sources;

/// What stands for the standard input.
pub const STDIN: &str = "-";

/// The longest body, stream, table or line that is read: 64 MiB.
const MOST: u64 = 64 << 20;
const TOO_LARGE: &str = "it is larger than 64 MiB";

/// What is at `path`, or on stdin.
///
/// # Errors
///
/// `what` can't be read, or is too large.
pub fn read(what: &str, path: &str) -> Result<Vec<u8>, Report> {
    let mut bytes = Vec::new();
    let read = open(what, path)?.take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(what, path, &why(&error)))?;
    match bytes.len() as u64 > MOST {
        true => Err(unreadable(what, path, TOO_LARGE)),
        false => Ok(bytes),
    }
}

/// That `what`, in the file `path`, can't be used.
pub fn unreadable(what: &str, path: &str, problem: &str) -> Report {
    fault(format!("can't read {what} `{}`: {problem}", shown(path)))
}

/// What to call a file.
pub fn shown(path: &str) -> &str {
    if path == STDIN { "stdin" } else { path }
}

/// A file, or stdin.
fn open(what: &str, path: &str) -> Result<Box<dyn BufRead>, Report> {
    if path == STDIN {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).map_err(|error| unreadable(what, path, &why(&error)))?;
    Ok(Box::new(BufReader::new(file)))
}

/// Gives the lines of a file that are not blank to `each`, with their numbers from 1. What is not
/// UTF-8 is replaced.
///
/// # Errors
///
/// It can't be read, a line is too long, or what `each` says of one.
pub fn lines(
    what: &str,
    path: &str,
    mut each: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), Report> {
    let mut file = open(what, path)?;
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        bytes.clear();
        let read = file.by_ref().take(MOST + 1).read_until(b'\n', &mut bytes);
        if read.map_err(|error| unreadable(what, path, &why(&error)))? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_start_matches('\u{feff}').trim();
        let done = match bytes.len() as u64 > MOST {
            true => Err(TOO_LARGE.to_string()),
            false if line.is_empty() => Ok(()),
            false => each(line),
        };
        done.map_err(|problem| fault(format!("{}, line {number}: {problem}", shown(path))))?;
    }
    Ok(())
}

/// A fault that has no place in any text.
pub fn fault(message: impl Into<String>) -> Report {
    Diagnostic::new(message).report(&Sources::default())
}
