//! How to get the same figures again, and where they are.

use maud::{Markup, html};

use super::section::Section;
use super::study::Study;
use crate::experiment::packaged;
use crate::study::files::experiment_sha256;

/// The section.
pub const SECTION: Section = Section { id: "reproduce", title: "How to reproduce" };

/// Its contents.
pub fn contents(study: &Study<'_>) -> Markup {
    let (outline, results) = (study.outline, study.results);
    let facts: [(&str, String); 5] = [
        ("seed", results.seed.to_string()),
        ("replications", replications(study)),
        ("version", format!("retrial {}", outline.version)),
        ("fingerprint", results.fingerprint.to_string()),
        ("sha256 of the effective experiment", experiment_sha256(outline)),
    ];
    html! {
        @if !is_packaged(study) {
            p {
                "Save the text below as " code { (file_name(study)) } ", with the policy and data \
                 files that it names beside it."
            }
        }
        pre { code { (command(study)) } }
        p {
            "The hash below, which is in " code { "manifest.json" } ", too, is the same if it is the \
             same experiment. One version gives the same bytes on any machine, with any number of \
             threads."
        }
        div.scroll {
            table.parameters {
                caption { "What this report was made from" }
                tbody {
                    @for (name, value) in &facts {
                        tr { th scope="row" { (name) } td { code { (value) } } }
                    }
                }
            }
        }
        p {
            "In the folder of the results: " code { "runs.csv" } " (a row a run), " code { "summary.csv" }
            " (a row a metric, with its interval), " code { "arrivals.csv" } " (replication 0 in bins), "
            code { "manifest.json" } ", and the charts in " code { "charts/" } ". The numbers of the \
             point that is shown are in this page, too, as the JSON block " code { "data" } "."
        }
        details {
            summary { "The experiment as it was written" }
            pre { code { (outline.text) } }
        }
        details.long {
            summary { "The experiment as it was run, on one line" }
            pre.wrapped { code { (outline.effective) } }
        }
    }
}

/// How often each point was run.
pub fn replications(study: &Study<'_>) -> String {
    let results = study.results;
    let most = results.replications;
    match (0..results.points.len()).map(|point| results.replications_at(point)).min() {
        Some(least) if least < most => format!("{least} to {most}"),
        _ => most.to_string(),
    }
}

/// The command that makes the same results.
pub fn command(study: &Study<'_>) -> String {
    let outline = study.outline;
    let mut command = format!("{} --seed {}", run(study), study.results.seed);
    // Where `stop` decides, the number follows.
    let stops = study
        .effective()
        .is_some_and(|root| root.as_table().is_some_and(|t| t.get("stop").is_some()));
    if !stops {
        command.push_str(&format!(" --replications {}", study.results.replications));
    }
    for word in &outline.flags {
        command.push_str(&format!(" {}", quoted(word)));
    }
    command
}

/// `retrial run` with the experiment.
pub fn run(study: &Study<'_>) -> String {
    let name = if is_packaged(study) { study.outline.name.clone() } else { file_name(study) };
    format!("retrial run {}", quoted(&name))
}

/// Whether the experiment comes with the program.
fn is_packaged(study: &Study<'_>) -> bool {
    let packaged = packaged::find(&study.outline.name);
    packaged.is_some_and(|packaged| packaged.text == study.outline.text)
}

fn file_name(study: &Study<'_>) -> String {
    format!("{}.toml", study.outline.name)
}

/// A word for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_a_word_as_it_was() {
        for (word, shown) in [
            ("workload.clients=50", "workload.clients=50"),
            ("policies.*.x=1", "'policies.*.x=1'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), shown);
        }
    }
}
