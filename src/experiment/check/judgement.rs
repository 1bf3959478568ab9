//! Thresholds and tuning: conditions on metrics that must exist, of policies that must exist.

use super::problem::{Check, Problem, problem_with_help};
use crate::experiment::condition::{Condition, NoCondition};
use crate::experiment::schema::{ExperimentFile, Tune};
use crate::experiment::suggest;
use crate::measure::metric::{self, Better};

pub(super) fn possible_thresholds(file: &ExperimentFile) -> Check {
    for (policy, conditions) in &file.thresholds {
        possible_policy(file, &format!("thresholds.\"{policy}\""), policy)?;
        for (index, condition) in conditions.iter().enumerate() {
            possible_condition(format!("thresholds.\"{policy}\".{index}"), condition)?;
        }
    }
    Ok(())
}

pub(super) fn possible_tune(file: &ExperimentFile, tune: &Tune) -> Check {
    possible_policy(file, "tune.policy", &tune.policy)?;
    possible_metric("tune.minimise".to_string(), &tune.minimise)?;
    for (index, condition) in tune.subject_to.iter().enumerate() {
        possible_condition(format!("tune.subject_to.{index}"), condition)?;
    }
    Ok(())
}

fn possible_policy(file: &ExperimentFile, key: &str, policy: &str) -> Check {
    if file.policies.contains_key(policy) {
        return Ok(());
    }
    let names: Vec<_> = file.policies.keys().map(String::as_str).collect();
    let message = format!("there is no policy `{policy}`");
    problem_with_help(key, message, suggest::help(policy, &names))
}

fn possible_condition(key: String, condition: &str) -> Check {
    match Condition::parse(condition) {
        Ok(_) => Ok(()),
        Err(NoCondition { message, help }) => Err(Problem { key, message, help }),
    }
}

fn possible_metric(key: String, name: &str) -> Check {
    if let Some(index) = metric::by_name(name) {
        return match metric::ALL[index].better {
            Better::Lower | Better::Neither => Ok(()),
            Better::Higher => {
                let message =
                    format!("`{name}` is better when it is higher: it is not to be minimised");
                let help = format!("bound it from below: subject_to = [\"{name} >= 0.99\"]");
                problem_with_help(key, message, help)
            }
        };
    }
    let near = suggest::nearest(name, metric::ALL.iter().map(|metric| metric.name));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    Err(Problem { key, message: format!("no metric is called `{name}`"), help })
}
