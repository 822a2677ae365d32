//! The READMEs' code is that of the examples, and the examples do what they say.
#![cfg(feature = "std")]

#[path = "../examples/first_use.rs"]
mod first_use;
#[path = "../examples/many.rs"]
mod many;

use std::path::Path;

#[test]
fn the_examples_run() {
    first_use::main().unwrap();
    many::main().unwrap();
}

/// Code without its comments and layout, in which a page may differ from a file.
fn bare(code: &str) -> String {
    code.lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .flat_map(str::chars)
        .filter(|letter| !letter.is_whitespace())
        .collect()
}

#[test]
fn the_readmes_show_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let examples = [
        bare(include_str!("../examples/first_use.rs")),
        bare(include_str!("../examples/many.rs")),
    ];
    for name in ["README.md", "README.zh-CN.md"] {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        let blocks: Vec<_> = text
            .split("```rust\n")
            .skip(1)
            .filter_map(|block| block.split("```").next())
            .collect();
        assert_eq!(blocks.len(), examples.len(), "{name}");
        for (block, example) in blocks.iter().zip(&examples) {
            // Statement by statement: an example prints a few things besides.
            for part in block.split("\n\n") {
                for statement in bare(part).split_inclusive(';') {
                    assert!(example.contains(statement), "{name}: {statement}");
                }
            }
        }
    }
}
