//! A server that fails each attempt with the same probability: what an attempt cap and a token
//! bucket make of it.

use retrial::measure::metric::Id::{Amplification, SuccessRatio, WastedRatio};

use crate::agreement::Case;
use crate::experiment::{Experiment, poisson_to_the_end, policy, time};
use crate::oracle::algebra::{Outcome, attempts_cap, token_bucket};

crate::both_passes!(cases);

fn cases() -> Vec<Case> {
    let caps = [0.1, 0.5, 0.75, 0.9].into_iter().flat_map(|p| [2, 4].map(|k| cap(p, k)));
    // Below and above the knees 1/11 and 1/3.
    let buckets = [(0.05, 0.1), (0.2, 0.1), (0.5, 0.1), (0.8, 0.1), (0.2, 0.5), (0.6, 0.5)];
    caps.chain(buckets.map(|(p, refund)| bucket(p, refund))).collect()
}

fn cap(p: f64, k: i32) -> Case {
    let policy = policy(&k.to_string(), &waits());
    case(format!("{k} attempts, failure share {p}"), p, policy, attempts_cap(p, k))
}

/// The bucket is full at first: so large that it does not run dry by chance below the knee, small
/// enough to have run dry above it when the warm-up is over.
fn bucket(p: f64, refund: f64) -> Case {
    let budget = format!(
        "budget = [{{ kind = \"token_bucket\", capacity = 50, retry_cost = 1, \
         success_refund = {refund} }}]"
    );
    let policy = format!("{}\n{budget}", policy("\"unlimited\"", &waits()));
    let name = format!("token bucket, refund {refund}, failure share {p}");
    case(name, p, policy, token_bucket(p, refund))
}

fn waits() -> String {
    format!("kind = \"exponential\", base = {}, jitter = \"full\"", time(1.0))
}

fn case(name: String, p: f64, policy: String, theory: Outcome) -> Case {
    let Outcome { attempts, success } = theory;
    let fault = format!("[[route.fault]]\nshare = {p}\nreply = \"generic-503\"");
    let route = format!("service = {}\n{fault}", time(1.0));
    Case {
        name,
        experiment: Experiment { workload: poisson_to_the_end(1.0), route, policy },
        // The rarer failures are, the longer it takes to see enough of them.
        span: if p < 0.2 { 1.5e4 } else { 4e3 },
        expected: vec![
            (Amplification, attempts),
            (SuccessRatio, success),
            (WastedRatio, 1.0 - success / attempts),
        ],
    }
}
