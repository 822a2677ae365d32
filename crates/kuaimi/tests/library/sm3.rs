//! SM3 through the public interface: the standard's vectors, another implementation, and
//! definitions.

use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use kuaimi::sm3::{self, HmacSm3, Kdf, KdfError, Sm3, hmac_sm3, kdf};

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// `len` bytes that follow no pattern of the block length.
fn message(len: usize, seed: u32) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9) | 1;
    (0..len)
        .map(|_| {
            x = x.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            (x >> 24) as u8
        })
        .collect()
}

fn peer_digest(data: &[u8]) -> [u8; 32] {
    <::sm3::Sm3 as digest::Digest>::digest(data).into()
}

fn peer_hmac(key: &[u8], data: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<::sm3::Sm3>::new_from_slice(key).unwrap();
    mac.update(data);
    mac.finalize().into_bytes().into()
}

/// Lengths at which the padding or the buffer changes its course, and some between.
const LENGTHS: [usize; 22] = [
    0, 1, 3, 31, 32, 33, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 121, 127, 128, 129, 191, 1000,
];

/// The annex examples of GB/T 32905-2016.
#[test]
fn standard_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/sm3_sm4.json");
    let text = std::fs::read_to_string(path).unwrap();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let vectors = file["sm3"].as_array().unwrap();
    assert!(vectors.len() >= 2);
    for vector in vectors {
        let message = unhex(vector["message"].as_str().unwrap());
        let expected = unhex(vector["digest"].as_str().unwrap());
        assert_eq!(sm3::digest(&message)[..], expected, "{vector}");
        let mut hash = Sm3::new();
        for byte in &message {
            hash.update(&[*byte]);
        }
        assert_eq!(hash.finalize()[..], expected, "byte by byte: {vector}");
        // Through the traits, as generic code sees it.
        assert_eq!(
            <Sm3 as digest::Digest>::digest(&message)[..],
            expected,
            "{vector}"
        );
    }
}

#[test]
fn agrees_with_another_implementation() {
    for len in LENGTHS {
        for seed in 0..20 {
            let data = message(len, seed);
            assert_eq!(
                sm3::digest(&data),
                peer_digest(&data),
                "{len} bytes, seed {seed}"
            );
        }
    }
}

#[test]
fn a_megabyte_in_odd_chunks() {
    let data = message(1 << 20, 5);
    let expected = peer_digest(&data);
    for chunk in [1, 7, 63, 65, 127, 1021, 65_537] {
        let mut hash = Sm3::new();
        for piece in data.chunks(chunk) {
            hash.update(piece);
        }
        assert_eq!(hash.finalize(), expected, "chunks of {chunk}");
    }
}

/// Keys shorter than a block, of one block, and longer (which are hashed first).
#[test]
fn hmac_agrees_with_another_implementation() {
    for key_len in [0, 1, 16, 32, 63, 64, 65, 200] {
        let key = message(key_len, 11);
        for len in LENGTHS {
            let data = message(len, 13);
            let expected = peer_hmac(&key, &data);
            assert_eq!(hmac_sm3(&key, &data), expected, "key {key_len}, data {len}");
            let mut mac = HmacSm3::new_from_slice(&key).unwrap();
            for piece in data.chunks(37) {
                mac.update(piece);
            }
            assert!(
                mac.clone().verify_slice(&expected).is_ok(),
                "key {key_len}, data {len}"
            );
            let mut wrong = expected;
            wrong[31] ^= 1;
            assert!(
                mac.verify_slice(&wrong).is_err(),
                "key {key_len}, data {len}"
            );
        }
    }
}

/// GB/T 32918.4, 5.4.3, word for word: hash `Z || ct` for `ct = 1, 2, …`, join, cut.
fn plain_kdf(z: &[u8], len: usize) -> Vec<u8> {
    let mut stream = Vec::new();
    let mut counter = 1u32;
    while stream.len() < len {
        stream.extend_from_slice(&peer_digest(&[z, &counter.to_be_bytes()].concat()));
        counter += 1;
    }
    stream.truncate(len);
    stream
}

/// All remainders of `Z` that decide between one last block and two, and where the counter
/// straddles them.
#[test]
fn kdf_agrees_with_its_definition() {
    for z_len in (0..=130).chain([512, 1000]) {
        let z = message(z_len, 17);
        let expected = plain_kdf(&z, 200);
        for len in [0, 1, 16, 31, 32, 33, 64, 100, 200] {
            let mut out = vec![0; len];
            kdf(&z, &mut out).unwrap();
            assert_eq!(
                out,
                expected[..len],
                "Z of {z_len} bytes, {len} bytes of stream"
            );
        }
        let mut prefix = Sm3::new();
        let (left, right) = z.split_at(z_len / 3);
        prefix.update(left);
        prefix.update(right);
        let mut out = [0; 200];
        Kdf::from_prefix(&prefix).fill(&mut out).unwrap();
        assert_eq!(out[..], expected, "Z of {z_len} bytes, from its midstate");
    }
}

/// A counter of more than one byte that changes, through a `Z` that splits it over two blocks.
#[test]
fn kdf_counts_on() {
    for z_len in [0, 61, 62, 63] {
        let z = message(z_len, 19);
        let len = 32 * 70_000;
        let mut out = vec![0; len];
        kdf(&z, &mut out).unwrap();
        for counter in [1u32, 2, 255, 256, 257, 65_535, 65_536, 65_537, 70_000] {
            let at = 32 * (counter as usize - 1);
            let expected = peer_digest(&[&z[..], &counter.to_be_bytes()].concat());
            assert_eq!(
                out[at..at + 32],
                expected,
                "Z of {z_len} bytes, block {counter}"
            );
        }
    }
}

#[test]
fn kdf_streams_in_pieces() {
    let z = message(64, 23);
    let expected = plain_kdf(&z, 4096);
    let data = message(4096, 29);
    for step in [1, 5, 31, 32, 33, 63, 64, 65, 100, 1000, 4096] {
        let mut stream = Kdf::new(&z);
        let mut out = vec![0; 4096];
        for piece in out.chunks_mut(step) {
            stream.fill(piece).unwrap();
        }
        assert_eq!(out, expected, "pieces of {step}");
        assert_eq!(stream.remaining(), Kdf::MAX_LEN - 4096);

        let mut stream = Kdf::new(&z);
        let mut masked = data.clone();
        for (i, piece) in masked.chunks_mut(step).enumerate() {
            // An empty piece now and then takes nothing from the stream.
            if i % 3 == 0 {
                stream.xor_in_place(&mut []).unwrap();
            }
            stream.xor_in_place(piece).unwrap();
        }
        let by_hand: Vec<u8> = data.iter().zip(&expected).map(|(d, k)| d ^ k).collect();
        assert_eq!(masked, by_hand, "pieces of {step}");
        assert!(!bool::from(stream.all_zero()));
    }
}

#[test]
fn kdf_limit_reads_as_advice() {
    assert_eq!(Kdf::MAX_LEN, 137_438_953_440);
    assert!(KdfError::LimitReached.to_string().contains("128 GiB"));
}
