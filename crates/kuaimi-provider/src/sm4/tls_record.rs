//! Records of TLS with block ciphers in CBC mode (RFC 5246, 6.2.3.2; RFC 4346 for TLS 1.1, RFC 2246
//! for 1.0; GB/T 38636 for TLCP, whose version is `0x0101`; TLS 1.3, RFC 8446, has none).
//!
//! A record is, before it is encrypted: from TLS 1.1 on a block of random bytes, or the IV instead;
//! the contents; their MAC; and the padding, `n` bytes of value `n - 1`, at most 256 of them.
//! libssl leaves it to the cipher to add the padding, and to remove it with the MAC. It computes
//! and compares the MAC itself.
//!
//! An attacker sends altered records and measures how long the refusal takes (S. Vaudenay,
//! "Security flaws induced by CBC padding", 2002; N. AlFardan and K. Paterson, "Lucky Thirteen",
//! 2013). So all of [`open`] takes the same steps whatever the padding is: it reads as many bytes
//! as the longest padding has, and finds the MAC by shifts by powers of two, each of which is done
//! with or without effect. A wrong padding is not an error here: the MAC is random then, and the
//! comparison fails.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::BLOCK_LEN;

/// The longest MAC, as OpenSSL's.
pub(crate) const MAX_MAC_LEN: usize = 64;

/// The longest padding, with the byte that has its length.
const MAX_PADDING: usize = 256;

/// Room for the MAC and the padding after it, and for what the largest shift moves from behind
/// them.
const MAX_TAIL: usize = MAX_MAC_LEN + 2 * MAX_PADDING;

/// Whether the records of a version of TLS, DTLS or TLCP begin with a block for the IV; none for a
/// version without such records.
pub(crate) fn explicit_iv(version: u64) -> Option<bool> {
    match version {
        // TLS 1.0.
        0x0301 => Some(false),
        // TLS 1.1 and 1.2; TLCP; DTLS 1.2, 1.0, and 1.0 as programs had it before that was a
        // standard.
        0x0302 | 0x0303 | 0x0101 | 0xfefd | 0xfeff | 0x0100 => Some(true),
        _ => None,
    }
}

/// The length of a record with its padding.
pub(crate) fn padded_len(length: usize) -> Option<usize> {
    length.checked_add(BLOCK_LEN - length % BLOCK_LEN)
}

/// Pads a record, the first `length` bytes of what has room for [`padded_len`] bytes.
pub(crate) fn pad(record: &mut [u8], length: usize) {
    let padding = &mut record[length..];
    let value = padding.len().wrapping_sub(1) as u8;
    padding.fill(value);
}

/// Takes the padding and the MAC from a record that was decrypted, without its block for the IV.
/// Gives the length of the contents, and writes the MAC over `mac`, in which there are random
/// bytes: these stay if the padding is wrong.
///
/// None if the record is too short for a MAC of this length and a byte of padding, and, where there
/// is no MAC, if the padding is wrong. Constant time but for lengths and for none: the bytes of the
/// record and the returned length are secret.
///
/// # Panics
/// If the MAC is longer than 64 bytes.
#[must_use]
pub fn open(record: &[u8], mac: &mut [u8]) -> Option<usize> {
    let most = record.len().checked_sub(mac.len() + 1)?;
    let (&padding, _) = record.split_last()?;

    // Wrong bytes of the padding. Bytes before it do not count.
    let mut wrong = 0;
    for (index, byte) in record.iter().rev().take(MAX_PADDING).enumerate() {
        let inside = ((index as i32 - i32::from(padding) - 1) >> 31) as u8;
        wrong |= (byte ^ padding) & inside;
    }
    let fits = !Choice::from(((most as i64 - i64::from(padding)) >> 63) as u8 & 1);
    let right = wrong.ct_eq(&0) & fits;
    if mac.is_empty() && !bool::from(right) {
        return None;
    }

    let removed = u64::conditional_select(&0, &(u64::from(padding) + 1), right) as usize;
    let contents = record.len() - mac.len() - removed;

    // The part in which the MAC is, and where it begins there. After it are zeros, for the shifts.
    let tail_len = record.len().min(mac.len() + MAX_PADDING);
    let before = record.len() - tail_len;
    let mut tail = [0; MAX_TAIL];
    tail[..tail_len].copy_from_slice(&record[before..]);
    let start = (contents - before) as u32;
    for bit in (0..=MAX_PADDING.ilog2()).rev() {
        let step = 1 << bit;
        let needed = mac.len() + step - 1;
        shift(&mut tail[..needed + step], step, start >> bit & 1);
    }
    for (byte, found) in mac.iter_mut().zip(&tail) {
        byte.conditional_assign(found, right);
    }
    tail.zeroize();
    Some(contents)
}

/// Moves all bytes but the first `step` to the front by `step` if `bit` is 1.
fn shift(tail: &mut [u8], step: usize, bit: u32) {
    let moves = Choice::from(bit as u8);
    for index in 0..tail.len() - step {
        let later = tail[index + step];
        tail[index].conditional_assign(&later, moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANDOM: u8 = 0xa5;

    /// Bytes that differ from their neighbours, and of which none is a padding.
    fn bytes(length: usize, from: usize) -> Vec<u8> {
        (from..from + length)
            .map(|at| (at * 7 % 251) as u8 ^ 0x80)
            .collect()
    }

    /// What [`open`] does, step by step: the length of the contents and the MAC, or none if it has
    /// to be random.
    fn model(record: &[u8], mac_len: usize) -> (usize, Option<Vec<u8>>) {
        let padding = usize::from(*record.last().unwrap());
        let right = padding + 1 + mac_len <= record.len()
            && record[record.len() - padding - 1..]
                .iter()
                .all(|&byte| usize::from(byte) == padding);
        let end = record.len() - if right { padding + 1 } else { 0 };
        let contents = end - mac_len;
        (contents, right.then(|| record[contents..end].to_vec()))
    }

    fn check(record: &[u8], mac_len: usize) {
        let mut mac = vec![RANDOM; mac_len];
        let opened = open(record, &mut mac);
        let (contents, right) = model(record, mac_len);
        let about = || {
            format!(
                "{} bytes, MAC {mac_len}, padding {:?}",
                record.len(),
                record.last()
            )
        };
        match right {
            None if mac_len == 0 => assert_eq!(opened, None, "{}", about()),
            right => {
                assert_eq!(opened, Some(contents), "{}", about());
                assert_eq!(mac, right.unwrap_or(vec![RANDOM; mac_len]), "{}", about());
            }
        }
    }

    fn record(contents: usize, mac_len: usize, padding: usize) -> Vec<u8> {
        let mut record = bytes(contents + mac_len, 1);
        record.resize(record.len() + padding, padding.wrapping_sub(1) as u8);
        record
    }

    #[test]
    fn every_padding_of_records_of_many_lengths_is_removed() {
        for mac_len in [0, 20, 32, 48, 64] {
            for contents in (0..40).chain([255, 256, 257, 300, 1000]) {
                for padding in 1..=MAX_PADDING {
                    let record = record(contents, mac_len, padding);
                    let mut mac = vec![0; mac_len];
                    assert_eq!(
                        open(&record, &mut mac),
                        Some(contents),
                        "{contents} {mac_len} {padding}"
                    );
                    assert_eq!(
                        mac,
                        record[contents..contents + mac_len],
                        "{contents} {mac_len} {padding}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_wrong_byte_anywhere_in_the_padding_leaves_the_random_mac() {
        for mac_len in [0, 32] {
            for contents in [0, 5, 300] {
                for padding in 1..=MAX_PADDING {
                    let right = record(contents, mac_len, padding);
                    for at in contents + mac_len..right.len() {
                        for change in [1, 0x80] {
                            let mut record = right.clone();
                            record[at] ^= change;
                            check(&record, mac_len);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_padding_longer_than_the_record_is_wrong() {
        for mac_len in [0, 32] {
            for length in mac_len + 1..=mac_len + MAX_PADDING {
                for value in 0..=u8::MAX {
                    check(&vec![value; length], mac_len);
                }
            }
        }
    }

    #[test]
    fn any_bytes_give_what_the_model_gives() {
        for seed in 0..2000 {
            let mut record = bytes(33 + seed % 400, seed);
            let last = record.len() - 1;
            record[last] = (seed % 256) as u8;
            if seed % 3 == 0 {
                let padding = record[last];
                let start = last.saturating_sub(usize::from(padding) + seed % 2);
                record[start..].fill(padding);
            }
            check(&record, 32);
            check(&record, 0);
        }
    }

    #[test]
    fn records_too_short_for_a_mac_and_a_padding_are_refused() {
        for mac_len in [0, 1, 32, 64] {
            for length in 0..=mac_len {
                assert_eq!(open(&vec![0; length], &mut vec![0; mac_len]), None);
            }
            assert_eq!(open(&vec![0; mac_len + 1], &mut vec![0; mac_len]), Some(0));
        }
    }

    #[test]
    fn what_was_padded_is_opened() {
        for length in 32..100 {
            let mut record = bytes(length, 3);
            let padded = padded_len(length).unwrap();
            assert!(padded.is_multiple_of(BLOCK_LEN));
            assert!((1..=BLOCK_LEN).contains(&(padded - length)));
            record.resize(padded, 0);
            pad(&mut record, length);
            let mut mac = [0; 32];
            assert_eq!(open(&record, &mut mac), Some(length - 32));
            assert_eq!(mac, record[length - 32..length]);
        }
        assert_eq!(padded_len(usize::MAX), None);
    }

    #[test]
    fn versions_with_and_without_a_block_for_the_iv() {
        for (version, expected) in [
            (0x0300, None),
            (0x0301, Some(false)),
            (0x0302, Some(true)),
            (0x0303, Some(true)),
            (0x0304, None),
            (0x0101, Some(true)),
            (0xfeff, Some(true)),
            (0xfefd, Some(true)),
            (0xfefc, None),
        ] {
            assert_eq!(explicit_iv(version), expected, "{version:#06x}");
        }
    }
}
