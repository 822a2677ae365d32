//! Messages (GM/T 0010, RFC 5652).

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use kuaimi::sm2::{PrivateKey, Signature};
use kuaimi_pki::Certificate;
use kuaimi_pki::message::{
    self, CertificateId, ContentCipher, Decryptor, Dialect, EncryptOptions, Kind, Prepared,
    SignOptions, SignerResult, Signing, Verification, VerifyOptions,
};
use serde::Serialize;
use zeroize::Zeroizing;

use super::facts::{hex, serial};
use super::{certificates, frame, identities, json, signature, time};
use crate::Result;
use crate::object::{Handle, Object, other};
use crate::random::Random;

/// Bits of `settings` beside the dialect, which is in the two lowest.
const DETACHED: u32 = 4;
const WITHOUT_ATTRIBUTES: u32 = 8;
const BY_KEY: u32 = 16;
const WITHOUT_CERTIFICATES: u32 = 32;
const EMPTY_IDENTITY: u32 = 64;

/// A message that waits for its signatures, and its content. What was hashed is what is written:
/// the caller's memory may change in between.
pub struct Message {
    prepared: Prepared,
    content: Option<Zeroizing<Vec<u8>>>,
}

fn dialect(settings: u32) -> Dialect {
    match settings & 3 {
        0 => Dialect::Cms,
        1 => Dialect::Gm,
        _ => Dialect::GmSsl,
    }
}

/// What a message is: the name of its type.
pub fn pki_message_kind(message: &[u8]) -> Result<Vec<u8>> {
    let kind = message::kind(&message::to_ber(message)?)?;
    Ok(kind.name().as_bytes().to_vec())
}

/// Hashes a content that the holders of the signers' keys are to sign.
pub fn pki_message_prepare(
    content: &[u8],
    signers: &[u8],
    others: &[u8],
    settings: u32,
    signing_time: Option<&[u8]>,
) -> Result<Object> {
    let mut options = SignOptions::new().with_dialect(dialect(settings));
    if settings & DETACHED != 0 {
        options = options.detached();
    }
    if settings & WITHOUT_ATTRIBUTES != 0 {
        options = options.without_attributes();
    }
    if settings & BY_KEY != 0 {
        options = options.by_key_identifier();
    }
    options = match settings & WITHOUT_CERTIFICATES {
        0 => options.with_certificates(&certificates(others)?),
        _ => options.without_certificates(),
    };
    if settings & EMPTY_IDENTITY != 0 {
        options = options.under_empty_identity();
    }
    if let Some(bytes) = signing_time {
        options = options.with_signing_time(time(bytes)?);
    }
    // A copy: it is read twice.
    let content = Zeroizing::new(content.to_vec());
    let mut signing = Signing::new(&certificates(signers)?, options)?;
    signing.update(&content);
    Ok(Object::Message(Box::new(Message {
        prepared: signing.prepare()?,
        content: (settings & DETACHED == 0).then_some(content),
    })))
}

/// The digests of 32 bytes, one for each signer.
pub fn pki_message_digests(message: &Handle) -> Result<Vec<u8>> {
    message.with(|object| match object {
        Object::Message(message) => Ok(message.prepared.digests().concat()),
        _ => Err(other()),
    })
}

/// The message with its signatures, which are verified. The object is used up.
pub fn pki_message_finish(message: &Handle, signatures: &[u8]) -> Result<Vec<u8>> {
    let signatures: Vec<Signature> = frame::items(signatures)?
        .into_iter()
        .map(signature)
        .collect::<Result<_>>()?;
    let Object::Message(message) = message.take(|object| matches!(object, Object::Message(_)))?
    else {
        return Err(other());
    };
    let signed = message.prepared.complete(&signatures)?;
    Ok(match &message.content {
        Some(content) => signed.attached(content)?,
        None => signed.detached(),
    })
}

#[derive(Serialize)]
struct Facts {
    kind: &'static str,
    signers: Vec<SignerFacts>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignerFacts {
    signing_time: Option<u64>,
    serial_number: Option<String>,
    key_identifier: Option<String>,
    /// Whether its certificate is among those that follow.
    certificate: bool,
}

fn signer(found: &SignerResult) -> SignerFacts {
    let (serial_number, key_identifier) = match &found.id {
        CertificateId::Key(id) => (None, Some(hex(id))),
        CertificateId::Issuer { serial: bytes, .. } => (Some(serial(bytes)), None),
        _ => (None, None),
    };
    SignerFacts {
        signing_time: found
            .signing_time
            .map(|time| time.unix_duration().as_secs()),
        serial_number,
        key_identifier,
        certificate: found.certificate.is_some(),
    }
}

/// A list: what was found, as JSON; the content; the certificates of the signers that have one, in
/// order; and those in the message.
fn opened(
    kind: &'static str,
    content: &[u8],
    verification: Option<&Verification>,
) -> Result<Zeroizing<Vec<u8>>> {
    let signers = verification.map_or(&[][..], |found| &found.signers);
    let facts = json(&Facts {
        kind,
        signers: signers.iter().map(signer).collect(),
    })?;
    let of_signers = signers.iter().filter_map(|it| it.certificate.as_ref());
    let inside = verification.map_or(&[][..], |found| &found.certificates);
    let mut all = Vec::from([&facts[..], content]);
    all.extend(of_signers.chain(inside).map(Certificate::as_der));
    frame::list(&all)
}

fn verify_options(known: &[u8], empty: u32) -> Result<VerifyOptions> {
    Ok(VerifyOptions::new()
        .with_certificates(&certificates(known)?)
        .with_identities(identities(empty)))
}

/// What is in a message whose signatures are all right.
pub fn pki_message_verify(
    message: &[u8],
    content: Option<&[u8]>,
    known: &[u8],
    empty: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let options = verify_options(known, empty)?;
    match content {
        None => {
            let found = message::verify(message, &options)?;
            let content = Zeroizing::new(found.content);
            opened(Kind::Signed.name(), &content, Some(&found.verification))
        }
        Some(content) => {
            let found = message::verify_detached(message, content, &options)?;
            opened(Kind::Signed.name(), &[], Some(&found))
        }
    }
}

/// Encrypts a content for the holders of certificates' keys, with SM4-CBC (0), SM4-GCM (1), or
/// SM4-CBC named without the mode (2).
pub fn pki_message_encrypt(
    content: &[u8],
    recipients: &[u8],
    settings: u32,
    cipher: u32,
) -> Result<Vec<u8>> {
    let mut options = EncryptOptions::new()
        .with_dialect(dialect(settings))
        .with_cipher(match cipher {
            0 => ContentCipher::Sm4Cbc,
            1 => ContentCipher::Sm4Gcm,
            2 => ContentCipher::Sm4CbcNamedSm4,
            _ => return Err(argument!("there is no such cipher")),
        });
    if settings & BY_KEY != 0 {
        options = options.by_key_identifier();
    }
    let recipients = certificates(recipients)?;
    let recipients: Vec<&Certificate> = recipients.iter().collect();
    Ok(message::encrypt(
        content,
        &recipients,
        &options,
        &mut Random,
    )?)
}

/// The content of a message for the holder of a key. Without the certificate, the key is tried on
/// the first recipients. If the message is signed, too, its signatures are right.
pub fn pki_message_decrypt(
    message: &[u8],
    key: &[u8],
    certificate: Option<&[u8]>,
    known: &[u8],
    empty: u32,
) -> Result<Zeroizing<Vec<u8>>> {
    let options = verify_options(known, empty)?;
    let key = PrivateKey::from_slice(key)?;
    let certificate = certificate.map(Certificate::from_der).transpose()?;
    let decryptor = match &certificate {
        Some(certificate) => Decryptor::new(certificate, &key),
        None => Decryptor::without_certificate(&key),
    };
    let (content, found) = message::open(message, decryptor.with_verify_options(options))?;
    opened(found.kind.name(), &content, found.verification.as_ref())
}
