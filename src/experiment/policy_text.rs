//! A policy as the text of a policy file.

use super::node::{Node, Table, Value};

/// The tables of `policy` as TOML: a table a section, so that people can read and change it.
pub fn policy_text(policy: &Node) -> String {
    let mut out = String::new();
    if let Some(table) = policy.as_table() {
        write_table(table, &mut Vec::new(), &mut out);
    }
    out
}

/// The keys of a table, then the tables inside it under headers of their own.
fn write_table(table: &Table, path: &mut Vec<String>, out: &mut String) {
    for (name, node) in entries(table) {
        if !is_section(node) {
            out.push_str(&format!("{} = {}\n", key(name), inline(node)));
        }
    }
    for (name, node) in entries(table) {
        path.push(key(name));
        match &node.value {
            Value::Table(inner) => {
                header("[", path, "]", out);
                write_table(inner, path, out);
            }
            Value::Array(items) if is_section(node) => {
                for item in items.iter().filter_map(Node::as_table) {
                    header("[[", path, "]]", out);
                    write_table(item, path, out);
                }
            }
            _ => {}
        }
        path.pop();
    }
}

fn entries(table: &Table) -> impl Iterator<Item = (&str, &Node)> {
    table.iter().map(|(key, node)| (key.name.as_str(), node))
}

fn header(open: &str, path: &[String], close: &str, out: &mut String) {
    let gap = if out.is_empty() { "" } else { "\n" };
    out.push_str(&format!("{gap}{open}{}{close}\n", path.join(".")));
}

/// Whether it gets headers of its own: a table, or a list of nothing but tables.
fn is_section(node: &Node) -> bool {
    match &node.value {
        Value::Table(_) => true,
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| item.as_table().is_some())
        }
        _ => false,
    }
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_string() } else { string(name) }
}

/// A value as one line of TOML, its keys in the order they were written.
pub fn inline(node: &Node) -> String {
    match &node.value {
        Value::String(text) => string(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::Table(table) => {
            let pairs =
                entries(table).map(|(name, node)| format!("{} = {}", key(name), inline(node)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {
            node.to_inline()
        }
    }
}

/// A basic string of TOML.
fn string(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' => "\\\"".to_string(),
        '\\' => "\\\\".to_string(),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::parse::parse;
    use crate::experiment::policy_sources::of_preset;
    use crate::experiment::source::{SourceId, Sources};
    use retrial_policy::Policy;
    use retrial_policy::presets::Preset;

    #[test]
    fn inline_tables_become_sections() {
        let text =
            "backoff = { kind = \"none\" }\nbudget = [{ kind = \"x\", a.b = [1, {}] }]\nn = []";
        let node = parse(text, SourceId::default()).unwrap();
        let expected = "n = []\n\n[backoff]\nkind = \"none\"\n\n[[budget]]\nkind = \"x\"\n\n\
                        [budget.a]\nb = [1, {  }]\n";
        assert_eq!(policy_text(&node), expected);
    }

    /// Every form a policy has is among the presets.
    #[test]
    fn every_preset_comes_back_as_the_policy_it_was() {
        for preset in Preset::all() {
            let node = of_preset(preset, &mut Sources::default()).unwrap();
            let text = policy_text(&node);
            assert_eq!(Policy::from_toml(&text), preset.policy(), "{text}");
        }
    }

    #[test]
    fn strings_and_keys_are_escaped() {
        let text = "\"a b\" = 'C:\\x \"y\"'\n";
        let node = parse(text, SourceId::default()).unwrap();
        let written = policy_text(&node);
        assert_eq!(written, "\"a b\" = \"C:\\\\x \\\"y\\\"\"\n");
        assert_eq!(parse(&written, SourceId::default()).unwrap().to_inline(), node.to_inline());
    }
}
