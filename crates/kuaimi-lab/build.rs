//! Tells the program what it was built with, so that its reports can say it.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "an unknown rustc".to_owned());
    println!("cargo::rustc-env=KUAIMI_LAB_RUSTC={}", version.trim());
    let level = env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=KUAIMI_LAB_OPT_LEVEL={level}");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags: Vec<&str> = flags
        .split('\x1f')
        .filter(|flag| !flag.is_empty())
        .collect();
    println!("cargo::rustc-env=KUAIMI_LAB_RUSTFLAGS={}", flags.join(" "));
}
