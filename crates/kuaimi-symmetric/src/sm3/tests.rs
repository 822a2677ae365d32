//! The fast code against the plain code, and the `digest` traits against the inherent methods.

mod many;

use alloc::format;
use alloc::vec::Vec;

use ::digest::block_api::CoreProxy;
use ::digest::{FixedOutputReset, Reset};

use super::{Sm3, State, backend, digest, plain};

/// SplitMix64: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }
}

#[test]
fn every_length_agrees_with_the_plain_code() {
    let mut numbers = Numbers(1);
    for len in 0..=300 {
        for _ in 0..4 {
            let message = numbers.bytes(len);
            assert_eq!(
                digest(&message),
                plain::digest(&message),
                "{len} bytes: {message:02x?}"
            );
        }
    }
}

#[test]
fn cuts_make_no_difference() {
    let mut numbers = Numbers(2);
    let mut hash = Sm3::new();
    for _ in 0..3000 {
        let len = numbers.below(301);
        let message = numbers.bytes(len);
        let mut cuts = Vec::new();
        let mut rest = &message[..];
        while !rest.is_empty() {
            // Mostly short pieces, some longer than a block, some empty.
            let most = if numbers.below(3) == 0 {
                rest.len()
            } else {
                rest.len().min(70)
            };
            let (piece, after) = rest.split_at(numbers.below(most + 1));
            hash.update(piece);
            cuts.push(piece.len());
            rest = after;
        }
        let copy = hash.clone();
        assert_eq!(
            hash.finalize_reset(),
            plain::digest(&message),
            "{len} bytes cut {cuts:?}"
        );
        assert_eq!(
            copy.finalize(),
            plain::digest(&message),
            "a clone, {len} bytes cut {cuts:?}"
        );
    }
}

#[test]
fn every_implementation_agrees_with_the_plain_code() {
    let mut numbers = Numbers(3);
    for n in 0..40 {
        let bytes = numbers.bytes(64 * n);
        let (blocks, _) = bytes.as_chunks::<64>();
        let start: State = core::array::from_fn(|_| numbers.next() as u32);
        let expected = blocks.iter().fold(start, plain::cf);
        for implementation in kuaimi_platform::backend::Sm3::available() {
            let mut state = start;
            backend::compress_blocks(implementation, &mut state, blocks);
            assert_eq!(state, expected, "{implementation:?}, {n} blocks");
        }
    }
}

#[test]
fn decompose_and_compose() {
    for len in [0, 1, 63, 64, 65, 127, 128, 200] {
        let message = Numbers(4).bytes(len);
        let (begin, end) = message.split_at(len / 2);
        let mut hash = Sm3::new();
        hash.update(begin);
        let (core, buffer) = hash.decompose();
        assert_eq!(buffer.get_pos(), begin.len() % 64);
        let mut hash = Sm3::compose(core, buffer);
        hash.update(end);
        assert_eq!(hash.finalize(), plain::digest(&message), "{len} bytes");
    }
}

#[test]
fn resetting_starts_afresh() {
    let mut hash = Sm3::new();
    hash.update(&[7; 100]);
    Reset::reset(&mut hash);
    hash.update(b"abc");
    assert_eq!(hash.finalize_fixed_reset()[..], plain::digest(b"abc"));
    assert_eq!(hash.finalize(), plain::digest(b""));
}

#[test]
fn debug_shows_nothing() {
    let mut hash = Sm3::new();
    hash.update(b"secret");
    assert_eq!(format!("{hash:?}"), format!("{:?}", Sm3::new()));
    let kdf = super::Kdf::new(b"secret");
    assert_eq!(
        format!("{kdf:?}"),
        format!("{:?}", super::Kdf::new(b"other"))
    );
}

/// The documentation promises the size, as hashes are cloned often.
#[test]
fn small_enough_to_clone() {
    assert_eq!(size_of::<Sm3>(), 104);
}
