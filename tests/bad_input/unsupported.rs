//! What is valid but not built yet.

use super::*;

#[test]
fn what_is_not_built_yet_says_so_where_it_stands() {
    let yet = |key: &str| leak(format!("`{key}` is not supported yet"));
    let tune = "[tune]\npolicy = \"full\"\nminimise = \"attempts\"";
    let no_help = "";
    assert_all_refused(&[case(("", tune), "tune", yet("tune"), no_help)]);
}
