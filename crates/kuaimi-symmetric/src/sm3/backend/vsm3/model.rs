//! The instructions in plain Rust, as Intel's manual describes them, and the compression function
//! on them: it must be the standard's. So the order of the operands and of the words is checked on
//! every machine, and `make test-arrowlake` checks the instructions themselves.

#![forbid(unsafe_code)]

use super::super::super::{BLOCK_LEN, State, plain};
use super::{Words, compress, halves, words};

/// Four words, lane 0 first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Model([u32; 4]);

fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

/// `VSM3MSG1 dest, first, second`.
fn msg1(dest: [u32; 4], first: [u32; 4], second: [u32; 4]) -> [u32; 4] {
    let mut result = [0; 4];
    for i in 0..4 {
        // The highest word of the first source has no part in the result.
        let turned = if i < 3 { first[i].rotate_left(15) } else { 0 };
        result[i] = p1(dest[i] ^ second[i] ^ turned);
    }
    result
}

/// `VSM3MSG2 dest, first, second`.
fn msg2(dest: [u32; 4], first: [u32; 4], second: [u32; 4]) -> [u32; 4] {
    let mut result = [0; 4];
    for i in 0..4 {
        result[i] = dest[i] ^ second[i] ^ first[i].rotate_left(7);
    }
    // W₁₉ depends on W₁₆, the first of the four, too.
    let w16 = result[0];
    result[3] ^= w16.rotate_left(6) ^ w16.rotate_left(15) ^ w16.rotate_left(30);
    result
}

/// `VSM3RNDS2 dest, first, second, round`.
fn rnds2(dest: [u32; 4], first: [u32; 4], second: [u32; 4], round: i32) -> [u32; 4] {
    let j = round as u32 & 0x3e;
    let [mut f, mut e, mut b, mut a] = first;
    let (mut h, mut g) = (dest[0].rotate_left(19), dest[1].rotate_left(19));
    let (mut d, mut c) = (dest[2].rotate_left(9), dest[3].rotate_left(9));
    for i in 0..2 {
        let t: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        let (w, w4) = (second[i], second[i + 2]);
        let ss1 = a
            .rotate_left(12)
            .wrapping_add(e)
            .wrapping_add(t.rotate_left(j + i as u32))
            .rotate_left(7);
        let (ff, gg) = if j < 16 {
            (a ^ b ^ c, e ^ f ^ g)
        } else {
            ((a & b) | (a & c) | (b & c), (e & f) | (!e & g))
        };
        let tt1 = ff
            .wrapping_add(d)
            .wrapping_add(ss1 ^ a.rotate_left(12))
            .wrapping_add(w ^ w4);
        let tt2 = gg.wrapping_add(h).wrapping_add(ss1).wrapping_add(w);
        (d, c, b, a) = (c, b.rotate_left(9), a, tt1);
        (h, g, f, e) = (g, f.rotate_left(19), e, p0(tt2));
    }
    [f, e, b, a]
}

impl Words for Model {
    fn xor(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }

    fn rotate_right(self, by: [u32; 4]) -> Self {
        Self(core::array::from_fn(|i| self.0[i].rotate_right(by[i])))
    }

    fn reverse(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([d, c, b, a])
    }

    fn low_halves(self, other: Self) -> Self {
        Self([self.0[0], self.0[1], other.0[0], other.0[1]])
    }

    fn high_halves(self, other: Self) -> Self {
        Self([self.0[2], self.0[3], other.0[2], other.0[3]])
    }

    fn skip<const N: i32>(self, more: Self) -> Self {
        let eight = [self.0, more.0].concat();
        Self(core::array::from_fn(|i| eight[N as usize + i]))
    }

    fn expand_first(self, w13: Self, w0: Self) -> Self {
        Self(msg1(self.0, w13.0, w0.0))
    }

    fn expand_last(self, w3: Self, w10: Self) -> Self {
        Self(msg2(self.0, w3.0, w10.0))
    }

    fn two_rounds<const J: i32>(self, feba: Self, w: Self) -> Self {
        Self(rnds2(self.0, feba.0, w.0, J))
    }
}

fn message(block: &[u8; BLOCK_LEN]) -> [Model; 4] {
    let words = block.as_chunks::<4>().0;
    core::array::from_fn(|q| {
        Model(core::array::from_fn(|i| {
            u32::from_be_bytes(words[4 * q + i])
        }))
    })
}

/// Compresses the blocks of `N` messages side by side.
fn compress_blocks<const N: usize>(
    states: [State; N],
    blocks: [&[[u8; BLOCK_LEN]]; N],
) -> [State; N] {
    let mut all = states.map(|state| {
        let [abcd, efgh] = [0, 4].map(|from| Model(core::array::from_fn(|i| state[from + i])));
        assert_eq!(words(halves(abcd, efgh)), [abcd, efgh]);
        halves(abcd, efgh)
    });
    for i in 0..blocks[0].len() {
        compress(&mut all, blocks.map(|blocks| message(&blocks[i])));
    }
    all.map(|state| {
        let [abcd, efgh] = words(state);
        core::array::from_fn(|i| if i < 4 { abcd.0[i] } else { efgh.0[i - 4] })
    })
}

/// SplitMix64: the same numbers in every run.
fn numbers() -> impl FnMut() -> u32 {
    let mut state = 5u64;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
    }
}

#[test]
fn the_instructions_make_the_compression_function() {
    let mut number = numbers();
    for count in (0..6).cycle().take(200) {
        let [states, more] = [0, 1].map(|_| core::array::from_fn::<_, 8, _>(|_| number()));
        let mut blocks = || -> Vec<[u8; BLOCK_LEN]> {
            (0..count)
                .map(|_| core::array::from_fn(|_| number() as u8))
                .collect()
        };
        let (first, second) = (blocks(), blocks());
        let expected = [(states, &first), (more, &second)]
            .map(|(state, blocks)| blocks.iter().fold(state, plain::cf));
        assert_eq!(compress_blocks([states], [&first]), [expected[0]]);
        assert_eq!(compress_blocks([states, more], [&first, &second]), expected);
    }
}

/// GB/T 32905-2016, annex A.1: the message `abc`.
#[test]
fn the_standards_example() {
    let mut block = [0; BLOCK_LEN];
    block[..4].copy_from_slice(b"abc\x80");
    block[63] = 24;
    let [state] = compress_blocks([super::super::super::IV], [&[block]]);
    assert_eq!(state[0], 0x66c7_f0f4);
    assert_eq!(state[7], 0x8f4b_a8e0);
}

/// Each instruction alone computes what the standard's formulas say of the words that it gets.
#[test]
fn single_instructions() {
    let mut number = numbers();
    for _ in 0..100 {
        let mut w: [u32; 20] = core::array::from_fn(|_| number());
        let at = |w: &[u32; 20], from: usize| Model(core::array::from_fn(|i| w[from + i]));
        // 5.3.2, for W₁₆ to W₁₉; what W₁₆ gets in the place of the unused word makes no difference.
        let known = at(&w, 7).expand_first(at(&w, 13), at(&w, 0));
        let new = known.expand_last(at(&w, 3), at(&w, 10));
        w[16] = !w[16];
        assert_eq!(known, at(&w, 7).expand_first(at(&w, 13), at(&w, 0)));
        for j in 16..20 {
            w[j] = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15))
                ^ w[j - 13].rotate_left(7)
                ^ w[j - 6];
        }
        assert_eq!(new, at(&w, 16));
        // The lowest bit of the round's number, and those above it, are ignored.
        let [x, y, z] = [0, 4, 8].map(|from| at(&w, from).0);
        assert_eq!(rnds2(x, y, z, 14), rnds2(x, y, z, 15 + 64));
        assert_ne!(rnds2(x, y, z, 14), rnds2(x, y, z, 16));
    }
}
