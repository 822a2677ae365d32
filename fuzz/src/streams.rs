//! Ciphertexts in files, read in pieces, beside the same in memory.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::sm2::{self, Ciphertext, CiphertextForm, PrivateKey};
use kuaimi::sm9::{self, DecryptOptions, Mode};
use kuaimi_testing::Repeatable;

use crate::identities::encryption_master;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    form: u8,
    /// Bytes that are read at a time.
    piece: u16,
    /// Of the message, in units of 24 bytes: more than a piece of the functions on files.
    length: u16,
    edits: Vec<(u32, u8)>,
    cut: Option<u32>,
    /// Instead of a ciphertext.
    raw: Option<&'a [u8]>,
}

impl Input<'_> {
    fn edited(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if let Some(raw) = self.raw {
            bytes = raw.to_vec();
        }
        let length = bytes.len().max(1);
        for &(place, value) in &self.edits {
            if let Some(byte) = bytes.get_mut(place as usize % length) {
                *byte ^= value;
            }
        }
        if let Some(cut) = self.cut {
            bytes.truncate(cut as usize);
        }
        bytes
    }
}

/// Gives a few bytes at a time.
struct Slow(Cursor<Vec<u8>>, usize);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.1);
        self.0.read(&mut buffer[..count])
    }
}

impl Seek for Slow {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let message = vec![0x5a; (usize::from(input.length) * 24).max(1)];
    let slow = |bytes: &[u8]| {
        let least = 1 + bytes.len() / 64;
        Slow(
            Cursor::new(bytes.to_vec()),
            least + usize::from(input.piece),
        )
    };
    if input.form & 1 == 0 {
        of_sm2(&input, &message, slow);
    } else {
        of_sm9(&input, &message, slow);
    }
}

fn of_sm2(input: &Input<'_>, message: &[u8], slow: impl Fn(&[u8]) -> Slow) {
    let form = CiphertextForm::ALL[usize::from(input.form >> 1) % CiphertextForm::ALL.len()];
    let secret = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    let ciphertext = secret
        .public_key()
        .encrypt_with_rng(&mut Repeatable(3), message)
        .expect("numbers");
    let bytes = input.edited(ciphertext.to_bytes(form));
    let whole = Ciphertext::from_bytes(form, &bytes);
    let plaintext = whole.as_ref().ok().and_then(|it| secret.decrypt(it).ok());
    let mut out = Vec::new();
    let read = sm2::stream::decrypt(&secret, Some(form), slow(&bytes), &mut out);
    assert_eq!(read.is_ok(), plaintext.is_some(), "{form}: {read:?}");
    assert_eq!(out, plaintext.map(|it| it.to_vec()).unwrap_or_default());
    for &to in CiphertextForm::ALL {
        let mut out = Vec::new();
        let converted = sm2::stream::convert(slow(&bytes), form, &mut out, to);
        match &whole {
            Ok(whole) => assert_eq!(out, whole.to_bytes(to), "{form} to {to}: {converted:?}"),
            Err(_) => assert!(converted.is_err(), "{form} to {to}"),
        }
    }
}

fn of_sm9(input: &Input<'_>, message: &[u8], slow: impl Fn(&[u8]) -> Slow) {
    let mode = Mode::ALL[usize::from(input.form >> 1) % Mode::ALL.len()];
    let bob = encryption_master().extract("bob").expect("an identity");
    let options = sm9::EncryptOptions::new().with_mode(mode);
    let ciphertext = bob
        .encryption_key()
        .encrypt_with_rng(&mut Repeatable(4), message, options)
        .expect("numbers");
    let bytes = input.edited(ciphertext.to_bytes());
    let whole = sm9::Ciphertext::from_bytes(mode, &bytes);
    let plaintext = whole.as_ref().ok().and_then(|it| bob.decrypt(it).ok());
    let mut out = Vec::new();
    let options = DecryptOptions::default();
    let read = sm9::stream::decrypt_raw(&bob, mode, options, slow(&bytes), &mut out);
    assert_eq!(read.is_ok(), plaintext.is_some(), "{mode}: {read:?}");
    assert_eq!(out, plaintext.map(|it| it.to_vec()).unwrap_or_default());
    let mut der = Vec::new();
    let converted = sm9::stream::raw_to_der(mode, slow(&bytes), &mut der);
    match &whole {
        Ok(whole) => {
            assert_eq!(der, whole.to_der(), "{mode}: {converted:?}");
            out.clear();
            let read = sm9::stream::decrypt(&bob, options, slow(&der), &mut out);
            assert_eq!(read.is_ok(), bob.decrypt(whole).is_ok());
        }
        Err(_) => assert!(converted.is_err(), "{mode}"),
    }
}
