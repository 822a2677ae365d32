//! SM4's modes, on messages of several lengths, in place.

use std::hint::black_box;

use kuaimi::sm4::{Sm4Cbc, Sm4Ctr, Sm4Gcm, Sm4Xts, XtsStandard};

use super::operations::{Operation, Work, implementation};
use super::{Algorithm, Variant};

/// In the table's order.
pub const NAMES: [&str; 4] = ["ctr", "gcm", "xts", "cbc-decrypt"];
/// Lengths of messages.
pub const LENGTHS: [usize; 3] = [64, 1 << 10, 16 << 10];

const KEY: [u8; 16] = *b"a key of sixteen";
const IV: [u8; 16] = *b"and its sixteen.";

pub fn operations() -> Vec<Operation> {
    let mut operations = Vec::new();
    for name in NAMES {
        for length in LENGTHS {
            operations.push(Operation {
                variant: Variant::Single,
                batch: 1,
                spreads: false,
                algorithm: Algorithm::Sm4,
                name,
                message_bytes: length,
                backend: implementation("sm4"),
                start: Box::new(move || work(name, vec![0x5a; length])),
            });
        }
    }
    operations
}

/// One message after the other under one key, the result of each being the next one's input.
fn work(name: &str, mut data: Vec<u8>) -> Work {
    match name {
        "ctr" => {
            let mut stream = Sm4Ctr::new(&KEY, &IV);
            Box::new(move || stream.apply(black_box(&mut data)))
        }
        "gcm" => {
            let cipher = Sm4Gcm::new(&KEY);
            let mut number = 0_u128;
            Box::new(move || {
                number += 1;
                let nonce = &number.to_le_bytes()[..Sm4Gcm::NONCE_LEN];
                assert!(black_box(cipher.seal_in_place(nonce, b"", &mut data)).is_ok());
            })
        }
        "xts" => {
            let key: [u8; 32] = std::array::from_fn(|i| i as u8);
            let cipher = Sm4Xts::new(&key, XtsStandard::Gb);
            let mut sector = 0_u128;
            Box::new(move || {
                sector += 1;
                let tweak = sector.to_le_bytes();
                let cipher = cipher.as_ref().map_err(|error| *error);
                assert!(
                    cipher
                        .and_then(|c| c.encrypt(&tweak, black_box(&mut data)))
                        .is_ok()
                );
            })
        }
        _ => {
            let cipher = Sm4Cbc::new(&KEY);
            Box::new(move || assert!(cipher.decrypt(&IV, black_box(&mut data)).is_ok()))
        }
    }
}
