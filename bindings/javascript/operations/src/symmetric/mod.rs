//! SM3, SM4, random bytes.

mod seal;
mod sm4;

pub use self::seal::{sm4_seal_finish, sm4_seal_new, sm4_seal_update};
pub use self::sm4::{
    Stream, sm4_aead_new, sm4_aead_open, sm4_aead_seal, sm4_crypt, sm4_finish, sm4_new, sm4_update,
};

use alloc::vec;
use alloc::vec::Vec;

use kuaimi::external::hmac::Mac;
use kuaimi::external::rand_core::TryRng;
use kuaimi::external::subtle::ConstantTimeEq;
use kuaimi::sm3::{self, Sm3};
use zeroize::Zeroizing;

use crate::object::{Handle, Object, code, hmac, other};
use crate::random::Random;
use crate::{Failure, Result};

/// Random bytes, at most 64 MiB.
pub fn random_bytes(length: u32) -> Result<Zeroizing<Vec<u8>>> {
    if length > 1 << 26 {
        return Err(argument!("at most 64 MiB of random bytes at a time",));
    }
    let mut bytes = Zeroizing::new(vec![0; length as usize]);
    Random
        .try_fill_bytes(&mut bytes)
        .map_err(|_| Failure::from(kuaimi::sm2::Error::Random))?;
    Ok(bytes)
}

/// SM3 (GB/T 32905-2016).
pub fn sm3_digest(data: &[u8]) -> Result<[u8; 32]> {
    Ok(sm3::digest(data))
}

/// SM3 of many messages, one after another in `data`; `lengths` has the length of each as four
/// bytes, the least significant first. The digests come one after another.
pub fn sm3_digest_many(data: &[u8], lengths: &[u8]) -> Result<Vec<u8>> {
    let (lengths, rest) = lengths.as_chunks::<4>();
    let mut messages = Vec::with_capacity(lengths.len());
    let mut left = data;
    for length in lengths {
        let (message, after) = left
            .split_at_checked(u32::from_le_bytes(*length) as usize)
            .ok_or_else(unequal)?;
        messages.push(message);
        left = after;
    }
    if !left.is_empty() || !rest.is_empty() {
        return Err(unequal());
    }
    let mut digests = vec![[0; 32]; messages.len()];
    let empty = Sm3::new();
    let messages = messages.into_iter().map(|message| (&empty, [message]));
    sm3::hash_many(messages, |i, digest| digests[i] = digest);
    Ok(digests.concat())
}

fn unequal() -> Failure {
    argument!("the lengths of the messages are not those of the data")
}

/// A hash that takes its message in pieces.
pub fn sm3_new() -> Result<Object> {
    Ok(Sm3::new().into())
}

/// The next piece, of a hash or an HMAC.
pub fn sm3_update(hash: &Handle, data: &[u8]) -> Result<()> {
    hash.with(|object| {
        match object {
            Object::Sm3(hash) => hash.update(data),
            Object::Hmac(hmac) => hmac.update(data),
            _ => return Err(other()),
        }
        Ok(())
    })
}

/// The digest of what came so far, of a hash or an HMAC, which may go on.
pub fn sm3_finish(hash: &Handle) -> Result<[u8; 32]> {
    hash.with(|object| match object {
        Object::Sm3(hash) => Ok(hash.clone().finalize()),
        Object::Hmac(hmac) => Ok(code(hmac.clone())),
        _ => Err(other()),
    })
}

/// Another hash or HMAC that has taken in the same.
pub fn sm3_clone(hash: &Handle) -> Result<Object> {
    hash.with(|object| match object {
        Object::Sm3(hash) => Ok(hash.clone().into()),
        Object::Hmac(hmac) => Ok(hmac.clone().into()),
        _ => Err(other()),
    })
}

/// The key derivation function of SM2 and SM9 (GB/T 32918.4-2016, 5.4.3).
pub fn sm3_kdf(z: &[u8], length: u32) -> Result<Zeroizing<Vec<u8>>> {
    let mut out = zeros(length)?;
    sm3::kdf(z, &mut out)?;
    Ok(out)
}

/// Room for a result that a caller may ask too much of.
fn zeros(length: u32) -> Result<Zeroizing<Vec<u8>>> {
    let mut out = Vec::new();
    out.try_reserve_exact(length as usize)
        .map_err(|_| argument!("there is no memory for so many bytes"))?;
    out.resize(length as usize, 0);
    Ok(Zeroizing::new(out))
}

/// HMAC-SM3 (RFC 2104).
pub fn sm3_hmac(key: &[u8], data: &[u8]) -> Result<[u8; 32]> {
    Ok(sm3::hmac_sm3(key, data))
}

/// HMAC-SM3 that takes its message in pieces.
pub fn sm3_hmac_new(key: &[u8]) -> Result<Object> {
    Ok(hmac(key)?.into())
}

/// Whether this is the code of what came so far. Constant time.
pub fn sm3_hmac_verify(hmac: &Handle, code: &[u8]) -> Result<bool> {
    let ours = crate::object::code(hmac.hmac()?);
    Ok(ours.ct_eq(code).into())
}

/// PBKDF2 with HMAC-SM3 (RFC 8018).
pub fn sm3_pbkdf2(
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    length: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    if iterations == 0 || length == 0 {
        return Err(argument!("PBKDF2 makes at least one byte by one iteration",));
    }
    let mut out = zeros(length)?;
    pbkdf2::pbkdf2_hmac::<Sm3>(password, salt, iterations, &mut out);
    Ok(out)
}

/// Whether bytes are equal. Constant time in the bytes, not in their lengths.
pub fn equal(a: &[u8], b: &[u8]) -> Result<bool> {
    Ok(a.ct_eq(b).into())
}
