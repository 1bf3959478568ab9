//! What the results of a study are written from: its plan without worlds and policies to run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::condition::Threshold;
use super::stop::Stop;
use super::sweep::Point;

/// Names, numbers and texts of a study. Results that other machines have made become files and a
/// verdict with this alone, without the experiment file and what it names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The experiment's name.
    pub name: String,
    /// The line for people; the name if there is none.
    pub title: String,
    /// The flags that changed the file, as words of a command line. Shards may have been asked for
    /// the same in other words.
    #[serde(skip)]
    pub flags: Vec<String>,
    /// The version of the program that ran it; empty where a part of a study does not say.
    #[serde(default)]
    pub version: String,
    /// The file as it was found.
    pub text: String,
    /// The experiment as it is run: one line, independent of order and comments.
    pub effective: String,
    /// Where all random numbers come from.
    pub seed: u64,
    /// Runs of each cell; those of the first look where `stop` decides.
    pub replications: u64,
    /// When there are enough of them, point by point. Shards can't know, so no file of theirs has it.
    #[serde(skip)]
    pub stop: Option<Stop>,
    /// The swept keys.
    pub axes: Vec<String>,
    /// Combinations of their values; one without values if nothing is swept.
    pub points: Vec<Point>,
    /// The policies' names, in the order of the file.
    pub policies: Vec<String>,
    /// Conditions on metrics, each with the index of its policy.
    pub thresholds: Vec<(usize, Threshold)>,
    /// The policy that the others are compared with, if one was named.
    pub against: Option<usize>,
    /// What was done to the input, such as spreading a trace over its clock's ticks.
    pub notes: Vec<String>,
    /// Data files and the hashes of their content.
    pub files: BTreeMap<String, String>,
}

impl Outline {
    /// The point that tables and pictures show: the last one.
    pub fn shown_point(&self) -> usize {
        self.points.len().saturating_sub(1)
    }
}
