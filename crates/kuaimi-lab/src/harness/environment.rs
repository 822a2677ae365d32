//! Where figures come from: the machine, what the programs were built with, the commit, the
//! command. What cannot be found out is left out or said to be unknown; nothing here fails.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// The instruction sets that make a difference to this kind of computing, as Linux names them.
const TELLING: [&str; 22] = [
    "bmi2",
    "adx",
    "avx2",
    "aes",
    "pclmulqdq",
    "vaes",
    "vpclmulqdq",
    "gfni",
    "sha_ni",
    "sm3",
    "sm4",
    "avx_ifma",
    "avx512f",
    "avx512vl",
    "avx512bw",
    "avx512dq",
    "avx512ifma",
    "avx512_vbmi2",
    "asimd",
    "pmull",
    "sve2",
    "neon",
];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Environment {
    /// The processor's name.
    pub(crate) processor: String,
    /// Its instruction sets, of those that matter here.
    pub(crate) features: Vec<String>,
    /// How many CPUs the system lets this process use.
    pub(crate) cpus: usize,
    /// How many of them are one core, where the system tells.
    pub(crate) threads_per_core: Option<usize>,
    /// Whether this is a virtual machine, as far as it knows.
    pub(crate) virtual_machine: bool,
    pub(crate) system: String,
    /// Processes that wanted to run in the minute before the first measurement, on average.
    pub(crate) load: Option<f64>,
    /// The commit of this project, and a note if files differ from it.
    pub(crate) commit: String,
    /// The day of the measurement, in UTC.
    #[serde(default)]
    pub(crate) date: Option<String>,
    /// Compilers and other programs: `rustc`, `go`, by name.
    pub(crate) compilers: BTreeMap<String, String>,
    /// What of Kuaimi computes what, by algorithm.
    pub(crate) backends: BTreeMap<String, String>,
    /// What was typed.
    pub(crate) command: String,
}

impl Environment {
    pub(crate) fn here() -> Self {
        let cpuinfo = read("/proc/cpuinfo");
        let flags = of_cpuinfo(&cpuinfo, "flags").or_else(|| of_cpuinfo(&cpuinfo, "Features"));
        let flags: Vec<&str> = flags.unwrap_or_default().split_whitespace().collect();
        let name = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Self {
            processor: of_cpuinfo(&cpuinfo, "model name")
                .unwrap_or("unknown processor")
                .to_owned(),
            features: TELLING
                .into_iter()
                .filter(|telling| flags.contains(telling))
                .map(str::to_owned)
                .collect(),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            threads_per_core: members(&read(
                "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
            )),
            virtual_machine: flags.contains(&"hypervisor"),
            system: system(),
            load: read("/proc/loadavg")
                .split_whitespace()
                .next()
                .and_then(|load| load.parse().ok()),
            commit: commit(),
            date: Some(chrono::Utc::now().date_naive().to_string()),
            compilers: BTreeMap::from([name("Rust", &rust())]),
            backends: kuaimi::backend()
                .implementations()
                .map(|(kind, implementation)| name(kind, implementation))
                .collect(),
            command: command(),
        }
    }

    /// Whether figures from there and from here can stand side by side: the same machine, and the
    /// same compilers.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        let lasting = |one: &Self| {
            Self {
                load: None,
                ..one.clone()
            }
            .machine()
        };
        lasting(self) == lasting(other) && self.compilers == other.compilers
    }

    /// The machine in a line.
    pub(crate) fn machine(&self) -> String {
        let mut line = self.processor.clone();
        if !self.features.is_empty() {
            line += &format!(" ({})", self.features.join(", "));
        }
        line += &format!(", {} CPUs", self.cpus);
        match self.threads_per_core {
            Some(1) => line += ", one to a core",
            Some(threads) => line += &format!(", {threads} to a core"),
            None => {}
        }
        if self.virtual_machine {
            line += ", a virtual machine";
        }
        line += &format!("; {}", self.system);
        if let Some(load) = self.load {
            line += &format!("; load {load:.1} before");
        }
        line
    }
}

/// Names and what each is, in a line.
pub(crate) fn list(names: &BTreeMap<String, String>) -> String {
    let named: Vec<String> = names
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    named.join("; ")
}

/// Whether the optimiser worked on this program as it does on one that is given to users.
fn optimised() -> bool {
    !cfg!(debug_assertions)
}

/// Says on standard error that the figures of a development build are nothing to go by.
pub(crate) fn warn_if_slow() {
    if !optimised() {
        eprintln!(
            "kuaimi-lab: built without --release: try the commands so, but keep none of the figures"
        );
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn of_cpuinfo<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    cpuinfo.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then_some(value.trim())
    })
}

/// How many numbers a list such as `0-1,4` has.
fn members(list: &str) -> Option<usize> {
    list.trim()
        .split(',')
        .map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            Some(last.checked_sub(first)? + 1)
        })
        .sum()
}

/// The distribution and the kernel.
fn system() -> String {
    let release = read("/etc/os-release");
    let distribution = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))
        .map(|name| name.trim_matches('"').to_owned());
    let kernel = read("/proc/sys/kernel/osrelease");
    // Its number, without what a builder adds to it.
    let number = kernel
        .trim()
        .split(|c: char| !c.is_ascii_digit() && c != '.');
    let kernel = match number.into_iter().next() {
        None | Some("") => std::env::consts::OS.to_owned(),
        Some(number) => format!("Linux {number}"),
    };
    distribution
        .into_iter()
        .chain([kernel])
        .collect::<Vec<_>>()
        .join(", ")
}

fn rust() -> String {
    let mut text = format!(
        "{}, opt-level {}",
        env!("KUAIMI_LAB_RUSTC"),
        env!("KUAIMI_LAB_OPT_LEVEL")
    );
    if !optimised() {
        text += ", with the checks of a development build";
    }
    let flags = env!("KUAIMI_LAB_RUSTFLAGS");
    if !flags.is_empty() {
        text += &format!(", RUSTFLAGS {flags}");
    }
    text
}

/// The checkout's commit. What is written of figures does not count as a change: one run writes it
/// after another.
fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
            .output()
            .ok()
            .filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changes = git(&[
        "status",
        "--porcelain",
        "--",
        ":(top)",
        ":(top,exclude)docs/bench.md",
        ":(top,exclude)docs/goals.md",
    ]);
    match changes.as_deref() {
        Some("") => commit,
        _ => commit + ", with changes",
    }
}

/// The command as one would type it in the repository's root.
fn command() -> String {
    let mut words = Vec::new();
    for variable in ["KUAIMI_BACKEND", "RAYON_NUM_THREADS"] {
        if let Ok(value) = std::env::var(variable) {
            words.push(format!("{variable}={}", quoted(&value)));
        }
    }
    words.push("cargo run".to_owned());
    if optimised() {
        words.push("--release".to_owned());
    }
    words.push("-p kuaimi-lab --".to_owned());
    let arguments = std::env::args_os().skip(1);
    words.extend(arguments.map(|argument| quoted(&argument.to_string_lossy())));
    words.join(" ")
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Environment, members, of_cpuinfo, quoted};

    #[test]
    fn reads_what_linux_tells() {
        let cpuinfo = "processor\t: 0\nmodel name\t: A CPU @ 2 GHz: fast\nflags\t\t: fpu adx\n";
        assert_eq!(
            of_cpuinfo(cpuinfo, "model name"),
            Some("A CPU @ 2 GHz: fast")
        );
        assert_eq!(of_cpuinfo(cpuinfo, "flags"), Some("fpu adx"));
        assert_eq!(of_cpuinfo(cpuinfo, "model"), None);
        assert_eq!(members("0\n"), Some(1));
        assert_eq!(members("0-1\n"), Some(2));
        assert_eq!(members("0,32-33"), Some(3));
        assert_eq!(members("1-0"), None);
        assert_eq!(members(""), None);
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quoted("--out=docs/bench"), "--out=docs/bench");
        assert_eq!(quoted("two words"), "'two words'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$HOME"), "'$HOME'");
    }

    #[test]
    fn this_machine_is_described() {
        let here = Environment::here();
        assert!(here.cpus >= 1);
        assert!(here.compilers["Rust"].starts_with("rustc 1."));
        // No other test changes the choice between the two.
        let best = kuaimi::backends().last().unwrap();
        crate::harness::implementation::with_implementation(best, || {
            assert_eq!(
                Some(Environment::here().backends["sm4"].as_str()),
                kuaimi::backend().implementation("sm4")
            );
        });
        assert!(
            here.command.contains("-p kuaimi-lab --"),
            "{}",
            here.command
        );
        assert!(here.machine().starts_with(&here.processor));
        let date = here.date.unwrap_or_default();
        assert!(date.len() == 10 && date.starts_with("20"), "{date}");
    }
}
