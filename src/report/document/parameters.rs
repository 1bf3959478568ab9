//! Tables of keys and values, several things with the same keys side by side.

use maud::{Markup, html};

use crate::experiment::changed_keys::keys;
use crate::experiment::node::Node;

/// One of the things side by side.
pub struct Side {
    /// What to call it.
    pub name: Markup,
    /// Its keys and values as TOML.
    pub values: Vec<(String, String)>,
}

impl Side {
    /// A part of an experiment.
    pub fn of(name: Markup, node: &Node) -> Self {
        Side { name, values: keys(node) }
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(own, _)| own == key).map(|(_, value)| &value[..])
    }
}

/// Keys and values under headings.
pub fn grouped(caption: &str, groups: &[Side]) -> Markup {
    html! {
        div.scroll {
            table.parameters {
                caption { (caption) }
                thead { tr { th scope="col" { "key" } th scope="col" { "value" } } }
                @for group in groups.iter().filter(|group| !group.values.is_empty()) {
                    tbody {
                        tr { th.group scope="rowgroup" colspan="2" { (group.name) } }
                        @for (key, value) in &group.values {
                            tr { th scope="row" { code { (key) } } td { code { (bare(value)) } } }
                        }
                    }
                }
            }
        }
    }
}

/// A row a key, a column a side; rows whose values are not all the same are marked.
pub fn table(caption: &str, sides: &[Side]) -> Markup {
    let mut rows: Vec<&str> = Vec::new();
    for (key, _) in sides.iter().flat_map(|side| &side.values) {
        if !rows.contains(&key.as_str()) {
            rows.push(key);
        }
    }
    let differs = |key: &str| sides.iter().any(|side| side.value(key) != sides[0].value(key));
    // Keys of one table stand together, also those that only some sides have.
    rows.sort_unstable();
    html! {
        div.scroll {
            table.parameters {
                caption { (caption) }
                thead {
                    tr {
                        th scope="col" { "key" }
                        @for side in sides { th scope="col" { (side.name) } }
                    }
                }
                tbody {
                    @for key in rows {
                        tr class=[differs(key).then_some("differs")] {
                            th scope="row" { code { (key) } }
                            @for side in sides {
                                @match side.value(key) {
                                    Some(value) => td { code { (bare(value)) } },
                                    None => td.none { "–" },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A value as people read it: a plain text goes without its quotes.
pub fn bare(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.is_empty() && !inner.contains(['"', '\\'])).unwrap_or(value)
}
