//! How much work a file may ask for: the iterations of all its key derivations together.

use kuaimi::encoding::{KeyDerivation, PasswordEncryption};

use crate::Error;

/// The iterations that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new(iterations: u64) -> Self {
        Self(iterations)
    }

    /// Takes `iterations` away, `times` times.
    pub(super) fn spend(&mut self, iterations: u32, times: usize) -> Result<(), Error> {
        if !(1..=PasswordEncryption::MAX_ITERATIONS).contains(&iterations) {
            let found = kuaimi::encoding::Error::IterationCount(iterations.into());
            return Err(Error::Encoding(found));
        }
        self.take(u64::from(iterations).saturating_mul(times as u64))
    }

    /// Takes away what one key of `derivation` costs.
    pub(super) fn spend_on(
        &mut self,
        derivation: KeyDerivation,
        blocks: usize,
    ) -> Result<(), Error> {
        match derivation {
            KeyDerivation::Pbkdf2 { iterations, .. } => self.spend(iterations, blocks),
            // One iteration takes about as long as 512 bytes of scrypt's table.
            KeyDerivation::Scrypt { log_n, r, p } => {
                derivation.check()?;
                let bytes = (128 * u64::from(r))
                    .saturating_mul(1u64.checked_shl(log_n.into()).unwrap_or(u64::MAX))
                    .saturating_mul(p.into());
                self.take(bytes / 512)
            }
            _ => Err(Error::Argument("a key derivation that is not known here")),
        }
    }

    fn take(&mut self, cost: u64) -> Result<(), Error> {
        self.0 = self.0.checked_sub(cost).ok_or(Error::Limit(
            "the iterations of all key derivations of the PKCS #12 file",
        ))?;
        Ok(())
    }
}
