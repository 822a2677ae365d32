//! Messages, read in pieces beside the same as a whole.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::sm2::SigningKey;
use kuaimi_pki::message::{
    ContentCipher, Decryptor, Dialect, EncryptOptions, EnvelopeWriter, SignOptions, SignedWriter,
    Verifier, VerifyOptions, decrypt, decrypt_under, encrypt_under, sign_and_encrypt, verify,
};
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Certificate, Error};
use kuaimi_testing::Repeatable;

use crate::der::Tree;

const CERTIFICATE: &[u8] = include_bytes!("../../crates/kuaimi-pki/tests/data/message/alice.pem");
const KEY: &[u8] = include_bytes!("../../crates/kuaimi-pki/tests/data/message/alice.key");
const UNDER: [u8; 16] = [7; 16];

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    kind: u8,
    options: u8,
    /// Of the content.
    length: u8,
    /// The lengths of the pieces, less one, again and again.
    pieces: Vec<u8>,
    edits: Vec<(u16, u8)>,
    cut: Option<u16>,
    /// Instead of a message.
    other: Option<Other<'a>>,
}

#[derive(Arbitrary, Debug)]
enum Other<'a> {
    Raw(&'a [u8]),
    Tree(Tree),
}

struct Identity(Certificate, SigningKey);

impl Identity {
    fn new() -> Self {
        let certificates = Certificate::read_all(CERTIFICATE).expect("certificates");
        let (key, _) = kuaimi::encoding::read_private_key(KEY, None).expect("a key");
        Self(certificates[0].clone(), SigningKey::new(key))
    }
}

fn message(input: &Input<'_>, Identity(certificate, key): &Identity) -> Vec<u8> {
    let bit = |place: u8| input.options >> place & 1 != 0;
    let content = vec![0x5a; usize::from(input.length)];
    let dialect = [Dialect::Gm, Dialect::Cms][usize::from(bit(0))];
    let length = bit(1).then_some(content.len() as u64);
    let mut signing = SignOptions::new().with_dialect(dialect);
    if bit(2) || input.kind % 4 == 2 {
        signing = signing.without_attributes();
    }
    let mut encryption = EncryptOptions::new().with_dialect(dialect);
    if bit(3) {
        signing = signing.by_key_identifier();
        encryption = encryption.by_key_identifier();
    }
    let (rng, mut out) = (&mut Repeatable(3), Vec::new());
    let signer = Deterministic(key.clone());
    let made = match input.kind % 4 {
        0 => SignedWriter::new(
            core::slice::from_ref(certificate),
            signing,
            length,
            &mut out,
        )
        .and_then(|mut it| {
            it.push(&content, &mut out)?;
            it.finish(&[&signer], &mut out)
        }),
        1 => {
            if bit(2) {
                encryption = encryption.with_cipher(ContentCipher::Sm4Gcm);
            }
            let writer = EnvelopeWriter::new(&[certificate], &encryption, length, rng, &mut out);
            writer.and_then(|mut it| {
                it.push(&content, &mut out)?;
                it.finish(&mut out)
            })
        }
        2 => {
            let (signers, to) = ([(certificate, &signer as _)], [certificate]);
            let both = sign_and_encrypt(&content, &signers, &signing, &to, &encryption, rng);
            both.map(|message| out = message)
        }
        _ => encrypt_under(&content, &UNDER, &encryption, rng).map(|message| out = message),
    };
    made.expect("a message");
    out
}

/// The bytes in pieces of these lengths.
fn pieces<'a>(mut bytes: &'a [u8], lengths: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut lengths = lengths.iter().chain([&255]).cycle();
    std::iter::from_fn(move || {
        let length = usize::from(*lengths.next()?) + 1;
        let (piece, rest) = bytes.split_at(length.min(bytes.len()));
        bytes = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

type Outcome = (Vec<u8>, Result<String, Error>);

fn verified<'a>(pieces: impl Iterator<Item = &'a [u8]>, known: &Certificate) -> Outcome {
    let options = VerifyOptions::new().with_certificates(std::slice::from_ref(known));
    let mut verifier = Verifier::new(options);
    let mut out = Vec::new();
    for piece in pieces {
        if let Err(error) = verifier.push(piece, &mut out) {
            return (out, Err(error));
        }
    }
    let result = verifier
        .finish()
        .map(|it| format!("{it:?} {:?}", it.check()));
    (out, result)
}

fn decrypted<'a>(pieces: impl Iterator<Item = &'a [u8]>, mut decryptor: Decryptor<'_>) -> Outcome {
    let mut out = Vec::new();
    for piece in pieces {
        let before = out.len();
        if let Err(error) = decryptor.push(piece, &mut out) {
            return (out, Err(error));
        }
        assert!(out.len() <= before + piece.len() + 16);
    }
    let result = decryptor.finish(&mut out).map(|it| format!("{it:?}"));
    (out, result)
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let identity = Identity::new();
    let mut bytes = match &input.other {
        None => message(&input, &identity),
        Some(Other::Raw(raw)) => raw.to_vec(),
        Some(Other::Tree(tree)) => tree.bytes().to_vec(),
    };
    let right = input.other.is_none() && input.edits.is_empty() && input.cut.is_none();
    let length = bytes.len().max(1);
    for &(place, value) in &input.edits {
        if let Some(byte) = bytes.get_mut(usize::from(place) % length) {
            *byte ^= value;
        }
    }
    if let Some(cut) = input.cut {
        bytes.truncate(usize::from(cut));
    }
    let whole = || std::iter::once(&bytes[..]);
    let cut = || pieces(&bytes, &input.pieces);
    let Identity(certificate, key) = &identity;

    let one = verified(whole(), certificate);
    assert_eq!(one, verified(cut(), certificate));
    // What is verified as a whole is verified in pieces, with the certificate given.
    if let Ok(right) = verify(&bytes, &VerifyOptions::new()) {
        assert_eq!(right.content, one.0);
        assert!(one.1.is_ok());
    }

    let holder = || Decryptor::new(certificate, key.private_key());
    let one = decrypted(whole(), holder());
    assert_eq!(one, decrypted(cut(), holder()));
    if let Ok(right) = decrypt(&bytes, certificate, key.private_key())
        && one.1.is_ok()
    {
        assert_eq!(*right, one.0);
    }
    let one = decrypted(whole(), Decryptor::under(&UNDER));
    assert_eq!(one, decrypted(cut(), Decryptor::under(&UNDER)));
    if right {
        match input.kind % 4 {
            0 => assert!(verify(&bytes, &VerifyOptions::new()).is_ok()),
            1 | 2 => assert!(decrypt(&bytes, certificate, key.private_key()).is_ok()),
            _ => assert!(decrypt_under(&bytes, &UNDER).is_ok()),
        }
    }
}
