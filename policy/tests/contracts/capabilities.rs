//! One fixture for each capability: a request that needs it, a route that serves it, a route that
//! serves everything else, and what is said of the second route.

use std::collections::BTreeSet;

use retrial_policy::*;

/// Serves everything.
const ALL: &str = "
inputs = ['text', 'image', 'audio', 'video', 'document']
structured_output = 'json_schema'
tools = ['function', 'parallel', 'forced', 'strict', 'custom', 'server']
streaming = true
context = 200_000
max_output = 64_000
features = ['prompt_caching', 'citations']
";

/// What a request needs, the line of [`ALL`] that a route states otherwise, and the gap.
const FIXTURES: &[(&str, &str, &str)] = &[
    ("inputs = ['text']", "inputs = ['image', 'audio', 'video', 'document']", "inputs = text"),
    (
        "inputs = ['text', 'image']",
        "inputs = ['text', 'audio', 'video', 'document']",
        "inputs = image",
    ),
    ("inputs = ['audio']", "inputs = ['text', 'image', 'video', 'document']", "inputs = audio"),
    ("inputs = ['video']", "inputs = ['text', 'image', 'audio', 'document']", "inputs = video"),
    ("inputs = ['document']", "inputs = ['text', 'image', 'audio', 'video']", "inputs = document"),
    (
        "structured_output = 'json'",
        "structured_output = 'none'",
        "structured_output = json (it has none)",
    ),
    (
        "structured_output = 'json_schema'",
        "structured_output = 'json'",
        "structured_output = json_schema (it has json)",
    ),
    (
        "tools = ['function']",
        "tools = ['parallel', 'forced', 'strict', 'custom', 'server']",
        "tools = function",
    ),
    (
        "tools = ['function', 'parallel']",
        "tools = ['function', 'forced', 'strict', 'custom', 'server']",
        "tools = parallel",
    ),
    (
        "tools = ['forced']",
        "tools = ['function', 'parallel', 'strict', 'custom', 'server']",
        "tools = forced",
    ),
    (
        "tools = ['strict']",
        "tools = ['function', 'parallel', 'forced', 'custom', 'server']",
        "tools = strict",
    ),
    (
        "tools = ['custom']",
        "tools = ['function', 'parallel', 'forced', 'strict', 'server']",
        "tools = custom",
    ),
    (
        "tools = ['server']",
        "tools = ['function', 'parallel', 'forced', 'strict', 'custom']",
        "tools = server",
    ),
    ("streaming = true", "streaming = false", "streaming"),
    ("context = 200_000", "context = 199_999", "context = 200000 (it has 199999)"),
    ("max_output = 64_000", "max_output = 8_000", "max_output = 64000 (it has 8000)"),
    ("features = ['citations']", "features = ['prompt_caching']", "features = citations"),
];

fn read(text: &str) -> Capabilities {
    toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// [`ALL`] with `line` in the place of the one with its key.
fn all_but(line: &str) -> String {
    let key = line.split(' ').next();
    let keep = |stated: &&str| stated.split(' ').next() != key;
    ALL.lines().filter(keep).chain([line]).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_contract_covers_exactly_what_it_states() {
    let all = read(ALL);
    assert_eq!(all.gaps(&all), [], "to the limit");
    for (needs, line, gap) in FIXTURES {
        let needs = read(needs);
        assert_eq!(all.gaps(&needs), [], "{gap}");
        let lacking = read(&all_but(line));
        let gaps: Vec<_> = lacking.gaps(&needs).iter().map(Gap::to_string).collect();
        assert_eq!(gaps, [*gap]);
        assert_eq!(lacking.gaps(&Capabilities::default()), [], "who needs nothing is served");
    }
}

/// A key, or an element of a list, without a fixture would go unnoticed.
#[test]
fn every_capability_has_a_fixture() {
    let needed: BTreeSet<_> = FIXTURES.iter().map(|(_, _, gap)| *gap).collect();
    let nothing = Capabilities::default();
    for gap in nothing.gaps(&read(ALL)) {
        let name = gap.to_string();
        let name = name.split(" (").next().unwrap_or_default();
        // Names of features are the user's own: one stands for all.
        let has_one = needed.iter().any(|gap| gap.starts_with(name));
        assert!(has_one || name == "features = prompt_caching", "{name}");
    }
    assert_eq!(nothing.gaps(&read(ALL)).len(), 5 + 1 + 6 + 1 + 1 + 1 + 2);
}

/// Several things may be missing at once, and all are named.
#[test]
fn all_gaps_are_named() {
    let gaps = read("inputs = ['text']\nstreaming = true").gaps(&read(ALL)).len();
    assert_eq!(gaps, 4 + 1 + 6 + 1 + 1 + 2);
}

#[test]
fn a_misspelt_capability_is_refused() {
    for (text, message) in [
        ("tool = ['function']", "unknown field `tool`"),
        ("tools = ['functions']", "unknown variant `functions`"),
        ("structured_output = 'schema'", "unknown variant `schema`"),
        ("context = -1", "invalid value: integer `-1`"),
    ] {
        let error = toml::from_str::<Capabilities>(text).expect_err(text);
        assert!(error.message().starts_with(message), "{error}");
    }
}
