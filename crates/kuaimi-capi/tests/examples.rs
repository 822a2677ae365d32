//! The examples compile without a warning, and run.

mod common;

use common::{C_FLAGS, CPP_FLAGS, Link, root, run_everywhere};

#[test]
fn examples_run() {
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("examples")).expect("the examples") {
        let file = entry.expect("an entry").path();
        let flags = match file.extension().and_then(|extension| extension.to_str()) {
            Some("c") => C_FLAGS,
            Some("cpp") => CPP_FLAGS,
            _ => continue,
        };
        for how in [Link::Static, Link::Shared] {
            run_everywhere(flags, &file, how);
        }
        count += 1;
    }
    assert!(count >= 7, "{count} examples");
}
