//! The hash functions of MACs and of PKCS #12's own key derivation.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use digest::Digest;
use digest::block_api::BlockSizeUser;
use hmac::{EagerHash, Hmac, KeyInit, Mac};
use kuaimi::encoding::Prf;
use kuaimi::sm3::Sm3;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

use crate::{Error, oid};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sm3,
}

/// What a derived key is for (RFC 7292, clause B.3).
#[derive(Clone, Copy)]
#[repr(u8)]
pub(super) enum Purpose {
    Key = 1,
    Iv = 2,
    Mac = 3,
}

/// Calls the generic function `$function` with the type of the hash `$hash`.
macro_rules! with_type {
    ($hash:expr, $function:ident ( $($argument:expr),* )) => {
        match $hash {
            Hash::Sha1 => $function::<Sha1>($($argument),*),
            Hash::Sha224 => $function::<Sha224>($($argument),*),
            Hash::Sha256 => $function::<Sha256>($($argument),*),
            Hash::Sha384 => $function::<Sha384>($($argument),*),
            Hash::Sha512 => $function::<Sha512>($($argument),*),
            Hash::Sm3 => $function::<Sm3>($($argument),*),
        }
    };
}

impl Hash {
    pub(super) const ALL: [Self; 6] = [
        Self::Sha1,
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sm3,
    ];

    pub(super) const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Sha1 => oid::SHA1,
            Self::Sha224 => oid::SHA224,
            Self::Sha256 => oid::SHA256,
            Self::Sha384 => oid::SHA384,
            Self::Sha512 => oid::SHA512,
            Self::Sm3 => oid::SM3,
        }
    }

    pub(super) fn from_oid(oid: ObjectIdentifier) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|hash| hash.oid() == oid)
            .ok_or(Error::Algorithm("the MAC of a PKCS #12 file", oid))
    }

    /// The hash in an HMAC.
    pub(super) fn of_prf(prf: Prf) -> Result<Self, Error> {
        Ok(match prf {
            Prf::HmacSha1 => Self::Sha1,
            Prf::HmacSha224 => Self::Sha224,
            Prf::HmacSha256 => Self::Sha256,
            Prf::HmacSha384 => Self::Sha384,
            Prf::HmacSha512 => Self::Sha512,
            Prf::HmacSm3 => Self::Sm3,
            other => {
                let purpose = "the MAC of a PKCS #12 file";
                return Err(Error::Algorithm(purpose, other.oid()));
            }
        })
    }

    /// The length of a digest in bytes.
    pub(super) fn len(self) -> usize {
        with_type!(self, output_len())
    }

    pub(super) fn hmac(self, key: &[u8], message: &[u8]) -> Zeroizing<Vec<u8>> {
        with_type!(self, hmac(key, message))
    }

    /// PKCS #12's key derivation (RFC 7292, clause B.2), of `length` bytes. The password is in the
    /// form that [`super::password`] gives.
    pub(super) fn derive(
        self,
        purpose: Purpose,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        length: usize,
    ) -> Zeroizing<Vec<u8>> {
        with_type!(self, derive(purpose, password, salt, iterations, length))
    }
}

fn output_len<D: Digest>() -> usize {
    <D as Digest>::output_size()
}

fn hmac<D: EagerHash>(key: &[u8], message: &[u8]) -> Zeroizing<Vec<u8>>
where
    Hmac<D>: KeyInit + Mac,
{
    // HMAC takes keys of every length.
    let Ok(mut mac) = <Hmac<D> as KeyInit>::new_from_slice(key) else {
        return Zeroizing::default();
    };
    mac.update(message);
    Zeroizing::new(mac.finalize().into_bytes().to_vec())
}

fn derive<D: Digest + BlockSizeUser>(
    purpose: Purpose,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    length: usize,
) -> Zeroizing<Vec<u8>> {
    let block_len = <D as BlockSizeUser>::block_size();
    // Steps 2 to 4: salt and password, each again and again up to whole blocks; none of nothing.
    let filled = |bytes: &[u8]| bytes.len().next_multiple_of(block_len);
    let mut input = Zeroizing::new(Vec::with_capacity(filled(salt) + filled(password)));
    for bytes in [salt, password] {
        input.extend(bytes.iter().cycle().take(filled(bytes)));
    }
    let diversifier = alloc::vec![purpose as u8; block_len];
    let mut out = Zeroizing::new(Vec::with_capacity(length + output_len::<D>()));
    while out.len() < length {
        // Step 6 a.
        let mut digest = D::new()
            .chain_update(&diversifier)
            .chain_update(&input[..])
            .finalize();
        for _ in 1..iterations {
            digest = D::digest(&digest);
        }
        out.extend_from_slice(&digest);
        // Steps 6 b and c: each block of the input grows by the repeated digest and one.
        for block in input.chunks_exact_mut(block_len) {
            let mut carry = 1u16;
            for (index, byte) in block.iter_mut().enumerate().rev() {
                let addend = digest.get(index % digest.len().max(1));
                carry += u16::from(*byte) + u16::from(addend.copied().unwrap_or_default());
                *byte = carry as u8;
                carry >>= 8;
            }
        }
        zeroize::Zeroize::zeroize(digest.as_mut_slice());
    }
    out.truncate(length);
    out
}
