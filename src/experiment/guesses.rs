//! Values that an experiment marks as guesses: `workers = 50   # ~ nobody has measured it`.
//!
//! A line whose comment begins with `~` holds guesses: every number, duration and rate on it. What
//! is found with them should not hang on them, so they are varied.

use retrial_policy::Nanos;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;

use super::node::{Node, Value};
use super::schema::Rate;
use super::source::{Place, SourceId};

/// A value that was guessed.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// The dotted key, elements of lists by number.
    pub key: String,
    /// The value as written.
    pub value: Node,
    /// What the comment says of it, without the `~`.
    pub comment: String,
    way: Vec<Step>,
}

/// A step from a node to one inside it.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Item(usize),
}

/// Tables that do not describe the world.
const NOT_OF_THE_WORLD: [&str; 9] =
    ["title", "seed", "replications", "stop", "policies", "sweep", "thresholds", "tune", "gate"];

/// The guesses of the experiment `root`, whose text is `source`, in the order of the text.
pub fn guesses(root: &Node, text: &str, source: SourceId) -> Vec<Guess> {
    let mut guesses = Vec::new();
    let world = root.without(&NOT_OF_THE_WORLD);
    collect(&world, &mut Vec::new(), &mut |way, node| {
        if node.place.source == source
            && let Some(comment) = guess_comment(text, node.place)
            && can_vary(node)
        {
            let parts = way.iter().map(|step| match step {
                Step::Key(key) => key.clone(),
                Step::Item(index) => index.to_string(),
            });
            let key = parts.collect::<Vec<_>>().join(".");
            let comment = comment.to_string();
            guesses.push(Guess { key, value: node.clone(), comment, way: way.to_vec() });
        }
    });
    guesses.sort_by_key(|guess| guess.value.place.start);
    guesses
}

impl Guess {
    /// The value times `factor`.
    pub fn times(&self, factor: f64) -> Node {
        // What can be varied at all can be multiplied.
        Node {
            value: times(&self.value.value, factor).unwrap_or_else(|| self.value.value.clone()),
            ..self.value
        }
    }

    /// The experiment with another value in its place.
    pub fn replaced(&self, root: &Node, value: Node) -> Node {
        let mut root = root.clone();
        let mut node = Some(&mut root);
        for step in &self.way {
            node = node.and_then(|node| match (step, &mut node.value) {
                (Step::Key(key), Value::Table(table)) => table.get_mut(key),
                (Step::Item(index), Value::Array(items)) => items.get_mut(*index),
                _ => None,
            });
        }
        if let Some(node) = node {
            *node = value;
        }
        root
    }
}

fn collect(node: &Node, way: &mut Vec<Step>, found: &mut impl FnMut(&[Step], &Node)) {
    match &node.value {
        Value::Table(table) => {
            for (key, node) in table.iter() {
                way.push(Step::Key(key.name.clone()));
                collect(node, way, found);
                way.pop();
            }
        }
        Value::Array(items) => {
            for (index, node) in items.iter().enumerate() {
                way.push(Step::Item(index));
                collect(node, way, found);
                way.pop();
            }
        }
        _ => found(way, node),
    }
}

/// What follows the `~` of the comment on the line that a value ends on, if that begins with one.
fn guess_comment(text: &str, place: Place) -> Option<&str> {
    let rest = text.get(place.end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let mut quote = None;
    for (index, character) in rest.char_indices() {
        match (character, quote) {
            ('#', None) => {
                return rest[index + 1..].trim_start().strip_prefix('~').map(str::trim);
            }
            ('"' | '\'', None) => quote = Some(character),
            (character, Some(open)) if character == open => quote = None,
            _ => {}
        }
    }
    None
}

fn can_vary(node: &Node) -> bool {
    times(&node.value, 1.0).is_some()
}

fn times(value: &Value, factor: f64) -> Option<Value> {
    match value {
        // Half of one client is still one.
        Value::Integer(number) => {
            let scaled = libm::round(*number as f64 * factor) as i64;
            Some(Value::Integer(if *number > 0 { scaled.max(1) } else { scaled }))
        }
        Value::Float(number) => Some(Value::Float(number * factor)),
        Value::String(text) => {
            let span: StrDeserializer<'_, serde::de::value::Error> =
                text.as_str().into_deserializer();
            if let Ok(span) = Nanos::deserialize(span) {
                let scaled = Nanos::new(libm::round(span.get() as f64 * factor) as u64);
                return Some(Value::String(scaled.to_string()));
            }
            let rate: Rate = text.parse().ok()?;
            let (_, unit) = text.split_once('/')?;
            Some(Value::String(format!("{}/{}", rate.count * factor, unit.trim())))
        }
        Value::Boolean(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::parse::parse;

    const TEXT: &str = "\
        title = \"5s\"    # ~ no guess: it does not describe the world\n\
        seed = 1        # ~ nor does this\n\
        stop = { half_width = \"5%\", max = 99 }   # ~ nor this\n\
        [workload]\n\
        clients = 3     #~\n\
        open = { arrivals = { poisson = \"7/s\" }, from = \"1m30s\" }   # ~ a guess\n\
        [[route]]\n\
        name = \"a # ~\"\n\
        workers = 5     # about ~ 5\n\
        queue = 1       # ~ none knows\n";

    fn found() -> (Node, Vec<Guess>) {
        let root = parse(TEXT, SourceId::default()).unwrap();
        let guesses = guesses(&root, TEXT, SourceId::default());
        (root, guesses)
    }

    #[test]
    fn values_before_the_mark_are_guesses() {
        let keys: Vec<_> = found().1.into_iter().map(|guess| guess.key).collect();
        assert_eq!(
            keys,
            [
                "workload.clients",
                "workload.open.arrivals.poisson",
                "workload.open.from",
                "route.0.queue"
            ]
        );
    }

    #[test]
    fn they_are_varied_in_their_own_unit() {
        let halves: Vec<_> = found().1.iter().map(|guess| guess.times(0.5).to_inline()).collect();
        assert_eq!(halves, ["2", "\"3.5/s\"", "\"45s\"", "1"]);
    }

    #[test]
    fn a_replaced_value_leaves_the_others() {
        let (root, guesses) = found();
        let changed = guesses[0].replaced(&root, guesses[0].times(3.0));
        assert_eq!(
            changed.to_inline(),
            root.to_inline().replace("\"clients\" = 3", "\"clients\" = 9")
        );
    }
}
