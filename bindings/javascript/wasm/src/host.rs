//! What the host gives: random bytes.

#![allow(unsafe_code, reason = "an import")]

#[link(wasm_import_module = "kuaimi")]
unsafe extern "C" {
    /// Fills `length` bytes at `at` with random ones; zero where the host has none.
    // SAFETY: the host writes where it is told to, which `fill` owns.
    safe fn random(at: *mut u8, length: usize) -> u32;
}

/// Fills bytes with random ones; `false` where the host has none.
pub(crate) fn fill(out: &mut [u8]) -> bool {
    random(out.as_mut_ptr(), out.len()) != 0
}
