//! What both kinds of master keys share: from the master key to a user's (GB/T 38635.2-2020, clauses 6.1 and 7.1), and points of
//! `G2` as bytes.

use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use super::points::{self, G2};
use super::scalar::is_nonzero_scalar;
use super::{Error, Identity};
use crate::batch::in_chunks;
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

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
    if declassify(t1[0].ct_is_zero()) {
        return Err(Error::UnusableMasterKey);
    }
    points::scalar_invert_many(&mut t1);
    let t2 = Zeroizing::new(points::scalar_mul(k, &t1[0]));
    t1.zeroize();
    Ok(t2)
}

/// Keys made at a time: from some dozens on, what they share is next to nothing for each.
const CHUNK: usize = 256;

/// The users' keys for many identities: `multiply` gives their points, and `key` makes keys of them.
pub(super) fn derive_many<P: PointDefault + Clone + Zeroize, K: Send>(
    k: &U256,
    identities: &[Identity<'_>],
    hid: u8,
    multiply: impl Fn(&[U256], &mut [P]) + Sync,
    key: impl Fn(&P) -> K + Sync,
) -> Vec<Result<K, Error>> {
    let mut keys: Vec<Option<Result<K, Error>>> = core::iter::repeat_with(|| None)
        .take(identities.len())
        .collect();
    in_chunks(identities, &mut keys, CHUNK, |identities, keys| {
        derive_chunk(k, identities, hid, &multiply, &key, keys);
    });
    keys.into_iter()
        // There is one for each.
        .map(|key| key.unwrap_or(Err(Error::UnusableMasterKey)))
        .collect()
}

fn derive_chunk<P: PointDefault + Clone + Zeroize, K>(
    k: &U256,
    identities: &[Identity<'_>],
    hid: u8,
    multiply: impl Fn(&[U256], &mut [P]),
    key: impl Fn(&P) -> K,
    keys: &mut [Option<Result<K, Error>>],
) {
    let mut t = Zeroizing::new(Vec::with_capacity(identities.len()));
    for (identity, key) in identities.iter().zip(keys.iter_mut()) {
        let t1 = identity
            .h1(hid)
            .map(|h1| Zeroizing::new(points::scalar_add(&h1, k)));
        match t1 {
            Err(error) => *key = Some(Err(error)),
            // As in `derive`.
            Ok(t1) if declassify(t1.ct_is_zero()) => *key = Some(Err(Error::UnusableMasterKey)),
            Ok(t1) => t.push(*t1),
        }
    }
    points::scalar_invert_many(&mut t);
    for t in t.iter_mut() {
        *t = points::scalar_mul(k, t);
    }
    let mut products = Zeroizing::new(alloc::vec![P::any(); t.len()]);
    multiply(&t, &mut products);
    let without_error = keys.iter_mut().filter(|key| key.is_none());
    for (place, point) in without_error.zip(products.iter()) {
        *place = Some(Ok(key(point)));
    }
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
    // Whether it is, the error tells.
    if declassify(xy.as_slice().ct_eq(&[0; 128])) {
        return Err(Error::PointAtInfinity);
    }
    Ok(points::g2_from_bytes(xy)?)
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
