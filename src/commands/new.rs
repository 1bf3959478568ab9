//! `retrial new`: a commented experiment file to start from.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use super::{Exit, output};
use crate::study::whole_file::write_whole;

/// What is written.
const STARTER: &str = include_str!("../../experiments/starter.toml");

/// Flags of `retrial new`.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Where to write it; - prints it
    #[arg(default_value = "experiment.toml")]
    path: PathBuf,
    /// Overwrite a file that exists
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let path = args.path.as_path();
    if path == Path::new("-") {
        return output::print(STARTER);
    }
    let shown = path.display();
    if path.is_dir() {
        eprintln!("error: `{shown}` is a folder: name a file in it");
        return Exit::BadInput;
    }
    let written = if args.force {
        write_whole(path, STARTER.as_bytes())
    } else {
        write_new(path, STARTER.as_bytes())
    };
    match written {
        Ok(()) => {
            eprintln!("wrote {shown}; change it to your case, then: retrial run {shown}");
            Exit::Done
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            eprintln!("error: `{shown}` exists; --force overwrites it");
            Exit::BadInput
        }
        Err(error) => {
            eprintln!("error: can't write `{shown}`: {error}");
            Exit::Failed
        }
    }
}

/// Writes a file that does not exist yet: whatever appears there meanwhile is not overwritten.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    File::create_new(path)?.write_all(bytes)
}
