//! Many messages under one key, on every implementation, against the single ones.

use kuaimi_testing::Repeatable;

use super::super::backend::Implementation;
use super::super::gcm::{Message, open_each_with, seal_each_with};
use super::super::{Error, Sm4, Sm4Gcm};
use super::{array, data, every_implementation, nonce_for};

/// A message with what belongs to it.
struct Plain {
    nonce: Vec<u8>,
    beside: Vec<u8>,
    data: Vec<u8>,
}

impl Plain {
    fn new(random: &mut Repeatable, length: usize, beside: usize, nonce: usize) -> Self {
        Self {
            nonce: data(random, nonce),
            beside: data(random, beside),
            data: data(random, length),
        }
    }
}

fn gcm(implementation: Implementation, key: &[u8; 16]) -> Sm4Gcm {
    Sm4Gcm::with_cipher(Sm4::with_implementation(implementation, key))
}

fn run(
    gcm: &Sm4Gcm,
    plain: &[Plain],
    data: &mut [Vec<u8>],
    tags: &[[u8; 16]],
    each: fn(&Sm4Gcm, &mut [Message<'_>]),
) -> Vec<Result<[u8; 16], Error>> {
    let mut messages: Vec<Message<'_>> = plain
        .iter()
        .zip(data)
        .zip(tags)
        .map(|((plain, data), tag)| Message {
            nonce: &plain.nonce,
            associated_data: &plain.beside,
            data,
            tag: *tag,
            result: Ok(()),
        })
        .collect();
    each(gcm, &mut messages);
    let result = |message: &Message<'_>| message.result.map(|()| message.tag);
    messages.iter().map(result).collect()
}

/// Sealed as alone; opened again; with one bit wrong in some of them, these fail and stay as they
/// are, and the others do not notice.
fn check(implementation: Implementation, key: &[u8; 16], plain: &[Plain]) {
    let about = format!("{implementation:?}, {} messages", plain.len());
    let gcm = gcm(implementation, key);
    let none = vec![[0; 16]; plain.len()];
    let mut sealed: Vec<Vec<u8>> = plain.iter().map(|one| one.data.clone()).collect();
    let results = run(&gcm, plain, &mut sealed, &none, seal_each_with);
    let mut tags = Vec::new();
    for ((plain, sealed), result) in plain.iter().zip(&sealed).zip(&results) {
        match gcm.seal(&plain.nonce, &plain.beside, &plain.data) {
            Ok(alone) => {
                let tag = result.unwrap_or_else(|error| panic!("{about}: {error}"));
                assert_eq!([sealed.as_slice(), &tag].concat(), alone, "{about}");
                tags.push(tag);
            }
            Err(error) => {
                assert_eq!(*result, Err(error), "{about}");
                assert_eq!(*sealed, plain.data, "{about}: not encrypted");
                tags.push([0; 16]);
            }
        }
    }
    for wrong in [usize::MAX, 0, 1, 2] {
        let is_wrong = |i: usize| i % 3 == wrong;
        let mut opened = sealed.clone();
        let mut given = tags.clone();
        for (i, (opened, tag)) in opened.iter_mut().zip(&mut given).enumerate() {
            match opened.last_mut() {
                Some(byte) if is_wrong(i) && i % 2 == 0 => *byte ^= 1,
                _ if is_wrong(i) => tag[i % 16] ^= 0x80,
                _ => {}
            }
        }
        let before = opened.clone();
        let results = run(&gcm, plain, &mut opened, &given, open_each_with);
        for (i, (plain, result)) in plain.iter().zip(&results).enumerate() {
            let expected = match plain.nonce.is_empty() {
                true => Err(Error::EmptyNonce),
                false if is_wrong(i) => Err(Error::DecryptionFailed),
                false => Ok(()),
            };
            assert_eq!(result.map(|_| ()), expected, "{about}, message {i}");
            let left = match expected {
                Ok(()) => &plain.data,
                Err(_) => &before[i],
            };
            assert_eq!(opened[i], *left, "{about}, message {i}");
        }
    }
}

#[test]
fn messages_of_one_length() {
    let mut random = Repeatable(61);
    let key = array(&mut random);
    for implementation in every_implementation() {
        for length in [0, 1, 15, 16, 17, 64, 255, 256, 257, 752, 753, 1000] {
            for count in [0, 1, 2, 7, 8, 9, 33, 100] {
                let beside = length % 3 * 17;
                let plain: Vec<Plain> = (0..count)
                    .map(|_| Plain::new(&mut random, length, beside, 12))
                    .collect();
                check(implementation, &key, &plain);
            }
        }
    }
}

/// Short ones between long ones, with nonces of all lengths, and with none.
#[test]
fn messages_of_mixed_lengths() {
    let mut random = Repeatable(62);
    let key = array(&mut random);
    for implementation in every_implementation() {
        let plain: Vec<Plain> = (0..300)
            .map(|i| {
                let length = match i % 10 {
                    9 => 1500 + 40 * i,
                    _ => i * 61 % 900,
                };
                let nonce = if i % 4 == 3 { i % 40 } else { 12 };
                let beside = if i % 7 == 0 { 300 + i } else { i % 40 };
                Plain::new(&mut random, length, beside, nonce)
            })
            .collect();
        check(implementation, &key, &plain);
    }
}

/// Counters that wrap within the message, in other blocks of each.
#[test]
fn counters_that_wrap() {
    let mut random = Repeatable(63);
    let key = array(&mut random);
    let plain: Vec<Plain> = (0..40)
        .map(|i| {
            let mut plain = Plain::new(&mut random, 600, 0, 16);
            plain.nonce = nonce_for(&key, u128::MAX - i).to_vec();
            plain
        })
        .collect();
    for implementation in every_implementation() {
        check(implementation, &key, &plain);
    }
}
