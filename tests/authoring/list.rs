//! `retrial list`.

use retrial::experiment::packaged;
use serde_json::Value;

use super::{printed, retrial};

#[test]
fn the_table_has_name_title_and_source_of_every_packaged_experiment() {
    let table = printed(&["list"]);
    for packaged in packaged::ALL {
        let row = table.lines().find(|line| line.starts_with(packaged.name)).unwrap();
        assert!(row.ends_with(&packaged.title()), "{row}");
        for source in packaged.sources() {
            assert!(table.contains(&source), "{source}");
        }
    }
    let with_source = "M. Brooker, \"Exponential Backoff And Jitter\", AWS Architecture Blog, 2015";
    assert!(table.contains(with_source), "{table}");
}

#[test]
fn json_says_the_same() {
    let list: Vec<Value> = serde_json::from_str(&printed(&["list", "--format", "json"])).unwrap();
    assert_eq!(list.len(), packaged::ALL.len());
    for (entry, packaged) in list.iter().zip(packaged::ALL) {
        assert_eq!(entry["name"], packaged.name);
        assert_eq!(entry["title"], packaged.title());
        assert_eq!(entry["sources"], Value::from(packaged.sources()));
        assert_eq!(entry["default"], packaged.name == packaged::DEFAULT);
    }
}

#[test]
fn what_it_does_not_know_is_wrong_usage() {
    retrial(&["list", "--format", "xml"]).assert().code(2);
    retrial(&["list", "aws-occ"]).assert().code(2);
}
