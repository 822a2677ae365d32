//! The key derivation function (GB/T 32918.4-2016, 5.4.3): from a shared secret `Z`, the key stream
//! `SM3(Z ‖ 1) ‖ SM3(Z ‖ 2) ‖ …`, the counter being 32 bits, most significant byte first.
//!
//! All blocks of the stream hash the same message but for the counter. So the whole blocks of `Z` are
//! compressed once, and what is left of `Z`, the counter's place, the padding and the length are laid out once:
//! a block of the stream then costs one compression, or two where the remainder of `Z` is over 51 bytes. No block
//! waits for another: those of a long stream are made several at a time, in the lanes of the processor's vectors.

#![forbid(unsafe_code)]
#![cfg_attr(
    any(not(target_arch = "x86_64"), miri),
    allow(
        dead_code,
        unused_imports,
        reason = "without vectors, blocks go one by one"
    )
)]

use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::backend::lanes::{self, Engine, Kind, States, with_engine};
use super::compress::compress_blocks;
use super::hasher::to_bytes;
use super::{BLOCK_LEN, DIGEST_LEN, Sm3, State};

/// Bytes of the counter.
const COUNTER_LEN: usize = 4;
/// The counter's last value is `2³² − 1`.
const COUNTER_END: u64 = 1 << 32;

/// A key stream derived from a secret, handed out in pieces of any length.
///
/// Each call goes on where the last one ended, so a message of gigabytes can be masked chunk by chunk. No
/// allocation; constant time in `Z` and in the data; wiped when dropped; `Debug` shows nothing.
///
/// One `Z` yields at most [`Kdf::MAX_LEN`] bytes. A call that would pass this fails with
/// [`KdfError::LimitReached`] and changes neither its argument nor the stream.
///
/// ```
/// use kuaimi::sm3::{Kdf, kdf};
///
/// let mut whole = [0u8; 50];
/// kdf(b"shared secret", &mut whole)?;
///
/// let mut pieces = [0u8; 50];
/// let mut stream = Kdf::new(b"shared secret");
/// stream.fill(&mut pieces[..7])?;
/// stream.fill(&mut pieces[7..])?;
/// assert_eq!(whole, pieces);
/// # Ok::<(), kuaimi::sm3::KdfError>(())
/// ```
///
/// Source: GB/T 32918.4-2016, clause 5.4.3.
pub struct Kdf {
    /// The chaining value after the whole blocks of `Z`.
    prefix: State,
    /// What follows them: the rest of `Z`, the counter, the padding. One block or two.
    last: [[u8; BLOCK_LEN]; 2],
    /// Whether `last` is two blocks.
    two: bool,
    /// Where the counter stands in `last`.
    counter_at: usize,
    /// The counter of the next block of the stream.
    next: u64,
    /// The current block of the stream, of which `used` bytes were handed out.
    stream: [u8; DIGEST_LEN],
    used: usize,
    /// The OR of all bytes handed out.
    seen: u32,
}

impl Kdf {
    /// The longest stream that one `Z` yields: `32 · (2³² − 1)` bytes, 32 bytes short of 128 GiB.
    pub const MAX_LEN: u64 = DIGEST_LEN as u64 * (COUNTER_END - 1);

    /// The key stream of the secret `z`, which may have any length.
    pub fn new(z: &[u8]) -> Self {
        let mut prefix = Sm3::new();
        prefix.update(z);
        Self::from_prefix(&prefix)
    }

    /// The key stream of the `Z` that `prefix` has absorbed; for a `Z` that comes in parts.
    pub fn from_prefix(prefix: &Sm3) -> Self {
        let counter_at = prefix.buffered();
        let mark = counter_at + COUNTER_LEN;
        let two = mark + 1 + 8 > BLOCK_LEN;
        let bits = prefix.len.wrapping_add(COUNTER_LEN as u64).wrapping_mul(8);

        let mut kdf = Self {
            prefix: prefix.state,
            last: [[0; BLOCK_LEN]; 2],
            two,
            counter_at,
            next: 1,
            stream: [0; DIGEST_LEN],
            used: DIGEST_LEN,
            seen: 0,
        };
        kdf.last[0][..counter_at].copy_from_slice(&prefix.buf[..counter_at]);
        kdf.last.as_flattened_mut()[mark] = 0x80;
        kdf.last[usize::from(two)][BLOCK_LEN - 8..].copy_from_slice(&bits.to_be_bytes());
        kdf
    }

    /// Writes the next `out.len()` bytes of the stream to `out`.
    ///
    /// # Errors
    /// [`KdfError::LimitReached`] if fewer are left; `out` is then as it was.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), KdfError> {
        self.apply(out, |byte, key| *byte = key)
    }

    /// XORs the next `data.len()` bytes of the stream into `data`: this both masks and unmasks.
    ///
    /// # Errors
    /// [`KdfError::LimitReached`] if fewer are left; `data` is then as it was.
    pub fn xor_in_place(&mut self, data: &mut [u8]) -> Result<(), KdfError> {
        self.apply(data, |byte, key| *byte ^= key)
    }

    /// Goes `count` bytes further, as if they had been handed out, but for [`all_zero`](Self::all_zero). Takes the time of one block,
    /// however far it is.
    ///
    /// # Errors
    /// [`KdfError::LimitReached`] if fewer are left; the stream is then where it was.
    #[cfg(feature = "std")]
    pub fn skip(&mut self, count: u64) -> Result<(), KdfError> {
        if count > self.remaining() {
            return Err(KdfError::LimitReached);
        }
        let current = (DIGEST_LEN - self.used) as u64;
        if count < current {
            self.used += count as usize;
            return Ok(());
        }
        let beyond = count - current;
        self.next += beyond / DIGEST_LEN as u64;
        self.used = DIGEST_LEN;
        let into = (beyond % DIGEST_LEN as u64) as usize;
        if into != 0 {
            self.stream = to_bytes(&self.next_block());
            self.used = into;
        }
        Ok(())
    }

    /// How many bytes of the stream are left.
    pub fn remaining(&self) -> u64 {
        DIGEST_LEN as u64 * (COUNTER_END - self.next) + (DIGEST_LEN - self.used) as u64
    }

    /// Whether every byte handed out so far was zero, also when none was: SM2 must then start over with
    /// another nonce, as the mask would not hide the message. Constant time.
    pub fn all_zero(&self) -> Choice {
        self.seen.ct_eq(&0)
    }

    #[inline(always)]
    fn apply(&mut self, out: &mut [u8], op: impl Fn(&mut u8, u8)) -> Result<(), KdfError> {
        self.apply_in(lanes::selected(), out, op)
    }

    /// As [`apply`](Self::apply), in lanes of this kind.
    #[inline(always)]
    fn apply_in(
        &mut self,
        kind: Kind,
        out: &mut [u8],
        op: impl Fn(&mut u8, u8),
    ) -> Result<(), KdfError> {
        if out.len() as u64 > self.remaining() {
            return Err(KdfError::LimitReached);
        }
        // What is left of the current block, then whole blocks, then the beginning of another.
        let (head, body) = out.split_at_mut(out.len().min(DIGEST_LEN - self.used));
        self.apply_current(head, &op);
        let (blocks, tail) = body.as_chunks_mut::<DIGEST_LEN>();
        let blocks = with_engine!(kind,
            engine => self.apply_lanes(engine, blocks, &op),
            one_by_one => blocks
        );
        for block in blocks {
            let state = self.next_block();
            self.seen |= state.iter().fold(0, |all, word| all | word);
            for (byte, key) in block.iter_mut().zip(to_bytes(&state)) {
                op(byte, key);
            }
        }
        if !tail.is_empty() {
            self.stream = to_bytes(&self.next_block());
            self.used = 0;
            self.apply_current(tail, &op);
        }
        Ok(())
    }

    /// Hands out whole blocks, made side by side, as long as that pays; returns the places that are left.
    #[inline(always)]
    fn apply_lanes<'a, const N: usize, E: Engine<N>>(
        &mut self,
        engine: E,
        mut out: &'a mut [[u8; DIGEST_LEN]],
        op: &impl Fn(&mut u8, u8),
    ) -> &'a mut [[u8; DIGEST_LEN]] {
        if out.len() < E::FEWEST {
            return out;
        }
        let mut lanes = Lanes {
            last: [self.last; N],
            states: States::new(),
            stream: [[0; DIGEST_LEN]; N],
        };
        let count = if self.two { 2 } else { 1 };
        let mut seen = 0;
        while out.len() >= E::FEWEST {
            let (now, later) = out.split_at_mut(out.len().min(N));
            // Past the last counter, which lanes without a place may be, nothing is handed out.
            for (last, counter) in lanes.last.iter_mut().zip(self.next..) {
                last.as_flattened_mut()[self.counter_at..][..COUNTER_LEN]
                    .copy_from_slice(&(counter as u32).to_be_bytes());
            }
            lanes.states.set_all(&self.prefix);
            let runs = lanes.last.each_ref().map(|last| &last[..count]);
            engine.compress(&mut lanes.states, &runs);
            engine.digests(&lanes.states, &mut lanes.stream);
            for (block, key) in now.iter_mut().zip(&lanes.stream) {
                for (byte, &key) in block.iter_mut().zip(key) {
                    seen |= key;
                    op(byte, key);
                }
            }
            self.next += now.len() as u64;
            out = later;
        }
        self.seen |= u32::from(seen);
        out
    }

    /// Hands out bytes of the current block; `out` is no longer than what it has left.
    #[inline(always)]
    fn apply_current(&mut self, out: &mut [u8], op: &impl Fn(&mut u8, u8)) {
        for (byte, &key) in out.iter_mut().zip(&self.stream[self.used..]) {
            op(byte, key);
            self.seen |= u32::from(key);
        }
        self.used += out.len();
    }

    /// The next block of the stream. The caller has seen to it that there is one.
    #[inline(always)]
    fn next_block(&mut self) -> State {
        debug_assert!(self.next < COUNTER_END);
        let counter = (self.next as u32).to_be_bytes();
        self.next += 1;
        let at = self.counter_at;
        self.last.as_flattened_mut()[at..at + COUNTER_LEN].copy_from_slice(&counter);
        let mut state = self.prefix;
        compress_blocks(
            &mut state,
            if self.two {
                &self.last
            } else {
                &self.last[..1]
            },
        );
        state
    }
}

/// Blocks of the stream in the making, side by side.
struct Lanes<const N: usize> {
    last: [[[u8; BLOCK_LEN]; 2]; N],
    states: States<N>,
    stream: [[u8; DIGEST_LEN]; N],
}

impl<const N: usize> Drop for Lanes<N> {
    fn drop(&mut self) {
        self.last = [[[0; BLOCK_LEN]; 2]; N];
        self.stream = [[0; DIGEST_LEN]; N];
        optimization_barrier(self);
    }
}

impl Drop for Kdf {
    fn drop(&mut self) {
        self.prefix = [0; 8];
        self.last = [[0; BLOCK_LEN]; 2];
        self.stream = [0; DIGEST_LEN];
        self.seen = 0;
        optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for Kdf {}

impl fmt::Debug for Kdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kdf { ... }")
    }
}

/// The first `out.len()` bytes of the key stream of `z`, in one go.
///
/// Constant time in `z`. [`Kdf`] gives the same stream in pieces.
///
/// # Errors
/// [`KdfError::LimitReached`] if `out` is longer than [`Kdf::MAX_LEN`]; it is then as it was.
///
/// ```
/// let mut key = [0u8; 16];
/// kuaimi::sm3::kdf(b"shared secret", &mut key)?;
/// assert_ne!(key, [0; 16]);
/// # Ok::<(), kuaimi::sm3::KdfError>(())
/// ```
///
/// Source: GB/T 32918.4-2016, clause 5.4.3.
pub fn kdf(z: &[u8], out: &mut [u8]) -> Result<(), KdfError> {
    Kdf::new(z).fill(out)
}

/// Why the key derivation function gave no output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KdfError {
    /// The request goes past the end of the key stream, [`Kdf::MAX_LEN`] bytes from its start, where the
    /// 32-bit counter would wrap and the stream repeat. Derive from another secret, or ask for less.
    LimitReached,
}

impl fmt::Display for KdfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LimitReached => f.write_str(
                "one SM3 key stream is at most 128 GiB less 32 bytes long: split the message and encrypt its parts apart",
            ),
        }
    }
}

impl core::error::Error for KdfError {}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// The definition, one hash a block.
    fn block(z: &[u8], counter: u32) -> [u8; 32] {
        let mut message = z.to_vec();
        message.extend_from_slice(&counter.to_be_bytes());
        crate::sm3::digest(&message)
    }

    #[test]
    fn the_stream_ends_with_the_counter() {
        let mut kdf = Kdf::new(b"z");
        assert_eq!(kdf.remaining(), Kdf::MAX_LEN);
        kdf.next = u64::from(u32::MAX) - 1;
        assert_eq!(kdf.remaining(), 64);

        let mut out = [0xa5; 65];
        assert_eq!(kdf.fill(&mut out), Err(KdfError::LimitReached));
        assert_eq!(out, [0xa5; 65], "a refused call must not write");
        assert_eq!(kdf.xor_in_place(&mut out), Err(KdfError::LimitReached));
        assert_eq!(out, [0xa5; 65], "a refused call must not write");
        assert_eq!(
            kdf.remaining(),
            64,
            "a refused call must not move the stream"
        );

        kdf.fill(&mut out[..33]).unwrap();
        assert_eq!(out[..32], block(b"z", u32::MAX - 1));
        assert_eq!(out[32], block(b"z", u32::MAX)[0]);
        assert_eq!(kdf.remaining(), 31);
        assert_eq!(kdf.fill(&mut out[..32]), Err(KdfError::LimitReached));
        kdf.fill(&mut out[..31]).unwrap();
        assert_eq!(out[..31], block(b"z", u32::MAX)[1..]);
        assert_eq!(kdf.remaining(), 0);
        assert_eq!(kdf.fill(&mut out[..1]), Err(KdfError::LimitReached));
        assert_eq!(kdf.fill(&mut []), Ok(()));
    }

    /// Every length, in every kind of lanes, from prefixes that leave the counter anywhere in one block or across two.
    #[test]
    fn lanes_make_the_same_stream() {
        for z in [0, 32, 51, 52, 61, 63, 64, 129].map(|len| alloc::vec![0x5a_u8; len]) {
            let expected: Vec<u8> = (1..=65).flat_map(|counter| block(&z, counter)).collect();
            for kind in Kind::available() {
                for len in 0..=2000 {
                    let mut kdf = Kdf::new(&z);
                    let mut out = [0; 2080];
                    let (now, later) = out.split_at_mut(len);
                    kdf.apply_in(kind, now, |byte, key| *byte = key).unwrap();
                    assert_eq!(now, &expected[..len], "{kind:?}, Z of {}", z.len());
                    assert_eq!(bool::from(kdf.all_zero()), len == 0, "{kind:?}, {len}");
                    // The stream goes on where it was left.
                    let next = &mut later[..70];
                    kdf.apply_in(kind, next, |byte, key| *byte ^= key).unwrap();
                    assert_eq!(next, &expected[len..len + 70], "{kind:?}, {len}");
                }
            }
        }
    }

    /// Long streams, in pieces that are no multiple of anything, over a counter whose bytes carry.
    #[test]
    fn lanes_count_on() {
        for kind in Kind::available() {
            let mut kdf = Kdf::new(b"z");
            let mut out = alloc::vec![0; 32 * 70_000];
            for piece in out.chunks_mut(99_991) {
                kdf.apply_in(kind, piece, |byte, key| *byte = key).unwrap();
            }
            for (i, key) in out.chunks(32).enumerate() {
                assert_eq!(key, block(b"z", i as u32 + 1), "{kind:?}, block {i}");
            }
        }
    }

    /// The last blocks of the longest stream, with fewer of them than lanes.
    #[test]
    fn lanes_end_with_the_counter() {
        for kind in Kind::available() {
            for blocks in 1..=17 {
                let mut kdf = Kdf::new(b"z");
                kdf.next = COUNTER_END - blocks;
                let mut out = alloc::vec![0xa5; 32 * blocks as usize + 1];
                let fill = |byte: &mut u8, key| *byte = key;
                assert_eq!(
                    kdf.apply_in(kind, &mut out, fill),
                    Err(KdfError::LimitReached)
                );
                kdf.apply_in(kind, &mut out[1..], fill).unwrap();
                assert_eq!(out[0], 0xa5);
                for (i, key) in out[1..].chunks(32).enumerate() {
                    let counter = (COUNTER_END - blocks) as u32 + i as u32;
                    assert_eq!(key, block(b"z", counter), "{kind:?}, {blocks} blocks");
                }
                assert_eq!(kdf.remaining(), 0);
            }
        }
    }

    #[cfg(feature = "std")]
    #[test]
    fn what_is_skipped_is_not_handed_out() {
        let whole: Vec<u8> = (1..=8).flat_map(|counter| block(b"z", counter)).collect();
        for before in 0..70 {
            for count in 0..140 {
                let mut kdf = Kdf::new(b"z");
                kdf.fill(&mut [0; 70][..before]).unwrap();
                kdf.skip(count as u64).unwrap();
                let mut out = [0; 40];
                kdf.fill(&mut out).unwrap();
                assert_eq!(out, whole[before + count..][..40], "{before}, {count}");
            }
        }
        let mut kdf = Kdf::new(b"z");
        kdf.skip(1 << 20).unwrap();
        assert!(bool::from(kdf.all_zero()), "nothing was handed out");
        assert_eq!(kdf.skip(Kdf::MAX_LEN), Err(KdfError::LimitReached));
        assert_eq!(kdf.remaining(), Kdf::MAX_LEN - (1 << 20));
        kdf.skip(Kdf::MAX_LEN - (1 << 20) - 5).unwrap();
        let mut last = [0; 5];
        kdf.fill(&mut last).unwrap();
        assert_eq!(last, block(b"z", u32::MAX)[27..]);
        assert_eq!(kdf.skip(0), Ok(()));
        assert_eq!(kdf.skip(1), Err(KdfError::LimitReached));
    }

    #[test]
    fn all_zero_looks_at_what_was_handed_out() {
        let mut kdf = Kdf::new(b"z");
        assert!(bool::from(kdf.all_zero()));
        // A stream whose current block begins with zeros.
        kdf.stream = [0; 32];
        kdf.stream[5] = 1;
        kdf.used = 0;
        kdf.fill(&mut [0; 5]).unwrap();
        assert!(bool::from(kdf.all_zero()));
        kdf.fill(&mut [0; 1]).unwrap();
        assert!(!bool::from(kdf.all_zero()));

        let mut kdf = Kdf::new(b"z");
        kdf.xor_in_place(&mut [0; 32]).unwrap();
        assert!(!bool::from(kdf.all_zero()));
    }
}
