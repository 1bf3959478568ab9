//! What changes with the keys that were swept.

use maud::{Markup, html};

use super::reproduce;
use super::section::{Section, figures};
use super::study::Study;
use crate::experiment::changed_keys::quoted;
use crate::experiment::node::Node;

/// The section.
pub const SECTION: Section = Section { id: "sensitivity", title: "Sensitivity" };

/// Its charts and how to read them.
pub const FIGURES: [(&str, &str); 3] = [
    (
        "scaling",
        "How does the cost grow? Lines are means, bands their 95 % intervals: where bands overlap, \
         no difference is shown.",
    ),
    (
        "heatmap",
        "Where is the good region? Each field is one combination of two swept keys, and its colour \
         the metric: a choice in the middle of a level region bears an error in its values, one at \
         the edge does not.",
    ),
    (
        "pareto",
        "What does a low latency cost? Each point is a policy, further left the less load and \
         further down the shorter its tail: those that nothing beats in both are worth a look, and \
         crosses are 95 % intervals.",
    ),
];

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    html! {
        @if study.is_swept() {
            p { "What was swept; other sections show the last point." }
            (axes(study))
        } @else {
            p {
                "Nothing was swept: the figures hold for one set of values, and say nothing about \
                 their neighbours. To see what a key changes:"
            }
            pre { code { (command(study)) } }
        }
        (figures(study, &FIGURES))
    }
}

/// The swept keys and their values.
fn axes(study: &Study<'_>) -> Markup {
    let results = study.results;
    let values = |axis: usize| {
        let mut values: Vec<&str> = Vec::new();
        for point in &results.points {
            let text = point.values[axis].text.as_str();
            if !values.contains(&text) {
                values.push(text);
            }
        }
        match values.len() {
            0..=LISTED => values.join(", "),
            many => format!("{} … {} ({many} values)", values[0], values[many - 1]),
        }
    };
    html! {
        div.scroll {
            table {
                caption { (results.points.len()) " points" }
                thead { tr { th scope="col" { "key" } th scope="col" { "values" } } }
                tbody {
                    @for (index, axis) in results.axes.iter().enumerate() {
                        tr { th scope="row" { code { (axis) } } td { (values(index)) } }
                    }
                }
            }
        }
    }
}

/// More values than this are told by the first and the last.
const LISTED: usize = 12;

/// A sweep that this experiment bears: of the backoff if policies have one, else of the load.
fn command(study: &Study<'_>) -> String {
    let effective = study.effective();
    let policies = effective.as_ref().and_then(|root| root.as_table()?.get("policies"));
    let has_base = |name: &str| {
        let policy = policies.and_then(|all| all.as_table()?.get(name));
        policy.is_some_and(|policy| policy.entries("backoff").any(|(key, _)| key == "base"))
    };
    // The recommended policy before the others.
    let recommended = study.recommendation.policy.map(|index| &study.results.policies[index]);
    let all = &study.results.policies;
    let swept = recommended.into_iter().chain(all).find(|name| has_base(name));
    let sweep = match swept {
        None => of_load(effective.as_ref()),
        Some(_) if all.iter().all(|name| has_base(name)) => {
            "policies.*.backoff.base=50ms:800ms:log5".to_string()
        }
        Some(name) => format!("policies.{}.backoff.base=50ms:800ms:log5", quoted(name)),
    };
    format!("{} -P {}", reproduce::run(study), reproduce::quoted(&sweep))
}

/// A sweep of the load: of clients or, where a trace has its requests whoever sends them, of its
/// speed. Of several groups it is the first.
fn of_load(root: Option<&Node>) -> String {
    let table = |key: &str| root?.as_table()?.get(key);
    let (place, workload) = match table("group").and_then(|groups| groups.items().first()) {
        Some(group) => ("group.0", Some(group)),
        None => ("workload", table("workload")),
    };
    match workload.and_then(|workload| workload.as_table()?.get("trace")) {
        Some(_) => format!("{place}.trace.speed=0.5:2:log5"),
        None => format!("{place}.clients=50:800:log5"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::parse::parse;
    use crate::experiment::source::SourceId;

    #[test]
    fn load_is_swept_where_it_is_made() {
        for (text, sweep) in [
            ("[workload]\nclients = 4\nclosed = {}", "workload.clients=50:800:log5"),
            (
                "[workload]\nclients = 4\ntrace = { file = \"a\" }",
                "workload.trace.speed=0.5:2:log5",
            ),
            ("[[group]]\nname = \"a\"\nclients = 4", "group.0.clients=50:800:log5"),
        ] {
            let root = parse(text, SourceId::default()).unwrap();
            assert_eq!(of_load(Some(&root)), sweep);
        }
    }
}
