//! Sweeps from the command line: `-P KEY=VALUES`, `--sample DESIGN:POINTS` and `--max-runs N`,
//! written into the tree as the file would have them.

use super::quantity::Quantity;
use super::{MAX_RUNS, SAMPLE};
use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::key_path::KeyPath;
use crate::experiment::load::{known_policy, split};
use crate::experiment::node::{Key, Node, Table, Value};
use crate::experiment::parse::parse_value;
use crate::experiment::source::{Place, SourceId, Sources};

/// A flag that changes `[sweep]`.
#[derive(Clone, Debug)]
pub enum SweepFlag {
    /// `KEY=VALUES`: an axis, in place of the one of that key.
    Param(String),
    /// `DESIGN:POINTS`.
    Sample(String),
    /// The most runs.
    MaxRuns(u64),
}

/// Changes the sweep of an experiment as a flag says.
///
/// # Errors
///
/// The flag can't be read, or names a policy that is not there.
pub fn change(flag: &SweepFlag, root: &mut Node, sources: &mut Sources) -> Result<(), Diagnostic> {
    match flag {
        SweepFlag::Param(text) => param(text, root, sources),
        SweepFlag::Sample(text) => {
            let source = sources.add("--sample", text);
            let whole = Place { source, start: 0, end: text.len() };
            let sample = sample(text, source).map_err(|fault| fault.at(Some(whole)))?;
            insert(root, Key { name: SAMPLE.into(), place: whole }, sample)
        }
        SweepFlag::MaxRuns(runs) => {
            let text = runs.to_string();
            let source = sources.add("--max-runs", &text);
            let place = Place { source, start: 0, end: text.len() };
            // More than a signed number holds is no bound at all.
            let runs = i64::try_from(*runs).unwrap_or(i64::MAX);
            let node = Node { value: Value::Integer(runs), place };
            insert(root, Key { name: MAX_RUNS.into(), place }, node)
        }
    }
}

fn param(text: &str, root: &mut Node, sources: &mut Sources) -> Result<(), Diagnostic> {
    let source = sources.add("--param", text);
    let whole = Place { source, start: 0, end: text.len() };
    let (key, _) = split(text).ok_or_else(|| {
        Diagnostic::new(format!("`--param {text}` has no values")).at(Some(whole)).help(
            "write KEY=VALUES, such as -P workload.clients=50,100,200 or -P \
             'policies.*.backoff.base=50ms:800ms:log5'",
        )
    })?;
    let path: KeyPath = key.parse().map_err(|d: Diagnostic| d.at(Some(whole)))?;
    let place = Place { source, start: 0, end: key.len() };
    known_policy(&path, root).map_err(|fault| fault.at(Some(place)))?;
    let start = key.len() + 1;
    let values = values(&Text { source, start, text: &text[start..] })?;
    // The axis of the file may spell the same key in another way; it keeps its name and column.
    let entries: Vec<_> = root.entries("sweep").map(|(name, _)| name.to_string()).collect();
    let same = |name: &String| {
        name.parse::<KeyPath>().is_ok_and(|own| own.parts() == path.parts())
            && ![SAMPLE, MAX_RUNS].contains(&name.as_str())
    };
    let name = entries.into_iter().find(same).unwrap_or_else(|| path.to_string());
    if [SAMPLE, MAX_RUNS].contains(&name.as_str()) {
        let message = format!("`{name}` is no key of an experiment that could be swept");
        return Err(Diagnostic::new(message).at(Some(place)));
    }
    insert(root, Key { name, place }, values)
}

/// Sets an entry of `[sweep]`, making the table if there is none.
fn insert(root: &mut Node, key: Key, node: Node) -> Result<(), Diagnostic> {
    let place = key.place;
    let Some(table) = root.as_table_mut() else { return Ok(()) };
    if table.get("sweep").is_none() {
        let empty = Node { value: Value::Table(Table::default()), place };
        table.insert(Key { name: "sweep".into(), place }, empty);
    }
    match table.get_mut("sweep").and_then(Node::as_table_mut) {
        Some(sweep) => {
            sweep.insert(key, node);
            Ok(())
        }
        None => Err(Diagnostic::new("`sweep` is a value, not a table").at(Some(place))),
    }
}

/// Part of a flag.
#[derive(Clone, Copy, Debug)]
struct Text<'a> {
    source: SourceId,
    /// Its first byte in the flag.
    start: usize,
    text: &'a str,
}

impl<'a> Text<'a> {
    fn place(&self) -> Place {
        Place { source: self.source, start: self.start, end: self.start + self.text.len() }
    }

    /// The text without white space around it.
    fn trimmed(self) -> Text<'a> {
        let text = self.text.trim_start();
        let start = self.start + self.text.len() - text.len();
        Text { source: self.source, start, text: text.trim_end() }
    }

    fn value(&self) -> Node {
        parse_value(self.text, self.source, self.start)
    }

    /// The parts between separators that stand outside quotes and brackets.
    fn split(self, separator: char) -> Vec<Text<'a>> {
        let (mut parts, mut start) = (Vec::new(), 0);
        let (mut quote, mut depth) = (None, 0_usize);
        for (at, character) in self.text.char_indices() {
            match (character, quote) {
                (c, Some(open)) if c == open => quote = None,
                (_, Some(_)) => {}
                ('"' | '\'', None) => quote = Some(character),
                ('[' | '{', None) => depth += 1,
                (']' | '}', None) => depth = depth.saturating_sub(1),
                (c, None) if c == separator && depth == 0 => {
                    parts.push(self.part(start, at));
                    start = at + c.len_utf8();
                }
                _ => {}
            }
        }
        parts.push(self.part(start, self.text.len()));
        parts
    }

    fn part(&self, start: usize, end: usize) -> Text<'a> {
        let text = &self.text[start..end];
        Text { source: self.source, start: self.start + start, text }.trimmed()
    }
}

/// `50,100,200`, `50ms:800ms:log5`, one value, or what the file would have.
fn values(text: &Text<'_>) -> Result<Node, Diagnostic> {
    let text = text.trimmed();
    let place = text.place();
    let whole = text.value();
    match whole.value {
        Value::Array(_) | Value::Table(_) => return Ok(whole),
        _ => {}
    }
    if let Some(range) = range(&text)? {
        return Ok(range);
    }
    let values = text.split(',');
    if let Some(empty) = values.iter().find(|value| value.text.is_empty()) {
        let help = "values are separated by commas, such as 50,100,200";
        return Err(Diagnostic::new("a value is missing").at(Some(empty.place())).help(help));
    }
    let values = values.iter().map(Text::value).collect();
    Ok(Node { value: Value::Array(values), place })
}

/// The table that `FROM:TO`, `FROM:TO:STEPS`, `FROM:TO:log` or `FROM:TO:logSTEPS` stands for.
fn range(text: &Text<'_>) -> Result<Option<Node>, Diagnostic> {
    let parts = text.split(':');
    let [from, to, how @ ..] = &parts[..] else { return Ok(None) };
    let (from, to) = (from.value(), to.value());
    if Quantity::read(&from).is_none() || Quantity::read(&to).is_none() {
        return Ok(None);
    }
    let mut entries = vec![("from", from), ("to", to)];
    match how {
        [] => {}
        [how] => {
            let number = how.text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let name = &how.text[..how.text.len() - number.len()];
            let scale = match name {
                "log" => "log",
                "lin" | "" => "linear",
                _ => return Err(no_steps(how)),
            };
            let place = how.place();
            entries.push(("scale", Node { value: Value::String(scale.into()), place }));
            if !number.is_empty() {
                let steps = number.parse::<u32>().map_err(|_| no_steps(how))?;
                entries.push(("steps", Node { value: Value::Integer(steps.into()), place }));
            } else if name.is_empty() {
                return Err(no_steps(how));
            }
        }
        [_, further, ..] => return Err(no_steps(further)),
    }
    let place = text.place();
    let entries = entries.into_iter().map(|(name, node)| {
        let place = node.place;
        (Key { name: name.into(), place }, node)
    });
    Ok(Some(Node { value: Value::Table(entries.collect()), place }))
}

fn no_steps(text: &Text<'_>) -> Diagnostic {
    let message = format!("`{}` is no number of steps", text.text);
    let help = "write FROM:TO:STEPS, such as 50ms:800ms:log5, 50ms:800ms:lin4 or 50:200:4";
    Diagnostic::new(message).at(Some(text.place())).help(help)
}

/// The table that `DESIGN:POINTS` stands for.
fn sample(text: &str, source: SourceId) -> Result<Node, Diagnostic> {
    let whole = Text { source, start: 0, text };
    let place = whole.place();
    let parts = whole.split(':');
    let [design, points] = &parts[..] else {
        let message = format!("`{text}` is no design with a number of points");
        let help = "write DESIGN:POINTS, such as sobol:64, lhs:64 or random:64";
        return Err(Diagnostic::new(message).help(help));
    };
    let design = Node { value: Value::String(design.text.into()), place: design.place() };
    let entries = [("design", design), ("points", points.value())].map(|(name, node)| {
        let place = node.place;
        (Key { name: name.into(), place }, node)
    });
    Ok(Node { value: Value::Table(entries.into_iter().collect()), place })
}
