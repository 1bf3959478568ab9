//! `--shard I/N`, and which shard a task of an array job is.

use std::num::NonZeroU32;
use std::str::FromStr;

use crate::study::shard::{Shard, shards};

/// Which shard, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardArgument {
    /// `I/N`
    Given(Shard),
    /// `auto/N`: the array job that this is one task of says which.
    Auto(NonZeroU32),
}

impl FromStr for ShardArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("auto/") {
            Some(of) => shards(of).map(ShardArgument::Auto),
            None => text
                .parse()
                .map(ShardArgument::Given)
                .map_err(|problem| format!("{problem}, or auto/N in an array job")),
        }
    }
}

const SLURM: &str = "SLURM_ARRAY_TASK_ID";
const SLURM_FIRST: &str = "SLURM_ARRAY_TASK_MIN";
const SLURM_COUNT: &str = "SLURM_ARRAY_TASK_COUNT";
const KUBERNETES: &str = "JOB_COMPLETION_INDEX";
const AWS_BATCH: &str = "AWS_BATCH_JOB_ARRAY_INDEX";

impl ShardArgument {
    /// The shard that is meant; `variable` gives those of the environment.
    ///
    /// # Errors
    ///
    /// No array job or several say which, or it is not among N.
    pub fn resolve(self, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, String> {
        let of = match self {
            ShardArgument::Given(shard) => return Ok(shard),
            ShardArgument::Auto(of) => of,
        };
        let read = |name: &str| match variable(name) {
            None => Ok(None),
            Some(text) => match text.trim().parse::<u64>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(format!("{name} is `{text}`: it should be a whole number")),
            },
        };
        let set: Vec<_> = [SLURM, KUBERNETES, AWS_BATCH]
            .into_iter()
            .filter(|name| variable(name).is_some())
            .collect();
        let name = match set[..] {
            [name] => name,
            [] => {
                return Err(format!(
                    "--shard auto/{of}: this is no task of an array job, as none of {SLURM}, \
                     {KUBERNETES} and {AWS_BATCH} is set; give --shard I/{of}"
                ));
            }
            _ => {
                let set = set.join(" and ");
                return Err(format!("--shard auto/{of}: {set} are set; give --shard I/{of}"));
            }
        };
        let index = read(name)?.unwrap_or_default();
        let number = if name == SLURM {
            let first = read(SLURM_FIRST)?.ok_or_else(|| {
                format!("--shard auto/{of}: {SLURM} is set and {SLURM_FIRST} is not")
            })?;
            // A part of an array, such as the tasks that failed, starts at another number.
            if let Some(count) = read(SLURM_COUNT)?.filter(|count| *count != u64::from(of.get())) {
                return Err(format!(
                    "--shard auto/{of}: the array has {count} tasks ({SLURM_COUNT}); make it of \
                     {of}, or give --shard I/{of}"
                ));
            }
            index.checked_add(1).and_then(|next| next.checked_sub(first))
        } else {
            index.checked_add(1)
        };
        let shard = Shard::new(number.unwrap_or_default(), of);
        shard.map_err(|problem| format!("--shard auto/{of}: {name} is {index}, and {problem}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(of: u32, variables: &[(&str, &str)]) -> Result<String, String> {
        let argument: ShardArgument = format!("auto/{of}").parse().unwrap();
        let variable = |name: &str| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| value.to_string())
        };
        argument.resolve(variable).map(|shard| shard.to_string())
    }

    #[test]
    fn array_jobs_say_which_shard_this_is() {
        for (variables, expected) in [
            (&[("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_MIN", "1")][..], "1/4"),
            (&[("SLURM_ARRAY_TASK_ID", "4"), ("SLURM_ARRAY_TASK_MIN", "1")], "4/4"),
            (&[("SLURM_ARRAY_TASK_ID", "0"), ("SLURM_ARRAY_TASK_MIN", "0")], "1/4"),
            (&[("SLURM_ARRAY_TASK_ID", "13"), ("SLURM_ARRAY_TASK_MIN", "10")], "4/4"),
            (&[("JOB_COMPLETION_INDEX", "0")], "1/4"),
            (&[("AWS_BATCH_JOB_ARRAY_INDEX", "3")], "4/4"),
        ] {
            assert_eq!(auto(4, variables), Ok(expected.to_string()), "{variables:?}");
        }
    }

    #[test]
    fn an_unclear_environment_is_refused() {
        let (id, min) = ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN");
        for (variables, problem) in [
            (&[][..], "no task of an array job"),
            (
                &[("JOB_COMPLETION_INDEX", "0"), ("AWS_BATCH_JOB_ARRAY_INDEX", "0")],
                "JOB_COMPLETION_INDEX and AWS_BATCH_JOB_ARRAY_INDEX are set",
            ),
            (&[("JOB_COMPLETION_INDEX", "4")], "is 4, and shards are numbered from 1 to 4"),
            (&[("JOB_COMPLETION_INDEX", "-1")], "`-1`: it should be a whole number"),
            (&[("JOB_COMPLETION_INDEX", "18446744073709551615")], "numbered from 1 to 4"),
            (&[(id, "5"), (min, "1")], "is 5, and shards are numbered from 1 to 4"),
            (&[(id, "1"), (min, "3")], "is 1, and shards are numbered from 1 to 4"),
            (&[(id, "1")], "SLURM_ARRAY_TASK_MIN is not"),
            (&[(id, "3"), (min, "3"), ("SLURM_ARRAY_TASK_COUNT", "2")], "the array has 2 tasks"),
        ] {
            let refused = auto(4, variables).unwrap_err();
            assert!(refused.contains(problem), "{variables:?}: {refused}");
        }
    }
}
