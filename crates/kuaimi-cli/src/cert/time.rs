//! Times, as options give them and as certificates have them.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use kuaimi_pki::certificate::Validity;
use kuaimi_pki::external::der::DateTime;

use super::unusable;
use crate::failure::{Failure, Result};

/// The system's time.
pub fn now() -> Result<DateTime> {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| DateTime::from_unix_duration(since).ok())
        .ok_or_else(|| Failure::usage("the system's clock is before 1970 or after 9999; set it"))
}

/// A time from an option: `2026-11-26T12:00:00Z`, or a day alone.
pub fn parse(text: &str) -> Result<DateTime, String> {
    let full = if text.len() == 10 {
        format!("{text}T00:00:00Z")
    } else {
        text.to_owned()
    };
    full.parse()
        .map_err(|_| "a time is written as 2026-11-26 or 2026-11-26T12:00:00Z (UTC)".to_owned())
}

/// As people read it: `2026-11-26 12:00:00 UTC`.
pub fn show(time: DateTime) -> String {
    time.to_string().replace('T', " ").replace('Z', " UTC")
}

/// Seconds since 1970, as people read them.
pub fn show_seconds(seconds: u64) -> String {
    DateTime::from_unix_duration(std::time::Duration::from_secs(seconds))
        .map_or_else(|_| format!("second {seconds} since 1970"), show)
}

/// The options for how long a certificate is valid.
#[derive(Args, Debug, Clone)]
pub struct ValidityArgs {
    /// For how many days it is valid.
    #[arg(long, value_name = "N", default_value_t = 365, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    /// From when it is valid, such as 2026-11-26 [default: now].
    #[arg(long, value_name = "TIME", value_parser = parse)]
    not_before: Option<DateTime>,
    /// Until when it is valid, in place of --days.
    #[arg(long, value_name = "TIME", value_parser = parse, conflicts_with = "days")]
    not_after: Option<DateTime>,
}

impl ValidityArgs {
    pub fn validity(&self) -> Result<Validity> {
        let not_before = match self.not_before {
            Some(time) => time,
            None => now()?,
        };
        match self.not_after {
            Some(not_after) if not_after < not_before => Err(Failure::usage(
                "--not-after: is before the certificate begins; give a later time",
            )),
            Some(not_after) => Ok(Validity {
                not_before,
                not_after,
            }),
            None => Validity::days(not_before, self.days).map_err(unusable),
        }
    }
}
