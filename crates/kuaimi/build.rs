//! Computes the generators' tables with the crate's own arithmetic, so that no table is ever pasted.
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
#[path = "src/sm9"]
mod sm9 {
    pub mod curve;
    pub mod pairing {
        pub mod kept;
        pub mod miller;
        pub mod steps;
    }
    pub mod tower;
}

use std::fmt::Write as _;

use arith::Field;
use arith::backend::Portable64;
use curve::{Comb, Curve, Entry, OddMultiples};
use sm2_curve::{COMB_WIDTH, Sm2, WIDE_COMB_WIDTH, WNAF_WIDTH};
use sm9::curve::{G1_COMB_WIDTH, G2_COMB_WIDTH, Sm9G1, Sm9G2};
use sm9::pairing::kept::LineTable;

fn write_table<C: Curve>(out: &mut String, name: &str, doc: &str, entries: &[Entry<C>]) {
    let count = entries.len();
    let words = size_of::<<C::Field as Field>::Limbs>() / 8;
    writeln!(
        out,
        "/// {doc}\nstatic {name}: Aligned<[[[u64; {words}]; 2]; {count}]> = Aligned(["
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
        "src/sm9/curve.rs",
        "src/sm9/pairing",
        "src/sm9/tower",
    ] {
        println!("cargo::rerun-if-changed={path}");
    }
    write("sm2_tables.rs", &sm2_tables());
    write("sm9_tables.rs", &sm9_tables());
}

fn write(file: &str, text: &str) {
    let directory = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&directory).join(file), text)
        .expect("the build directory is writable");
}

fn sm9_tables() -> String {
    type G1 = Sm9G1<Portable64>;
    type G2 = Sm9G2<Portable64>;
    let mut out = String::new();
    write_table::<G1>(
        &mut out,
        "G1_COMB",
        "Odd multiples of `2^(W·i)·P1`, window after window.",
        &Comb::<G1>::build_vartime(&G1::GENERATOR, G1_COMB_WIDTH),
    );
    write_table::<G2>(
        &mut out,
        "G2_COMB",
        "Odd multiples of `2^(W·i)·P2`, window after window.",
        &Comb::<G2>::build_vartime(&G2::GENERATOR, G2_COMB_WIDTH),
    );
    // A line has two elements of Fq2, as a point has.
    write_table::<G2>(
        &mut out,
        "G2_LINES",
        "The lines of Miller's loop with `P2`.",
        LineTable::new(&G2::GENERATOR).lines(),
    );
    out
}

fn sm2_tables() -> String {
    type C = Sm2<Portable64>;
    let mut out = String::new();
    write_table::<C>(
        &mut out,
        "GENERATOR_COMB",
        "Odd multiples of `2^(W·i)·G`, window after window.",
        &Comb::<C>::build_vartime(&C::GENERATOR, COMB_WIDTH),
    );
    write_table::<C>(
        &mut out,
        "GENERATOR_WIDE_COMB",
        "The same with wider windows, for public scalars.",
        &Comb::<C>::build_vartime(&C::GENERATOR, WIDE_COMB_WIDTH),
    );
    write_table::<C>(
        &mut out,
        "GENERATOR_ODD_MULTIPLES",
        "`G, 3G, 5G, …`.",
        &OddMultiples::<C>::build_vartime(&C::GENERATOR, WNAF_WIDTH),
    );
    out
}
