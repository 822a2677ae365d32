//! Every backend against the model.

use rand_core::TryRng;

use super::backend::{Direction, Kind};
use super::{Block, plain};
use crate::testing::{Repeatable, rounds};

fn array<const N: usize>(random: &mut Repeatable) -> [u8; N] {
    let mut bytes = [0; N];
    let Ok(()) = random.try_fill_bytes(&mut bytes);
    bytes
}

fn blocks(random: &mut Repeatable, count: usize) -> Vec<Block> {
    (0..count).map(|_| array(random).into()).collect()
}

/// On a machine that lacks an instruction, the backends with it are not in the list; the test's output says which were.
fn every_backend() -> impl Iterator<Item = Kind> {
    Kind::available().inspect(|kind| println!("SM4 backend: {}", kind.name()))
}

#[test]
fn every_number_of_blocks() {
    let mut random = Repeatable(1);
    for kind in every_backend() {
        for count in (0..=rounds(140)).chain([255, 256, 257]) {
            let key = array(&mut random);
            let plaintext = blocks(&mut random, count);
            let expected: Vec<Block> = plaintext
                .iter()
                .map(|block| plain::encrypt(&key, block.as_ref()).into())
                .collect();
            let keys = kind.round_keys(&key);

            let mut apart = vec![Block::default(); count];
            let pair = cipher::InOutBuf::new(&plaintext, &mut apart).expect("equal lengths");
            kind.crypt(&keys, Direction::Encrypt, pair);
            assert_eq!(apart, expected, "{kind:?}, {count} blocks");
            kind.crypt(&keys, Direction::Decrypt, apart.as_mut_slice().into());
            assert_eq!(apart, plaintext, "{kind:?}, {count} blocks");
        }
    }
}

#[test]
fn counters_of_every_length_and_across_the_wrap() {
    let mut random = Repeatable(2);
    for kind in every_backend() {
        for length in (0..=rounds(700)).chain([1024, 1025, 2048, 4095, 16384 + 7]) {
            let key = array(&mut random);
            let mut counter: [u8; 16] = array(&mut random);
            if length % 3 == 0 {
                let low = u32::MAX - (length / 40) as u32;
                counter[12..].copy_from_slice(&low.to_be_bytes());
            }
            let mut data = vec![0; length];
            let Ok(()) = random.try_fill_bytes(&mut data);
            let (high, low) = counter.split_last_chunk::<4>().expect("16 bytes");
            let stream = (0..).flat_map(|i| {
                let low = u32::from_be_bytes(*low).wrapping_add(i).to_be_bytes();
                let block: Vec<u8> = high.iter().copied().chain(low).collect();
                plain::encrypt(&key, block.as_slice().try_into().expect("16 bytes"))
            });
            let expected: Vec<u8> = data.iter().zip(stream).map(|(x, y)| x ^ y).collect();

            let keys = kind.round_keys(&key);
            let mut apart = vec![0; length];
            let pair = cipher::InOutBuf::new(&data, &mut apart).expect("equal lengths");
            kind.counters(&keys, &counter, pair);
            assert_eq!(apart, expected, "{kind:?}, {length} bytes");
            kind.counters(&keys, &counter, apart.as_mut_slice().into());
            assert_eq!(apart, data, "{kind:?}, {length} bytes");
        }
    }
}
