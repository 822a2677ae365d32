//! Many shared x-coordinates at once, over columns.

use alloc::vec::Vec;

use kuaimi::sm2::batch::diffie_hellman_batch;
use kuaimi::sm2::{PrivateKey, PublicKey};
use zeroize::Zeroizing;

use super::threads::pool;
use crate::Result;
use crate::sm2::{as_many, column};

/// The shared x-coordinates, of 32 bytes each, of private keys of 32 bytes and public keys of 65.
pub fn sm2_diffie_hellman_batch(
    keys: &[u8],
    peers: &[u8],
    threads: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let (keys, peers) = (column::<32>(keys)?, column::<65>(peers)?);
    as_many(keys, peers)?;
    let mut pairs = Vec::with_capacity(keys.len());
    for (key, peer) in keys.iter().zip(peers) {
        pairs.push((
            PrivateKey::from_bytes(key)?,
            PublicKey::from_sec1_bytes(peer)?,
        ));
    }
    let pairs: Vec<(&PrivateKey, &PublicKey)> =
        pairs.iter().map(|(key, peer)| (key, peer)).collect();
    let secrets = diffie_hellman_batch(&pairs, pool(threads));
    Ok(Zeroizing::new(secrets.as_flattened().to_vec()))
}
