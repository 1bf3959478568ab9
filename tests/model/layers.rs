//! Policies with inner ones: the same run however it is carried out, and one layer is a policy
//! like any other.

use retrial::measure::layers::AttemptsByLayer;
use retrial::measure::metric::Id;
use retrial::measure::recorder::measure;
use retrial::model::layers_on_trial::LayersOnTrial;

use super::layouts::the_one_result;
use super::{NORMAL, RUN, TEN_MS, on_trial, policy, scenario};

const LAYERS: &str = "[backoff]\nkind = \"exponential\"\nbase = \"10ms\"\njitter = \"full\"\n\
                      [[budget]]\nkind = \"token_bucket\"\ncapacity = 2.0\nretry_cost = 1.0\n\
                      success_refund = 0.5\n\
                      [inner.backoff]\nkind = \"exponential\"\nbase = \"5ms\"\njitter = \"full\"\n\
                      [inner.limits]\nmax_attempts = 3\ndeadline = \"unlimited\"\n\
                      [[inner.budget]]\nkind = \"token_bucket\"\nscope = \"group\"\n\
                      capacity = 20.0\nretry_cost = 1.0\nsuccess_refund = 0.5\n";

#[test]
fn every_layout_gives_the_same_run() {
    let policy = policy("5", LAYERS);
    let subjects = [LayersOnTrial::new(on_trial(&policy), true)];
    for network in [NORMAL, TEN_MS] {
        let result = the_one_result(&scenario(50, network), &subjects);
        let AttemptsByLayer { requests, attempts } = &result.layers;
        assert_eq!(*requests, 50);
        // A row counts an attempt when its write arrives, which all of these do.
        assert_eq!(attempts[1] as f64, result.metrics.get(Id::Attempts).unwrap());
        assert!(50 < attempts[0] && attempts[0] < attempts[1], "{attempts:?}");
    }
}

#[test]
fn one_layer_runs_as_a_policy_without_layers_does() {
    let rest = LAYERS.split("[inner").next().unwrap();
    for max_attempts in ["5", "\"unlimited\""] {
        let policy = policy(max_attempts, rest);
        let scenario = scenario(60, NORMAL);
        let layered = LayersOnTrial::new(on_trial(&policy), false);
        let layered = measure(&scenario, &[layered], RUN, true).unwrap();
        assert_eq!(layered, measure(&scenario, &[on_trial(&policy)], RUN, true).unwrap());
    }
}
