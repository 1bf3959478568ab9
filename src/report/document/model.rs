//! How it was modelled: every parameter of the experiment, what of it was guessed, and the data.

use maud::{Markup, html};

use super::mark;
use super::parameters::{self, Side, bare};
use super::section::Section;
use super::study::Study;
use crate::experiment::changed_keys::keys;
use crate::experiment::guesses::guesses;
use crate::experiment::node::{Node, Table, Value};
use crate::experiment::source::SourceId;

/// The section.
pub const SECTION: Section = Section { id: "model", title: "How it was modelled" };

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    html! {
        p {
            "All parameters of the experiment as it was run, flags included. A key that is not here \
             has its default."
        }
        @match study.effective() {
            Some(root) => (groups(study, &root)),
            None => pre { code { (study.outline.effective) } },
        }
        (guessed(study))
        (files(study))
        @if !study.outline.notes.is_empty() {
            h3 { "What was done to the input" }
            ul { @for note in &study.outline.notes { li { (note) } } }
        }
    }
}

fn groups(study: &Study<'_>, root: &Node) -> Markup {
    let of = |key: &str| root.as_table().and_then(|table| table.get(key));
    let mut world = vec![
        some("The study", root, &|key| OF_THE_STUDY.contains(&key)),
        some("Workload", root, &|key| key == "workload"),
    ];
    world.extend(of("group").into_iter().flat_map(|groups| named("Group", groups)));
    world.push(some("Network", root, &|key| key == "network"));
    world.extend(of("route").into_iter().flat_map(|routes| named("Route", routes)));
    let rest = some("", root, &|key| !OF_THE_STUDY.contains(&key) && !ON_THEIR_OWN.contains(&key));
    let table = of("policies").and_then(Node::as_table);
    // In the order of the file, as everywhere in the report: the line has them by name.
    let policies =
        study.results.policies.iter().enumerate().filter_map(|(index, name)| {
            Some(Side::of(mark::policy(study, index), table?.get(name)?))
        });
    let policies: Vec<_> = policies.collect();
    html! {
        (parameters::grouped("The world that all policies met", &world))
        @if !policies.is_empty() {
            (parameters::table("The policies; rows in which they differ are tinted", &policies))
        }
        @if !rest.values.is_empty() {
            details {
                summary { "What else the file asks for" }
                (parameters::table("Thresholds, sweep and the like", &[
                    Side { name: html! { "value" }, ..rest }
                ]))
            }
        }
    }
}

/// Keys of the study as a whole.
const OF_THE_STUDY: [&str; 4] = ["seed", "stop_after", "warmup", "stop"];
/// Tables with a group of their own.
const ON_THEIR_OWN: [&str; 5] = ["workload", "group", "network", "route", "policies"];

/// The keys of the root that `belongs` picks.
fn some(title: &str, root: &Node, belongs: &dyn Fn(&str) -> bool) -> Side {
    let entries = root.as_table().into_iter().flat_map(Table::iter);
    let picked: Table = entries
        .filter(|(key, _)| belongs(&key.name))
        .map(|(key, node)| (key.clone(), node.clone()))
        .collect();
    Side::of(html! { (title) }, &Node { value: Value::Table(picked), place: root.place })
}

/// A list of tables that have names.
fn named(what: &str, items: &Node) -> Vec<Side> {
    let sides = items.items().iter().enumerate().map(|(index, item)| {
        let name = item.as_table().and_then(|table| table.get("name")).and_then(Node::as_str);
        let name = name.map_or_else(|| index.to_string(), str::to_string);
        Side::of(html! { (what) " " code { (name) } }, &item.without(&["name"]))
    });
    sides.collect()
}

/// Values that nobody has measured.
fn guessed(study: &Study<'_>) -> Markup {
    let outline = study.outline;
    let Some(written) = study.written() else { return html! {} };
    let guesses = guesses(&written, &outline.text, SourceId::default());
    let run = study.effective().map(|root| keys(&root)).unwrap_or_default();
    let as_run = |key: &str| run.iter().find(|(own, _)| own == key).map(|(_, value)| &value[..]);
    html! {
        h3 { "What was guessed" }
        @if guesses.is_empty() {
            p { "No value is marked as a guess (a comment that begins with " code { "~" } ")." }
        } @else {
            div.scroll {
                table.parameters {
                    caption { "Values that the experiment marks as guesses" }
                    thead {
                        tr { th scope="col" { "key" } th scope="col" { "value" } th scope="col" { "comment" } }
                    }
                    tbody {
                        @for guess in &guesses {
                            @let value = guess.value.to_inline();
                            tr {
                                th scope="row" { code { (guess.key) } }
                                td {
                                    code { (bare(&value)) }
                                    @if let Some(other) = as_run(&guess.key).filter(|other| *other != value) {
                                        " (run with " code { (bare(other)) } ")"
                                    }
                                }
                                td { (guess.comment) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Data files and their hashes.
fn files(study: &Study<'_>) -> Markup {
    let files = &study.outline.files;
    html! {
        @if !files.is_empty() {
            div.scroll {
                table.parameters {
                    caption { "Data files" }
                    thead { tr { th scope="col" { "file" } th scope="col" { "sha256" } } }
                    tbody {
                        @for (file, hash) in files {
                            tr { th scope="row" { code { (file) } } td { code.hash { (hash) } } }
                        }
                    }
                }
            }
        }
    }
}
