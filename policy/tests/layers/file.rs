//! Inner policies in a policy file.

use super::*;
use crate::support::{refused, secs};

const MINIMAL: &str = "[backoff]\nkind = 'none'\n[limits]\ndeadline = '90s'\n";

#[test]
fn policies_inside_a_policy_are_whole_ones() {
    let layer = "backoff = { kind = 'constant', base = '1s' }, limits = { deadline = '9s' }";
    let policy = load(&format!("{MINIMAL}[inner]\n{}", layer.replace("}, ", "}\n")));
    let inner = policy.inner().expect("a policy inside");
    assert_eq!(*inner.backoff(), Backoff::growing(Growth::Constant { base: secs(1) }));
    assert_eq!(inner.limits().deadline, Some(secs(9)));
    assert_eq!(inner.limits().max_attempts, 5.try_into().ok(), "the defaults of any policy");
    assert!(inner.inner().is_none());

    // To any depth that the format allows.
    let deep = (0..30).fold(String::new(), |inner, _| format!(", inner = {{ {layer}{inner} }}"));
    let policy = load(&format!("{}\n{}", layer.replace("}, ", "}\n"), &deep[2..]));
    assert_eq!(policy.layers().count(), 31);
}

#[test]
fn faults_inside_carry_the_whole_key() {
    let inner = |keys: &str| format!("inner = {{ {keys} }}\n{MINIMAL}");
    let sound = "backoff = { kind = 'none' }, limits = { deadline = '9s' }";
    refused(
        &inner(
            "backoff = { kind = 'constant', base = '1s', cap = §'1ms' }, limits = { deadline = '9s' }",
        ),
        "inner.backoff.cap: the cap (1ms) is below the base (1s)",
    );
    refused(
        &inner(&format!(
            "{sound}, inner = {{ backoff = {{ kind = 'none' }}, limits = {{ deadline = §'0s' }} }}"
        )),
        "inner.inner.limits.deadline: must be above zero, or \"unlimited\"",
    );
    refused(
        &inner(&format!(
            "{sound}, budget = [{{ kind = 'token_bucket', capacity = §0.5, retry_cost = 1, success_refund = 0 }}]"
        )),
        "inner.budget.0.capacity: the capacity (0.5) is below the cost of one retry (1): no retry could ever happen",
    );
    refused(
        &format!("inner = §{{ limits = {{ deadline = '9s' }} }}\n{MINIMAL}"),
        "inner.backoff: missing: a policy has this table",
    );
    refused(
        &format!("inner = {{ {sound}, inner = §{{ backoff = {{ kind = 'none' }} }} }}\n{MINIMAL}"),
        "inner.inner.limits: missing: a policy has this table",
    );
    refused(
        &inner("file = §'sdk.toml'"),
        "inner.file: files are read for experiments only: put the tables of the policy here",
    );
    refused(
        &inner("§backof = {}"),
        "unknown field `backof`, expected one of `preset`, `file`, `backoff`, `limits`, \
         `retry_after`, `budget`, `retry_on`, `fallback`, `replay`, `inner`",
    );
}
