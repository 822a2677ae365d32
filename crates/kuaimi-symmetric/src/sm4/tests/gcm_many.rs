//! Many messages at once, on every implementation, against the single ones.

use kuaimi_testing::Repeatable;

use super::super::backend::{GhashKey, Implementation};
use super::super::gcm::{Act, Job, run as run_jobs};
use super::super::{Error, Sm4, Sm4Gcm};
use super::{array, blocks, data, every_implementation, ghash_model, nonce_for};

/// A message with what belongs to it.
struct Message {
    key: [u8; 16],
    nonce: Vec<u8>,
    beside: Vec<u8>,
    data: Vec<u8>,
}

impl Message {
    fn new(random: &mut Repeatable, length: usize, beside: usize, nonce: usize) -> Self {
        Self {
            key: array(random),
            nonce: data(random, nonce),
            beside: data(random, beside),
            data: data(random, length),
        }
    }

    fn alone(&self, implementation: Implementation) -> Result<Vec<u8>, Error> {
        Sm4Gcm::with_cipher(Sm4::with_implementation(implementation, &self.key)).seal(
            &self.nonce,
            &self.beside,
            &self.data,
        )
    }
}

fn run(
    implementation: Implementation,
    messages: &[Message],
    data: &mut [Vec<u8>],
    tags: &[[u8; 16]],
    act: Act,
) -> Vec<Result<[u8; 16], Error>> {
    let mut jobs: Vec<Job<'_>> = messages
        .iter()
        .zip(data)
        .zip(tags)
        .map(|((message, data), tag)| Job {
            key: &message.key,
            nonce: &message.nonce,
            associated_data: &message.beside,
            data,
            tag: *tag,
            result: Ok(()),
        })
        .collect();
    run_jobs(implementation, &mut jobs, act);
    jobs.iter()
        .map(|job| job.result.map(|()| job.tag))
        .collect()
}

/// Sealed as alone; opened again; with one bit wrong in some of them, these fail and stay as they
/// are, and the others do not notice.
fn check(implementation: Implementation, messages: &[Message]) {
    let about = format!("{implementation:?}, {} messages", messages.len());
    let none = vec![[0; 16]; messages.len()];
    let mut sealed: Vec<Vec<u8>> = messages.iter().map(|one| one.data.clone()).collect();
    let results = run(implementation, messages, &mut sealed, &none, Act::Seal);
    let mut tags = Vec::new();
    for ((message, sealed), result) in messages.iter().zip(&sealed).zip(&results) {
        match message.alone(implementation) {
            Ok(alone) => {
                let tag = result.unwrap_or_else(|error| panic!("{about}: {error}"));
                assert_eq!([sealed.as_slice(), &tag].concat(), alone, "{about}");
                tags.push(tag);
            }
            Err(error) => {
                assert_eq!(*result, Err(error), "{about}");
                assert_eq!(*sealed, message.data, "{about}: not encrypted");
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
        let results = run(implementation, messages, &mut opened, &given, Act::Open);
        for (i, (message, result)) in messages.iter().zip(&results).enumerate() {
            let expected = match message.alone(implementation) {
                Err(error) => Err(error),
                Ok(_) if is_wrong(i) => Err(Error::DecryptionFailed),
                Ok(_) => Ok(()),
            };
            assert_eq!(result.map(|_| ()), expected, "{about}, message {i}");
            let left = if expected.is_ok() {
                &message.data
            } else {
                &before[i]
            };
            assert_eq!(opened[i], *left, "{about}, message {i}");
        }
    }
}

/// Every number of messages up to more than two groups, of equal lengths.
#[test]
fn messages_of_one_length() {
    let mut random = Repeatable(41);
    for implementation in every_implementation() {
        for length in [0, 1, 15, 16, 17, 64, 191, 192, 193, 1024] {
            for count in [0, 1, 2, 3, 7, 8, 15, 16, 17, 35] {
                let beside = length % 3 * 17;
                let messages: Vec<Message> = (0..count)
                    .map(|_| Message::new(&mut random, length, beside, 12))
                    .collect();
                check(implementation, &messages);
            }
        }
    }
}

/// All lengths in one batch, in no order, with nonces of all lengths, and with none.
#[test]
fn messages_of_mixed_lengths() {
    let mut random = Repeatable(42);
    for implementation in every_implementation() {
        let messages: Vec<Message> = (0..150)
            .map(|i| {
                let length = match i % 10 {
                    9 => 1500 + 40 * i,
                    _ => i * 61 % 700,
                };
                let nonce = if i % 4 == 3 { i % 40 } else { 12 };
                let beside = if i % 7 == 0 { 300 + i } else { i % 40 };
                Message::new(&mut random, length, beside, nonce)
            })
            .collect();
        check(implementation, &messages);
    }
}

/// Counters that wrap within the message, in other blocks of each.
#[test]
fn counters_that_wrap() {
    let mut random = Repeatable(43);
    let messages: Vec<Message> = (0..16)
        .map(|i| {
            let mut message = Message::new(&mut random, 1000, 0, 16);
            message.nonce = nonce_for(&message.key, u128::MAX - 3 * i).to_vec();
            message
        })
        .collect();
    for implementation in every_implementation() {
        check(implementation, &messages);
    }
}

/// A key with few powers gives the hash of as many blocks as it is for.
#[test]
fn ghash_with_few_powers() {
    let mut random = Repeatable(44);
    for implementation in kuaimi_platform::backend::Ghash::available() {
        for count in 1..40 {
            let h = array(&mut random);
            let data = blocks(&mut random, count);
            let key = GhashKey::for_blocks(implementation, &h, count);
            let mut hash = key.start();
            hash.update(&data);
            let expected = ghash_model(&h, &data);
            assert_eq!(
                hash.finish(),
                expected,
                "{implementation:?}, {count} blocks"
            );
        }
    }
}
