//! Messages (GM/T 0010, RFC 5652).

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use kuaimi::sm2::{PrivateKey, PublicKey, Signature};
use kuaimi_pki::message::{
    self, CertificateId, ContentCipher, Decryptor, Dialect, EncryptOptions, Kind, Prepared,
    SignOptions, SignerResult, Signing, Verification, VerifyOptions,
};
use kuaimi_pki::{Certificate, Signer};
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

fn sign_options(settings: u32, others: &[u8]) -> Result<SignOptions> {
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
    if settings & EMPTY_IDENTITY != 0 {
        options = options.under_empty_identity();
    }
    Ok(match settings & WITHOUT_CERTIFICATES {
        0 => options.with_certificates(&certificates(others)?),
        _ => options.without_certificates(),
    })
}

fn encrypt_options(settings: u32, cipher: u32) -> Result<EncryptOptions> {
    let options = EncryptOptions::new()
        .with_dialect(dialect(settings))
        .with_cipher(match cipher {
            0 => ContentCipher::Sm4Cbc,
            1 => ContentCipher::Sm4Gcm,
            2 => ContentCipher::Sm4CbcNamedSm4,
            _ => return Err(argument!("there is no such cipher")),
        });
    Ok(match settings & BY_KEY {
        0 => options,
        _ => options.by_key_identifier(),
    })
}

fn signatures(list: &[u8]) -> Result<Vec<Signature>> {
    frame::items(list)?.into_iter().map(signature).collect()
}

/// Hashes a content that the holders of the signers' keys are to sign.
pub fn pki_message_prepare(
    content: &[u8],
    signers: &[u8],
    others: &[u8],
    settings: u32,
    signing_time: Option<&[u8]>,
) -> Result<Object> {
    let mut options = sign_options(settings, others)?;
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
    let signatures = self::signatures(signatures)?;
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
    let options = encrypt_options(settings, cipher)?;
    let recipients = certificates(recipients)?;
    let recipients: Vec<&Certificate> = recipients.iter().collect();
    Ok(message::encrypt(
        content,
        &recipients,
        &options,
        &mut Random,
    )?)
}

/// Who has signed already.
struct Ready(PublicKey, Signature);

impl Signer for Ready {
    fn public_key(&self) -> &PublicKey {
        &self.0
    }

    fn sign_digest(
        &self,
        _digest: &[u8; 32],
    ) -> core::result::Result<Signature, kuaimi_pki::Error> {
        // Whether it is of this digest, the message verifies.
        Ok(self.1)
    }
}

/// Encrypts a content with signatures of it: signedAndEnvelopedData (GM/T 0010). The digests that
/// were signed are those of a message without attributes.
pub fn pki_message_sign_and_encrypt(
    content: &[u8],
    signers: &[u8],
    signatures: &[u8],
    others: &[u8],
    recipients: &[u8],
    settings: u32,
    cipher: u32,
) -> Result<Vec<u8>> {
    let signing = sign_options(settings | WITHOUT_ATTRIBUTES, others)?;
    let options = encrypt_options(settings, cipher)?;
    let (signers, recipients) = (certificates(signers)?, certificates(recipients)?);
    let signatures = self::signatures(signatures)?;
    let ready: Vec<Ready> = signers
        .iter()
        .zip(signatures)
        .map(|(one, signature)| Ok(Ready(*one.public_key().sm2()?.public_key(), signature)))
        .collect::<Result<_>>()?;
    let both: Vec<(&Certificate, &dyn Signer)> = signers
        .iter()
        .zip(&ready)
        .map(|(one, ready)| (one, ready as &dyn Signer))
        .collect();
    if both.len() != signers.len() {
        return Err(argument!("there must be a signature for each certificate"));
    }
    let recipients: Vec<&Certificate> = recipients.iter().collect();
    Ok(message::sign_and_encrypt(
        content,
        &both,
        &signing,
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
    let decryptor = Decryptor::of(certificate.as_ref(), &key);
    let (content, found) = message::open(message, decryptor.with_verify_options(options))?;
    opened(found.kind.name(), &content, found.verification.as_ref())
}
