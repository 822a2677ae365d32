//! SM2's scalar arithmetic beside the routines of s2n-bignum, in turn: times and instructions.
//! `make bench-s2n` builds the library and runs
//! `cargo bench -p kuaimi-bench --bench s2n -- LIBRARY`.
//!
//! An operation's operand is the result of the one before it. Printed are the medians of many short
//! slices, the median of the ratios of neighbouring slices, and the instructions of one call,
//! counted one by one with ptrace. Where s2n-bignum has two routines, one with ADX and one without,
//! the faster one is taken.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod beside;

fn main() {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    beside::main();
}
