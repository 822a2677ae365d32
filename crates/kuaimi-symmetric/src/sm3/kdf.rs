//! The key derivation function (GB/T 32918.4-2016, 5.4.3): from a shared secret `Z`, the key stream
//! `SM3(Z ‖ 1) ‖ SM3(Z ‖ 2) ‖ …`, the counter being 32 bits, most significant byte first.
//!
//! The messages of all blocks differ only in the counter. So the whole blocks of `Z` are compressed
//! once, and the last blocks, with the rest of `Z`, room for the counter, the padding and the
//! length, are laid out once. Then a block of the stream costs one compression, or two if the rest
//! of `Z` is over 51 bytes. The blocks are independent of each other: several blocks of a long
//! stream are computed at once, in the lanes of the CPU's vectors (`kdf/lanes.rs`).

#![forbid(unsafe_code)]

#[cfg(vectors)]
mod lanes;

use core::fmt;

use kuaimi_platform::ErrorKind;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::backend::select::{Implementation, selected, with_engine};
use super::compress::compress_blocks;
use super::hasher::to_bytes;
use super::{BLOCK_LEN, DIGEST_LEN, Sm3, State};

/// Bytes of the counter.
const COUNTER_LEN: usize = 4;
/// The counter's last value is `2³² − 1`.
const COUNTER_END: u64 = 1 << 32;

/// A key stream derived from a secret, read in pieces of any length.
///
/// Each call continues where the last one ended, so a message of gigabytes can be masked chunk by
/// chunk. No allocation. Constant time in `Z` and in the data. Wiped when dropped; `Debug` shows
/// nothing of it.
///
/// One `Z` gives at most [`Kdf::MAX_LEN`] bytes. A call for more fails with
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
    /// The message after these: the rest of `Z`, the counter, the padding. One block or two.
    last: [[u8; BLOCK_LEN]; 2],
    /// Whether `last` is two blocks.
    two: bool,
    /// Where the counter stands in `last`.
    counter_at: usize,
    /// The counter of the next block of the stream.
    next: u64,
    /// The current block of the stream.
    stream: [u8; DIGEST_LEN],
    /// How many bytes of it were used.
    used: usize,
    /// The OR of all bytes used.
    seen: u32,
}

impl Kdf {
    /// The length of the longest stream of one `Z`: `32 · (2³² − 1)` bytes, 128 GiB less 32 bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm3::Kdf::MAX_LEN, (128 << 30) - 32);
    /// ```
    pub const MAX_LEN: u64 = DIGEST_LEN as u64 * (COUNTER_END - 1);

    /// The key stream of the secret `z`, which may have any length.
    pub fn new(z: &[u8]) -> Self {
        let mut prefix = Sm3::new();
        prefix.update(z);
        Self::from_prefix(&prefix)
    }

    /// The key stream of the `Z` that `prefix` has absorbed, for a `Z` that comes in parts.
    ///
    /// ```
    /// use kuaimi::sm3::{Kdf, Sm3, kdf};
    ///
    /// let mut z = Sm3::new();
    /// z.update(b"shared ");
    /// z.update(b"secret");
    /// let (mut one, mut two) = ([0; 16], [0; 16]);
    /// Kdf::from_prefix(&z).fill(&mut one)?;
    /// kdf(b"shared secret", &mut two)?;
    /// assert_eq!(one, two);
    /// # Ok::<(), kuaimi::sm3::KdfError>(())
    /// ```
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
    /// [`KdfError::LimitReached`] if fewer are left; `out` is then unchanged.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<(), KdfError> {
        // WebAssembly, which browsers load, has the code once: zeros cost little beside SM3.
        if cfg!(target_arch = "wasm32") {
            if out.len() as u64 > self.remaining() {
                return Err(KdfError::LimitReached);
            }
            out.fill(0);
            return self.xor_in_place(out);
        }
        self.apply(out, |byte, key| *byte = key)
    }

    /// XORs the next `data.len()` bytes of the stream into `data`: this both masks and unmasks.
    ///
    /// ```
    /// use kuaimi::sm3::Kdf;
    ///
    /// let mut data = *b"a message";
    /// Kdf::new(b"shared secret").xor_in_place(&mut data)?; // masks
    /// assert_ne!(data, *b"a message");
    /// Kdf::new(b"shared secret").xor_in_place(&mut data)?; // unmasks
    /// assert_eq!(data, *b"a message");
    /// # Ok::<(), kuaimi::sm3::KdfError>(())
    /// ```
    ///
    /// # Errors
    /// [`KdfError::LimitReached`] if fewer are left; `data` is then unchanged.
    pub fn xor_in_place(&mut self, data: &mut [u8]) -> Result<(), KdfError> {
        self.apply(data, |byte, key| *byte ^= key)
    }

    /// Skips the next `count` bytes of the stream. [`all_zero`](Self::all_zero) does not count
    /// them. A skip takes at most the time of one block, whatever the count.
    ///
    /// ```
    /// use kuaimi::sm3::Kdf;
    ///
    /// let mut whole = [0; 50];
    /// Kdf::new(b"shared secret").fill(&mut whole)?;
    /// let mut stream = Kdf::new(b"shared secret");
    /// stream.skip(40)?;
    /// let mut end = [0; 10];
    /// stream.fill(&mut end)?;
    /// assert_eq!(end, whole[40..]);
    /// # Ok::<(), kuaimi::sm3::KdfError>(())
    /// ```
    ///
    /// # Errors
    /// [`KdfError::LimitReached`] if fewer are left; the position is then unchanged.
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

    /// The number of bytes left in the stream.
    ///
    /// ```
    /// use kuaimi::sm3::Kdf;
    ///
    /// let mut stream = Kdf::new(b"shared secret");
    /// stream.fill(&mut [0; 50])?;
    /// assert_eq!(stream.remaining(), Kdf::MAX_LEN - 50);
    /// # Ok::<(), kuaimi::sm3::KdfError>(())
    /// ```
    pub fn remaining(&self) -> u64 {
        DIGEST_LEN as u64 * (COUNTER_END - self.next) + (DIGEST_LEN - self.used) as u64
    }

    /// Whether all bytes used so far were zero, or none was used. SM2 must then start again with
    /// another nonce, as the mask would not hide the message. Constant time.
    ///
    /// ```
    /// use kuaimi::sm3::Kdf;
    ///
    /// let mut stream = Kdf::new(b"shared secret");
    /// assert!(bool::from(stream.all_zero()), "no byte was used");
    /// stream.fill(&mut [0; 16])?;
    /// assert!(!bool::from(stream.all_zero()));
    /// # Ok::<(), kuaimi::sm3::KdfError>(())
    /// ```
    pub fn all_zero(&self) -> Choice {
        self.seen.ct_eq(&0)
    }

    #[inline(always)]
    fn apply(&mut self, out: &mut [u8], op: impl Fn(&mut u8, u8)) -> Result<(), KdfError> {
        self.apply_with(selected(), out, op)
    }

    /// As [`apply`](Self::apply), with a given implementation.
    #[inline(always)]
    fn apply_with(
        &mut self,
        implementation: Implementation,
        out: &mut [u8],
        op: impl Fn(&mut u8, u8),
    ) -> Result<(), KdfError> {
        if out.len() as u64 > self.remaining() {
            return Err(KdfError::LimitReached);
        }
        // The rest of the current block, then whole blocks, then the beginning of another.
        let (head, body) = out.split_at_mut(out.len().min(DIGEST_LEN - self.used));
        self.apply_current(head, &op);
        let (blocks, tail) = body.as_chunks_mut::<DIGEST_LEN>();
        let blocks = with_engine!(implementation,
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

    /// Applies the next bytes of the current block, which has at least `out.len()` bytes left.
    #[inline(always)]
    fn apply_current(&mut self, out: &mut [u8], op: &impl Fn(&mut u8, u8)) {
        for (byte, &key) in out.iter_mut().zip(&self.stream[self.used..]) {
            op(byte, key);
            self.seen |= u32::from(key);
        }
        self.used += out.len();
    }

    /// The next block of the stream. The caller checked that there is one.
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

/// Writes the first `out.len()` bytes of the key stream of `z` to `out`.
///
/// Constant time in `z`. [`Kdf`] gives the same stream in pieces.
///
/// # Errors
/// [`KdfError::LimitReached`] if `out` is longer than [`Kdf::MAX_LEN`]; it is then unchanged.
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
///
/// ```
/// use kuaimi::sm3::{Kdf, KdfError};
///
/// let mut stream = Kdf::new(b"shared secret");
/// stream.skip(Kdf::MAX_LEN)?;
/// assert_eq!(stream.fill(&mut [0]), Err(KdfError::LimitReached));
/// # Ok::<(), KdfError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KdfError {
    /// The key stream ends after [`Kdf::MAX_LEN`] bytes, where the 32-bit counter would wrap and
    /// the stream would repeat. Derive from another secret, or read less.
    LimitReached,
}

impl KdfError {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::LimitReached => ErrorKind::DerivedKeyLength,
        }
    }
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

    /// A block by the definition.
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

    /// Every length, with every implementation, for `Z` of lengths that put the counter anywhere in
    /// one block or across two.
    #[test]
    fn implementations_give_the_same_stream() {
        for z in [0, 32, 51, 52, 61, 63, 64, 129].map(|len| alloc::vec![0x5a_u8; len]) {
            let expected: Vec<u8> = (1..=65).flat_map(|counter| block(&z, counter)).collect();
            for implementation in Implementation::available() {
                for len in 0..=2000 {
                    let mut kdf = Kdf::new(&z);
                    let mut out = [0; 2080];
                    let (now, later) = out.split_at_mut(len);
                    kdf.apply_with(implementation, now, |byte, key| *byte = key)
                        .unwrap();
                    assert_eq!(
                        now,
                        &expected[..len],
                        "{implementation:?}, Z of {}",
                        z.len()
                    );
                    assert_eq!(
                        bool::from(kdf.all_zero()),
                        len == 0,
                        "{implementation:?}, {len}"
                    );
                    // The stream continues where it stopped.
                    let next = &mut later[..70];
                    kdf.apply_with(implementation, next, |byte, key| *byte ^= key)
                        .unwrap();
                    assert_eq!(next, &expected[len..len + 70], "{implementation:?}, {len}");
                }
            }
        }
    }

    /// Long streams in pieces of an odd length, with carries between the bytes of the counter.
    #[test]
    fn the_counter_carries() {
        for implementation in Implementation::available() {
            let mut kdf = Kdf::new(b"z");
            let mut out = alloc::vec![0; 32 * 70_000];
            for piece in out.chunks_mut(99_991) {
                kdf.apply_with(implementation, piece, |byte, key| *byte = key)
                    .unwrap();
            }
            for (i, key) in out.chunks(32).enumerate() {
                assert_eq!(
                    key,
                    block(b"z", i as u32 + 1),
                    "{implementation:?}, block {i}"
                );
            }
        }
    }

    /// The last blocks of the longest stream, fewer than there are lanes.
    #[test]
    fn the_last_blocks_of_the_longest_stream() {
        for implementation in Implementation::available() {
            for blocks in 1..=17 {
                let mut kdf = Kdf::new(b"z");
                kdf.next = COUNTER_END - blocks;
                let mut out = alloc::vec![0xa5; 32 * blocks as usize + 1];
                let fill = |byte: &mut u8, key| *byte = key;
                assert_eq!(
                    kdf.apply_with(implementation, &mut out, fill),
                    Err(KdfError::LimitReached)
                );
                kdf.apply_with(implementation, &mut out[1..], fill).unwrap();
                assert_eq!(out[0], 0xa5);
                for (i, key) in out[1..].chunks(32).enumerate() {
                    let counter = (COUNTER_END - blocks) as u32 + i as u32;
                    assert_eq!(
                        key,
                        block(b"z", counter),
                        "{implementation:?}, {blocks} blocks"
                    );
                }
                assert_eq!(kdf.remaining(), 0);
            }
        }
    }

    #[test]
    fn skipped_bytes_are_left_out() {
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
        assert!(bool::from(kdf.all_zero()), "nothing was used");
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
    fn all_zero_considers_the_bytes_used() {
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
