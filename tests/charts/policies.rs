//! Policies' names, and charts with their looks.

use retrial::report::charts::{Chart, Styles};

/// So many names, or such as are forty wide characters long.
pub fn names(count: usize, long: bool) -> Vec<String> {
    let wide = |index| format!("{index:02} {}", "Wide name that takes forty".repeat(2));
    let name = |index| match long {
        true => wide(index).chars().take(40).collect(),
        false => format!("policy-{index}"),
    };
    (0..count).map(name).collect()
}

/// The chart as SVG; `policies` decide who looks how.
pub fn svg(chart: &impl Chart, policies: &[String]) -> String {
    chart.to_svg(&Styles::new(policies)).expect("the chart can be drawn")
}
