//! The `openssl` program's own measurements, for the table.

use std::process::{Command, Stdio};

use super::operations::{HASH, LENGTHS};
use super::{Algorithm, sm4};

/// What `openssl speed` measured; empty where there is no such program, or it does not know the
/// algorithm.
#[derive(Default)]
pub struct Peer {
    /// What `openssl version` says.
    pub version: Option<String>,
    rates: Vec<Rate>,
}

struct Rate {
    operation: &'static str,
    message_bytes: usize,
    ops_per_second: f64,
}

impl Peer {
    /// Operations per second, where they were measured.
    pub fn rate(&self, operation: &str, message_bytes: usize) -> Option<f64> {
        self.rates
            .iter()
            .find(|rate| rate.operation == operation && rate.message_bytes == message_bytes)
            .map(|rate| rate.ops_per_second)
    }
}

/// The arguments of `openssl speed` for a mode of SM4. Versions before 3.1 know neither GCM nor XTS
/// with it.
const SM4: [(&str, &[&str]); 4] = [
    ("ctr", &["-evp", "sm4-ctr"]),
    ("gcm", &["-evp", "sm4-gcm"]),
    ("xts", &["-evp", "sm4-xts"]),
    ("cbc-decrypt", &["-decrypt", "-evp", "sm4-cbc"]),
];

/// Runs `openssl speed`, a second a measurement, for these operations.
pub fn measure(algorithm: Algorithm, wanted: impl Fn(&str) -> bool) -> Peer {
    let Some(version) = output(&["version"]) else {
        return Peer::default();
    };
    let rates: Vec<Rate> = match algorithm {
        Algorithm::Sm2 if !["sign", "verify"].into_iter().any(&wanted) => Vec::new(),
        Algorithm::Sm2 => output(&["speed", "-mr", "-seconds", "1", "sm2"])
            .map(|text| parse_sm2(&text))
            .unwrap_or_default(),
        Algorithm::Sm3 => by_length(HASH, &LENGTHS, &["-evp", "sm3"]),
        Algorithm::Sm4 => SM4
            .into_iter()
            .filter(|(operation, _)| wanted(operation))
            .flat_map(|(operation, arguments)| by_length(operation, &sm4::LENGTHS, arguments))
            .collect(),
        // It has no SM9.
        Algorithm::Sm9 => Vec::new(),
    };
    if rates.is_empty() {
        return Peer::default();
    }
    let version = version
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join(" ");
    Peer {
        version: Some(version),
        rates,
    }
}

/// One length a run, for it takes the same time for all. Where the first fails, the algorithm is
/// not known.
fn by_length(operation: &'static str, lengths: &[usize], arguments: &[&str]) -> Vec<Rate> {
    lengths
        .iter()
        .map_while(|length| {
            let length = length.to_string();
            let fixed = ["speed", "-mr", "-seconds", "1", "-bytes", &length];
            output(&[&fixed, arguments].concat())
        })
        .flat_map(|text| parse_bytes(operation, &text))
        .collect()
}

fn output(arguments: &[&str]) -> Option<String> {
    let done = Command::new("openssl")
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    if !done.status.success() {
        return None;
    }
    String::from_utf8(done.stdout).ok()
}

/// `+F7:index:bits:name:signatures a second:verifications a second`.
fn parse_sm2(text: &str) -> Vec<Rate> {
    let Some(line) = text.lines().find(|line| line.starts_with("+F7:")) else {
        return Vec::new();
    };
    let rates: Vec<f64> = line
        .split(':')
        .skip(4)
        .filter_map(|rate| rate.parse().ok())
        .collect();
    ["sign", "verify"]
        .into_iter()
        .zip(rates)
        .filter(|(_, rate)| *rate > 0.0)
        .map(|(operation, ops_per_second)| Rate {
            operation,
            message_bytes: 32,
            ops_per_second,
        })
        .collect()
}

/// `+H:length:…`, then `+F:index:name:bytes a second:…`.
fn parse_bytes(operation: &'static str, text: &str) -> Vec<Rate> {
    let fields = |start: &str, skip| {
        let line = text.lines().find(|line| line.starts_with(start));
        let fields = line.into_iter().flat_map(|line| line.split(':')).skip(skip);
        fields
            .filter_map(|field| field.parse::<f64>().ok())
            .collect::<Vec<_>>()
    };
    fields("+H:", 1)
        .into_iter()
        .zip(fields("+F:", 3))
        .filter(|&(length, rate)| length > 0.0 && rate > 0.0)
        .map(|(length, bytes_per_second)| Rate {
            operation,
            message_bytes: length as usize,
            ops_per_second: bytes_per_second / length,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that OpenSSL 3.0 prints.
    #[test]
    fn machine_readable_lines() {
        let rates = parse_sm2("+F7:0:256:CurveSM2:2433.333333:2747.474747\n");
        let rates: Vec<_> = rates
            .iter()
            .map(|rate| (rate.operation, rate.ops_per_second))
            .collect();
        assert_eq!(rates, [("sign", 2433.333333), ("verify", 2747.474747)]);
        let rates = parse_bytes("hash", "+H:64:1024\n+F:25:sm3:64000.00:1024000.00\n");
        let rates: Vec<_> = rates
            .iter()
            .map(|rate| (rate.message_bytes, rate.ops_per_second))
            .collect();
        assert_eq!(rates, [(64, 1000.0), (1024, 1000.0)]);
        assert!(parse_sm2("nothing of the kind").is_empty());
        assert!(parse_bytes("hash", "+H:64\n").is_empty());
    }
}
