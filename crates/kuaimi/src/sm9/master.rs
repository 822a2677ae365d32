//! What both kinds of master keys share: from the master key to a user's (GB/T 38635.2-2020, clauses 6.1 and 7.1), and points of
//! `G2` as bytes.

use alloc::vec::Vec;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

use super::nonce::is_nonzero_scalar;
use super::points::{self, G2};
use super::{Error, Identity};
use crate::arith::U256;
use crate::arith::backend::verdict;

/// The integer in `bytes`, if it is in `[1, N − 1]`.
pub(super) fn integer(bytes: &[u8; 32]) -> Result<Zeroizing<U256>, Error> {
    let k = Zeroizing::new(U256::from_be_bytes(bytes));
    if is_nonzero_scalar(&k) {
        Ok(k)
    } else {
        Err(Error::MasterKeyRange)
    }
}

/// `t2 = k / t1 mod N` with `t1 = h1 + k mod N`.
pub(super) fn derive(k: &U256, h1: &U256) -> Result<Zeroizing<U256>, Error> {
    let mut t1 = [points::scalar_add(h1, k)];
    // A master key for which this holds is thrown away, so that it may be known to hold.
    if verdict(t1[0].ct_is_zero()) {
        return Err(Error::UnusableMasterKey);
    }
    points::scalar_invert_many(&mut t1);
    let t2 = Zeroizing::new(points::scalar_mul(k, &t1[0]));
    t1.zeroize();
    Ok(t2)
}

/// The users' keys for many identities: `multiply` gives their points, and `key` makes keys of them.
pub(super) fn derive_many<P: Clone + Zeroize, K>(
    k: &U256,
    identities: &[Identity<'_>],
    hid: u8,
    multiply: impl Fn(&[U256], &mut [P]),
    key: impl Fn(&P) -> K,
) -> Vec<Result<K, Error>>
where
    P: PointDefault,
{
    let t1: Vec<Result<Zeroizing<U256>, Error>> = identities
        .iter()
        .map(|identity| {
            let t1 = Zeroizing::new(points::scalar_add(&identity.h1(hid)?, k));
            // As in `derive`.
            if verdict(t1.ct_is_zero()) {
                return Err(Error::UnusableMasterKey);
            }
            Ok(t1)
        })
        .collect();
    let mut t2 = Zeroizing::new(Vec::with_capacity(identities.len()));
    t2.extend(t1.iter().flatten().map(|t1| **t1));
    points::scalar_invert_many(&mut t2);
    for t2 in t2.iter_mut() {
        *t2 = points::scalar_mul(k, t2);
    }
    let mut keys = Zeroizing::new(alloc::vec![P::any(); t2.len()]);
    multiply(&t2, &mut keys);
    let mut keys = keys.iter();
    t1.into_iter()
        .map(|t1| {
            t1?;
            // There is one for each that has no error.
            keys.next().map(&key).ok_or(Error::UnusableMasterKey)
        })
        .collect()
}

/// What a place for a point holds before the point is there.
pub(super) trait PointDefault {
    fn any() -> Self;
}

impl PointDefault for points::G1 {
    fn any() -> Self {
        [[0; 4]; 2]
    }
}

impl PointDefault for G2 {
    fn any() -> Self {
        [[0; 8]; 2]
    }
}

/// From `x ‖ y`.
pub(super) fn g2_from_bytes(xy: &[u8; 128]) -> Result<G2, Error> {
    if xy == &[0; 128] {
        return Err(Error::PointAtInfinity);
    }
    Ok(points::g2_from_bytes_vartime(xy)?)
}

/// From `x ‖ y`, `04 ‖ x ‖ y`, `02 ‖ x` or `03 ‖ x`.
pub(super) fn g2_from_slice(bytes: &[u8]) -> Result<G2, Error> {
    if let Ok(xy) = bytes.try_into() {
        return g2_from_bytes(xy);
    }
    let Some((&format, rest)) = bytes.split_first() else {
        return Err(Error::PointLength(0));
    };
    let length = || Error::PointLength(bytes.len());
    match format {
        0 if rest.is_empty() => Err(Error::PointAtInfinity),
        2 | 3 => {
            let x = rest.try_into().map_err(|_| length())?;
            Ok(points::g2_decompress_vartime(x, format == 3)?)
        }
        4 => g2_from_bytes(rest.try_into().map_err(|_| length())?),
        other => Err(Error::PointFormat(other)),
    }
}

/// `04 ‖ x ‖ y`.
pub(super) fn g2_to_sec1(point: &G2) -> [u8; 129] {
    let mut out = [4; 129];
    out[1..].copy_from_slice(&points::g2_to_bytes(point));
    out
}

/// Whether an element of `GT` is 1.
pub(super) fn is_one(a: &points::Gt) -> Choice {
    let mut one = [0; 384];
    one[383] = 1;
    Zeroizing::new(points::gt_to_bytes(a)).ct_eq(&one)
}
