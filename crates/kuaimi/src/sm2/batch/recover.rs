//! Recovering many public keys.

use alloc::vec;
use alloc::vec::Vec;

use super::LONG;
use crate::batch::{Threads, in_chunks};
use crate::sm2::recover::{factors, point_of_nonce_vartime};
use crate::sm2::{Error, PublicKey, RecoveryId, Signature};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group;

/// A signature whose public key is to be recovered, for [`recover_batch`].
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{RecoverItem, recover_batch};
/// use kuaimi::sm2::{RecoveryId, PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let e = [9; 32];
/// let signature = key.sign_digest_deterministic(&e);
/// // Without the identifier: try all four.
/// let items = RecoveryId::ALL.map(|id| RecoverItem::new(&e, &signature, id));
/// assert!(recover_batch(&items, Threads::One).contains(&Ok(*key.public_key())));
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RecoverItem<'a> {
    e: &'a [u8; 32],
    signature: &'a Signature,
    id: RecoveryId,
}

impl<'a> RecoverItem<'a> {
    /// A signature over the digest `e`, and its recovery identifier.
    pub fn new(e: &'a [u8; 32], signature: &'a Signature, id: RecoveryId) -> Self {
        Self { e, signature, id }
    }
}

/// Recovers the public keys of all items, as [`PublicKey::recover`] does one by one. Variable time.
///
/// # Errors
/// For an item, [`Error::NotRecoverable`] when no point belongs to its signature and identifier.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{RecoverItem, recover_batch};
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::generate()?);
/// let e = [7; 32];
/// let (signature, id) = key.sign_digest_recoverable(&e)?;
/// let results = recover_batch(&[RecoverItem::new(&e, &signature, id)], Threads::One);
/// assert_eq!(results, [Ok(*key.public_key())]);
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn recover_batch(items: &[RecoverItem<'_>], threads: Threads) -> Vec<Result<PublicKey, Error>> {
    let mut keys = vec![Err(Error::NotRecoverable); items.len()];
    in_chunks(
        (threads, LONG),
        items,
        &mut keys,
        group::chunk(),
        recover_chunk,
    );
    keys
}

fn recover_chunk(items: &[RecoverItem<'_>], out: &mut [Result<PublicKey, Error>]) {
    // Those that have a point R, which goes with P = [−s/t]G + [1/t]R.
    let mut places = Vec::with_capacity(items.len());
    let mut nonce_points = Vec::with_capacity(items.len());
    let mut signatures = Vec::with_capacity(items.len());
    for (item, place) in items.iter().zip(out) {
        let point = point_of_nonce_vartime(item.e, item.signature, item.id);
        if let Some(point) = point {
            places.push(place);
            nonce_points.push(point);
            signatures.push(item.signature);
        }
    }
    let mut inverses: Vec<U256> = signatures.iter().map(|signature| signature.t()).collect();
    group::scalar_invert_many(&mut inverses);
    let (s, t): (Vec<U256>, Vec<U256>) = signatures
        .iter()
        .zip(&inverses)
        .map(|(signature, inverse)| factors(signature, inverse))
        .unzip();
    let mut keys = vec![None; places.len()];
    group::double_scalar_mul_many_vartime(&s, &t, &nonce_points, &mut keys);
    for (place, key) in places.into_iter().zip(keys) {
        if let Some(point) = key {
            *place = Ok(PublicKey::from_point(&point));
        }
    }
}
