//! The README shows the loop as it is.

/// The part of the example that the README shows.
fn the_loop() -> String {
    let source = include_str!("../../examples/reqwest_loop/client.rs");
    let (_, rest) = source.split_once("// README: the loop\n").expect("it begins");
    let (part, _) = rest.split_once("    // README: end\n").expect("it ends");
    let unindented = part.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    unindented.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_loop_of_the_readme_is_that_of_the_example() {
    let readme = include_str!("../../README.md");
    let block = format!("```rust,ignore\n{}\n```\n", the_loop());
    assert!(readme.contains(&block), "README.md should have this block:\n{block}");
}
