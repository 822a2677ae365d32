//! The key exchange `curveSM2MLKEM768` (draft-yang-tls-hybrid-sm2-mlkem-03): SM2's curve first,
//! then ML-KEM-768 (FIPS 203), in the shares and in the secret.
//!
//! | | SM2 | ML-KEM-768 |
//! | --- | --- | --- |
//! | client's share | point, 65 bytes | encapsulation key, 1184 bytes |
//! | server's share | point, 65 bytes | ciphertext, 1088 bytes |
//! | secret | x-coordinate, 32 bytes | shared key, 32 bytes |

use getrandom::SysRng;
use kuaimi::external::rand_core::TryRng;
use ml_kem::kem::{Decapsulate, KeyExport};
use ml_kem::{DecapsulationKey768, EncapsulationKey768};
use zeroize::Zeroizing;

use crate::share::{Ephemeral, InvalidShare, SHARE_LEN};

/// The secret of both.
pub(crate) type Secret = Zeroizing<Vec<u8>>;

/// Why there is no secret.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Random,
    InvalidShare,
}

impl From<InvalidShare> for Failure {
    fn from(_: InvalidShare) -> Self {
        Self::InvalidShare
    }
}

/// A client's two fresh keys.
pub(crate) struct Client {
    classical: Ephemeral,
    post_quantum: Box<DecapsulationKey768>,
    share: Vec<u8>,
}

impl Client {
    pub(crate) fn generate() -> Result<Self, Failure> {
        let classical = Ephemeral::generate().map_err(|_| Failure::Random)?;
        let seed = Zeroizing::new(random::<64>()?);
        let post_quantum = Box::new(DecapsulationKey768::from_seed((*seed).into()));
        let key = post_quantum.encapsulation_key().to_bytes();
        let share = [classical.share().as_slice(), &key].concat();
        Ok(Self {
            classical,
            post_quantum,
            share,
        })
    }

    pub(crate) fn share(&self) -> &[u8] {
        &self.share
    }

    /// The half that is offered for servers without ML-KEM.
    pub(crate) fn classical(&self) -> &Ephemeral {
        &self.classical
    }

    pub(crate) fn agree(&self, server: &[u8]) -> Result<Secret, Failure> {
        let (point, ciphertext) = split(server)?;
        let ciphertext = ciphertext.try_into().map_err(|_| Failure::InvalidShare)?;
        let classical = self.classical.agree(point)?;
        let post_quantum = Zeroizing::new(self.post_quantum.decapsulate(ciphertext));
        Ok(joined(&classical, &post_quantum))
    }
}

/// A server's share, and the secret.
pub(crate) fn answer(client: &[u8]) -> Result<(Vec<u8>, Secret), Failure> {
    let (point, key) = split(client)?;
    let key = key.try_into().map_err(|_| Failure::InvalidShare)?;
    // FIPS 203, clause 7.2: the key's coefficients have to be below q.
    let key = EncapsulationKey768::new(key).map_err(|_| Failure::InvalidShare)?;
    let ephemeral = Ephemeral::generate().map_err(|_| Failure::Random)?;
    let classical = ephemeral.agree(point)?;
    // FIPS 203, algorithm 20: m is fresh.
    let m = Zeroizing::new(random::<32>()?);
    let (ciphertext, post_quantum) = key.encapsulate_deterministic(&(*m).into());
    let post_quantum = Zeroizing::new(post_quantum);
    let share = [ephemeral.share().as_slice(), &ciphertext].concat();
    Ok((share, joined(&classical, &post_quantum)))
}

fn split(share: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    share
        .split_at_checked(SHARE_LEN)
        .ok_or(Failure::InvalidShare)
}

/// With its whole capacity at once, so that no reallocation leaves a copy.
fn joined(classical: &[u8; 32], post_quantum: &[u8]) -> Secret {
    let mut secret = Zeroizing::new(Vec::with_capacity(classical.len() + post_quantum.len()));
    secret.extend_from_slice(classical);
    secret.extend_from_slice(post_quantum);
    secret
}

fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|_| Failure::Random)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_agree() {
        let client = Client::generate().unwrap();
        assert_eq!(client.share().len(), 65 + 1184);
        let (share, secret) = answer(client.share()).unwrap();
        assert_eq!((share.len(), secret.len()), (65 + 1088, 64));
        assert_eq!(client.agree(&share).unwrap(), secret);
        // SM2's half comes first.
        let classical = client.classical().agree(&share[..65]).unwrap();
        assert_eq!(secret[..32], classical[..]);

        // An altered ciphertext gives another secret (FIPS 203's implicit rejection).
        let mut altered = share.clone();
        altered[100] ^= 1;
        let other = client.agree(&altered).unwrap();
        assert_eq!(other[..32], secret[..32]);
        assert_ne!(other[32..], secret[32..]);
    }

    #[test]
    fn malformed_shares_are_refused() {
        let client = Client::generate().unwrap();
        let (share, _) = answer(client.share()).unwrap();
        for length in [0, 64, 65, share.len() - 1] {
            assert_eq!(client.agree(&share[..length]), Err(Failure::InvalidShare));
            let of_client = &client.share()[..length.min(1200)];
            assert_eq!(answer(of_client).unwrap_err(), Failure::InvalidShare);
        }
        let longer = [share.as_slice(), &[0]].concat();
        assert_eq!(client.agree(&longer), Err(Failure::InvalidShare));
        let mut off = client.share().to_vec();
        off[64] ^= 1;
        assert_eq!(answer(&off).unwrap_err(), Failure::InvalidShare);
        // A coefficient of 4095, above q = 3329.
        let mut large = client.share().to_vec();
        large[65..67].fill(0xff);
        assert_eq!(answer(&large).unwrap_err(), Failure::InvalidShare);
    }
}
