//! The numbers of the shown point, for programs that read the page.

use maud::{Markup, PreEscaped, html};

use super::study::Study;
use crate::study::files::point_to_json;

/// A block of JSON: that of `retrial run --format json`, of one point.
pub fn block(study: &Study<'_>) -> Markup {
    let json = point_to_json(study.results, study.point).to_string();
    // Nothing in it ends the block or begins another: only texts hold this character.
    let json = json.replace('<', "\\u003c");
    html! { script type="application/json" id="data" { (PreEscaped(json)) } }
}
