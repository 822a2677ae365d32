//! Records under SM4-CBC and HMAC-SM3 (6.3.3.4.3): the MAC is of the plaintext, and padding is not
//! authenticated.
//!
//! ```text
//! IV (16) ‖ CBC( content ‖ MAC (32) ‖ padding ‖ padding_length )
//! MAC = HMAC-SM3(MAC key, seq_num ‖ type ‖ version ‖ length ‖ content)
//! ```
//!
//! `padding_length` is 0 to 255, and each byte of the padding has this value. Whoever can tell a
//! wrong padding from a wrong MAC can decrypt (Vaudenay), and a difference of time by one call of
//! the compression function is enough (AlFardan and Paterson, "Lucky Thirteen"). So the time, and
//! the addresses that are read, depend on the length of the record alone:
//!
//! 1. the padding is compared in all places where there could be one;
//! 2. the hash is computed over as many blocks as the longest content has, and the state after the
//!    real last block is selected;
//! 3. the MAC is copied from all places where it could be, and rotated by masks.

use kuaimi::external::hmac::{KeyInit, Mac};
use kuaimi::sm3::{BLOCK_LEN, HmacSm3, INITIAL_STATE, compress};
use kuaimi::sm4::Sm4Cbc;
use kuaimi_platform::{declassify, value_barrier};
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{refuse, with_length};
use crate::Error;
use crate::key_schedule::Keys;

const IV_LEN: usize = 16;
const MAC_LEN: usize = 32;
/// `seq_num ‖ type ‖ version ‖ length`.
const HEADER_LEN: usize = 13;

pub(super) struct Cbc {
    cipher: Sm4Cbc,
    mac: HmacSm3,
    states: States,
}

/// The states of SM3 after HMAC's two padded keys.
#[derive(Zeroize, ZeroizeOnDrop)]
struct States {
    inner: [u8; 32],
    outer: [u8; 32],
}

impl Cbc {
    pub(super) fn new(keys: &Keys) -> Self {
        let mut block = Zeroizing::new([0; BLOCK_LEN]);
        block[..32].copy_from_slice(&keys.mac);
        let state = |pad: u8| {
            let mut padded = Zeroizing::new(*block);
            padded.iter_mut().for_each(|byte| *byte ^= pad);
            let mut state = INITIAL_STATE;
            compress(&mut state, core::slice::from_ref(&*padded));
            state
        };
        Self {
            cipher: Sm4Cbc::new(&keys.key),
            mac: HmacSm3::new((&*block).into()),
            states: States {
                inner: state(0x36),
                outer: state(0x5c),
            },
        }
    }

    pub(super) fn seal(
        &self,
        associated: &[u8; 11],
        content: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let mut iv = [0; IV_LEN];
        crate::random(&mut iv)?;
        out.extend(iv);
        let start = out.len();
        out.extend(content);
        // Of the copy: the caller's memory may change meanwhile.
        let mut mac = self.mac.clone();
        mac.update(&with_length(associated, content.len()));
        mac.update(&out[start..]);
        out.extend(mac.finalize().into_bytes());
        let padding = 15 - (out.len() - start) % 16;
        out.resize(out.len() + padding + 1, padding as u8);
        self.cipher
            .encrypt(&iv, &mut out[start..])
            .map_err(|_| Error::RecordOverflow)
    }

    pub(super) fn open<'a>(
        &self,
        associated: &[u8; 11],
        fragment: &'a mut [u8],
    ) -> Result<&'a [u8], Error> {
        let Some((iv, data)) = fragment.split_first_chunk_mut::<IV_LEN>() else {
            return Err(Error::BadRecordMac);
        };
        if data.len() < MAC_LEN + 1 || self.cipher.decrypt(iv, data).is_err() {
            return Err(refuse(data));
        }
        let (right, length) = unpadded(data);
        let expected = Zeroizing::new(self.mac_of(associated, data, length));
        let found = Zeroizing::new(mac_at(data, length));
        let right = right & expected.as_ref().ct_eq(found.as_ref());
        // The alert reveals it; with it, the length of the content is public.
        if !declassify(right) {
            return Err(refuse(data));
        }
        Ok(&data[..public(length)])
    }

    /// The MAC of the first `length` bytes of `data`. `length` is secret: it is at least
    /// `data.len() − 256 − MAC_LEN` and at most `data.len() − 1 − MAC_LEN`.
    fn mac_of(&self, associated: &[u8; 11], data: &[u8], length: u64) -> [u8; MAC_LEN] {
        let longest = data.len() - 1 - MAC_LEN;
        let shortest = longest.saturating_sub(255);
        let mut header = [0; HEADER_LEN];
        header[..11].copy_from_slice(associated);
        header[11] = (length >> 8) as u8;
        header[12] = length as u8;

        // Blocks of `header ‖ content` that are the same for all lengths.
        let whole = (HEADER_LEN + shortest) / BLOCK_LEN;
        let mut state = Zeroizing::new(self.states.inner);
        let mut block = Zeroizing::new([0; BLOCK_LEN]);
        if whole > 0 {
            block[..HEADER_LEN].copy_from_slice(&header);
            block[HEADER_LEN..].copy_from_slice(&data[..BLOCK_LEN - HEADER_LEN]);
            compress(&mut state, core::slice::from_ref(&*block));
            let rest = &data[BLOCK_LEN - HEADER_LEN..][..(whole - 1) * BLOCK_LEN];
            compress(&mut state, rest.as_chunks().0);
        }

        // The blocks that may have the end: a bit 1, zeros, and the length in bits, in the last.
        let end = HEADER_LEN as u64 + length;
        let last = (end + 8) >> 6;
        let bits = (8 * (BLOCK_LEN as u64 + end)).to_be_bytes();
        let most = (HEADER_LEN + longest + 8) / BLOCK_LEN;
        let mut result = Zeroizing::new([0; 32]);
        for i in whole..=most {
            for (j, byte) in block.iter_mut().enumerate() {
                let place = i * BLOCK_LEN + j;
                let value = match place.checked_sub(HEADER_LEN) {
                    None => header[place],
                    Some(place) => data.get(place).copied().unwrap_or(0),
                };
                let place = place as u64;
                *byte = (value & below(place, end)) | (0x80 & equal(place, end));
            }
            let is_last = equal(i as u64, last);
            for (byte, length) in block[BLOCK_LEN - 8..].iter_mut().zip(bits) {
                *byte |= length & is_last;
            }
            compress(&mut state, core::slice::from_ref(&*block));
            for (byte, state) in result.iter_mut().zip(state.iter()) {
                *byte |= state & is_last;
            }
        }

        // HMAC's second hash: a block of a known length.
        let mut outer = self.states.outer;
        *block = [0; BLOCK_LEN];
        block[..32].copy_from_slice(result.as_ref());
        block[32] = 0x80;
        block[BLOCK_LEN - 2..].copy_from_slice(&(8 * (BLOCK_LEN + 32) as u16).to_be_bytes());
        compress(&mut outer, core::slice::from_ref(&*block));
        outer
    }
}

/// Whether the padding is right, and where the MAC starts. A wrong padding counts as one byte, so
/// that there is a MAC to compute.
fn unpadded(data: &[u8]) -> (Choice, u64) {
    let total = data.len() as u64;
    let padding = u64::from(data[data.len() - 1]);
    // There is room for `padding`, its length and the MAC.
    let mut right = !below(total, padding + 1 + MAC_LEN as u64);
    for (i, byte) in data.iter().rev().take(256).enumerate() {
        let inside = below(i as u64, padding + 1);
        right &= !inside | equal(u64::from(*byte), padding);
    }
    let padding = padding & u64::from(right);
    (
        Choice::from(right & 1),
        total - 1 - MAC_LEN as u64 - padding,
    )
}

/// The `MAC_LEN` bytes of `data` from the secret place `start` on.
fn mac_at(data: &[u8], start: u64) -> [u8; MAC_LEN] {
    let first = data.len().saturating_sub(256 + MAC_LEN);
    // Each byte goes where it is modulo 32, counted from `first`.
    let mut rotated = Zeroizing::new([0u8; MAC_LEN]);
    for (i, byte) in data[first..].iter().enumerate() {
        let place = (first + i) as u64;
        let inside = !below(place, start) & below(place, start + MAC_LEN as u64);
        rotated[i % MAC_LEN] |= byte & inside;
    }
    // Then the first goes to the front, by rotations by 1, 2, 4, 8 and 16, or none.
    let offset = (start - first as u64) & 31;
    let mut mac = *rotated;
    for step in 0..5 {
        let mask = equal((offset >> step) & 1, 1);
        let before = Zeroizing::new(mac);
        for (i, byte) in mac.iter_mut().enumerate() {
            let other = before[(i + (1 << step)) % MAC_LEN];
            *byte = (other & mask) | (*byte & !mask);
        }
    }
    mac
}

/// `ff` where `a < b`, else `00`, for numbers below 2⁶³.
#[inline(always)]
fn below(a: u64, b: u64) -> u8 {
    (value_barrier(a.wrapping_sub(b) >> 63) as u8).wrapping_neg()
}

/// `ff` where `a = b`, else `00`, for numbers below 2⁶³.
#[inline(always)]
fn equal(a: u64, b: u64) -> u8 {
    !((value_barrier((a ^ b).wrapping_neg() >> 63) as u8).wrapping_neg())
}

/// A length that is public from now on.
fn public(length: u64) -> usize {
    #[cfg(feature = "memcheck")]
    let length = {
        let mut bytes = length.to_ne_bytes();
        kuaimi_platform::memcheck::declassify(&mut bytes);
        u64::from_ne_bytes(bytes)
    };
    length as usize
}
