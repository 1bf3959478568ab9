//! `retrial providers`.

use retrial_policy::providers::Library;
use serde_json::Value;

use super::Folder;

fn printed(arguments: &[&str]) -> String {
    let answer = Folder::new().retrial(&[&["providers"], arguments].concat(), "");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    answer.stdout
}

#[test]
fn the_list_has_every_table() {
    let text = printed(&[]);
    let list: Vec<Value> = serde_json::from_str(&printed(&["--format", "json"])).unwrap();
    assert_eq!(printed(&["--json"]), printed(&["--format", "json"]));
    let library = Library::embedded();
    assert_eq!(list.len(), library.tables().len());
    for (table, entry) in library.tables().iter().zip(&list) {
        let row = text.lines().find(|line| line.starts_with(&format!("{} ", table.name())));
        assert!(row.unwrap().ends_with(table.title()), "{row:?}");
        assert_eq!(entry["name"], table.name());
        assert_eq!(entry["title"], table.title());
        assert_eq!(entry["aliases"], Value::from(table.aliases()));
        assert_eq!(entry["extends"], Value::from(table.extends()));
        assert_eq!(entry["reviewed"], table.reviewed());
        assert_eq!(entry["rows"], table.rows().len());
    }
}

#[test]
fn one_table_shows_its_rows() {
    let text = printed(&["groq"]);
    let row = "\
tool-use-failed: transient, retries once
    status 400; code tool_use_failed or json_validate_failed
    the model wrote an unusable tool call or JSON: sampling may do better a second time
    https://console.groq.com/docs/tool-use
";
    assert!(text.contains(row), "{text}");
    let table: Value = serde_json::from_str(&printed(&["groq", "--json"])).unwrap();
    let rows = table["row"].as_array().unwrap();
    assert_eq!(table["rows"], rows.len());
    assert_eq!(rows[0]["id"], "tool-use-failed");
    assert_eq!(rows[0]["when"], "status 400; code tool_use_failed or json_validate_failed");
    assert_eq!((&rows[0]["class"], &rows[0]["retries"]), (&"transient".into(), &"once".into()));
}

/// Other names and either dash.
#[test]
fn a_table_is_found_by_any_of_its_names() {
    assert_eq!(printed(&["claude"]), printed(&["anthropic"]));
    assert_eq!(printed(&["azure-openai"]), printed(&["azure_openai"]));
}

#[test]
fn a_table_of_ones_own_is_checked_and_shown() {
    let own = "title = \"Ours\"\nreviewed = 2026-01-31\n[[row]]\nid = \"busy\"\nstatus = 420\n\
               class = \"throttled\"\nwait = \"5s\"\nnote = \"calm down\"\nexample = { status = 420 }\n";
    let folder = Folder::new().with("ours.toml", own);
    let answer = folder.retrial(&["providers", "--table", "ours.toml"], "");
    assert_eq!(
        answer.stdout,
        "ours: Ours\n1 row; reviewed 2026-01-31\n\nbusy: throttled, wait 5s\n    status 420\n    calm down\n"
    );
    folder.refusal(&["providers", "openai", "--table", "ours.toml"], "");
}
