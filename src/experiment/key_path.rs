//! Dotted keys such as `workload.clients` or `policies.*.backoff.base`.

use std::fmt;
use std::str::FromStr;

use super::diagnostic::Diagnostic;
use super::node::{Key, Node, Table, Value};
use super::pattern;
use super::source::Place;

/// More parts than any key has; what follows a path recurses once a part.
const MAX_PARTS: usize = 32;

/// A dotted key. Elements of arrays go by their `name` or their index; a [`pattern`] such as `*` or
/// `full-*` stands for all entries whose names fit it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPath {
    text: String,
    parts: Vec<String>,
}

impl FromStr for KeyPath {
    type Err = Diagnostic;

    /// Splits at dots; quoted parts are kept whole.
    fn from_str(text: &str) -> Result<Self, Diagnostic> {
        let bad = |what: &str| Err(Diagnostic::new(format!("not a key: {what}")));
        let mut parts = Vec::new();
        let mut rest = text.trim();
        loop {
            let part;
            match rest.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    let Some(length) = rest[1..].find(quote) else {
                        return bad("a quote is not closed");
                    };
                    part = &rest[1..=length];
                    rest = rest[length + 2..].trim_start();
                }
                _ => {
                    let length = rest.find('.').unwrap_or(rest.len());
                    part = rest[..length].trim();
                    rest = &rest[length..];
                }
            }
            if part.is_empty() {
                return bad("a part is empty");
            }
            parts.push(part.to_string());
            if parts.len() > MAX_PARTS {
                return bad("it has too many parts");
            }
            if rest.is_empty() {
                return Ok(KeyPath { text: text.trim().to_string(), parts });
            }
            let Some(after) = rest.strip_prefix('.') else {
                return bad("parts are separated by dots");
            };
            rest = after.trim_start();
        }
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl KeyPath {
    /// The parts.
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Whether setting this key also sets `other`: it is the same, or stands above it.
    pub fn covers(&self, other: &KeyPath) -> bool {
        let same = |(own, other): (&String, &String)| pattern::covers(own, other);
        self.parts.len() <= other.parts.len() && self.parts.iter().zip(&other.parts).all(same)
    }

    /// Whether some key is set by both: one is the same as the other, or stands above it.
    pub fn meets(&self, other: &KeyPath) -> bool {
        let same = |(own, other): (&String, &String)| pattern::meet(own, other);
        self.parts.iter().zip(&other.parts).all(same)
    }

    /// Sets the value at this key, making tables on the way; `place` is where the key was given.
    ///
    /// # Errors
    ///
    /// The way leads through something that has no entries, or an element that does not exist.
    pub fn set(&self, root: &mut Node, value: &Node, place: Place) -> Result<(), Diagnostic> {
        self.set_in(root, &self.parts, value, place)
    }

    fn set_in(
        &self,
        node: &mut Node,
        parts: &[String],
        value: &Node,
        place: Place,
    ) -> Result<(), Diagnostic> {
        let fault = |what: String| Err(Diagnostic::new(what).at(Some(place)));
        let Some((part, rest)) = parts.split_first() else {
            *node = value.clone();
            return Ok(());
        };
        match &mut node.value {
            Value::Table(table) if pattern::is_pattern(part) => {
                let mut fits = false;
                for (_, entry) in table.iter_mut().filter(|(k, _)| pattern::meet(part, &k.name)) {
                    fits = true;
                    self.set_in(entry, rest, value, place)?;
                }
                if fits { Ok(()) } else { fault(self.stands_for_nothing(part)) }
            }
            // The value and its key come from here: a later fault in it is shown here.
            Value::Table(table) if rest.is_empty() => {
                table.insert(Key { name: part.clone(), place }, value.clone());
                Ok(())
            }
            Value::Table(table) => {
                if table.get(part).is_none() {
                    let empty = Node { value: Value::Table(Table::default()), place };
                    table.insert(Key { name: part.clone(), place }, empty);
                }
                match table.get_mut(part) {
                    Some(entry) => self.set_in(entry, rest, value, place),
                    None => Ok(()),
                }
            }
            Value::Array(items) if part == "*" && !items.is_empty() => {
                items.iter_mut().try_for_each(|item| self.set_in(item, rest, value, place))
            }
            Value::Array(_) if part == "*" => fault(self.stands_for_nothing(part)),
            Value::Array(items) => match find_item(items, part) {
                Some(index) => self.set_in(&mut items[index], rest, value, place),
                None => {
                    fault(format!("`{self}`: there is no `{part}` among {} entries", items.len()))
                }
            },
            _ => fault(format!("`{self}`: what stands before `{part}` is a value, not a table")),
        }
    }

    fn stands_for_nothing(&self, part: &str) -> String {
        format!("`{self}`: there is nothing that `{part}` could stand for")
    }
}

/// The place of `key` in the tree, or of the innermost thing on the way to it that exists. Used to
/// point at the value that a check refused.
pub fn place_of(root: &Node, key: &str) -> Option<Place> {
    let path: KeyPath = key.parse().ok()?;
    let mut node = root;
    let mut place = None;
    for part in path.parts() {
        let next = match &node.value {
            Value::Table(table) => {
                let key = table.key(part);
                // A table is shown by its key: its own place may be that of a header far above.
                if let (Some(key), Some(Value::Table(_))) = (key, table.get(part).map(|n| &n.value))
                {
                    place = Some(key.place);
                    node = table.get(part)?;
                    continue;
                }
                table.get(part)
            }
            Value::Array(items) => find_item(items, part).map(|index| &items[index]),
            _ => None,
        };
        let Some(next) = next else { break };
        place = Some(next.place);
        node = next;
    }
    place
}

/// The element called `part`, or with that index.
fn find_item(items: &[Node], part: &str) -> Option<usize> {
    let named = |item: &Node| {
        item.as_table().and_then(|table| table.get("name")).and_then(Node::as_str) == Some(part)
    };
    let index = || part.parse().ok().filter(|index| *index < items.len());
    items.iter().position(named).or_else(index)
}
