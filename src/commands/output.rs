//! Printing to stdout and stderr, where whoever reads may stop reading.

use std::io::{self, Write};

use super::Exit;

/// Prints a whole document, or says why that failed.
pub fn print(document: impl AsRef<[u8]>) -> Exit {
    match write(document.as_ref()) {
        Ok(()) => Exit::Done,
        Err(error) => {
            eprintln!("error: can't write to the standard output: {error}");
            Exit::Failed
        }
    }
}

/// Tells people something beside the results. If nobody can read it, the results still stand.
pub fn tell(text: impl AsRef<[u8]>) {
    let _unread = io::stderr().lock().write_all(text.as_ref());
}

/// Writes a whole document.
///
/// # Errors
///
/// It can't be written, other than because nobody reads any more.
pub fn write(document: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(document).and_then(|()| out.flush()) {
        // `retrial list | head -1` has what it wants: that is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
