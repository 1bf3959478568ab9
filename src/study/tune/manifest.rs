//! `manifest.json` of a tuning: what it takes to repeat it.

use std::io;

use serde_json::{Value, json};

use super::goal::Combination;
use super::tuning::Tuning;
use crate::measure::metric;

/// The document.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn manifest_json(tuning: &Tuning) -> io::Result<Vec<u8>> {
    let experiments = tuning.experiments.iter().map(|experiment| {
        let conditions = experiment.conditions.iter().map(ToString::to_string);
        json!({
            "experiment": experiment.name,
            "seed": experiment.seed,
            "minimise": metric::ALL[experiment.minimise].name,
            "subject_to": conditions.collect::<Vec<_>>(),
            "effective_experiment": experiment.effective,
        })
    });
    let (combine, weights) = match &tuning.combination {
        Combination::Worst => ("worst", Value::Null),
        Combination::Weighted(weights) => ("mean", json!(weights)),
    };
    let manifest = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "policy": tuning.policy,
        "against": tuning.against,
        "budget": tuning.budget,
        "replications": tuning.replications,
        "combine": combine,
        "weights": weights,
        "experiments": experiments.collect::<Vec<_>>(),
        "reached": tuning.reached(),
    });
    let mut bytes = serde_json::to_vec_pretty(&manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}
