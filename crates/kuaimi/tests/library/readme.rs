//! The code in the README and in docs/rust.md, in both languages, is that of the examples, and the
//! examples do what they say.
#![cfg(feature = "std")]

#[path = "../../examples/first_use.rs"]
mod first_use;
#[path = "../../examples/many.rs"]
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
fn the_pages_show_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let first_use = bare(include_str!("../../examples/first_use.rs"));
    let many = bare(include_str!("../../examples/many.rs"));
    for (name, example) in [
        ("README.md", &first_use),
        ("README.zh-CN.md", &first_use),
        ("docs/rust.md", &many),
        ("docs/rust.zh-CN.md", &many),
    ] {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        let blocks: Vec<_> = text
            .split("```rust\n")
            .skip(1)
            .filter_map(|block| block.split("```").next())
            .collect();
        assert_eq!(blocks.len(), 1, "{name}");
        // Statement by statement: an example prints a few things besides.
        for part in blocks[0].split("\n\n") {
            for statement in bare(part).split_inclusive(';') {
                assert!(example.contains(statement), "{name}: {statement}");
            }
        }
    }
}

/// Every link of the pages to a file leads to one.
#[test]
fn links_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = Vec::new();
    for folder in [root.clone(), root.join("docs")] {
        let paths = std::fs::read_dir(folder).unwrap();
        pages.extend(paths.map(|entry| entry.unwrap().path()));
    }
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    assert!(pages.contains(&root.join("docs/rust.zh-CN.md")));
    for path in pages {
        let text = std::fs::read_to_string(&path).unwrap();
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            assert!(
                path.with_file_name(link).exists(),
                "{}: {link}",
                path.display()
            );
        }
    }
}
