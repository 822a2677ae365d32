//! Tables of a secret key, written down by its holder: read in one piece, and refused where they were altered or belong to another key.
//!
//! `kind and version (8 bytes) ‖ tables ‖ tag (32 bytes)`, with `tag = HMAC-SM3(k, kind ‖ tables)` and `k` an SM3 digest of the user's key and
//! the master public key. A forged tag needs the user's key, and its holder has nothing to gain from one.
//!
//! Tables of public keys have no such form: a tag without a secret can be made by anyone, a table that was altered lets forged
//! signatures pass, and to compute a table anew takes about as long as to read it.

use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::sm3::{self, Sm3, hmac_sm3};
use crate::sm9::Error;
use kuaimi_platform::declassify;

/// The key of the tag.
pub(super) type TagKey = Zeroizing<[u8; 32]>;

/// The key of the tag for tables of this user's key under this master public key.
pub(super) fn tag_key(user_key: &[u8], master: &[u8]) -> TagKey {
    let mut hash = Sm3::new();
    hash.update(b"Kuaimi SM9 tables");
    hash.update(user_key);
    hash.update(master);
    Zeroizing::new(hash.finalize())
}

/// The tables with their tag.
pub(super) fn authenticate(kind: &[u8; 8], key: &TagKey, tables: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let length: usize = tables.iter().map(|table| table.len()).sum();
    let mut out = Zeroizing::new(Vec::with_capacity(8 + length + sm3::DIGEST_LEN));
    out.extend_from_slice(kind);
    for table in tables {
        out.extend_from_slice(table);
    }
    let tag = hmac_sm3(key.as_ref(), &out);
    out.extend_from_slice(&tag);
    out
}

/// The tables, which must have this many bytes together, once their tag is verified.
pub(super) fn verify<'a>(
    kind: &[u8; 8],
    key: &TagKey,
    length: usize,
    bytes: &'a [u8],
) -> Result<&'a [u8], Error> {
    let (content, tag) = bytes
        .split_last_chunk::<{ sm3::DIGEST_LEN }>()
        .ok_or(Error::TableFormat)?;
    let tables = content.strip_prefix(kind).ok_or(Error::TableFormat)?;
    if tables.len() != length {
        return Err(Error::TableFormat);
    }
    // The error tells whether the tag is right, and nothing of how much of it is.
    if !declassify(hmac_sm3(key.as_ref(), content).ct_eq(tag)) {
        return Err(Error::TableAltered);
    }
    Ok(tables)
}
