//! What is kept, written down: read in one piece, and refused where it was altered or belongs to another key.
//!
//! `kind and version (8 bytes) ‖ tables ‖ HMAC-SM3(key, kind ‖ tables)`, where the key of HMAC is a digest of the key that the tables were
//! made of. So tables of a secret cannot be altered by anyone who does not have the secret; those of public values, by nobody by accident,
//! and an attacker who can write them could as well replace the public key.

use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::sm3::{self, Sm3, hmac_sm3};
use crate::sm9::Error;
use kuaimi_platform::declassify;

/// What tables are bound to: a digest of the key they are made of.
pub(super) type Binding = Zeroizing<[u8; 32]>;

pub(super) fn binding(parts: &[&[u8]]) -> Binding {
    let mut hash = Sm3::new();
    hash.update(b"Kuaimi SM9 tables");
    for part in parts {
        hash.update(part);
    }
    Zeroizing::new(hash.finalize())
}

fn tag(binding: &[u8; 32], content: &[u8]) -> [u8; 32] {
    hmac_sm3(binding, content)
}

pub(super) fn seal(kind: &[u8; 8], binding: &[u8; 32], tables: &[&[u8]]) -> Zeroizing<Vec<u8>> {
    let length: usize = tables.iter().map(|table| table.len()).sum();
    let mut out = Zeroizing::new(Vec::with_capacity(8 + length + sm3::DIGEST_LEN));
    out.extend_from_slice(kind);
    for table in tables {
        out.extend_from_slice(table);
    }
    let tag = tag(binding, &out);
    out.extend_from_slice(&tag);
    out
}

/// The tables, which must have this many bytes together.
pub(super) fn open<'a>(
    kind: &[u8; 8],
    binding: &[u8; 32],
    length: usize,
    bytes: &'a [u8],
) -> Result<&'a [u8], Error> {
    let (content, found) = bytes
        .split_last_chunk::<{ sm3::DIGEST_LEN }>()
        .ok_or(Error::TableFormat)?;
    let tables = content.strip_prefix(kind).ok_or(Error::TableFormat)?;
    if tables.len() != length {
        return Err(Error::TableFormat);
    }
    // Whether it is, the error tells; how much of it is, nothing.
    if !declassify(tag(binding, content).ct_eq(found)) {
        return Err(Error::TableAltered);
    }
    Ok(tables)
}
