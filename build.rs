//! Hashes the code that determines results, so that runs kept by another build are recognised.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Everything a run passes through.
const FOLDERS: [&str; 8] = [
    "policy/presets",
    "policy/providers",
    "policy/replies",
    "policy/src",
    "src/experiment",
    "src/engine",
    "src/measure",
    "src/model",
];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        let mut files = Vec::new();
        collect(Path::new(folder), &mut files)?;
        files.sort();
        for file in files {
            file.hash(&mut hasher);
            fs::read(&file)?.hash(&mut hasher);
        }
    }
    // The locked versions of the libraries that runs use are part of the code.
    println!("cargo::rerun-if-changed=Cargo.lock");
    fs::read("Cargo.lock").unwrap_or_default().hash(&mut hasher);
    println!("cargo::rustc-env=RETRIAL_RESULTS_CODE={:016x}", hasher.finish());
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
