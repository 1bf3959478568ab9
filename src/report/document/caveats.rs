//! What the figures are not.

use maud::{Markup, html};

use super::section::Section;
use super::study::Study;
use crate::experiment::changed_keys::keys;
use crate::experiment::node::Node;

/// The section.
pub const SECTION: Section = Section { id: "caveats", title: "What the figures are not" };

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    let replications = study.results.replications_at(study.point);
    let seed = study.results.seed;
    html! {
        ul {
            li {
                strong { "No forecast of production." }
                " They hold for the workload, the routes and the faults described above. What they \
                 say about policies is which is better in that world and why; not what your users \
                 will see."
            }
            li {
                strong { "No gain that somebody published." }
                " Published figures appear where the simulator is held against them, as a check of \
                 the model, and are never carried over to yours."
            }
            li {
                @if replications == 1 {
                    strong { "No more exact than a single replication." }
                    " One replication, with seed " (seed) ", has no interval: nothing tells a \
                     difference from chance. Nor would an interval cover a wrong parameter or a \
                     workload of another shape."
                } @else {
                    strong { "No more exact than their intervals." }
                    " An interval covers the chance of " (replications) " replications with seed "
                    (seed) ", and nothing else: not a wrong parameter, not a workload of another \
                     shape. A difference whose intervals touch may be none."
                }
            }
            li {
                strong { "No model of everything." }
                " Left out are the network's own congestion and retransmission, connection set-up, \
                 name resolution, clock error, crashes of clients, and people who press reload. "
                @for assumption in assumptions(study.effective().as_ref()) { (assumption) " " }
            }
        }
    }
}

/// What this experiment in particular takes for granted.
fn assumptions(root: Option<&Node>) -> Vec<String> {
    let Some(root) = root else { return Vec::new() };
    let table = |key: &str| root.as_table().and_then(|table| table.get(key));
    let mut found = Vec::new();
    if table("network").is_none() {
        found.push("The network takes no time and loses nothing.".to_string());
    }
    let routes = table("route").map_or(&[][..], Node::items);
    for route in routes {
        let has = |wanted: &str| route.as_table().is_some_and(|table| table.get(wanted).is_some());
        let name = route.as_table().and_then(|table| table.get("name")).and_then(Node::as_str);
        if !has("workers") && !has("kind") {
            let name = name.unwrap_or("unnamed");
            found.push(format!("Route {name} serves any number of attempts at once."));
        }
    }
    let is_closed = |(key, _): &(String, String)| {
        let parts: Vec<_> = key.split('.').collect();
        matches!(parts[..], ["workload", "closed", ..] | ["group", _, "closed", ..])
    };
    if keys(root).iter().any(is_closed) {
        found.push(
            "Clients wait for an answer before they ask again, so load falls when the API slows \
             down; where requests come from outside it does not."
                .to_string(),
        );
    }
    found
}
