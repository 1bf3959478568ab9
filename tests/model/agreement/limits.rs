//! Rate limits of both kinds, with every form of hint.

use super::*;

#[test]
fn limits_of_both_kinds_with_hints_of_all_forms() {
    for refill in ["burst = 5", "window = \"fixed\""] {
        for hint in ["exact", "window", "300ms", "none"] {
            let value = agreed(&format!(
                "{POISSON}[[route]]\nname = \"a\"\nservice = \"10ms\"\n\
                 [[route.limit]]\nrequests = 60\nper = \"2s\"\n{refill}\n\
                 over = {{ reply = \"generic-429\", retry_after = \"{hint}\" }}\n{PATIENT}"
            ));
            assert!(value(Id::BlockingRatio) > 0.1, "{refill}, {hint}");
            // The policy heeds hints.
            assert_eq!(value(Id::EarlyRetries), 0.0, "{refill}, {hint}");
        }
    }
}

/// An herd that all get the same hint and come back with no jitter, at one instant.
#[test]
fn a_herd_with_one_hint() {
    for mode in ["replace", "floor", "ignore"] {
        let value = agreed(&format!(
            r#"
[workload]
clients = 100
closed = {{ requests = 1 }}
[network]
delay = "5ms"
[[route]]
name = "a"
[[route.limit]]
requests = 10
per = "1s"
window = "fixed"
over = {{ reply = "generic-429", retry_after = "window" }}
{PATIENT}retry_after = {{ mode = "{mode}", jitter_ratio = 0.0 }}
"#
        ));
        assert_eq!(value(Id::Requests), 100.0);
        assert_eq!(value(Id::EarlyRetries) > 0.0, mode == "ignore", "{mode}");
    }
}

#[test]
fn several_limits_at_once() {
    let value = agreed(&format!(
        "{POISSON}[[route]]\nname = \"a\"\nworkers = 2\nqueue = 2\nservice = \"30ms\"\n\
         [[route.limit]]\nrequests = 40\nper = \"1s\"\nburst = 4\n\
         over = {{ reply = \"anthropic-429-rate\", retry_after = \"exact\", latency = \"1ms\" }}\n\
         [[route.limit]]\nrequests = 100\nper = \"5s\"\nwindow = \"fixed\"\n{PATIENT}"
    ));
    assert!(value(Id::BlockingRatio) > 0.1);
}
