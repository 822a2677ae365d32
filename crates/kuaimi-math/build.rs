//! Says whether functions keep a frame pointer, as on Apple's systems, or where
//! `-C force-frame-pointers` asks for it. Then the assembly for x86-64 has one register less, and
//! products that take all of the others cannot be inlined.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(kuaimi_frame_pointers)");
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let asked = flags
        .split('\x1f')
        .filter_map(|flag| {
            flag.trim_start_matches("-C")
                .strip_prefix("force-frame-pointers")
        })
        // The last one counts, and without a value it means yes.
        .next_back()
        .is_some_and(|value| !["=n", "=no", "=off", "=false"].contains(&value));
    if is("CARGO_CFG_TARGET_ARCH", "x86_64") && (asked || is("CARGO_CFG_TARGET_VENDOR", "apple")) {
        println!("cargo::rustc-cfg=kuaimi_frame_pointers");
    }
}
