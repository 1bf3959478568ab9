//! [`Ndjson`]: an observer that prints.

use retrial_policy::{DecisionRecord, Observer};

/// Prints each decision record as one line of JSON to stdout, and the message of a stop to stderr.
///
/// An observer is called while the budget is locked. One that does more than this, such as talk
/// to a collector, should send the record down a channel.
#[derive(Clone, Copy, Debug)]
pub struct Ndjson;

impl Observer for Ndjson {
    fn decided(&mut self, record: &DecisionRecord<'_>) {
        println!("{}", serde_json::to_string(record).expect("a record is plain data"));
        if let Some(message) = record.stop_message() {
            eprintln!("  {message}");
        }
    }
}
