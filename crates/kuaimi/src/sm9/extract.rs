//! From a master key to users' keys (GB/T 38635.2-2020, clauses 6.1 and 7.1).

#[cfg(feature = "batch")]
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group;
use kuaimi_platform::declassify;
#[cfg(feature = "batch")]
use zeroize::Zeroize;
use zeroize::Zeroizing;

use super::Error;
#[cfg(feature = "batch")]
use super::Identity;
use super::identity::KeyIdentity;
use super::scalar::is_nonzero_scalar;
#[cfg(feature = "batch")]
use crate::batch::{Threads, failed, in_chunks};

/// The integer in `bytes`, if it is in `[1, N − 1]`.
pub(super) fn master_key(bytes: &[u8; 32]) -> Result<Zeroizing<U256>, Error> {
    let k = Zeroizing::new(U256::from_be_bytes(bytes));
    if is_nonzero_scalar(&k) {
        Ok(k)
    } else {
        Err(Error::MasterKeyRange)
    }
}

/// `t1 = h1 + k mod N`, which must not be zero.
fn t1(k: &U256, identity: &KeyIdentity) -> Result<Zeroizing<U256>, Error> {
    let t1 = Zeroizing::new(group::scalar_add(identity.h1(), k));
    // A master key for which this holds is thrown away, so the result may be known.
    if declassify(t1.ct_is_zero()) {
        return Err(Error::UnusableMasterKey);
    }
    Ok(t1)
}

/// `t2 = k / t1 mod N`.
pub(super) fn t2(k: &U256, identity: &KeyIdentity) -> Result<Zeroizing<U256>, Error> {
    let inverse = Zeroizing::new(group::scalar_invert(&*t1(k, identity)?));
    Ok(Zeroizing::new(group::scalar_mul(k, &inverse)))
}

/// How many keys are made together: from some dozens on, the inversion that they share is next to
/// nothing for each.
#[cfg(feature = "batch")]
const CHUNK: usize = 256;
/// How many are worth waking a thread: a key takes some microseconds.
#[cfg(feature = "batch")]
const LEAST: usize = 32;

/// The users' keys for many identities: `multiply` gives their points `[t2]P`, and `key` makes keys
/// of them.
#[cfg(feature = "batch")]
pub(super) fn extract_batch<P: Default + Clone + Zeroize, K: Send>(
    threads: Threads,
    k: &U256,
    identities: &[Identity<'_>],
    hid: u8,
    multiply: impl Fn(&[U256], &mut [P]) + Sync,
    key: impl Fn(&P, KeyIdentity) -> K + Sync,
) -> Vec<Result<K, Error>> {
    let mut keys = failed(&Error::EmptyIdentity, identities.len());
    in_chunks(
        (threads, LEAST),
        identities,
        &mut keys,
        CHUNK,
        |identities, keys| {
            extract_chunk(k, identities, hid, &multiply, &key, keys);
        },
    );
    keys
}

#[cfg(feature = "batch")]
fn extract_chunk<P: Default + Clone + Zeroize, K>(
    k: &U256,
    identities: &[Identity<'_>],
    hid: u8,
    multiply: impl Fn(&[U256], &mut [P]),
    key: impl Fn(&P, KeyIdentity) -> K,
    keys: &mut [Result<K, Error>],
) {
    let mut t = Zeroizing::new(Vec::with_capacity(identities.len()));
    let mut served = Vec::with_capacity(identities.len());
    for (&identity, place) in identities.iter().zip(keys) {
        let identity = KeyIdentity::new(identity, hid);
        match identity.and_then(|identity| Ok((t1(k, &identity)?, identity))) {
            Err(error) => *place = Err(error),
            Ok((t1, identity)) => {
                t.push(*t1);
                served.push((place, identity));
            }
        }
    }
    group::scalar_invert_many(&mut t);
    for t in t.iter_mut() {
        *t = group::scalar_mul(k, t);
    }
    let mut products = Zeroizing::new(alloc::vec![P::default(); t.len()]);
    multiply(&t, &mut products);
    for ((place, identity), point) in served.into_iter().zip(products.iter()) {
        *place = Ok(key(point, identity));
    }
}
