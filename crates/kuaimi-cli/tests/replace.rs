//! `--force` by several programs at once: each of them replaces the file, and none fails because of
//! the others.

mod common;

use common::Lab;

#[test]
fn many_programs_replace_one_file() {
    let lab = Lab::with_keys();
    lab.write("out", "old");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..60 {
                    lab.sh("sm2 pubkey --key a.pem --out out --force").ok();
                }
            });
        }
    });
    assert!(lab.same("out", "a.pub"));
    lab.assert_clean();
}
