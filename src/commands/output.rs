//! Printing to stdout, where whoever reads may stop reading.

use std::io::{self, Write};

use super::Exit;

/// Prints a whole document.
pub fn print(document: impl AsRef<[u8]>) -> Exit {
    let mut out = io::stdout().lock();
    let written = out.write_all(document.as_ref()).and_then(|()| out.flush());
    match written {
        // `retrial list | head -1` has what it wants: that is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        Err(error) => {
            eprintln!("error: can't write to the standard output: {error}");
            Exit::Failed
        }
        Ok(()) => Exit::Done,
    }
}
