//! Names for the machines that have vector code, which many places ask for: `neon` is AArch64 with
//! NEON registers and the bytes in the order that the code expects, `simd128` is WebAssembly with
//! vectors, `clmul` has carry-less products (x86-64 and `neon`), and `vectors` is any of these.
//! Miri knows no such instructions.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(neon, simd128, clmul, vectors)");
    let is = |name: &str, wanted: &str| {
        var(name).is_ok_and(|found| found.split(',').any(|one| one == wanted))
    };
    let miri = var("CARGO_CFG_MIRI").is_ok();
    let neon = is("CARGO_CFG_TARGET_ARCH", "aarch64")
        && is("CARGO_CFG_TARGET_FEATURE", "neon")
        && is("CARGO_CFG_TARGET_ENDIAN", "little");
    let simd128 =
        is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("CARGO_CFG_TARGET_FEATURE", "simd128");
    let clmul = neon || is("CARGO_CFG_TARGET_ARCH", "x86_64");
    let names = [
        ("neon", neon),
        ("simd128", simd128),
        ("clmul", clmul),
        ("vectors", clmul || simd128),
    ];
    for (name, _) in names.iter().filter(|(_, here)| *here && !miri) {
        println!("cargo::rustc-cfg={name}");
    }
}
