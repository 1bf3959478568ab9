//! The report in Markdown, for the text of a pull request.

use super::bars::bar;
use super::escape::{fenced, plain, sentence};
use super::study::Study;
use super::verdict::{in_order, outcome};
use super::{advice, reproduce};
use crate::measure::metric::Id;
use crate::report::table::{COLUMNS, Style, aligned};
use crate::report::{figures, thresholds};
use crate::study::files::experiment_sha256;

/// So many thresholds are told: the text of a pull request is read, not searched.
const THRESHOLDS: usize = 40;
/// So many policies are told.
const POLICIES: usize = 60;

/// The report in Markdown; charts are linked by their place beside it.
pub fn markdown(study: &Study<'_>) -> String {
    let blocks = [
        heading(study),
        Some(verdict(study)),
        judged(study),
        table(study),
        attempts(study),
        advised(study),
        charts(study),
        Some(reproduced(study)),
    ];
    let blocks: Vec<_> = blocks.into_iter().flatten().collect();
    blocks.join("\n\n") + "\n"
}

fn heading(study: &Study<'_>) -> Option<String> {
    let results = study.results;
    let place = match results.describe_point(study.point) {
        place if place.is_empty() => String::new(),
        place => format!("{} · ", plain(&place)),
    };
    let (replications, seed) = (reproduce::replications(study), results.seed);
    let title = plain(&study.outline.title);
    let runs = match results.replications_at(study.point) {
        1 => format!("one replication, seed {seed}; there is no interval"),
        _ => format!("{replications} replications, seed {seed}; means ± half the 95 % interval"),
    };
    Some(format!("## {title}\n\n{place}{runs}"))
}

fn verdict(study: &Study<'_>) -> String {
    let sentence = |text: &str| sentence(text, &study.results.policies);
    let recommendation = &study.recommendation;
    format!("**{}** {}", sentence(&recommendation.finding), sentence(&recommendation.certainty))
}

fn judged(study: &Study<'_>) -> Option<String> {
    let (told, rest) = {
        let ordered = in_order(&study.judgements);
        let told = ordered.len().min(THRESHOLDS);
        let rest = ordered.len() - told;
        (ordered.into_iter().take(told).collect::<Vec<_>>(), rest)
    };
    let mut lines: Vec<_> = told
        .iter()
        .map(|judged| {
            let finding = plain(&thresholds::finding(study.results, judged));
            format!("- {}: {finding}", outcome(judged))
        })
        .collect();
    lines.extend((rest > 0).then(|| format!("- and {rest} more thresholds")));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The comparison; names are the users'.
fn table(study: &Study<'_>) -> Option<String> {
    let has = |id: Id| study.cells().any(|cell| cell.estimate(id).mean.is_some());
    let shown: Vec<_> = COLUMNS.into_iter().filter(|(_, id)| has(*id)).collect();
    let mut header = vec!["policy"];
    header.extend(shown.iter().map(|(title, _)| *title));
    let rows = study.cells().map(|cell| {
        let figures = shown.iter().map(|(_, id)| figures::estimate(&cell.estimate(*id)));
        std::iter::once(plain(study.name(cell))).chain(figures).collect()
    });
    (study.results.policies.len() <= POLICIES).then(|| aligned(&header, rows, Style::Markdown))
}

/// Attempts of each policy as bars; nothing where none has any.
fn attempts(study: &Study<'_>) -> Option<String> {
    let cells: Vec<_> = study.cells().take(POLICIES).collect();
    let means = || cells.iter().filter_map(|cell| cell.estimate(Id::Attempts).mean);
    let most = means().reduce(f64::max)?;
    let width = cells.iter().map(|cell| study.name(cell).chars().count()).max()?;
    let lines = cells.iter().map(|cell| {
        let estimate = cell.estimate(Id::Attempts);
        let bar = bar(estimate.mean.unwrap_or_default(), most);
        format!("{:width$}  {bar} {}", study.name(cell), figures::estimate(&estimate))
    });
    let lines: Vec<_> = lines.collect();
    Some(fenced("text", &format!("attempts\n{}", lines.join("\n"))))
}

fn advised(study: &Study<'_>) -> Option<String> {
    let lines: Vec<_> = advice::lines(study)
        .iter()
        .take(POLICIES)
        .map(|line| format!("> {}", sentence(line, &study.results.policies)))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n>\n"))
}

fn charts(study: &Study<'_>) -> Option<String> {
    let links = study
        .pictures
        .iter()
        .map(|picture| format!("![{}](charts/{}.png)", plain(&picture.title), picture.name));
    let links: Vec<_> = links.collect();
    (!links.is_empty()).then(|| links.join("\n\n"))
}

fn reproduced(study: &Study<'_>) -> String {
    let (command, results) = (reproduce::command(study), study.results);
    format!(
        "{}\n\nretrial {}, fingerprint {}, effective experiment sha256 {}. The figures hold for the \
         modelled workload; they are no forecast of production.",
        fenced("sh", &command),
        plain(&study.outline.version),
        results.fingerprint,
        experiment_sha256(study.outline),
    )
}
