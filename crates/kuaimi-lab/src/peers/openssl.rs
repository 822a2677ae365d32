//! OpenSSL, by its own `openssl speed`. It measures SM2 signing and verifying, always both and for whole seconds, and
//! SM3; it has no measurement for SM2 keys, encryption or exchange.

use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::Contender;
use super::operation::Operation;

pub(crate) struct OpenSsl {
    version: String,
    /// What the last run of `openssl speed sm2` in this round said of the operation that was not asked for.
    at_hand: Option<(Operation, f64)>,
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
            at_hand: None,
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

/// `+F:NUMBER:sm3:BYTES`, a second.
fn sm3_rate(lines: &str) -> Option<f64> {
    let line = lines
        .lines()
        .find(|line| line.starts_with("+F") && line.contains("sm3"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

impl Contender for OpenSsl {
    fn name(&self) -> String {
        format!("OpenSSL {}", self.version)
    }

    fn condition(&self, operation: Operation) -> Option<&'static str> {
        match operation {
            Operation::Sign => Some("20-byte message, Z and SM3 included, DER (openssl speed sm2)"),
            Operation::Verify => {
                Some("20-byte message, Z and SM3 included, DER; one key (openssl speed sm2)")
            }
            _ if operation.sm3_bytes().is_some() => {
                Some("one message at a time (openssl speed -evp sm3)")
            }
            _ => None,
        }
    }

    fn measure(&mut self, operation: Operation, slice: Duration) -> Result<f64> {
        if let Some(bytes) = operation.sm3_bytes() {
            let lines = Self::speed(slice, &["-evp", "sm3", "-bytes", &bytes.to_string()])?;
            let rate = sm3_rate(&lines)
                .with_context(|| format!("`openssl speed` said nothing of SM3:\n{lines}"))?;
            return Ok(rate / bytes as f64);
        }
        if let Some((at_hand, rate)) = self.at_hand.take()
            && at_hand == operation
        {
            return Ok(rate);
        }
        let lines = Self::speed(slice, &["sm2"])?;
        let (sign, verify) = sm2_rates(&lines)
            .with_context(|| format!("`openssl speed` said nothing of SM2:\n{lines}"))?;
        let (asked, other) = match operation {
            Operation::Verify => (verify, (Operation::Sign, sign)),
            _ => (sign, (Operation::Verify, verify)),
        };
        self.at_hand = Some(other);
        Ok(asked)
    }

    fn new_round(&mut self) {
        self.at_hand = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{sm2_rates, sm3_rate};

    #[test]
    fn reads_what_openssl_speed_prints() {
        let sm2 = "+DTP:256:sign:CurveSM2:1\n+R10:2071:256:CurveSM2:1.00\n+DTP:256:verify:CurveSM2:1\n\
                   +R11:2719:256:CurveSM2:1.00\n+F7:0:256:CurveSM2:2071.000000:2719.000000\n";
        assert_eq!(sm2_rates(sm2), Some((2071.0, 2719.0)));
        let sm3 = "+DT:sm3:1:1024\n+R:201890:sm3:1.000000\n+H:1024\n+F:25:sm3:206735360.00\n";
        assert_eq!(sm3_rate(sm3), Some(206_735_360.0));
        assert_eq!(sm2_rates(sm3), None);
        assert_eq!(sm3_rate("speed: Unknown algorithm sm3"), None);
    }
}
