//! Encrypted messages, written and read.

use getrandom::SysRng;
use kuaimi::sm2::CiphertextForm;
use kuaimi_pki::message::{
    CertificateId, ContentCipher, Decryptor, Dialect, EncryptOptions, EnvelopeWriter, Kind,
    SignOptions, VerifyOptions, decrypt, decrypt_under, encrypt, encrypt_under, kind, recipients,
    sign_and_encrypt,
};
use kuaimi_pki::{Error, Signer};

use crate::common::{certificate, element, identity, private_key, replace};

const CIPHERS: [ContentCipher; 3] = [
    ContentCipher::Sm4Cbc,
    ContentCipher::Sm4CbcNamedSm4,
    ContentCipher::Sm4Gcm,
];

fn options() -> Vec<EncryptOptions> {
    let mut all = Vec::new();
    for dialect in [Dialect::Gm, Dialect::GmSsl, Dialect::Cms] {
        for cipher in CIPHERS {
            let options = EncryptOptions::new()
                .with_dialect(dialect)
                .with_cipher(cipher);
            all.extend([options, options.by_key_identifier()]);
        }
    }
    all
}

/// Around a block's, a piece's and a length's ends.
const LENGTHS: [usize; 12] = [0, 1, 15, 16, 17, 31, 32, 100, 255, 256, 65_536, 70_000];

#[test]
fn every_option_and_length() {
    let (alice, bob, ca) = (certificate("alice"), certificate("bob"), certificate("ca"));
    let keys = [private_key("alice"), private_key("bob"), private_key("ca")];
    for options in options() {
        for length in LENGTHS {
            let content: Vec<u8> = (0..length).map(|i| i as u8).collect();
            let message =
                encrypt(&content, &[&alice, &bob], &options, &mut SysRng).expect("encrypted");
            assert_eq!(recipients(&message).expect("recipients").len(), 2);
            for (certificate, key) in [&alice, &bob].iter().zip(&keys) {
                let opened = decrypt(&message, certificate, key).expect("decrypted");
                assert_eq!(*opened, content);
            }
            let other = decrypt(&message, &ca, &keys[2]);
            assert_eq!(other, Err(Error::NotARecipient));
            // A certificate with another's key.
            assert_eq!(decrypt(&message, &alice, &keys[1]), Err(Error::Decryption));

            // In pieces, both ways, with a length and without.
            for known in [None, Some(length as u64)] {
                let mut message = Vec::new();
                let mut writer =
                    EnvelopeWriter::new(&[&bob], &options, known, &mut SysRng, &mut message)
                        .expect("begun");
                for piece in content.chunks(1000) {
                    writer.push(piece, &mut message).expect("pushed");
                }
                writer.finish(&mut message).expect("finished");
                for size in [1, 7, 5000] {
                    let mut opened = Vec::new();
                    let mut decryptor = Decryptor::new(&alice, &keys[0]).or(&bob, &keys[1]);
                    for piece in message.chunks(size) {
                        let before = opened.len();
                        decryptor.push(piece, &mut opened).expect("a message");
                        assert!(opened.len() - before <= piece.len() + 16);
                    }
                    let result = decryptor.finish(&mut opened).expect("decrypted");
                    assert_eq!(opened, content);
                    assert_eq!(Kind::from_oid(result.content_type), Some(Kind::Data));
                    assert_eq!(Ok(result.kind), kind(&message));
                }
                let mut opened = Vec::new();
                let mut decryptor = Decryptor::without_certificate(&keys[1]);
                decryptor.push(&message, &mut opened).expect("a message");
                let _ = decryptor.finish(&mut opened).expect("decrypted");
                assert_eq!(opened, content);
            }
        }
    }
}

#[test]
fn lengths_must_be_kept() {
    let bob = certificate("bob");
    for options in options() {
        for said in [0, 99, 101, 1000] {
            let mut out = Vec::new();
            let mut writer =
                EnvelopeWriter::new(&[&bob], &options, Some(said), &mut SysRng, &mut out)
                    .expect("begun");
            let pushed = writer.push(&[0; 100], &mut out);
            assert!(
                pushed.is_err() || writer.finish(&mut out).is_err(),
                "{said}"
            );
        }
    }
    let options = EncryptOptions::new();
    let none = encrypt(b"", &[], &options, &mut SysRng);
    assert!(matches!(none, Err(Error::Argument(_))));
    let other = encrypt(b"", &[&certificate("rsa")], &options, &mut SysRng);
    assert!(matches!(other, Err(Error::Algorithm(..))));
}

#[test]
fn under_a_key() {
    for dialect in [Dialect::Gm, Dialect::GmSsl, Dialect::Cms] {
        for length in LENGTHS {
            let content = vec![7; length];
            let options = EncryptOptions::new().with_dialect(dialect);
            let message = encrypt_under(&content, &[1; 16], &options, &mut SysRng).expect("made");
            assert_eq!(
                *decrypt_under(&message, &[1; 16]).expect("decrypted"),
                content
            );
            // One key in 256 gives a padding by chance.
            let wrong = (2..6).filter(|key| decrypt_under(&message, &[*key; 16]).is_ok());
            assert!(wrong.count() < 4);
            let as_envelope = decrypt(&message, &certificate("bob"), &private_key("bob"));
            assert!(matches!(as_envelope, Err(Error::Algorithm(..))));
        }
    }
    let gcm = EncryptOptions::new().with_cipher(ContentCipher::Sm4Gcm);
    let gcm = encrypt_under(b"", &[1; 16], &gcm, &mut SysRng);
    assert!(matches!(gcm, Err(Error::Argument(_))));
}

/// GCM shows every alteration of the ciphertext, the nonce, and the tag.
#[test]
fn gcm_shows_alterations() {
    let (bob, key) = (certificate("bob"), private_key("bob"));
    let options = EncryptOptions::new().with_cipher(ContentCipher::Sm4Gcm);
    let message = encrypt(&[7; 100], &[&bob], &options, &mut SysRng).expect("encrypted");
    // From the nonce on.
    let start = message.len() - 18 - 102 - 20;
    for place in start..message.len() {
        for bit in 0..8 {
            let mut altered = message.clone();
            altered[place] ^= 1 << bit;
            assert!(decrypt(&altered, &bob, &key).is_err(), "{place} {bit}");
        }
    }
}

#[test]
fn signed_and_enveloped() {
    let ((alice, alice_key), (bob, bob_key)) = (identity("alice"), identity("bob"));
    let signers: [(_, &dyn Signer); 1] = [(&alice, &alice_key)];
    let signing = SignOptions::new().without_attributes();
    for dialect in [Dialect::Gm, Dialect::GmSsl, Dialect::Cms] {
        let options = EncryptOptions::new().with_dialect(dialect);
        let message = sign_and_encrypt(
            b"a content",
            &signers,
            &signing,
            &[&bob],
            &options,
            &mut SysRng,
        )
        .expect("made");
        assert_eq!(kind(&message), Ok(Kind::SignedAndEnveloped));
        let opened = decrypt(&message, &bob, bob_key.private_key()).expect("opened");
        assert_eq!(*opened, b"a content");
        // An altered ciphertext, with a right padding or a wrong one: one error.
        let length = message.len();
        let place = message
            .windows(2)
            .position(|it| it == [0x80, 16])
            .expect("a ciphertext");
        for bit in 0..128 {
            let mut altered = message.clone();
            altered[place + 2 + bit / 8] ^= 1 << (bit % 8);
            let result = decrypt(&altered, &bob, bob_key.private_key());
            assert_eq!(result, Err(Error::Decryption), "{bit} of {length}");
        }

        let known = VerifyOptions::new().with_certificates(std::slice::from_ref(&alice));
        for (known, good) in [(known, true), (VerifyOptions::new(), false)] {
            let decryptor = Decryptor::new(&bob, bob_key.private_key());
            let mut decryptor = decryptor.with_verify_options(known);
            let mut out = Vec::new();
            for piece in message.chunks(3) {
                decryptor.push(piece, &mut out).expect("a message");
            }
            let opened = decryptor.finish(&mut out).expect("decrypted");
            assert_eq!(out, b"a content");
            let verification = opened.verification.expect("signers");
            assert_eq!(verification.check().is_ok(), good);
            assert_eq!(verification.certificates, std::slice::from_ref(&alice));
        }
    }
    for signing in [SignOptions::new(), signing.detached()] {
        let refused = sign_and_encrypt(
            b"a content",
            &signers,
            &signing,
            &[&bob],
            &EncryptOptions::new(),
            &mut SysRng,
        );
        assert!(matches!(refused, Err(Error::Argument(_))));
    }
}

/// The forms of the key's ciphertext, and names of its algorithm, that others write.
#[test]
fn old_forms_of_the_key() {
    let (bob, key) = (certificate("bob"), private_key("bob"));
    let CertificateId::Issuer { issuer, serial } = CertificateId::issuer_of(&bob) else {
        panic!("by issuer");
    };
    let content_key = [9; 16];
    let cipher = kuaimi::sm4::Sm4Cbc::new(&content_key);
    let ciphertext = cipher.encrypt_padded(&[3; 16], b"a content");
    let message = |encrypted: &[u8], key_oid: &[u8], cipher_oid: &[u8]| {
        let id = element(0x30, &[&issuer, &element(2, &[&serial])]);
        let recipient = element(
            0x30,
            &[
                &[2, 1, 1],
                &id,
                &element(0x30, &[&element(6, &[key_oid])]),
                &element(4, &[encrypted]),
            ],
        );
        let cipher = element(
            0x30,
            &[&element(6, &[cipher_oid]), &element(4, &[&[3; 16]])],
        );
        let data = element(6, &[&[0x2a, 0x81, 0x1c, 0xcf, 0x55, 6, 1, 4, 2, 1]]);
        let info = element(0x30, &[&data, &cipher, &element(0x80, &[&ciphertext])]);
        let body = element(0x30, &[&[2, 1, 1], &element(0x31, &[&recipient]), &info]);
        let enveloped = element(6, &[&[0x2a, 0x81, 0x1c, 0xcf, 0x55, 6, 1, 4, 2, 3]]);
        element(0x30, &[&enveloped, &element(0xa0, &[&body])])
    };
    let curve = [0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d];
    let key_oids = [
        &curve[..],
        &[&curve[..], &[2]].concat(),
        &[&curve[..], &[3]].concat(),
    ];
    let sm4 = [0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68];
    for &form in CiphertextForm::ALL {
        // Also points that begin with the bytes 0x30 and 4, which are like other forms.
        for _ in 0..50 {
            let encrypted = key.public_key().encrypt(&content_key).expect("encrypted");
            for key_oid in key_oids {
                for cipher_oid in [&sm4[..], &[&sm4[..], &[2]].concat()] {
                    let message = message(&encrypted.to_bytes(form), key_oid, cipher_oid);
                    let opened = decrypt(&message, &bob, &key).expect("decrypted");
                    assert_eq!(*opened, b"a content", "{form}");
                }
            }
        }
    }
    // A key that is no key of SM4, and an algorithm that is another.
    let encrypted = key
        .public_key()
        .encrypt(&[9; 17])
        .expect("encrypted")
        .to_der();
    let message_of =
        |encrypted: &[u8], oid: &[u8]| decrypt(&message(encrypted, oid, &sm4), &bob, &key);
    assert_eq!(message_of(&encrypted, &curve), Err(Error::Decryption));
    let encrypted = key
        .public_key()
        .encrypt(&content_key)
        .expect("encrypted")
        .to_der();
    let rsa = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 1, 1];
    assert_eq!(message_of(&encrypted, &rsa), Err(Error::NotARecipient));
}

/// Modes that are read and not written, computed by the library's own modes.
#[test]
fn other_modes() {
    use kuaimi::sm4::{Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb};
    let made = |cipher: &[u8], ciphertext: &[u8], parameters: Vec<u8>| {
        let sm4 = [&[0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68][..], cipher].concat();
        let data = element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 1]]);
        let cipher = element(0x30, &[&element(6, &[&sm4]), &parameters]);
        let info = element(0x30, &[&data, &cipher, &element(0x80, &[ciphertext])]);
        let encrypted = element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 6]]);
        let body = element(0x30, &[&[2, 1, 0], &info]);
        element(0x30, &[&encrypted, &element(0xa0, &[&body])])
    };
    let (key, iv) = ([7; 16], [9; 16]);
    let plain = [5u8; 50];
    let octets = element(4, &[&iv]);
    let (mut ofb, mut cfb, mut ctr) = (plain, plain, plain);
    Sm4Ofb::new(&key, &iv).apply(&mut ofb);
    Sm4Cfb::new(&key, &iv).encrypt(&mut cfb);
    Sm4Ctr::new(&key, &iv).apply(&mut ctr);
    for (oid, ciphertext) in [(3, ofb), (4, cfb), (7, ctr)] {
        let message = made(&[oid], &ciphertext, octets.clone());
        assert_eq!(decrypt_under(&message, &key).expect("decrypted")[..], plain);
    }
    // GCM with its tag at the end of the ciphertext, as some write it.
    let sealed = Sm4Gcm::new(&key)
        .seal(&iv[..12], b"", &plain)
        .expect("sealed");
    for tag_len in [12, 16] {
        let parameters = element(0x30, &[&element(4, &[&iv[..12]]), &[2, 1, tag_len]]);
        let sealed = &sealed[..plain.len() + usize::from(tag_len)];
        let message = made(&[8], sealed, parameters);
        assert_eq!(decrypt_under(&message, &key).expect("decrypted")[..], plain);
        let altered = replace(&message, sealed, &[&[sealed[0] ^ 1], &sealed[1..]].concat());
        assert_eq!(decrypt_under(&altered, &key), Err(Error::Decryption));
    }
    let short = element(0x30, &[&element(4, &[&iv[..12]]), &[2, 1, 4]]);
    assert!(decrypt_under(&made(&[8], &sealed, short), &key).is_err());
}

/// Attributes that GCM authenticates come after the content (RFC 5083): a message in memory is read
/// with them, and one in pieces is refused.
#[test]
fn authenticated_attributes() {
    let (bob, key) = (certificate("bob"), private_key("bob"));
    let CertificateId::Issuer { issuer, serial } = CertificateId::issuer_of(&bob) else {
        panic!("by issuer");
    };
    let content_key = [9; 16];
    let encrypted = key
        .public_key()
        .encrypt(&content_key)
        .expect("encrypted")
        .to_der();
    let curve = [0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x82, 0x2d, 3];
    let recipient = element(
        0x30,
        &[
            &[2, 1, 0],
            &element(0x30, &[&issuer, &element(2, &[&serial])]),
            &element(0x30, &[&element(6, &[&curve])]),
            &element(4, &[&encrypted]),
        ],
    );
    // Another type than `data`, which the attributes bind.
    let content_type = element(6, &[&[0x2a, 3, 4, 5]]);
    let oid = element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 9, 3]]);
    let attributes = element(0x30, &[&oid, &element(0x31, &[&content_type])]);
    let nonce = [5; 12];
    let gcm = kuaimi::sm4::Sm4Gcm::new(&content_key);
    let message = |aad: &[u8], attributes: &[u8]| {
        let sealed = gcm.seal(&nonce, aad, b"a content").expect("sealed");
        let (ciphertext, tag) = sealed.split_at(9);
        let cipher = [0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x68, 8];
        let parameters = element(0x30, &[&element(4, &[&nonce]), &[2, 1, 16]]);
        let cipher = element(0x30, &[&element(6, &[&cipher]), &parameters]);
        let info = element(
            0x30,
            &[&content_type, &cipher, &element(0x80, &[ciphertext])],
        );
        let recipients = element(0x31, &[&recipient]);
        let tag = element(4, &[tag]);
        let body = element(0x30, &[&[2, 1, 0], &recipients, &info, attributes, &tag]);
        let oid = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 9, 16, 1, 23];
        element(0x30, &[&element(6, &[&oid]), &element(0xa0, &[&body])])
    };
    let aad = element(0x31, &[&attributes]);
    let right = message(&aad, &element(0xa1, &[&attributes]));
    assert_eq!(
        *decrypt(&right, &bob, &key).expect("decrypted"),
        b"a content"
    );
    let mut decryptor = Decryptor::new(&bob, &key);
    let mut out = Vec::new();
    decryptor.push(&right, &mut out).expect("a message");
    assert!(matches!(
        decryptor.finish(&mut out),
        Err(Error::Structure(..))
    ));
    // Others than were authenticated, under another tag, and none.
    let other = replace(&attributes, &[0x2a, 3, 4, 5], &[0x2a, 3, 4, 6]);
    let wrong = message(&aad, &element(0xa1, &[&other]));
    assert_eq!(decrypt(&wrong, &bob, &key), Err(Error::Decryption));
    let wrong = message(
        &element(0xa1, &[&attributes]),
        &element(0xa1, &[&attributes]),
    );
    assert_eq!(decrypt(&wrong, &bob, &key), Err(Error::Decryption));
    assert!(decrypt(&message(&aad, &[]), &bob, &key).is_err());
    let unbound = decrypt(&message(&[], &[]), &bob, &key);
    assert!(matches!(unbound, Err(Error::Structure(..))));
}
