//! Many messages in GCM at once, each with a key of its own.
//!
//! What the items have comes in columns, one after another; `lengths` has the lengths of all keys,
//! then of all nonces, of all associated data and of all messages, each as four bytes, the least
//! significant first.

use alloc::vec;
use alloc::vec::Vec;

use kuaimi::sm4::batch::{OpenItem, SealItem, open_batch, seal_batch};
use kuaimi::sm4::{Error, KEY_LEN, Sm4Gcm};
use zeroize::Zeroizing;

use super::threads::pool;
use crate::Result;

/// A message or a ciphertext, and what belongs to it.
struct Item<'a> {
    key: &'a [u8; KEY_LEN],
    nonce: &'a [u8],
    associated: &'a [u8],
    data: &'a [u8],
}

/// The parts of a column with these lengths, which must be all of it.
fn parts<'a>(column: &'a [u8], lengths: &[[u8; 4]]) -> Result<Vec<&'a [u8]>> {
    let unequal = || argument!("the lengths are not those of the columns");
    let mut left = column;
    let mut parts = Vec::with_capacity(lengths.len());
    for length in lengths {
        let (part, after) = left
            .split_at_checked(u32::from_le_bytes(*length) as usize)
            .ok_or_else(unequal)?;
        parts.push(part);
        left = after;
    }
    if left.is_empty() {
        Ok(parts)
    } else {
        Err(unequal())
    }
}

fn items<'a>(columns: [&'a [u8]; 4], lengths: &[u8]) -> Result<Vec<Item<'a>>> {
    let (all, []) = lengths.as_chunks::<4>() else {
        return Err(argument!("a length has four bytes"));
    };
    if !all.len().is_multiple_of(4) {
        return Err(argument!("each item has four lengths"));
    }
    let (first, second) = all.split_at(all.len() / 2);
    let (keys, nonces) = first.split_at(first.len() / 2);
    let (associated, data) = second.split_at(second.len() / 2);
    let keys = parts(columns[0], keys)?;
    let nonces = parts(columns[1], nonces)?;
    let associated = parts(columns[2], associated)?;
    let data = parts(columns[3], data)?;
    let item = |i: usize| {
        let key: &[u8] = keys[i];
        Ok(Item {
            key: key.try_into().map_err(|_| Error::KeyLength {
                found: key.len(),
                needed: KEY_LEN,
            })?,
            nonce: nonces[i],
            associated: associated[i],
            data: data[i],
        })
    };
    (0..keys.len()).map(item).collect()
}

/// The ciphertexts, one after another, each with its tag behind it.
pub fn sm4_gcm_seal_batch(
    keys: &[u8],
    nonces: &[u8],
    associated: &[u8],
    data: &[u8],
    lengths: &[u8],
    threads: u32,
) -> Result<Vec<u8>> {
    let items = items([keys, nonces, associated, data], lengths)?;
    let mut out = Vec::with_capacity(data.len() + Sm4Gcm::TAG_LEN * items.len());
    let items: Vec<SealItem<'_>> = items
        .iter()
        .map(|one| SealItem::new(one.key, one.nonce, one.associated, one.data))
        .collect();
    for sealed in seal_batch(&items, pool(threads)) {
        out.extend_from_slice(&sealed?);
    }
    Ok(out)
}

/// A byte for each item, 1 where it was decrypted; then the messages, one after another, each as
/// long as what is before the tag: zeros where it was not decrypted.
pub fn sm4_gcm_open_batch(
    keys: &[u8],
    nonces: &[u8],
    associated: &[u8],
    data: &[u8],
    lengths: &[u8],
    threads: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let items = items([keys, nonces, associated, data], lengths)?;
    let length = |item: &Item<'_>| item.data.len().saturating_sub(Sm4Gcm::TAG_LEN);
    let total: usize = items.iter().map(length).sum();
    let mut out = Zeroizing::new(vec![0; items.len() + total]);
    let (verdicts, mut left) = out.split_at_mut(items.len());
    let ciphertexts: Vec<OpenItem<'_>> = items
        .iter()
        .map(|one| OpenItem::new(one.key, one.nonce, one.associated, one.data))
        .collect();
    let opened = open_batch(&ciphertexts, pool(threads));
    for ((verdict, item), opened) in verdicts.iter_mut().zip(&items).zip(opened) {
        let (place, after) = left.split_at_mut(length(item));
        if let Ok(message) = opened {
            place.copy_from_slice(&Zeroizing::new(message));
            *verdict = 1;
        }
        left = after;
    }
    Ok(out)
}
