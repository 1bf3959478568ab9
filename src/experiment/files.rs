//! The files that an experiment names: beside it on disk, or packaged with it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::packaged;

/// Where relative paths of an experiment start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    /// The experiment is inside the program, and some of its files are too.
    packaged: bool,
}

impl Folder {
    /// The folder of an experiment on disk.
    pub fn on_disk(path: PathBuf) -> Self {
        Folder { path, packaged: false }
    }

    /// What a packaged experiment sees: its own files, and the current folder.
    pub fn packaged() -> Self {
        Folder { path: PathBuf::new(), packaged: true }
    }

    /// What to call the file at `path`.
    pub fn shown(&self, path: &str) -> String {
        self.path.join(path).to_string_lossy().into_owned()
    }

    /// The text of the file at `path`.
    ///
    /// # Errors
    ///
    /// Why it can't be read, in words.
    pub fn read(&self, path: &str) -> Result<String, String> {
        match packaged::file(path).filter(|_| self.packaged) {
            Some(text) => Ok(text.to_string()),
            None => read_text(&self.path.join(path)),
        }
    }
}

/// The text of a file.
///
/// # Errors
///
/// Why it can't be read, in words.
pub fn read_text(path: &Path) -> Result<String, String> {
    as_text(std::fs::read(path).map_err(|error| why(&error))?)
}

/// Why a file can't be read, in words.
pub fn why(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_string(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_string(),
        _ => error.to_string(),
    }
}

/// The text that `bytes` are.
///
/// # Errors
///
/// That they are none.
pub fn as_text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8".to_string())
}

/// The data files of one experiment, each read once however many sweep points use it.
#[derive(Debug)]
pub struct DataFiles<T: ?Sized> {
    folder: Folder,
    /// By path and name.
    read: RefCell<BTreeMap<(String, String), Arc<T>>>,
    hashes: RefCell<BTreeMap<String, String>>,
}

impl<T: ?Sized> DataFiles<T> {
    /// Those of an experiment in `folder`.
    pub fn of(folder: Folder) -> Self {
        DataFiles { folder, read: RefCell::default(), hashes: RefCell::default() }
    }

    /// The content of the file at `path` as `parse` reads it. `name` tells readings of one file
    /// apart.
    ///
    /// # Errors
    ///
    /// It can't be read, or what `parse` says.
    pub fn get(
        &self,
        path: &str,
        name: &str,
        parse: impl FnOnce(&str) -> Result<Arc<T>, String>,
    ) -> Result<Arc<T>, String> {
        let key = (path.to_string(), name.to_string());
        if let Some(content) = self.read.borrow().get(&key) {
            return Ok(content.clone());
        }
        let text = self.folder.read(path)?;
        let content = parse(&text)?;
        self.hashes.borrow_mut().insert(path.to_string(), hash(&text));
        self.read.borrow_mut().insert(key, content.clone());
        Ok(content)
    }

    /// The files read so far with their content.
    pub fn all(&self) -> Vec<(String, Arc<T>)> {
        let read = self.read.borrow();
        read.iter().map(|((path, _), content)| (path.clone(), content.clone())).collect()
    }

    /// The files read so far with the SHA-256 of their content, in hexadecimal digits.
    pub fn hashes(&self) -> BTreeMap<String, String> {
        self.hashes.borrow().clone()
    }
}

fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
