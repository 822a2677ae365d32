//! OpenSSL, by its own `openssl speed`. It measures SM2 signing and verifying, always both and for whole seconds, and
//! SM3 and SM4; it has no measurement for SM2 keys, encryption or exchange.

use std::collections::HashMap;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::operation::{OpenSsl as Speed, Operation};
use super::{Contender, Measured};
use crate::report::Library;

pub(crate) struct OpenSsl {
    version: String,
    /// What was measured in this round, and how long the message was: operations that it has but once share it.
    at_hand: HashMap<(Speed, Option<usize>), f64>,
}

impl OpenSsl {
    pub(crate) fn find() -> Result<Self> {
        let output = Command::new("openssl").arg("version").output().context(
            "the `openssl` command does not start. Install OpenSSL 3 (Debian, Ubuntu: apt install openssl), \
             or leave this peer out with --libraries kuaimi,gmsm",
        )?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = text
            .split_whitespace()
            .nth(1)
            .unwrap_or_default()
            .to_owned();
        let major = version
            .split('.')
            .next()
            .and_then(|major| major.parse::<u32>().ok());
        ensure!(
            major.is_some_and(|major| major >= 3),
            "OpenSSL 3 or newer is needed, but `openssl version` says {:?}",
            text.trim()
        );
        Ok(Self {
            version,
            at_hand: HashMap::new(),
        })
    }

    /// Runs `openssl speed` and gives its lines. With `-elapsed` it divides by the clock's time, as the others here do.
    fn speed(slice: Duration, arguments: &[&str]) -> Result<String> {
        let seconds = slice.as_secs_f64().ceil().max(1.0).to_string();
        let output = Command::new("openssl")
            .args(["speed", "-elapsed", "-mr", "-seconds", &seconds])
            .args(arguments)
            .output()
            .context("the openssl program was there a moment ago")?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(
            output.status.success(),
            "`openssl speed {}` failed:\n{}",
            arguments.join(" "),
            errors.trim_end()
        );
        Ok(errors + &String::from_utf8_lossy(&output.stdout))
    }
}

/// The last line of results: `+F7:0:256:CurveSM2:SIGNATURES:VERIFICATIONS`, a second each.
fn sm2_rates(lines: &str) -> Option<(f64, f64)> {
    let line = lines
        .lines()
        .find(|line| line.starts_with("+F") && line.contains("SM2"))?;
    let mut fields = line.rsplit(':');
    let verifications = fields.next()?.trim().parse().ok()?;
    let signatures = fields.next()?.trim().parse().ok()?;
    Some((signatures, verifications))
}

/// `+F:NUMBER:NAME:BYTES`, a second.
fn evp_rate(lines: &str) -> Option<f64> {
    let line = lines.lines().find(|line| line.starts_with("+F:"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

impl Contender for OpenSsl {
    fn library(&self) -> Library {
        Library {
            id: "openssl".to_owned(),
            name: format!("OpenSSL {}", self.version),
        }
    }

    fn measure(&mut self, operation: &Operation, slice: Duration) -> Result<Option<Measured>> {
        let Some(what) = operation.openssl else {
            return Ok(None);
        };
        let condition = match what {
            Speed::Sm2Sign => {
                "20-byte message, Z and SM3 included, DER (openssl speed sm2)".to_owned()
            }
            Speed::Sm2Verify => {
                "20-byte message, Z and SM3 included, DER; one key (openssl speed sm2)".to_owned()
            }
            Speed::Evp(name) => format!("one message at a time (openssl speed -evp {name})"),
            Speed::EvpDecrypt(name) => {
                format!("one message at a time (openssl speed -evp {name} -decrypt)")
            }
        };
        if !self.at_hand.contains_key(&(what, operation.bytes)) {
            self.run(what, operation.bytes, slice)?;
        }
        let rate = self.at_hand.get(&(what, operation.bytes)).copied();
        let rate = rate.context("`openssl speed` measured something else")?;
        Ok(Some(Measured { rate, condition }))
    }

    fn new_round(&mut self) {
        self.at_hand.clear();
    }
}

impl OpenSsl {
    fn run(&mut self, what: Speed, bytes: Option<usize>, slice: Duration) -> Result<()> {
        let (name, decrypt) = match what {
            Speed::Evp(name) => (name, false),
            Speed::EvpDecrypt(name) => (name, true),
            Speed::Sm2Sign | Speed::Sm2Verify => {
                let lines = Self::speed(slice, &["sm2"])?;
                let (sign, verify) = sm2_rates(&lines)
                    .with_context(|| format!("`openssl speed` said nothing of SM2:\n{lines}"))?;
                self.at_hand.insert((Speed::Sm2Sign, bytes), sign);
                self.at_hand.insert((Speed::Sm2Verify, bytes), verify);
                return Ok(());
            }
        };
        let length = bytes.context("a cipher or a hash is measured on messages of some length")?;
        let text = length.to_string();
        let mut arguments = vec!["-evp", name, "-bytes", &text];
        if decrypt {
            arguments.push("-decrypt");
        }
        let lines = Self::speed(slice, &arguments)?;
        let rate = evp_rate(&lines)
            .with_context(|| format!("`openssl speed` said nothing of {name}:\n{lines}"))?;
        self.at_hand.insert((what, bytes), rate / length as f64);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{evp_rate, sm2_rates};

    #[test]
    fn reads_what_openssl_speed_prints() {
        let sm2 = "+DTP:256:sign:CurveSM2:1\n+R10:2071:256:CurveSM2:1.00\n+DTP:256:verify:CurveSM2:1\n\
                   +R11:2719:256:CurveSM2:1.00\n+F7:0:256:CurveSM2:2071.000000:2719.000000\n";
        assert_eq!(sm2_rates(sm2), Some((2071.0, 2719.0)));
        let sm3 = "+DT:sm3:1:1024\n+R:201890:sm3:1.000000\n+H:1024\n+F:25:sm3:206735360.00\n";
        assert_eq!(evp_rate(sm3), Some(206_735_360.0));
        let sm4 = "+R:6471:SM4-CBC:1.000000\n+H:16384\n+F:25:SM4-CBC:106020864.00\n";
        assert_eq!(evp_rate(sm4), Some(106_020_864.0));
        assert_eq!(sm2_rates(sm3), None);
        assert_eq!(evp_rate(sm2), None);
        assert_eq!(evp_rate("speed: Unknown algorithm sm3"), None);
    }
}
