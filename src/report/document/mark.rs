//! The mark of a policy, as charts have it, beside its name: tables are the legend, too.

use maud::{Markup, html};

use super::study::Study;
use crate::report::charts::style::Form;

/// The mark and the name of a policy.
pub fn policy(study: &Study<'_>, index: usize) -> Markup {
    let name = &study.results.policies[index];
    let style = study.styles.of(name);
    let colour = format!("#{:02X}{:02X}{:02X}", style.colour.0, style.colour.1, style.colour.2);
    let fill = if style.hollow { "#FFFFFF" } else { &colour };
    let outline = match style.form {
        Form::Circle => "M6 1.5a4.5 4.5 0 1 0 .01 0z",
        Form::Square => "M2 2h8v8h-8z",
        Form::Triangle => "M6 1l5 9h-10z",
        Form::Diamond => "M6 .8l5.2 5.2-5.2 5.2-5.2-5.2z",
        Form::Wedge => "M6 11l5-9h-10z",
    };
    html! {
        svg class="mark" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" {
            path d=(outline) fill=(fill) stroke=(colour) {}
        }
        " " (name)
    }
}
