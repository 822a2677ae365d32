//! Private keys under a password, with costs that take no time.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::encoding::read_private_key;
use kuaimi::encoding::sm9::read_key;

use crate::der::value;

const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0d];
const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0c];
const SCRYPT: &[u8] = &[0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 0x0b];
const PRFS: [&[u8]; 4] = [
    &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 7],
    &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 9],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x11, 2],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x11, 3, 1],
];
const CIPHERS: [&[u8]; 4] = [
    &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 2],
    &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x16],
    &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x2a],
    &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68, 2],
];

/// An EncryptedPrivateKeyInfo.
#[derive(Arbitrary, Debug)]
struct Input<'a> {
    scrypt: bool,
    /// Iterations, or `log N`, `r` and `p` in it.
    cost: u8,
    key_length: Option<u8>,
    prf: Option<u8>,
    null: bool,
    cipher: u8,
    salt: &'a [u8],
    iv: &'a [u8],
    password: &'a [u8],
    content: &'a [u8],
}

impl Input<'_> {
    fn der(&self) -> Vec<u8> {
        let sequence = |parts: &[Vec<u8>]| value(0x30, &parts.concat());
        let small = |number: u8| value(2, &[number & 0x7f]);
        let mut derivation = vec![value(4, self.salt)];
        let derivation = if self.scrypt {
            let n = 1u16 << (self.cost & 7);
            derivation.push(value(2, &n.to_be_bytes()[usize::from(n < 0x80)..]));
            derivation.extend([small(self.cost >> 3), small(self.cost >> 6)]);
            derivation.extend(self.key_length.map(small));
            sequence(&[value(6, SCRYPT), sequence(&derivation)])
        } else {
            derivation.push(small(self.cost));
            derivation.extend(self.key_length.map(small));
            if let Some(prf) = self.prf {
                let mut algorithm = vec![value(6, PRFS[usize::from(prf) % PRFS.len()])];
                algorithm.extend(self.null.then(|| value(5, &[])));
                derivation.push(sequence(&algorithm));
            }
            sequence(&[value(6, PBKDF2), sequence(&derivation)])
        };
        let cipher = CIPHERS[usize::from(self.cipher) % CIPHERS.len()];
        let cipher = sequence(&[value(6, cipher), value(4, self.iv)]);
        let algorithm = sequence(&[value(6, PBES2), sequence(&[derivation, cipher])]);
        sequence(&[algorithm, value(4, self.content)])
    }
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let der = input.der();
    assert!(read_private_key(&der, None).is_err(), "without a password");
    let one = read_private_key(&der, Some(input.password)).map(|(key, _)| key.to_bytes());
    let other = read_private_key(&der, Some(input.password)).map(|(key, _)| key.to_bytes());
    assert_eq!(one, other);
    let _ = read_key(&der, Some(input.password));
}
