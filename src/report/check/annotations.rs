//! Annotations of GitHub Actions: what failed, at the line of the experiment that says so.
//!
//! The form is that of "Workflow commands for GitHub Actions", docs.github.com: `%`, CR and LF are
//! escaped, and in properties `:` and `,`, too.

use super::{Checked, difference, headline};
use crate::experiment::location::Location;
use crate::report::thresholds;

/// A line for each threshold that does not hold and each policy that differs from the baseline.
pub fn annotations(checked: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    if checked.differs() {
        let cells = checked.exactness.cells.iter().filter(|cell| !cell.holds());
        lines.extend(cells.map(|cell| {
            let policies = &checked.results.policies;
            let policy = policies.iter().position(|policy| *policy == cell.cell.policy);
            let location = policy.and_then(|policy| checked.policies[policy].as_ref());
            annotation("error", location, &headline(checked), &difference(cell))
        }));
    }
    for (judgement, location) in &checked.judgements {
        if !judgement.holds {
            let title = format!("{}: a threshold does not hold", checked.experiment);
            let finding = thresholds::finding(&checked.results, judgement);
            let level = if judgement.only_warns { "warning" } else { "error" };
            lines.push(annotation(level, location.as_ref(), &title, &finding));
        }
    }
    lines
}

fn annotation(level: &str, location: Option<&Location>, title: &str, message: &str) -> String {
    let mut properties = Vec::new();
    if let Some(Location { file, line, column }) = location {
        properties.push(format!("file={}", property(file)));
        properties.push(format!("line={line}"));
        properties.push(format!("col={column}"));
    }
    properties.push(format!("title={}", property(title)));
    format!("::{level} {}::{}", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The escapes are those of `@actions/core` (command.ts: escapeData, escapeProperty).
    #[test]
    fn what_has_a_meaning_is_escaped() {
        let location = Location { file: "a,b:c%.toml".to_string(), line: 3, column: 9 };
        assert_eq!(
            annotation("error", Some(&location), "x: y", "50 %, then:\r\nmore"),
            "::error file=a%2Cb%3Ac%25.toml,line=3,col=9,title=x%3A y::50 %25, then:%0D%0Amore"
        );
        assert_eq!(annotation("warning", None, "t", "m"), "::warning title=t::m");
    }
}
