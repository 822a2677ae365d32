//! Cases to compare with the peers: reproducible ones from a small generator of numbers, and the
//! values at the edges.

#![allow(
    dead_code,
    reason = "each test program uses its own part of this module"
)]

use x509_cert::der::asn1::{Uint, UintRef};
use x509_cert::der::{Decode, Encode};

/// The identities to sign under: the default one, the ones that standards name, some that are not
/// text, and one of `longest` bytes.
pub(crate) fn ids(longest: usize) -> Vec<Vec<u8>> {
    vec![
        b"1234567812345678".to_vec(),
        b"TLSv1.3+GM+Cipher+Suite".to_vec(),
        b"ALICE123@YAHOO.COM".to_vec(),
        "快密@例子".as_bytes().to_vec(),
        vec![0x00],
        vec![0xFF, 0x00, 0x0A, 0x3A, 0x20],
        vec![0xA5; longest],
    ]
}

/// The curve's order `n`, less `below`.
pub(crate) fn order_minus(below: u8) -> [u8; 32] {
    let mut n = [0; 32];
    let digits = "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123";
    hex::decode_to_slice(digits, &mut n).expect("hexadecimal");
    n[31] -= below;
    n
}

/// A small number as 32 bytes.
pub(crate) fn small(number: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[31] = number;
    bytes
}

/// Numbers for `usual` cases, or for as many as `KUAIMI_INTEROP_CASES` asks for (`make interop`),
/// which are counted on standard output.
pub(crate) fn rounds(usual: usize) -> impl Iterator<Item = usize> {
    let asked = std::env::var("KUAIMI_INTEROP_CASES").ok();
    let asked = asked.map(|number| number.parse().expect("KUAIMI_INTEROP_CASES is a number"));
    let mut numbers = 0..asked.unwrap_or(usual);
    std::iter::from_fn(move || {
        let number = numbers.next();
        if let (None, Some(count)) = (number, asked) {
            let test = std::thread::current();
            println!("{count:>9} cases: {}", test.name().unwrap_or("a test"));
        }
        number
    })
}

/// SplitMix64: enough for choosing cases, and the same on every machine. Never for keys that
/// matter.
pub(crate) struct Cases(u64);

impl Cases {
    /// Each test has its own `seed`; `KUAIMI_INTEROP_SEED` gives other cases for all of them.
    pub(crate) fn new(seed: u64) -> Self {
        let asked = std::env::var("KUAIMI_INTEROP_SEED").ok();
        let asked: u64 = asked.map_or(0, |number| number.parse().expect("a number"));
        Self(seed + (asked << 32))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("it is below a usize")
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    pub(crate) fn array(&mut self) -> [u8; 32] {
        self.bytes(32).try_into().expect("32 bytes")
    }

    /// A message of at least one byte, most often short, sometimes of several blocks.
    pub(crate) fn message(&mut self) -> Vec<u8> {
        let bound = [4, 70, 70, 300, 5000][self.below(5)];
        let length = 1 + self.below(bound);
        self.bytes(length)
    }

    /// A private key: random, or close to the ends of the range.
    pub(crate) fn private_key(&mut self) -> [u8; 32] {
        match self.below(12) {
            0 => small(1 + u8::try_from(self.below(20)).expect("small")),
            1 => order_minus(2 + u8::try_from(self.below(20)).expect("small")),
            _ => {
                // Clearing the top bit keeps it below n.
                let mut d = self.array();
                d[0] &= 0x7F;
                d
            }
        }
    }

    /// `bytes` with one bit changed.
    pub(crate) fn spoiled(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let place = self.below(bytes.len());
        bytes[place] ^= 1 << self.below(8);
        bytes
    }
}

/// `r || s` as DER, by the `der` crate alone, so that a peer sees a signature however Kuaimi's own
/// encoding does.
pub(crate) fn signature_to_der(raw: &[u8; 64]) -> Vec<u8> {
    let integers: Vec<UintRef<'_>> = raw
        .chunks_exact(32)
        .map(|half| UintRef::new(half).expect("an integer of 32 bytes"))
        .collect();
    // SEQUENCE OF writes its elements in turn, as SEQUENCE does.
    integers.to_der().expect("a sequence of two integers")
}

/// The `r || s` of a signature in DER, by the `der` crate alone.
pub(crate) fn signature_from_der(der: &[u8]) -> [u8; 64] {
    let integers = Vec::<Uint>::from_der(der).expect("a sequence of integers");
    assert_eq!(integers.len(), 2, "a signature is two integers");
    let mut raw = [0; 64];
    for (half, integer) in raw.chunks_exact_mut(32).zip(&integers) {
        let bytes = integer.as_bytes();
        half[32 - bytes.len()..].copy_from_slice(bytes);
    }
    raw
}
