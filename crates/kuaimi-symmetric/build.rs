//! Names for the machines that have vector code, which many places ask for: `neon` is AArch64 with
//! NEON registers and the bytes in the order that the code expects, and `vectors` is that or
//! x86-64. Miri knows no such instructions.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(neon, vectors)");
    let is = |name: &str, wanted: &str| {
        var(name).is_ok_and(|found| found.split(',').any(|one| one == wanted))
    };
    let miri = var("CARGO_CFG_MIRI").is_ok();
    let neon = is("CARGO_CFG_TARGET_ARCH", "aarch64")
        && is("CARGO_CFG_TARGET_FEATURE", "neon")
        && is("CARGO_CFG_TARGET_ENDIAN", "little");
    if neon && !miri {
        println!("cargo::rustc-cfg=neon");
    }
    if (neon || is("CARGO_CFG_TARGET_ARCH", "x86_64")) && !miri {
        println!("cargo::rustc-cfg=vectors");
    }
}
