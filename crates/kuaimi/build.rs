//! Computes the generator's tables with the crate's own arithmetic, so that no table is ever pasted.
//!
//! The tables hold Montgomery forms as 64-bit limbs, the same on every target and for every scalar backend.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    unreachable_pub,
    missing_docs
)]

extern crate alloc;

#[path = "src/arith/mod.rs"]
mod arith;
#[path = "src/choice.rs"]
mod choice;
#[path = "src/curve/mod.rs"]
mod curve;
#[path = "src/sm2/curve.rs"]
mod sm2_curve;

use std::fmt::Write as _;

use arith::backend::Portable64;
use curve::{Comb, Curve, Entry, OddMultiples};
use sm2_curve::{COMB_WIDTH, Sm2, WIDE_COMB_WIDTH, WNAF_WIDTH};

type C = Sm2<Portable64>;

fn write_table(out: &mut String, name: &str, doc: &str, entries: &[Entry<C>]) {
    let count = entries.len();
    writeln!(
        out,
        "/// {doc}\nstatic {name}: Aligned<[[[u64; 4]; 2]; {count}]> = Aligned(["
    )
    .expect("writing to a string");
    for entry in entries {
        writeln!(out, "    {entry:?},").expect("writing to a string");
    }
    out.push_str("]);\n");
}

fn main() {
    for path in [
        "build.rs",
        "src/arith",
        "src/choice.rs",
        "src/curve",
        "src/sm2/curve.rs",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    let mut out = String::new();
    write_table(
        &mut out,
        "GENERATOR_COMB",
        "Odd multiples of `2^(W·i)·G`, window after window.",
        &Comb::<C>::build_vartime(&C::GENERATOR, COMB_WIDTH),
    );
    write_table(
        &mut out,
        "GENERATOR_WIDE_COMB",
        "The same with wider windows, for public scalars.",
        &Comb::<C>::build_vartime(&C::GENERATOR, WIDE_COMB_WIDTH),
    );
    write_table(
        &mut out,
        "GENERATOR_ODD_MULTIPLES",
        "`G, 3G, 5G, …`.",
        &OddMultiples::<C>::build_vartime(&C::GENERATOR, WNAF_WIDTH),
    );
    let directory = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&directory).join("sm2_tables.rs"), out)
        .expect("the build directory is writable");
}
