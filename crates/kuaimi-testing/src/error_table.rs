//! The table of `docs/errors.md`, with which each language's tests compare what it makes of the
//! kinds of errors.

use std::fmt::Debug;

const PAGE: &str = include_str!("../../../docs/errors.md");

/// The cells of a line, without the marks of code.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim_matches('|');
    line.split('|')
        .map(|cell| cell.trim().replace('`', ""))
        .collect()
}

/// Fails unless the column has `cell(kind)` for each of `kinds`, and a row for each, in this order,
/// and no other row.
pub fn check<K: Copy + Debug>(column: &str, kinds: &[K], cell: impl Fn(K) -> String) {
    let mut lines = PAGE
        .lines()
        .skip_while(|line| !line.starts_with("| kind |"));
    let head = cells(lines.next().expect("the table"));
    let place = head.iter().position(|name| name == column);
    let place = place.unwrap_or_else(|| panic!("docs/errors.md has no column {column}"));
    let rows = lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(cells);
    let found: Vec<_> = rows
        .map(|row| (row[0].clone(), row[place].clone()))
        .collect();
    let expected: Vec<_> = kinds
        .iter()
        .map(|kind| (format!("{kind:?}"), cell(*kind)))
        .collect();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(
            found, expected,
            "docs/errors.md, column {column}: left is the page's"
        );
    }
    assert_eq!(
        found.len(),
        expected.len(),
        "docs/errors.md: rows, and kinds"
    );
}
