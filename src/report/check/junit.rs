//! What `retrial check` found as JUnit XML, which CI servers show as tests.

use quick_junit::{NonSuccessKind, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::{Checked, about, difference, fields};
use crate::report::thresholds;

/// A suite for each experiment; a test case for each policy at each point, and for each threshold
/// at each point. There are no times: equal results give equal files.
///
/// # Errors
///
/// None in practice: writing into memory.
pub fn junit(all: &[Checked]) -> Result<String, SerializeError> {
    let mut report = Report::new("retrial check");
    report.add_test_suites(all.iter().map(suite));
    report.to_string()
}

fn suite(checked: &Checked) -> TestSuite {
    let mut suite = TestSuite::new(checked.experiment.as_str());
    for cell in &checked.exactness.cells {
        let status = match cell.holds() || checked.accepted {
            true => TestCaseStatus::success(),
            false => {
                let divergence = checked.divergence.as_ref().filter(|at| at.cell == cell.cell);
                let details = divergence.map(|divergence| {
                    let rows = fields(divergence).into_iter().map(|(name, old, new, differs)| {
                        let mark = if differs { '*' } else { ' ' };
                        format!("\n{mark} {name}: {old} → {new}")
                    });
                    about(divergence) + &rows.collect::<String>()
                });
                failure("differs from the baseline", &difference(cell), details)
            }
        };
        suite.add_test_case(case(checked, format!("exact: {}", cell.cell), status));
    }
    for (judgement, _) in &checked.judgements {
        let place = match checked.results.describe_point(judgement.point) {
            place if place.is_empty() => String::new(),
            place => format!(" at {place}"),
        };
        let policy = &checked.results.policies[judgement.policy];
        let name = format!("threshold: `{policy}`{place}: {}", judgement.condition);
        let finding = thresholds::finding(&checked.results, judgement);
        let status = match (judgement.holds, judgement.only_warns) {
            (true, _) => TestCaseStatus::success(),
            // JUnit knows no warnings: a skipped case shows its message and fails nothing.
            (false, true) => skipped(&format!("warning: {finding}")),
            (false, false) => failure("threshold", &finding, None),
        };
        suite.add_test_case(case(checked, name, status));
    }
    suite
}

fn case(checked: &Checked, name: String, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(checked.experiment.as_str());
    case
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(message);
    status
}

fn failure(kind: &str, message: &str, details: Option<String>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message);
    if let Some(details) = details {
        status.set_description(details);
    }
    status
}
