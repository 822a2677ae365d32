//! Encrypted messages in memory.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::super::WHAT;
use super::super::container::{Container, Part};
use super::super::sign::{SignOptions, Signing, algorithm};
use super::super::text::to_ber;
use super::super::types::Kind;
use super::cipher::Encryption;
use super::decryptor::{Decryptor, Opened};
use super::recipient::{self, KEY_LEN, KeyHolder};
use super::writer::{EnvelopeWriter, new_algorithm};
use super::{ContentCipher, EncryptOptions};
use crate::ber::{
    self, Elements, SEQUENCE, SET, context, context_primitive, element, integer, to_der,
};
use crate::{Certificate, Error, Signer, oid, signer};

/// Encrypts `content` for these recipients, and gives the message in DER.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{EncryptOptions, decrypt, encrypt};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = encrypt(b"a content", &[&certificate], &EncryptOptions::new(), &mut getrandom::SysRng)?;
/// assert_eq!(*decrypt(&message, &certificate, key.private_key())?, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// As [`EnvelopeWriter::new`].
pub fn encrypt<R: TryCryptoRng + ?Sized>(
    content: &[u8],
    recipients: &[&Certificate],
    options: &EncryptOptions,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let length = Some(content.len() as u64);
    let mut writer = EnvelopeWriter::new(recipients, options, length, rng, &mut out)?;
    writer.push(content, &mut out)?;
    writer.finish(&mut out)?;
    Ok(out)
}

/// Encrypts `content` under a key of SM4 that both sides have (encryptedData).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{EncryptOptions, decrypt_under, encrypt_under};
///
/// let message = encrypt_under(b"a content", &[7; 16], &EncryptOptions::new(), &mut getrandom::SysRng)?;
/// assert_eq!(*decrypt_under(&message, &[7; 16])?, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// As [`EnvelopeWriter::under`].
pub fn encrypt_under<R: TryCryptoRng + ?Sized>(
    content: &[u8],
    key: &[u8; 16],
    options: &EncryptOptions,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let length = Some(content.len() as u64);
    let mut writer = EnvelopeWriter::under(key, options, length, rng, &mut out)?;
    writer.push(content, &mut out)?;
    writer.finish(&mut out)?;
    Ok(out)
}

/// Decrypts a message in BER, DER or PEM that is for `certificate`, whose key `holder` has. The
/// content is wiped when dropped.
///
/// The signers of signedAndEnvelopedData must be right, too, and have their certificates in the
/// message; else it is the same error as a wrong key, as there is no other integrity. A
/// [`Decryptor`] says why.
///
/// # Errors
/// [`Error::NotARecipient`]; [`Error::Decryption`], whatever the reason; as [`Decryptor::push`].
pub fn decrypt(
    message: &[u8],
    certificate: &Certificate,
    holder: &dyn KeyHolder,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    Ok(open(message, Decryptor::new(certificate, holder))?.0)
}

/// As [`decrypt`], with the key of `holder`, whatever certificate the message names: it is tried on
/// the first 8 recipients.
///
/// # Errors
/// As [`decrypt`].
pub fn decrypt_without_certificate(
    message: &[u8],
    holder: &dyn KeyHolder,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    Ok(open(message, Decryptor::without_certificate(holder))?.0)
}

/// Decrypts encryptedData, in BER, DER or PEM, under a key of SM4 that both sides have. The content
/// is wiped when dropped.
///
/// # Errors
/// As [`decrypt`].
pub fn decrypt_under(message: &[u8], key: &[u8; 16]) -> Result<Zeroizing<Vec<u8>>, Error> {
    Ok(open(message, Decryptor::under(key))?.0)
}

/// As [`decrypt`], with the keys and the options of `decryptor`, and with what else is in the
/// message: the signers of signedAndEnvelopedData, whose signatures are right. Whether to trust
/// them is another question.
///
/// # Errors
/// As [`decrypt`].
///
/// ```
/// use kuaimi_pki::Certificate;
/// use kuaimi_pki::external::kuaimi::sm2::PrivateKey;
/// use kuaimi_pki::message::{Decryptor, open};
///
/// fn signers(message: &[u8], own: &Certificate, key: &PrivateKey) -> Result<usize, kuaimi_pki::Error> {
///     let (_content, opened) = open(message, Decryptor::new(own, key))?;
///     Ok(opened.verification.map_or(0, |found| found.signers.len()))
/// }
/// ```
pub fn open(
    message: &[u8],
    decryptor: Decryptor<'_>,
) -> Result<(Zeroizing<Vec<u8>>, Opened), Error> {
    let message = to_ber(message)?;
    let mut decryptor = decryptor.with_expected_attributes(authenticated_attributes(&message)?);
    // No longer than the message: so it is never moved, and no copy stays.
    let mut out = Zeroizing::new(Vec::with_capacity(message.len()));
    decryptor.push(&message, &mut out)?;
    let opened = decryptor.finish_from(&mut out, Some(0))?;
    if let Some(verification) = &opened.verification {
        // Not why: who altered the message would learn that its padding was right.
        verification.check().map_err(|_| Error::Decryption)?;
    }
    Ok((out, opened))
}

/// The attributes that GCM authenticates, as they are authenticated: they come after the content,
/// but GCM needs them before.
fn authenticated_attributes(message: &[u8]) -> Result<Vec<u8>, Error> {
    let mut container = Container::new();
    let mut rest = message;
    let mut auth = false;
    loop {
        let (count, part) = container.next(rest)?;
        rest = rest.get(count..).unwrap_or_default();
        match part {
            Some(Part::Kind(kind, _)) => {
                auth = kind == Kind::AuthEnveloped;
                if !auth {
                    return Ok(Vec::new());
                }
            }
            Some(Part::Field {
                tag,
                ber,
                after: true,
            }) if auth && tag == context(1) => {
                let der = to_der(&ber, WHAT)?;
                return Ok(element(SET, &[Elements::new(&der, WHAT).take(tag)?]));
            }
            None | Some(Part::End) => return Ok(Vec::new()),
            Some(_) => {}
        }
    }
}

/// Signs `content`, and encrypts it for these recipients: signedAndEnvelopedData (GM/T 0010-2012,
/// clause 9), in DER.
///
/// It has no signed attributes, and shows everybody the signers. [`encrypt`] of what
/// [`sign`](super::super::sign()) gives has neither weakness.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{EncryptOptions, SignOptions, decrypt, sign_and_encrypt};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let signing = SignOptions::new().without_attributes();
/// let message = sign_and_encrypt(
///     b"a content",
///     &[(&certificate, &key)],
///     &signing,
///     &[&certificate],
///     &EncryptOptions::new(),
///     &mut getrandom::SysRng,
/// )?;
/// assert_eq!(*decrypt(&message, &certificate, key.private_key())?, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// [`Error::Argument`] for options that signedAndEnvelopedData has no place for: signed attributes,
/// a content elsewhere, GCM mode; as [`sign`](super::super::sign()) and [`encrypt`].
pub fn sign_and_encrypt<R: TryCryptoRng + ?Sized>(
    content: &[u8],
    signers: &[(&Certificate, &dyn Signer)],
    signing: &SignOptions,
    recipients: &[&Certificate],
    options: &EncryptOptions,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    if !signing.is_plain() || options.cipher == ContentCipher::Sm4Gcm {
        return Err(Error::Argument(
            "signedAndEnvelopedData has no signed attributes, no content elsewhere, and no GCM",
        ));
    }
    // The caller's memory may change: what is signed is what is encrypted.
    let content = Zeroizing::new(content.to_vec());
    let certificates: Vec<Certificate> = signers.iter().map(|(it, _)| (*it).clone()).collect();
    let signing = signing.clone().with_dialect(options.dialect);
    let mut hash = Signing::new(&certificates, signing)?;
    hash.update(&content);
    let keys: Vec<&dyn Signer> = signers.iter().map(|(_, signer)| *signer).collect();
    let signed = hash.prepare()?.sign(&keys)?;

    let mut key = Zeroizing::new([0; KEY_LEN]);
    signer::fill(rng, key.as_mut())?;
    let recipients = recipient::write(recipients, &key, *options, rng)?;
    let cipher = new_algorithm(options.cipher, rng)?;
    let mut encryption = Encryption::new(&cipher, &key)?;
    let (mut ciphertext, mut last) = (Vec::new(), Vec::new());
    encryption.update(&content, &mut ciphertext)?;
    encryption.finish(&mut last)?;
    let ciphertext = element(context_primitive(0), &[&ciphertext, &last]);

    let dialect = options.dialect;
    let info = [ber::oid(Kind::Data.oid(dialect)), cipher.to_der()].concat();
    let body = element(
        SEQUENCE,
        &[
            &integer(1),
            &recipients,
            &element(SET, &[&algorithm(dialect, oid::SM3)]),
            &element(SEQUENCE, &[&info, &ciphertext]),
            &signed.fields,
        ],
    );
    let kind = ber::oid(Kind::SignedAndEnveloped.oid(dialect));
    Ok(element(SEQUENCE, &[&kind, &element(context(0), &[&body])]))
}
