//! The table for people and the JSON for programs.

use serde_json::{Map, Value, json};

use super::measure::{Plan, Speed};
use super::operations::Operation;
use super::peer::Peer;
use super::{Algorithm, Variant};
use crate::failure::Result;
use crate::output::print;

/// Collects results, and prints them line by line as they come unless they are to be JSON.
pub struct Table {
    quiet: bool,
    threads: usize,
    results: Vec<Value>,
}

impl Table {
    pub fn new(quiet: bool, machine: &Map<String, Value>, plan: &Plan) -> Result<Self> {
        if !quiet {
            let word = |key| machine.get(key).map(plain).unwrap_or_default();
            print(format!(
                "{} ({} logical CPUs), {} {}; kuaimi {}, {} build, backends {} (SM2), {} (SM3), {} (many messages), {} (SM4) and {} (GHASH); {} {}\n",
                word("cpu"),
                word("logical_cpus"),
                word("os"),
                word("architecture"),
                word("kuaimi"),
                word("build"),
                word("backend"),
                word("sm3_backend"),
                word("sm3_lane_backend"),
                word("sm4_backend"),
                word("ghash_backend"),
                plan.threads,
                if plan.threads == 1 {
                    "thread"
                } else {
                    "threads"
                },
            ))?;
            if cfg!(debug_assertions) {
                print("This is a debug build: the figures mean nothing. Build with --release.\n")?;
            }
        }
        Ok(Self {
            quiet,
            threads: plan.threads,
            results: Vec::new(),
        })
    }

    /// The heading of an algorithm's part.
    pub fn start(&mut self, algorithm: Algorithm, peer: &Peer) -> Result<()> {
        if self.quiet {
            return Ok(());
        }
        let (theirs, ratio) = match &peer.version {
            Some(version) => (version.as_str(), "ratio"),
            None => ("", ""),
        };
        let rate = if counts_bytes(algorithm) {
            "MB/s"
        } else {
            "ops/s"
        };
        let heading = format!(
            "{:<22}{rate:>14}{:>14}{theirs:>22}{ratio:>9}",
            algorithm.name().to_uppercase(),
            "ns/op"
        );
        print(format!("\n{}\n", heading.trim_end()))
    }

    pub fn add(&mut self, operation: &Operation, speed: Speed, peer: &Peer) -> Result<()> {
        let by_bytes = counts_bytes(operation.algorithm);
        let bytes_per_second = speed.ops_per_second * operation.message_bytes as f64;
        if !self.quiet {
            let (mut label, ours, unit) = if by_bytes {
                let length = length(operation.message_bytes);
                (
                    match operation.algorithm {
                        Algorithm::Sm3 => length,
                        _ => format!("{} {length}", operation.name),
                    },
                    bytes_per_second / 1e6,
                    operation.message_bytes as f64 / 1e6,
                )
            } else {
                (operation.name.to_owned(), speed.ops_per_second, 1.0)
            };
            if operation.variant != Variant::Single {
                label += " ";
                label += operation.variant.name();
            }
            let mut line = format!(
                "{label:<22}{:>14}{:>14}",
                number(ours),
                number(speed.ns_per_op)
            );
            if let Some(theirs) = peer.rate(operation.name, operation.message_bytes) {
                line += &format!(
                    "{:>22}{:>8.2}x",
                    number(theirs * unit),
                    speed.ops_per_second / theirs
                );
            }
            line.push('\n');
            print(line)?;
        }
        let mut result = json!({
            "algorithm": operation.algorithm.name(),
            "operation": operation.name,
            "variant": operation.variant.name(),
            "batch_size": operation.batch,
            "backend": operation.backend,
            "threads": self.threads,
            "message_bytes": operation.message_bytes,
            "ops_per_second": rounded(speed.ops_per_second),
            "ns_per_op": rounded(speed.ns_per_op),
        });
        if by_bytes {
            result["bytes_per_second"] = rounded(bytes_per_second);
        }
        self.results.push(result);
        Ok(())
    }

    /// What must be said below the table; `beside_openssl` where its program was measured, too.
    pub fn finish(&self, beside_openssl: bool) -> Result<()> {
        if self.threads > 1 {
            print(
                "\nops/s and MB/s are of all threads together; ns/op is one operation on its thread. OpenSSL ran on one thread.\n",
            )?;
        }
        if beside_openssl {
            print(
                "\nThe same through OpenSSL, in any program that uses it: `make provider`, then\n\
                 OPENSSL_CONF=target/provider/kuaimi.cnf openssl speed -seconds 1 sm2\n",
            )?;
        }
        Ok(())
    }

    pub fn json(&self, machine: &Map<String, Value>) -> String {
        let object = json!({ "machine": machine, "results": self.results });
        format!("{object:#}\n")
    }
}

/// Whether the speed is that of messages of several lengths.
fn counts_bytes(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Sm3 | Algorithm::Sm4)
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// To two decimals: no measurement is better than that.
fn rounded(value: f64) -> Value {
    json!((value * 100.0).round() / 100.0)
}

fn length(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

/// A number as people read it: digits in groups of three; one decimal below 1000.
fn number(value: f64) -> String {
    if value < 1000.0 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_for_people() {
        assert_eq!(number(1.26), "1.3");
        assert_eq!(number(1000.4), "1,000");
        assert_eq!(number(1234567.0), "1,234,567");
        assert_eq!(number(12345.0), "12,345");
    }
}
