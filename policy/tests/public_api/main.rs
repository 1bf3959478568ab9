//! The public interface names no type of another crate.
//!
//! A type of a dependency in a public signature ties our version to its version: users could not
//! upgrade one without the other. The sources are parsed, and every path in a public signature is
//! looked up among the imports of its file.

mod signatures;

use std::fs;
use std::path::{Path, PathBuf};

use signatures::foreign_in;

/// Traits that we implement so that values can be read, written and described. Implementing is what
/// their features are for; naming anything else of those crates is not.
const ALLOWED: [&str; 4] =
    ["serde::Deserialize", "serde::de::Deserialize", "serde::Serialize", "schemars::JsonSchema"];

fn manifest_dir() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the dependencies as paths in sources spell them.
fn dependencies() -> Vec<String> {
    let manifest = fs::read_to_string(manifest_dir().join("Cargo.toml")).expect("it is built");
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let keys = lines.filter_map(|line| line.split(['=', '.']).next());
    let names = keys.map(|key| key.trim().replace('-', "_"));
    names.filter(|name| !name.is_empty() && !name.starts_with('#')).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn no_signature_names_a_type_of_a_dependency() {
    let dependencies = dependencies();
    for name in ["aho_corasick", "httpdate", "humantime", "libm", "serde_json", "toml"] {
        assert!(dependencies.iter().any(|known| known == name), "{dependencies:?}");
    }
    let src = manifest_dir().join("src");
    let (mut foreign, mut allowed) = (Vec::new(), 0);
    for file in sources(&src) {
        let text = fs::read_to_string(&file).expect("a source");
        for (item, path) in foreign_in(&text, &dependencies) {
            match ALLOWED.contains(&path.as_str()) {
                true => allowed += 1,
                false => foreign.push(format!("{}: {item}: {path}", file.display())),
            }
        }
    }
    assert_eq!(foreign, Vec::<String>::new());
    assert!(allowed > 0, "the implementations of serde's traits at least are there");
}

/// The test itself: it finds what it is there to find, and nothing else.
#[test]
fn every_kind_of_leak_is_found() {
    let text = include_str!("leaks.rs.txt");
    let found = foreign_in(text, &["libm".into(), "serde".into(), "serde_json".into()]);
    let found: Vec<_> = found.iter().map(|(item, path)| format!("{item}: {path}")).collect();
    let expected = [
        "use: serde_json::Number",
        "fn argument: serde_json::Value",
        "fn returned: serde_json::Map",
        "fn bound: serde::Serialize",
        "fn deep: serde_json::Value",
        "struct Field: serde_json::Value",
        "struct Tuple: serde_json::Value",
        "struct Derived: serde::Deserialize",
        "enum Variant: serde_json::Value",
        "type Alias: serde_json::Value",
        "const CONST: serde_json::Value",
        "trait Supertrait: serde::Serialize",
        "trait Method: serde_json::Value",
        "fn method: serde_json::Value",
        "impl From: serde_json::Value",
        "impl Serialize: serde::Serialize",
        "fn nested: serde_json::Value",
    ];
    assert_eq!(found, expected);
}
