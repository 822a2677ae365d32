//! libFuzzer on one of the checks: `KUAIMI_FUZZ_CHECK=keys fuzz CORPUS…`. One program for all of
//! them, as it is linked once. `scripts/fuzz-coverage` compiles it, with AddressSanitizer, and runs
//! it.

#![no_main]

use std::ffi::c_char;
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

/// AddressSanitizer's options, which `ASAN_OPTIONS` can change. Of freed memory only so much is
/// kept as the limit of memory leaves room for; leaks are not looked for.
// SAFETY: the sanitizer's runtime looks for this name, and reads the text until its zero byte.
#[unsafe(no_mangle)]
extern "C" fn __asan_default_options() -> *const c_char {
    c"detect_leaks=0:quarantine_size_mb=32".as_ptr()
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    kuaimi_fuzz::backends::compare_two(data);
    check()(data);
});
