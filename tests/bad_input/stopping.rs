//! Rules for when to stop that no study can follow.

use super::*;

#[test]
fn rules_that_can_not_be_followed_are_named() {
    let no_help = "";
    let stop = |rule: &str| ("replications = 1", leak(format!("stop = {{ {rule} }}")));
    let of_metric = "expected a percentage such as \"5%\", or a number in the metric's unit";
    assert_all_refused(&[
        case(
            stop("half_width = \"5\""),
            "\"5\"",
            "`5` is no precision: write a percentage between 0 and 100, such as \"5%\"",
            no_help,
        ),
        case(
            stop("half_width = 0.05"),
            "0.05",
            "expected a percentage such as \"5%\", or a table of metrics, found the number 0.05",
            no_help,
        ),
        case(
            stop("half_width = { attempts = true }"),
            "true",
            leak(format!("{of_metric}, found true")),
            no_help,
        ),
        case(
            stop("half_width = { attempts = 0 }"),
            "attempts = «0»",
            "`0` is no precision: it must be above zero",
            no_help,
        ),
        case(
            stop("half_width = { attemps = \"5%\" }"),
            "\"5%\"",
            "no metric is called `attemps`",
            "did you mean `attempts`?",
        ),
        case(
            stop("half_width = \"5%\", metrics = [\"attemps\"]"),
            "\"attemps\"",
            "no metric is called `attemps`",
            "did you mean `attempts`?",
        ),
        case(
            stop("half_width = { attempts = 5 }, metrics = [\"attempts\"]"),
            "[\"attempts\"]",
            "`half_width` names the metrics already",
            no_help,
        ),
        case(
            stop("half_width = \"5%\", metrics = []"),
            "stop",
            "`stop` names no metric that must be exact",
            no_help,
        ),
        case(
            stop("half_width = \"5%\", max = 9"),
            "9",
            "`max` (9) is below the replications of the first look (10)",
            no_help,
        ),
        case(
            ("replications = 1", "replications = 500\nstop = { half_width = \"5%\" }"),
            "500",
            "`max` (400) is below the replications of the first look (500)",
            no_help,
        ),
        case(
            ("replications = 1", "replications = 9\nstop = { half_width = \"5%\" }"),
            "9",
            "`stop` first looks after 9 replications: that is too few",
            "it takes 10 or more; leave `replications` out for 10",
        ),
        case(
            ("", "[sweep]\nstop = [{ half_width = \"5%\" }, { half_width = \"1%\" }]"),
            "stop",
            "`stop` can't be swept: it is the same at every point",
            no_help,
        ),
    ]);
}

#[test]
fn the_flag_takes_a_percentage_and_a_cap() {
    let folder = Folder::with(&GOOD.replace("replications = 1\n", ""));
    for (flag, expected) in [
        ("5", "`5` is no precision"),
        ("5%:many", "the cap on replications is no whole number"),
        ("5%:3", "`max` (3) is below the replications of the first look (10)"),
    ] {
        let refusal = folder.refusal(&["x.toml", "--stop", flag]);
        assert!(refusal.contains(expected), "{flag}: {refusal}");
    }
}
