//! Experiments key by key, and what differs between two of them.

use std::collections::BTreeMap;

use super::node::{Node, Value};

/// A key with its values on both sides, as TOML; `None` where it is not given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedKey {
    /// The dotted key.
    pub key: String,
    /// The old value.
    pub old: Option<String>,
    /// The new value.
    pub new: Option<String>,
}

/// The keys whose values differ, sorted. Elements of lists of tables go by their number.
pub fn changed_keys(old: &Node, new: &Node) -> Vec<ChangedKey> {
    let mut values = BTreeMap::<String, (Option<String>, Option<String>)>::new();
    visit(old, String::new(), &mut |key, value| {
        values.entry(key).or_default().0 = Some(value);
    });
    visit(new, String::new(), &mut |key, value| {
        values.entry(key).or_default().1 = Some(value);
    });
    let changed = values.into_iter().filter(|(_, (old, new))| old != new);
    changed.map(|(key, (old, new))| ChangedKey { key, old, new }).collect()
}

/// All keys and their values as TOML, in the order of the tree. Elements of lists of tables go by
/// their number.
pub fn keys(node: &Node) -> Vec<(String, String)> {
    let mut keys = Vec::new();
    visit(node, String::new(), &mut |key, value| keys.push((key, value)));
    keys
}

fn visit(node: &Node, key: String, found: &mut impl FnMut(String, String)) {
    let inside = |part: &str| match key.is_empty() {
        true => part.to_string(),
        false => format!("{key}.{part}"),
    };
    match &node.value {
        Value::Table(table) if table.iter().next().is_some() => {
            for (part, node) in table.iter() {
                visit(node, inside(&quoted(&part.name)), found);
            }
        }
        Value::Array(items) if items.iter().any(|item| item.as_table().is_some()) => {
            for (index, node) in items.iter().enumerate() {
                visit(node, inside(&index.to_string()), found);
            }
        }
        _ => found(key, node.to_inline()),
    }
}

/// A part of a dotted key, in quotes if it needs them.
pub fn quoted(part: &str) -> String {
    let bare = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    match !part.is_empty() && part.chars().all(bare) {
        true => part.to_string(),
        false => format!("{part:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::parse::parse;
    use crate::experiment::source::SourceId;

    #[test]
    fn order_and_form_do_not_matter_and_values_do() {
        let tree = |text| parse(text, SourceId::default()).unwrap();
        let old = "seed = 1\n[[route]]\nname = \"a\"\nworkers = 3\n[policies.\"p q\"]\nlimits = { max_attempts = 4 }\n";
        let new = "route = [{ workers = 5, name = \"a\", queue = 7 }]\n[policies.\"p q\".limits]\nmax_attempts = 4\n";
        let changed = changed_keys(&tree(old), &tree(new));
        let changed: Vec<_> =
            changed.iter().map(|c| (c.key.as_str(), c.old.as_deref(), c.new.as_deref())).collect();
        assert_eq!(
            changed,
            [
                ("route.0.queue", None, Some("7")),
                ("route.0.workers", Some("3"), Some("5")),
                ("seed", Some("1"), None),
            ]
        );
        assert_eq!(changed_keys(&tree(old), &tree(old)), []);
    }
}
