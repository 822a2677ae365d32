//! What is known of the machine and the build.

use serde_json::{Map, Value, json};

/// Its CPU, its system, and what was built for it.
pub fn describe() -> Map<String, Value> {
    let mut machine = Map::new();
    machine.insert("cpu".into(), json!(cpu()));
    machine.insert(
        "logical_cpus".into(),
        json!(std::thread::available_parallelism().map_or(1, usize::from)),
    );
    machine.insert("architecture".into(), json!(std::env::consts::ARCH));
    machine.insert("os".into(), json!(std::env::consts::OS));
    machine.insert("kuaimi".into(), json!(env!("CARGO_PKG_VERSION")));
    machine.insert("backend".into(), json!(kuaimi::backend().name()));
    machine.insert(
        "sm3_backend".into(),
        json!(kuaimi::backend().implementation("sm3")),
    );
    machine.insert(
        "sm3_lane_backend".into(),
        json!(kuaimi::backend().implementation("sm3_many")),
    );
    machine.insert(
        "sm4_backend".into(),
        json!(kuaimi::backend().implementation("sm4")),
    );
    machine.insert(
        "ghash_backend".into(),
        json!(kuaimi::backend().implementation("ghash")),
    );
    machine.insert(
        "build".into(),
        json!(if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        }),
    );
    machine
}

/// The CPU's name, where the system tells it in a file.
fn cpu() -> String {
    let unknown = || format!("unknown {}", std::env::consts::ARCH);
    let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") else {
        return unknown();
    };
    ["model name", "Model", "uarch", "cpu model", "cpu"]
        .iter()
        .find_map(|wanted| {
            text.lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(key, _)| key.trim() == *wanted)
        })
        .map_or_else(unknown, |(_, value)| value.trim().to_owned())
}
