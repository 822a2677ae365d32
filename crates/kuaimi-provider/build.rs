//! The module is never unloaded: what it keeps for a thread or for the end of the process would
//! point into memory that is gone.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let elf =
        std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux" || os.ends_with("bsd"));
    if elf {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
