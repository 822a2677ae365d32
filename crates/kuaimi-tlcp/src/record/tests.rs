//! CBC's padding and MAC, at every length.

use kuaimi::external::hmac::{KeyInit, Mac};
use kuaimi::sm3::HmacSm3;
use kuaimi::sm4::Sm4Cbc;

use super::*;

fn keys() -> Keys {
    Keys {
        mac: [3; 32],
        key: [5; 16],
        salt: [7; 4],
    }
}

fn direction() -> Direction {
    Direction::new(CipherSuite::EccSm4CbcSm3, &keys())
}

/// A fragment of the content, with a MAC and a padding that the caller may spoil.
fn fragment(content: &[u8], padding: usize, spoil: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut mac = HmacSm3::new_from_slice(&keys().mac).unwrap();
    mac.update(&with_length(
        &associated(0, content::APPLICATION_DATA),
        content.len(),
    ));
    mac.update(content);
    let mut data = content.to_vec();
    data.extend(mac.finalize().into_bytes());
    data.extend(vec![padding as u8; padding + 1]);
    spoil(&mut data);
    let iv = [9; 16];
    Sm4Cbc::new(&keys().key).encrypt(&iv, &mut data).unwrap();
    [&iv[..], &data].concat()
}

fn open(fragment: &mut [u8]) -> Result<Vec<u8>, Error> {
    direction()
        .open(content::APPLICATION_DATA, fragment)
        .map(<[u8]>::to_vec)
}

/// The paddings that make whole blocks with so much content.
fn paddings(length: usize) -> impl Iterator<Item = usize> {
    (0..256).filter(move |padding| (length + 32 + padding + 1).is_multiple_of(16))
}

#[test]
fn every_padding_at_every_length() {
    let long = (16384 - 70..=16384).chain([1000, 4096, 8191]);
    for length in (0..300).chain(long) {
        let content: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
        for padding in paddings(length) {
            let found = open(&mut fragment(&content, padding, |_| {}));
            assert_eq!(found.as_deref(), Ok(&content[..]), "{length} {padding}");
        }
    }
}

#[test]
fn every_wrong_byte_of_padding_and_mac() {
    for length in [0, 1, 15, 16, 17, 50, 100, 255, 300] {
        let content = vec![0x61; length];
        for padding in paddings(length) {
            let total = length + 32 + padding + 1;
            for place in length..total {
                for bit in [1, 0x80] {
                    let mut fragment = fragment(&content, padding, |data| data[place] ^= bit);
                    let found = open(&mut fragment);
                    assert_eq!(
                        found,
                        Err(Error::BadRecordMac),
                        "{length} {padding} {place}"
                    );
                    assert!(
                        fragment[16..].iter().all(|byte| *byte == 0),
                        "nothing is left of it"
                    );
                }
            }
        }
    }
}

#[test]
fn every_wrong_length_of_padding() {
    for length in [0, 7, 100, 250] {
        let content = vec![0; length];
        for padding in paddings(length) {
            for claimed in (0..=255).filter(|claimed| usize::from(*claimed) != padding) {
                let spoil = |data: &mut Vec<u8>| {
                    let last = data.len() - 1;
                    data[last] = claimed;
                };
                let found = open(&mut fragment(&content, padding, spoil));
                assert_eq!(
                    found,
                    Err(Error::BadRecordMac),
                    "{length} {padding} {claimed}"
                );
                // All of the padding has that value, as far as there is room for it.
                let spoil = |data: &mut Vec<u8>| {
                    let start = data.len().saturating_sub(usize::from(claimed) + 1);
                    data[start..].fill(claimed);
                };
                let found = open(&mut fragment(&content, padding, spoil));
                assert_eq!(
                    found,
                    Err(Error::BadRecordMac),
                    "{length} {padding} {claimed}"
                );
            }
        }
    }
}

#[test]
fn fragments_that_are_no_whole_blocks_or_too_short() {
    for length in 0..200usize {
        let mut bytes = vec![0x33; length];
        assert_eq!(open(&mut bytes), Err(Error::BadRecordMac), "{length}");
        let mut gcm = Direction::new(CipherSuite::EccSm4GcmSm3, &keys());
        let found = gcm
            .open(content::APPLICATION_DATA, &mut vec![0x33; length])
            .map(<[u8]>::len);
        assert_eq!(found, Err(Error::BadRecordMac), "{length}");
    }
}

#[test]
fn the_numbers_of_records_are_authenticated() {
    for suite in [CipherSuite::EccSm4CbcSm3, CipherSuite::EccSm4GcmSm3] {
        let mut sealing = Direction::new(suite, &keys());
        let mut records = Vec::new();
        for i in 0..4u8 {
            let mut out = Vec::new();
            sealing
                .seal(content::APPLICATION_DATA, &[i; 20], &mut out)
                .unwrap();
            records.push(out);
        }
        for (number, record) in records.iter().enumerate() {
            for count in 0..6 {
                let mut opening = Direction::new(suite, &keys());
                opening.set_count(count);
                let mut fragment = record[HEADER_LEN..].to_vec();
                let found = opening.open(content::APPLICATION_DATA, &mut fragment);
                assert_eq!(
                    found.is_ok(),
                    number as u64 == count,
                    "{suite} {number} {count}"
                );
            }
        }
        assert_ne!(
            records[0][5..21],
            records[1][5..21],
            "no IV or nonce comes twice"
        );
    }
}
