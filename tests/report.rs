//! The report: it can be read, mailed and trusted, and says no more than the files beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder to run the command in.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn retrial(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrial"));
        command.current_dir(self.0.path()).args(args).output().unwrap()
    }

    /// Runs an experiment three times over, and gives its two reports.
    fn run(&self, experiment: &str, args: &[&str]) -> (String, String) {
        let all = [&["run", experiment, "--quiet", "--replications", "3", "--out", "out"], args];
        let output = self.retrial(&all.concat());
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 3)), "{}", String::from_utf8_lossy(&output.stderr));
        (self.read("out/report.html"), self.read("out/report.md"))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// What follows `before`, up to `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no {after} after {before}")).0
}

fn section<'a>(html: &'a str, id: &str) -> &'a str {
    between(html, &format!("<section id=\"{id}\""), "</section>")
}

fn block(html: &str) -> Value {
    let json = between(html, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(json).unwrap()
}

const HOSTILE: &str = r#"
title = "</title><script>alert('title')</script> & <b>bold</b>"
[workload]
clients = 4     # ~ </td></table><script>alert('guess')</script>
closed = { requests = 3 }
[[route]]
name = "<img src=x onerror=alert(1)>"
service = "20ms"
[[route.limit]]
requests = 10
per = "1s"
burst = 1
over = { reply = "generic-429", retry_after = "none" }
[policies."<script>alert('policy')</script>"]
backoff = { kind = "exponential", base = "200ms", jitter = "full" }
limits = { max_attempts = 9, deadline = "unlimited" }
[policies."``|*a* \"quoted\" ]]> <!-- </script>"]
backoff = { kind = "constant", base = "200ms" }
limits = { max_attempts = 9, deadline = "unlimited" }
[thresholds]
"<script>alert('policy')</script>" = ["attempts <= 1"]
"#;

#[test]
fn what_users_write_comes_out_as_text() {
    let folder = Folder::new();
    fs::write(folder.path("<i>name.toml"), HOSTILE).unwrap();
    let (html, markdown) = folder.run("<i>name.toml", &[]);
    let lower = html.to_lowercase();
    // The data and the script, and what ends them.
    assert_eq!(lower.matches("<script").count(), 2);
    assert_eq!(lower.matches("</script").count(), 2);
    for tag in ["<img", "<b>", "<i>", "<!--", "onerror=\"", "</title></"] {
        assert!(!lower.contains(tag), "{tag}");
    }
    assert_eq!(lower.matches("</title>").count(), 1 + html.matches("<figure").count());
    let heading = between(&html, "<h1>", "</h1>");
    assert_eq!(
        heading,
        "&lt;/title&gt;&lt;script&gt;alert('title')&lt;/script&gt; &amp; &lt;b&gt;bold&lt;/b&gt;"
    );
    assert!(html.contains("&lt;script&gt;alert('policy')&lt;/script&gt;"));
    assert!(html.contains("&lt;script&gt;alert('guess')&lt;/script&gt;"));
    let policies: Vec<_> = block(&html)["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["policy"].as_str().unwrap().to_string())
        .collect();
    assert_eq!(
        policies,
        ["<script>alert('policy')</script>", "``|*a* \"quoted\" ]]> <!-- </script>"]
    );
    // Outside of code, which shows everything as it is, nothing begins a tag.
    for line in prose(&markdown) {
        assert!(!line.contains('<'), "{line}");
    }
}

/// The lines of a report outside of its code, both blocks and spans.
fn prose(markdown: &str) -> Vec<String> {
    let mut is_fenced = false;
    let prose = markdown.lines().filter(|line| {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence
    });
    let prose: Vec<_> = prose.map(without_code).collect();
    assert!(prose.len() > 10 && !is_fenced, "{markdown}");
    prose
}

/// A line without its code spans: each ends with as many backticks as it began with (CommonMark
/// 0.31.2, section 6.1). What is left of those that do not end is their backticks.
fn without_code(line: &str) -> String {
    let (mut left, mut rest) = (String::new(), line);
    while let Some(open) = rest.find('`') {
        let run = |text: &str| text.len() - text.trim_start_matches('`').len();
        let (words, span) = rest.split_at(open);
        let fence = run(span);
        let inside = &span[fence..];
        let mut ends = inside.match_indices('`').map(|(at, _)| at);
        let end = ends.find(|at| !inside[..*at].ends_with('`') && run(&inside[*at..]) == fence);
        left.push_str(words);
        rest = match end {
            Some(end) => &inside[end + fence..],
            None => {
                left.push_str(&span[..fence]);
                inside
            }
        };
    }
    left + rest
}

/// Links and pictures in a pull request would be the word of whoever wrote the experiment.
#[test]
fn names_are_no_links_and_no_pictures() {
    const NAME: &str = "a` [x](http://evil) ![p](http://evil/p.png) `b";
    let folder = Folder::new();
    let experiment = HOSTILE
        .replace("<script>alert('policy')</script>", NAME)
        .replace("</title><script>alert('title')</script> & <b>bold</b>", NAME)
        .replace("\"``|*a* \\\"quoted\\\" ]]> <!-- </script>\"", "\"\\\\|[y](http://evil)\"");
    fs::write(folder.path("links.toml"), experiment).unwrap();
    let (html, markdown) = folder.run("links.toml", &[]);
    assert!(html.contains(&format!("<code>{NAME}</code> breaks its threshold")));
    assert!(markdown.contains(&format!("**``{NAME}`` breaks its threshold")), "{markdown}");
    for name in ["\\[x\\](http:\\//evil)", "| \\\\&#124;\\[y\\](http:\\//evil) "] {
        assert!(markdown.contains(name), "{markdown}");
    }
    let prose = prose(&markdown);
    for line in &prose {
        assert!(!line.contains('`'), "a code span is not closed: {line}");
        // A bracket after a backslash is none.
        let line = line.replace("\\\\", "").replace("\\]", "");
        assert!(!line.contains("](http") && !line.contains("://"), "{line}");
        assert!(!line.contains("](") || line.starts_with("!["), "{line}");
    }
}

#[test]
fn sections_come_in_order_and_figures_have_captions() {
    let folder = Folder::new();
    let (html, _) = folder.run("thundering-herd", &[]);
    let ids = [
        "verdict",
        "comparison",
        "arrivals",
        "recovery",
        "tail",
        "sensitivity",
        "model",
        "caveats",
        "stops",
        "reproduce",
    ];
    let found: Vec<_> =
        html.split("<section id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(found[..ids.len()], ids);
    for id in ids {
        assert!(html.contains(&format!("<a href=\"#{id}\">")), "{id}");
        assert_eq!(html.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
    }
    assert_eq!(html.matches("<h1>").count(), 1);
    let figures: Vec<_> = html.split("<figure").skip(1).collect();
    let charts = fs::read_dir(folder.path("out/charts")).unwrap();
    let charts = charts.filter(|entry| {
        entry.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "svg")
    });
    assert_eq!(figures.len(), charts.count());
    assert!(!figures.is_empty());
    for figure in figures {
        let figure = figure.split("</figure>").next().unwrap();
        let caption = between(figure, "<figcaption>", "</figcaption>");
        assert!(caption.len() > 40, "{caption}");
        assert!(figure.contains("role=\"img\"") && figure.contains("<title>"));
    }
}

/// What could be fetched is named by an attribute, a style or a script; addresses elsewhere are text.
#[test]
fn the_page_is_one_file_to_be_mailed() {
    let folder = Folder::new();
    let (html, markdown) = folder.run("open-overload", &["--set", "stop_after=150s"]);
    assert!(html.len() < 2_000_000, "{}", html.len());
    assert!(markdown.len() < 64_000, "{}", markdown.len());
    for (at, _) in html.match_indices("http") {
        let known = ["http-equiv=", "http://www.w3.org/2000/svg\""];
        assert!(known.iter().any(|known| html[at..].starts_with(known)), "{}", &html[at..at + 60]);
    }
    let references =
        [" src=", "@import", "<link", "<iframe", "<object", "<base", "fetch(", "//cdn"];
    for reference in references {
        assert!(!html.contains(reference), "{reference}");
    }
    let policy = between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    for rule in ["default-src 'none'", "base-uri 'none'", "form-action 'none'"] {
        assert!(policy.split("; ").any(|own| own == rule), "{policy}");
    }
    for rest in html.split(" href=\"").skip(1) {
        assert!(rest.starts_with('#'), "{}", &rest[..40]);
    }
    for rest in html.split("url(").skip(1) {
        assert!(rest.starts_with('#'), "{}", &rest[..40]);
    }
    let links: Vec<_> =
        markdown.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(!links.is_empty());
    for link in links {
        assert!(folder.path("out").join(link).is_file(), "{link}");
    }
}

/// summary.csv by policy and metric: mean, low, high and n as they are written.
fn summary(path: &Path, point: &[&str]) -> BTreeMap<(String, String), [String; 4]> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.records().map(Result::unwrap).filter_map(|row| {
        let fields: Vec<_> = row.iter().map(str::to_string).collect();
        let (own, rest) = fields[1..].split_at(point.len());
        let [metric, _, mean, low, high, n] = rest else { panic!("{fields:?}") };
        let figures = [mean, low, high, n].map(String::clone);
        (own == point).then(|| ((fields[0].clone(), metric.clone()), figures))
    });
    rows.collect()
}

#[test]
fn the_numbers_are_those_of_summary_csv_at_the_last_point() {
    let folder = Folder::new();
    let (html, _) = folder.run("aws-occ", &["-P", "workload.clients=5,10"]);
    let kept = summary(&folder.path("out/summary.csv"), &["10"]);
    let mut compared = 0;
    for row in block(&html)["rows"].as_array().unwrap() {
        assert_eq!(row["point"]["workload.clients"], 10);
        for (metric, estimate) in row["metrics"].as_object().unwrap() {
            let policy = row["policy"].as_str().unwrap().to_string();
            let text = |value: &Value| match value.as_f64() {
                Some(number) => number.to_string(),
                None => String::new(),
            };
            let shown = ["mean", "ci95_low", "ci95_high", "n"].map(|name| text(&estimate[name]));
            assert_eq!(kept[&(policy, metric.clone())], shown, "{metric}");
            compared += 1;
        }
    }
    assert_eq!(compared, kept.len());
    let comparison = section(&html, "comparison");
    for ((policy, metric), [mean, ..]) in &kept {
        if metric == "attempts" {
            let row = between(comparison, &format!("data-value=\"{policy}\""), "</tr>");
            assert!(row.contains(&format!("data-value=\"{mean}\"")), "{policy} {mean}: {row}");
        }
    }
    // Both points are told, each policy once.
    let (_, all) = comparison.split_once("All 2 points").unwrap();
    assert_eq!(all.matches("<tr data-policy").count(), 10);
}

const ADVICE: &str = "own validation, credentials or account";

/// From 30 s on every request of the account stops at its first reply: that is no matter for a
/// retry budget. In the herd nothing stops.
#[test]
fn stops_are_given_to_their_owner_when_there_are_many() {
    let folder = Folder::new();
    for report in <[String; 2]>::from(folder.run("exhausted-account", &[])) {
        assert_eq!(report.matches(ADVICE).count(), 1);
        assert!(report.contains("most of them are the account's"));
        assert!(
            report.contains("don't grow the retry budget") || report.contains("don&#39;t grow")
        );
    }
    for report in <[String; 2]>::from(folder.run("thundering-herd", &[])) {
        assert!(!report.contains(ADVICE));
    }
}

#[test]
fn stops_that_become_more_are_noticed() {
    let folder = Folder::new();
    let sweep = ["-P", "route.primary.fault.0.share=0.1,0.4"];
    let (_, swept) = folder.run("exhausted-account", &sweep);
    assert!(swept.contains("their share rises over the sweep, from "), "{swept}");
    let (_, still) =
        folder.run("exhausted-account", &["-P", "route.primary.fault.0.share=0.4,0.4001"]);
    assert!(!still.contains("rises over the sweep"), "{still}");
    let (_, against) = folder.run("exhausted-account", &["--against", "retries-every-429"]);
    assert!(against.contains("their share is above that of `retries-every-429`"), "{against}");
    assert!(against.contains("in replication 0 their share rises with time"), "{against}");
}

#[test]
fn without_charts_there_is_no_report_and_no_old_one() {
    let folder = Folder::new();
    folder.run("exhausted-account", &[]);
    let args = ["run", "exhausted-account", "--quiet", "--replications", "3", "--out", "out"];
    let output = folder.retrial(&[&args[..], &["--no-charts"]].concat());
    assert_eq!(output.status.code(), Some(0));
    for name in ["out/report.html", "out/report.md", "out/charts/arrivals.svg"] {
        assert!(!folder.path(name).exists(), "{name}");
    }
    assert!(folder.path("out/summary.csv").exists());
}

#[test]
fn a_broken_threshold_comes_first_and_its_policy_is_not_recommended() {
    let folder = Folder::new();
    let (html, markdown) = folder.run("thundering-herd", &[]);
    let verdict = section(&html, "verdict");
    assert!(verdict.contains("<code>full-jitter</code> is the one to roll out"), "{verdict}");
    assert!(verdict.contains("so few tell little"), "{verdict}");
    assert!(markdown.contains("**`full-jitter` is the one to roll out"), "{markdown}");
    let set = ["--set", "thresholds.full-jitter=[\"amplification <= 1.5\"]"];
    let (html, markdown) = folder.run("thundering-herd", &set);
    let verdict = section(&html, "verdict");
    let first = between(verdict, "<p class=\"verdict\">", "</p>");
    assert!(first.starts_with("<code>full-jitter</code> breaks its threshold amp"), "{first}");
    assert!(!first.contains("<code>full-jitter</code> is the one"), "{first}");
    assert!(verdict.contains("<td class=\"fails\">fails</td>"), "{verdict}");
    assert!(markdown.contains("- fails: full-jitter: amplification &lt;= 1.5"), "{markdown}");
}

/// Of ten clients at one row each needs about four attempts, of two fewer than two.
#[test]
fn a_threshold_that_breaks_elsewhere_in_a_sweep_is_told_too() {
    let folder = Folder::new();
    let set = ["--set", "thresholds.full=[\"amplification <= 3\"]"];
    let sweep = ["-P", "workload.clients=10,2"];
    let (_, markdown) = folder.run("aws-occ", &[set, sweep].concat());
    let told =
        "**`full` breaks its threshold amplification &lt;= 3 at workload.clients = 10 (up to ";
    assert!(markdown.contains(told), "{markdown}");
    assert!(markdown.contains("; at workload.clients = 2, "), "{markdown}");
}

#[test]
fn the_model_is_told_with_its_guesses() {
    let folder = Folder::new();
    let (html, _) = folder.run("thundering-herd", &["--set", "route.primary.limit.0.requests=90"]);
    let model = section(&html, "model");
    assert!(model.contains("the limit is the story's, not a measurement"), "{model}");
    assert!(model.contains("(run with <code>90</code>)"), "{model}");
    for key in ["workload.clients", "limit.0.burst", "service.lognormal.median", "backoff.jitter"] {
        assert!(model.contains(&format!("<code>{key}</code>")), "{key}");
    }
    // Policies differ in their backoff and not in their limits.
    assert!(model.contains("<tr class=\"differs\"><th scope=\"row\"><code>backoff.kind</code>"));
    assert!(model.contains("<tr><th scope=\"row\"><code>limits.max_attempts</code>"));
}

/// The command of a report, run again, gives the same fingerprint.
#[test]
fn the_command_reproduces_the_results() {
    let folder = Folder::new();
    let changes = [
        ["--set", "workload.clients=20"],
        ["--set", "route.primary.service=30ms"],
        ["-P", "policies.full-jitter.backoff.base=100ms,200ms"],
    ];
    let (_, markdown) =
        folder.run("thundering-herd", &[&changes.concat()[..], &["--seed", "7"]].concat());
    let command = between(&markdown, "```sh\n", "\n```");
    assert!(
        command.starts_with("retrial run thundering-herd --seed 7 --replications 3"),
        "{command}"
    );
    let fingerprint = |folder: &Folder, out: &str| {
        let manifest: Value = serde_json::from_str(&folder.read(out)).unwrap();
        (manifest["fingerprint"].clone(), manifest["experiment_sha256"].clone())
    };
    let program = format!("'{}'", env!("CARGO_BIN_EXE_retrial"));
    let again = command.replacen("retrial", &program, 1) + " --out again --no-charts --quiet";
    let output =
        Command::new("sh").current_dir(folder.0.path()).args(["-c", &again]).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code == 0 || code == 3), "{again}: {output:?}");
    assert_eq!(
        fingerprint(&folder, "again/manifest.json"),
        fingerprint(&folder, "out/manifest.json"),
        "{command}"
    );
}

#[test]
fn the_same_report_is_made_from_the_results_alone() {
    let folder = Folder::new();
    let (html, markdown) = folder.run("exhausted-account", &["--threads", "1"]);
    for stale in ["out/report.html", "out/report.md"] {
        fs::remove_file(folder.path(stale)).unwrap();
    }
    let output = folder.retrial(&["report", "out"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("out/report.html\nout/report.md\nout/charts/"), "{printed}");
    assert!(printed.lines().all(|path| folder.path(path).is_file()), "{printed}");
    assert_eq!(folder.read("out/report.html"), html);
    assert_eq!(folder.read("out/report.md"), markdown);
    let output = folder.retrial(&["report", "out", "--out", "elsewhere", "--quiet"]);
    assert_eq!((output.status.code(), output.stdout), (Some(0), Vec::new()));
    assert_eq!(folder.read("elsewhere/report.html"), html);
}

/// Results of another version are its own: what reads them only draws.
#[test]
fn a_report_names_the_version_that_made_the_results() {
    let folder = Folder::new();
    let current = format!("retrial {}", env!("CARGO_PKG_VERSION"));
    for report in <[String; 2]>::from(folder.run("exhausted-account", &[])) {
        assert!(report.contains(&current), "{report}");
    }
    let manifest = folder.read("out/manifest.json");
    let version = |version: &str| format!("\"version\": \"{version}\"");
    let older = manifest.replace(&version(env!("CARGO_PKG_VERSION")), &version("0.0.7"));
    fs::write(folder.path("out/manifest.json"), older).unwrap();
    assert_eq!(folder.retrial(&["report", "out"]).status.code(), Some(0));
    for name in ["out/report.html", "out/report.md"] {
        let report = folder.read(name);
        assert!(report.contains("retrial 0.0.7") && !report.contains(&current), "{name}");
    }
}

/// Without a second run nothing tells a difference from chance; with many that show none, nobody
/// has shown that there is none. Policies that a threshold has ruled out are not what is claimed of.
#[test]
fn what_was_not_shown_is_not_told() {
    let folder = Folder::new();
    let verdict = |replications: &str, more: &[&str]| {
        let args = ["--set", "workload.clients=20", "--replications", replications];
        let all = ["run", "aws-occ", "--quiet", "--out", "out"];
        let output = folder.retrial(&[&all[..], &args, more].concat());
        assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
        let html = folder.read("out/report.html");
        (section(&html, "verdict").to_string(), html)
    };
    let (one, html) = verdict("1", &[]);
    assert!(one.contains("one replication can't tell policies apart"), "{one}");
    assert!(html.contains("has no interval") && !html.contains("An interval covers"));
    let (all, _) = verdict("20", &[]);
    assert!(all.contains("is the one to roll out: no difference in success was shown"), "{all}");
    assert!(all.contains("after Holm's correction within each metric"), "{all}");
    let set = ["--set", "thresholds.full=[\"attempts <= 1\"]"];
    let (fit, _) = verdict("20", &set);
    assert!(fit.contains("of those that keep their thresholds, no difference in success"), "{fit}");
}

#[test]
fn what_is_no_results_folder_says_what_would_be_right() {
    let folder = Folder::new();
    let message = |results: &str| {
        let output = folder.retrial(&["report", results]);
        assert_eq!(output.status.code(), Some(2), "{results}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        message("exhausted-account"),
        "error: exhausted-account is no results folder: there is no such folder; make one first: \
         `retrial run exhausted-account` writes to results/exhausted-account\n"
    );
    assert_eq!(
        message("nowhere"),
        "error: nowhere is no results folder: there is no such folder; give the folder that \
         `retrial run` or `retrial merge` wrote to\n"
    );
    let run = ["run", "exhausted-account", "--quiet", "--replications", "2", "--no-charts"];
    assert_eq!(folder.retrial(&run).status.code(), Some(0));
    assert_eq!(
        message("exhausted-account"),
        "error: exhausted-account is no results folder: there is no such folder; did you mean \
         results/exhausted-account?\n"
    );
    fs::write(folder.path("exhausted-account.toml"), "seed = 1").unwrap();
    assert_eq!(
        message("exhausted-account.toml"),
        "error: exhausted-account.toml is no results folder: it is a file; did you mean \
         results/exhausted-account?\n"
    );
    fs::create_dir(folder.path("empty")).unwrap();
    assert!(message("empty").starts_with("error: empty is no results folder: it has no manifest"));
    let shard = ["run", "exhausted-account", "--quiet", "--shard", "1/2", "--out", "part"];
    assert_eq!(folder.retrial(&shard).status.code(), Some(0));
    assert!(
        message("part").contains("join all parts first, with `retrial merge part … --out DIR`")
    );
}
