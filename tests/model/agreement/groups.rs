//! Several populations at one server.

use super::*;

/// Fused and unfused clients side by side, with policies of their own.
#[test]
fn open_and_closed_populations_with_policies_of_their_own() {
    let text = format!(
        r#"
stop_after = "8s"
[[group]]
name = "web"
clients = 10
open = {{ arrivals = {{ poisson = "20/s" }} }}
[[group]]
name = "batch"
policy = "p"
clients = 15
closed = {{ requests = 8, think = "30ms", start = {{ over = "2s" }} }}
[[group]]
name = "cron"
clients = 5
open = {{ arrivals = {{ cron = {{ period = "1s" }} }} }}
concurrency = 1
[network]
delay = {{ uniform = {{ min = "1ms", max = "9ms" }} }}
{BUSY}queue = 6
abandoned = "dropped"
{PATIENT}
[policies.q]
backoff = {{ kind = "none" }}
limits = {{ deadline = "2s", max_attempts = 3 }}
budget = [{{ kind = "token_bucket", scope = "group", capacity = 5.0, retry_cost = 1.0, success_refund = 0.5 }}]
"#
    );
    let cells = crate::written::plan_of(&text, &[]).cells;
    assert_eq!(cells.len(), 2);
    for cell in &cells {
        let subjects = cell.subjects();
        let result = the_one_result(&cell.scenario, &subjects);
        for fused in [false, true] {
            Ledger::audit(&cell.scenario, &subjects, fused);
        }
        assert_sums(&result);
        assert!(result.metrics.get(Id::Succeeded) > Some(100.0));
    }
}
