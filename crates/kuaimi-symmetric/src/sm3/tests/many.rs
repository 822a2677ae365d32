//! Many messages at once, with every implementation that this CPU can run and with the model of
//! each, against the plain code.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::backend::lanes::{Engine, Model, States};
use super::super::backend::select::{Implementation, with_engine};
use super::super::many::{digest_each, hash_many_with, lanes::in_lanes};
use super::super::{DIGEST_LEN, Sm3, State, digest_many, plain};
use super::Numbers;

/// A hash, with all that it has absorbed, and the parts that follow.
type Message<'a> = (Sm3, Vec<&'a [u8]>);

/// The value for a message without a digest.
const NONE: [u8; DIGEST_LEN] = [0xee; DIGEST_LEN];

/// Collects the digests, and checks that each comes once.
fn collect<'a>(
    messages: &[Message<'a>],
    hash: impl FnOnce(&[Message<'a>], &mut dyn FnMut(usize, [u8; DIGEST_LEN])),
) -> Vec<[u8; DIGEST_LEN]> {
    let mut digests = alloc::vec![NONE; messages.len()];
    hash(messages, &mut |i, digest| {
        assert_eq!(digests[i], NONE, "message {i} has a digest already");
        digests[i] = digest;
    });
    digests
}

/// Runs a test with every implementation, and with the models.
fn with_every_implementation(
    mut test: impl FnMut(&str, &dyn Fn(&[Message<'_>]) -> Vec<[u8; DIGEST_LEN]>),
) {
    fn model<const N: usize>(messages: &[Message<'_>]) -> Vec<[u8; DIGEST_LEN]> {
        collect(messages, |messages, each| {
            let messages = messages
                .iter()
                .map(|(start, parts)| (start, parts.iter().copied()));
            in_lanes::<N, _, _, _>(Model, messages.enumerate(), each);
        })
    }
    for implementation in Implementation::available() {
        test(&format!("{implementation:?}"), &|messages| {
            collect(messages, |messages, each| {
                let messages = messages
                    .iter()
                    .map(|(start, parts)| (start, parts.iter().copied()));
                hash_many_with(implementation, messages, each);
            })
        });
    }
    test("the model of 4", &model::<4>);
    test("the model of 8", &model::<8>);
    test("the model of 16", &model::<16>);
}

/// The digest of the prefix and all parts, by the plain code.
fn expected(start: &[u8], parts: &[&[u8]]) -> [u8; DIGEST_LEN] {
    plain::digest(&[start, &parts.concat()].concat())
}

fn absorbed(bytes: &[u8]) -> Sm3 {
    let mut hash = Sm3::new();
    hash.update(bytes);
    hash
}

/// Whole messages: those of one length have a way of their own.
#[test]
fn digests_of_whole_messages() {
    let mut numbers = Numbers(22);
    let bytes: Vec<u8> = (0..9000).map(|_| numbers.below(256) as u8).collect();
    for implementation in Implementation::available() {
        for len in (0..=200).chain([1000, 8192]) {
            let count = [1, 3, 4, 15, 16, 17, 35][len % 7];
            let messages: Vec<&[u8]> = (0..count).map(|i| &bytes[17 * i..][..len]).collect();
            for same_length in [Some(len), None] {
                let mut digests = alloc::vec![NONE; count];
                digest_each(implementation, same_length, &|i| messages[i], &mut digests);
                for (digest, message) in digests.iter().zip(&messages) {
                    let place = format!("{implementation:?}, {count} of {len}");
                    assert_eq!(*digest, plain::digest(message), "{place}");
                }
            }
        }
    }
    // The last one is shorter, or longer.
    for last in [0, 63, 65, 130] {
        let mut messages = alloc::vec![&bytes[..64]; 33];
        messages[32] = &bytes[..last];
        let expected: Vec<_> = messages
            .iter()
            .map(|message| plain::digest(message))
            .collect();
        assert_eq!(digest_many(&messages), expected);
    }
}

#[test]
fn every_count_of_messages_of_any_length() {
    let mut numbers = Numbers(21);
    for count in 0..=40 {
        // Equal lengths; lengths of up to 1000 bytes, and of up to 130; one long message among
        // short ones.
        for mixture in 0..4 {
            let long = numbers.below(count.max(1));
            let equal = numbers.below(1001);
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|i| {
                    let len = match mixture {
                        0 => equal,
                        1 => numbers.below(1001),
                        2 => numbers.below(130),
                        _ if i == long => 5000,
                        _ => numbers.below(10),
                    };
                    numbers.bytes(len)
                })
                .collect();
            let expected: Vec<_> = messages.iter().map(|m| plain::digest(m)).collect();
            let whole: Vec<Message<'_>> = messages
                .iter()
                .map(|m| (Sm3::new(), alloc::vec![&m[..]]))
                .collect();
            with_every_implementation(|name, hash| {
                assert_eq!(hash(&whole), expected, "{name}, {count}, mixture {mixture}");
            });
            assert_eq!(digest_many(&messages), expected);
        }
    }
}

#[test]
fn every_length_in_every_lane() {
    let mut numbers = Numbers(22);
    let bytes = numbers.bytes(1000);
    let messages: Vec<Message<'_>> = (0..=1000)
        .map(|len| (Sm3::new(), alloc::vec![&bytes[..len]]))
        .collect();
    let expected: Vec<_> = (0..=1000).map(|len| plain::digest(&bytes[..len])).collect();
    with_every_implementation(|name, hash| {
        for (len, (digest, expected)) in hash(&messages).iter().zip(&expected).enumerate() {
            assert_eq!(digest, expected, "{name}, {len} bytes");
        }
    });
}

/// Hashes that have absorbed any number of bytes, and parts of any length, also long and empty
/// ones.
#[test]
fn continues_from_any_state_with_any_parts() {
    let mut numbers = Numbers(23);
    for count in [1, 3, 16, 50, 200] {
        let texts: Vec<(Vec<u8>, Vec<Vec<u8>>)> = (0..count)
            .map(|_| {
                let start = numbers.below(200);
                let start = numbers.bytes(start);
                let parts = (0..numbers.below(6))
                    .map(|_| {
                        let most = [1, 20, 64, 65, 129, 400][numbers.below(6)];
                        let len = numbers.below(most);
                        numbers.bytes(len)
                    })
                    .collect();
                (start, parts)
            })
            .collect();
        let messages: Vec<Message<'_>> = texts
            .iter()
            .map(|(start, parts)| (absorbed(start), parts.iter().map(|p| &p[..]).collect()))
            .collect();
        let wanted: Vec<_> = texts
            .iter()
            .zip(&messages)
            .map(|((start, _), (_, parts))| expected(start, parts))
            .collect();
        with_every_implementation(|name, hash| {
            assert_eq!(hash(&messages), wanted, "{name}, {count}")
        });
    }
}

/// Prefixes that end at every place of a block, with messages of lengths around those that need
/// another block.
#[test]
fn every_alignment() {
    let mut numbers = Numbers(24);
    let bytes = numbers.bytes(500);
    for at in 0..=64 {
        let (start, rest) = bytes.split_at(at);
        let lengths = (0..=130).chain([190, 191, 192, 193, 400]);
        let messages: Vec<Message<'_>> = lengths
            .clone()
            .map(|len| (absorbed(start), alloc::vec![&rest[..len]]))
            .collect();
        let expected: Vec<_> = lengths
            .map(|len| plain::digest(&bytes[..at + len]))
            .collect();
        with_every_implementation(|name, hash| {
            assert_eq!(hash(&messages), expected, "{name}, from {at} on")
        });
    }
}

#[test]
fn a_message_changes_its_own_digest_alone() {
    let mut numbers = Numbers(25);
    for count in [1, 2, 5, 16, 17, 33] {
        let mut texts: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let len = 1 + numbers.below(300);
                numbers.bytes(len)
            })
            .collect();
        with_every_implementation(|name, hash| {
            let digests = |texts: &[Vec<u8>]| {
                let messages: Vec<Message<'_>> = texts
                    .iter()
                    .map(|m| (Sm3::new(), alloc::vec![&m[..]]))
                    .collect();
                hash(&messages)
            };
            let before = digests(&texts);
            for changed in 0..count {
                let at = numbers.below(texts[changed].len());
                let bit = 1 << numbers.below(8);
                texts[changed][at] ^= bit;
                for (i, (now, before)) in digests(&texts).iter().zip(&before).enumerate() {
                    assert_eq!(now != before, i == changed, "{name}: {changed} changed {i}");
                }
                texts[changed][at] ^= bit;
            }
        });
    }
}

/// A message is taken only when a lane is free, not all of them before the first digest.
#[test]
fn messages_are_taken_when_a_lane_is_free() {
    use core::cell::Cell;
    for implementation in Implementation::available() {
        let waiting = Cell::new(0_usize);
        let text = [7; 200];
        let messages = (0..500).map(|i| {
            waiting.set(waiting.get() + 1);
            assert!(
                waiting.get() <= implementation.lanes(),
                "{implementation:?}"
            );
            (Sm3::new(), [&text[..i % 200]])
        });
        hash_many_with(implementation, messages, |_, _| {
            waiting.set(waiting.get() - 1)
        });
        assert_eq!(waiting.get(), 0, "{implementation:?}");
    }
}

/// The engines themselves: random states, runs of different lengths, and the states as digests.
#[test]
fn engines_agree_with_the_plain_code() {
    fn check<const N: usize>(engine: impl Engine<N>, name: &str) {
        let mut numbers = Numbers(26);
        for _ in 0..20 {
            let start: [State; N] =
                core::array::from_fn(|_| core::array::from_fn(|_| numbers.next() as u32));
            let least = numbers.below(4);
            let runs: [Vec<[u8; 64]>; N] = core::array::from_fn(|l| {
                let more = if l == least % N { 0 } else { numbers.below(3) };
                (0..least + more)
                    .map(|_| core::array::from_fn(|_| numbers.next() as u8))
                    .collect()
            });
            let mut states = States::<N>::new();
            for (l, state) in start.iter().enumerate() {
                states.set(l, state);
            }
            let count = engine.compress(&mut states, &runs.each_ref().map(|run| &run[..]));
            assert_eq!(count, least, "{name}");
            let mut digests = [[0; DIGEST_LEN]; N];
            engine.digests(&states, &mut digests);
            for l in 0..N {
                let expected = runs[l][..count].iter().fold(start[l], plain::cf);
                assert_eq!(states.get(l), expected, "{name}, lane {l}, {count} blocks");
                let bytes: Vec<u8> = expected.iter().flat_map(|w| w.to_be_bytes()).collect();
                assert_eq!(digests[l][..], bytes, "{name}, lane {l}");
            }
        }
    }
    let mut names: Vec<String> = Vec::new();
    for implementation in Implementation::available() {
        let name = format!("{implementation:?}");
        with_engine!(implementation, engine => check(engine, &name), one_by_one => ());
        names.push(name);
    }
    check::<4>(Model, "the model of 4");
    check::<8>(Model, "the model of 8");
    check::<16>(Model, "the model of 16");
    std::eprintln!("implementations on this machine: {names:?}");
}
