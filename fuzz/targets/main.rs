//! libFuzzer on one of the checks: `KUAIMI_FUZZ_CHECK=keys fuzz CORPUS…`. One program for all of them, as it is linked once.
//! `scripts/fuzz-coverage` compiles it, with AddressSanitizer, and runs it.

#![no_main]

use std::sync::OnceLock;

use kuaimi_fuzz::{CHECKS, Check};

fn check() -> Check {
    static CHECK: OnceLock<Check> = OnceLock::new();
    *CHECK.get_or_init(|| {
        let wanted = std::env::var("KUAIMI_FUZZ_CHECK").unwrap_or_default();
        match CHECKS.iter().find(|(name, _)| *name == wanted) {
            Some((_, check)) => *check,
            None => {
                let names: Vec<_> = CHECKS.iter().map(|(name, _)| *name).collect();
                eprintln!("error: KUAIMI_FUZZ_CHECK is one of {}", names.join(" "));
                std::process::exit(2);
            }
        }
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    kuaimi_fuzz::backends::compare_two(data);
    check()(data);
});
