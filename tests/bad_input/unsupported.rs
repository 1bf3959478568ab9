//! What is valid but not built yet.

use super::*;

#[test]
fn what_is_not_built_yet_says_so_where_it_stands() {
    let yet = |key: &str| leak(format!("`{key}` is not supported yet"));
    let no_help = "";
    assert_all_refused(&[
        case(("", "[gate]\nattempts = 1"), "gate", yet("gate"), no_help),
        case(
            ("", "[sweep]\n\"workload.clients\" = { from = 1, to = 9 }"),
            "{ from = 1, to = 9 }",
            "ranges are not supported yet: list the values",
            no_help,
        ),
    ]);
}
