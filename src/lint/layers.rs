//! Layers that multiply.

use retrial_policy::Policy;

use super::{Finding, finding};

pub(super) fn check(policy: &Policy) -> Vec<Finding> {
    let repeating = policy.layers().filter(|layer| super::retries(layer) != Some(0)).count();
    if repeating < 2 {
        return Vec::new();
    }
    let factors: Vec<String> = policy
        .layers()
        .map(|layer| match layer.limits().max_attempts {
            Some(max) => max.to_string(),
            None => "unlimited".to_string(),
        })
        .collect();
    let product = match policy.max_wire_attempts() {
        Some(product) => format!("{product} attempts"),
        None => "attempts without bound".to_string(),
    };
    let message = format!(
        "{repeating} layers retry and multiply: {} = {product} of one request",
        factors.join(" × ")
    );
    let fix = "retry in one layer, with max_attempts = 1 in the others (max_retries=0 in an SDK)";
    vec![finding("layers-multiply", "inner", message, fix)]
}
