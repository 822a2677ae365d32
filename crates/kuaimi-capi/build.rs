//! The name that programs find the shared library by at run time. It has the number of the ABI, so
//! that a program linked to one is not started with another.

use std::env::var;

/// The number of the ABI: raised when a function, a structure or a constant changes its meaning or
/// goes away.
const ABI: u32 = 0;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target_is = |name, value| var(name).is_ok_and(|found| found == value);
    if target_is("CARGO_CFG_TARGET_VENDOR", "apple") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libkuaimi.{ABI}.dylib");
    } else if target_is("CARGO_CFG_TARGET_FAMILY", "unix") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libkuaimi.so.{ABI}");
    }
}
