//! Experiments written in a test, read as the command would read them.

use std::fs;

use retrial::experiment::cell::Cell;
use retrial::experiment::load::{Wanted, load};
use retrial::experiment::plan::Plan;

/// The plan of an experiment file with this text, with `files` (name and content) beside it.
pub fn plan_of(text: &str, files: &[(&str, &str)]) -> Plan {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    fs::write(&path, text).unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let wanted = Wanted { experiment: Some(path.display().to_string()), ..Wanted::default() };
    let plan = load(&wanted).and_then(|loaded| Plan::new(&loaded));
    plan.unwrap_or_else(|report| panic!("{text}\n{report}"))
}

/// Its only cell.
pub fn cell_of(text: &str, files: &[(&str, &str)]) -> Cell {
    let mut cells = plan_of(text, files).cells;
    assert_eq!(cells.len(), 1, "one policy at one point");
    cells.remove(0)
}
