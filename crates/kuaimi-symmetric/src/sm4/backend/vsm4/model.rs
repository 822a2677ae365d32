//! The instructions in plain Rust, as Intel's manual describes them, and the cipher on them: it
//! must be the standard's. So the order of the operands and of the words is checked on every
//! machine, and `make test-arrowlake` checks the instructions themselves.

use rand_core::TryRng;

use super::super::super::plain;
use super::super::{chain_with, masked_with};
use super::*;
use kuaimi_testing::Repeatable;

/// The words of `N` blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Model<const N: usize>([[u32; 4]; N]);

/// Four rounds, with the linear map `l` and a number added in each round.
fn rounds4(words: [u32; 4], added: [u32; 4], l: impl Fn(u32) -> u32) -> [u32; 4] {
    let [mut x0, mut x1, mut x2, mut x3] = words;
    for added in added {
        let inside = (x1 ^ x2 ^ x3 ^ added).to_le_bytes().map(plain::sbox);
        let next = x0 ^ l(u32::from_le_bytes(inside));
        (x0, x1, x2, x3) = (x1, x2, x3, next);
    }
    [x0, x1, x2, x3]
}

/// `VSM4KEY4 dest, first, second`, in a lane.
fn key4(first: [u32; 4], second: [u32; 4]) -> [u32; 4] {
    rounds4(first, second, |x| x ^ x.rotate_left(13) ^ x.rotate_left(23))
}

/// `VSM4RNDS4 dest, first, second`, in a lane.
fn rnds4(first: [u32; 4], second: [u32; 4]) -> [u32; 4] {
    rounds4(first, second, |x| {
        x ^ x.rotate_left(2) ^ x.rotate_left(10) ^ x.rotate_left(18) ^ x.rotate_left(24)
    })
}

impl<const N: usize> Model<N> {
    fn map2(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        Self(core::array::from_fn(|n| {
            core::array::from_fn(|i| f(self.0[n][i], other.0[n][i]))
        }))
    }
}

impl<const N: usize> Words for Model<N> {
    const BLOCKS: usize = N;

    unsafe fn load(at: *const u8) -> Self {
        // SAFETY: by the contract of this function.
        let bytes = unsafe { at.cast::<[[[u8; 4]; 4]; N]>().read_unaligned() };
        Self(bytes.map(|block| block.map(u32::from_le_bytes)))
    }

    unsafe fn store(self, at: *mut u8) {
        let bytes = self.0.map(|block| block.map(u32::to_le_bytes));
        // SAFETY: by the contract of this function.
        unsafe { at.cast::<[[[u8; 4]; 4]; N]>().write_unaligned(bytes) }
    }

    fn repeat(words: &[u32; 4]) -> Self {
        Self([*words; N])
    }

    fn numbers() -> Self {
        Self(core::array::from_fn(|n| [0, 0, 0, n as u32]))
    }

    fn xor(self, other: Self) -> Self {
        self.map2(other, |x, y| x ^ y)
    }

    fn add(self, other: Self) -> Self {
        self.map2(other, u32::wrapping_add)
    }

    fn swap_bytes(self) -> Self {
        Self(self.0.map(|block| block.map(u32::swap_bytes)))
    }

    fn reverse(self) -> Self {
        Self(self.0.map(|[a, b, c, d]| [d, c, b, a]))
    }

    fn four_keys(self, ck: Self) -> Self {
        Self(core::array::from_fn(|n| key4(self.0[n], ck.0[n])))
    }

    fn four_rounds(self, keys: Self) -> Self {
        Self(core::array::from_fn(|n| rnds4(self.0[n], keys.0[n])))
    }
}

fn array<const N: usize>(random: &mut Repeatable) -> [u8; N] {
    let mut bytes = [0; N];
    let Ok(()) = random.try_fill_bytes(&mut bytes);
    bytes
}

fn blocks(random: &mut Repeatable, count: usize) -> Vec<Block> {
    (0..count).map(|_| array(random).into()).collect()
}

fn encrypt(key: &[u8; KEY_LEN], block: &mut Block) {
    *block = plain::encrypt(key, block.as_ref()).into();
}

/// GB/T 32907-2016, annex A.1: the round keys and one encryption.
#[test]
fn the_standards_example() {
    let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
    let keys = key_schedule::<Model<1>>(&key);
    assert_eq!(keys[0], 0xf121_86f9);
    assert_eq!(keys[31], 0x9124_a012);
    let mut block = [key.into()];
    crypt_all::<Model<2>, Model<1>>(&keys, Direction::Encrypt, None, (&mut block[..]).into());
    let expected = 0x681e_df34_d206_965e_86b3_e94f_536e_4246_u128.to_be_bytes();
    assert_eq!(block[0].as_slice(), expected);
}

#[test]
fn the_key_schedule() {
    let mut random = Repeatable(11);
    for _ in 0..100 {
        let key = array(&mut random);
        let keys = key_schedule::<Model<1>>(&key);
        assert_eq!(keys, plain::round_keys(&key));
    }
}

#[test]
fn every_number_of_blocks_with_every_mask() {
    let mut random = Repeatable(12);
    for count in (0..=20).chain([31, 32, 33, 53]) {
        let key = array(&mut random);
        let keys = key_schedule::<Model<1>>(&key);
        let (data, masks) = (blocks(&mut random, count), blocks(&mut random, count));
        for masks in [None, Some(Masks::After(&masks)), Some(Masks::Both(&masks))] {
            let mut expected = data.clone();
            masked_with(masks, expected.as_mut_slice().into(), |blocks| {
                let blocks = blocks.into_out_with_copied_in();
                blocks.iter_mut().for_each(|block| encrypt(&key, block));
            });
            let mut apart = vec![Block::default(); count];
            let pair = InOutBuf::new(&data, &mut apart).expect("equal lengths");
            crypt_all::<Model<2>, Model<1>>(&keys, Direction::Encrypt, masks, pair);
            assert_eq!(apart, expected, "{count} blocks");

            // Without those that are added before alone, the reverse has the same masks.
            if !matches!(masks, Some(Masks::After(_))) {
                let blocks = apart.as_mut_slice().into();
                crypt_all::<Model<2>, Model<1>>(&keys, Direction::Decrypt, masks, blocks);
                assert_eq!(apart, data, "{count} blocks");
            }
        }
    }
}

#[test]
fn chains() {
    let mut random = Repeatable(13);
    for count in 0..8 {
        let key = array(&mut random);
        let keys = key_schedule::<Model<1>>(&key);
        let (start, data) = (array(&mut random), blocks(&mut random, count));
        for mode in [Chaining::Cbc, Chaining::Cfb, Chaining::Ofb] {
            let (mut expected, mut expected_chain) = (data.clone(), start);
            chain_with(mode, &mut expected_chain, &mut expected, |block| {
                encrypt(&key, block);
            });
            let (mut found, mut chain) = (data.clone(), start);
            encrypt_chain::<Model<1>>(&keys, mode, &mut chain, &mut found);
            assert_eq!((found, chain), (expected, expected_chain), "{mode:?}");
            if mode == Chaining::Cbc {
                let mut mac = start;
                cbc_mac::<Model<1>>(&keys, &mut mac, &data);
                assert_eq!(mac, expected_chain);
            }
        }
    }
}

#[test]
fn counters_of_every_length_and_across_the_wrap() {
    let mut random = Repeatable(14);
    for length in (0..=100).chain([255, 256, 257, 511, 512, 700]) {
        let key = array(&mut random);
        let keys = key_schedule::<Model<1>>(&key);
        let mut counter: [u8; BLOCK_LEN] = array(&mut random);
        if length % 2 == 0 {
            let low = u32::MAX - (length / 40) as u32;
            counter[12..].copy_from_slice(&low.to_be_bytes());
        }
        let mut data = vec![0; length];
        let Ok(()) = random.try_fill_bytes(&mut data);
        let mut expected = data.clone();
        for (i, piece) in expected.chunks_mut(BLOCK_LEN).enumerate() {
            let mut block: Block = counter.into();
            let low = u32::from_be_bytes(*counter.last_chunk().expect("16 bytes"));
            block[12..].copy_from_slice(&low.wrapping_add(i as u32).to_be_bytes());
            encrypt(&key, &mut block);
            piece.iter_mut().zip(block).for_each(|(x, y)| *x ^= y);
        }
        let mut found = data.clone();
        counter_mode::<Model<2>>(&keys, &counter, found.as_mut_slice().into());
        assert_eq!(found, expected, "{length} bytes");
        counter_mode::<Model<1>>(&keys, &counter, found.as_mut_slice().into());
        assert_eq!(found, data, "{length} bytes");
    }
}
