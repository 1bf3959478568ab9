//! A tree of values that remember where they were written.

use super::source::Place;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it was written; for a `[table]`, its header.
    pub place: Place,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A truth value.
    Boolean(bool),
    /// A date or time, as written.
    Datetime(String),
    /// A list.
    Array(Vec<Node>),
    /// Keys and values in the order of the text.
    Table(Table),
}

/// Keys and values in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table(Vec<(Key, Node)>);

/// A key and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The key.
    pub name: String,
    /// Where it was written.
    pub place: Place,
}

impl Node {
    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn as_table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if it is a list; none otherwise.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::Array(items) => items,
            _ => &[],
        }
    }

    /// Names and values of the table under `key`; none if there is no such table.
    pub fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Node)> {
        let table = self.as_table().and_then(|table| table.get(key)).and_then(Node::as_table);
        table.into_iter().flat_map(Table::iter).map(|(key, node)| (key.name.as_str(), node))
    }

    /// The table without some of its keys.
    #[must_use]
    pub fn without(&self, keys: &[&str]) -> Node {
        let mut rest = self.clone();
        if let Some(table) = rest.as_table_mut() {
            for key in keys {
                table.remove(key);
            }
        }
        rest
    }

    /// The tree as if all of it had been written at `place`.
    #[must_use]
    pub fn placed(&self, place: Place) -> Node {
        let value = match &self.value {
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| item.placed(place)).collect())
            }
            Value::Table(table) => {
                let entries = table
                    .iter()
                    .map(|(key, node)| (Key { name: key.name.clone(), place }, node.placed(place)));
                Value::Table(entries.collect())
            }
            value => value.clone(),
        };
        Node { value, place }
    }

    /// The value as one line of TOML: what a result file shows of it, and what is hashed. Tables
    /// come in the order of their keys, so that the order of writing does not matter.
    pub fn to_inline(&self) -> String {
        match &self.value {
            Value::String(text) => format!("{text:?}"),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => format!("{number:?}"),
            Value::Boolean(truth) => truth.to_string(),
            Value::Datetime(text) => text.clone(),
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(Node::to_inline).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Table(_) => self.inline_without(&[]),
        }
    }

    /// As [`Node::to_inline`] without some keys of the table; nothing if it is none.
    pub fn inline_without(&self, keys: &[&str]) -> String {
        let entries = self.as_table().into_iter().flat_map(Table::iter);
        let mut entries: Vec<_> = entries
            .filter(|(key, _)| !keys.contains(&key.name.as_str()))
            .map(|(key, node)| format!("{:?} = {}", key.name, node.to_inline()))
            .collect();
        entries.sort();
        format!("{{ {} }}", entries.join(", "))
    }
}

impl Table {
    /// Keys and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Node)> {
        self.0.iter().map(|(key, node)| (key, node))
    }

    /// Keys and values in order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Key, &mut Node)> {
        self.0.iter_mut().map(|(key, node)| (&*key, node))
    }

    /// The value of `name`.
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.iter().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    /// The value of `name`.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.iter_mut().find(|(key, _)| key.name == name).map(|(_, node)| node)
    }

    /// The key as written.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.iter().find(|(key, _)| key.name == name).map(|(key, _)| key)
    }

    /// Sets a value, in place of the old one or at the end.
    pub fn insert(&mut self, key: Key, node: Node) {
        match self.0.iter_mut().find(|(old, _)| old.name == key.name) {
            Some(entry) => *entry = (key, node),
            None => self.0.push((key, node)),
        }
    }

    /// Takes a value out.
    pub fn remove(&mut self, name: &str) -> Option<Node> {
        let index = self.0.iter().position(|(key, _)| key.name == name)?;
        Some(self.0.remove(index).1)
    }

    /// Lays `over` on top: tables merge, everything else is replaced.
    pub fn overlay(&mut self, over: Table) {
        for (key, node) in over.0 {
            match (self.get_mut(&key.name).map(|old| &mut old.value), node.value) {
                (Some(Value::Table(old)), Value::Table(new)) => old.overlay(new),
                (_, value) => self.insert(key, Node { value, place: node.place }),
            }
        }
    }
}

impl FromIterator<(Key, Node)> for Table {
    fn from_iter<I: IntoIterator<Item = (Key, Node)>>(entries: I) -> Self {
        Table(entries.into_iter().collect())
    }
}
