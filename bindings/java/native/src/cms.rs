//! Messages (GM/T 0010, RFC 5652) and CFCA's envelopes, which are messages, too.

use std::ffi::c_void;
use std::time::Duration;

use getrandom::SysRng;
use jni::objects::{JByteArray, JClass};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::message::{
    self, CertificateId, ContentCipher, Decryptor, Dialect, EncryptOptions, Kind as MessageKind,
    SignOptions, SignerResult, Verification, VerifyOptions,
};
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::{Certificate, Error, Signer};
use zeroize::Zeroizing;

use crate::bytes::{array, call_bytes, copied, copied_or_none};
use crate::call::{Entry, Failure, Kind};
use crate::frames;
use crate::remembered::signer;

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("cmsSign"),
        jni_str!("([B[B[B[BIJ)[B"),
        sign as *mut c_void,
    ),
    (
        jni_str!("cmsVerify"),
        jni_str!("([B[B[BZ)[B"),
        verify as *mut c_void,
    ),
    (
        jni_str!("cmsEncrypt"),
        jni_str!("([B[BII)[B"),
        encrypt as *mut c_void,
    ),
    (
        jni_str!("cmsSignAndEncrypt"),
        jni_str!("([B[B[B[B[BII)[B"),
        sign_and_encrypt as *mut c_void,
    ),
    (
        jni_str!("cmsDecrypt"),
        jni_str!("([B[B[B[BZ)[B"),
        decrypt as *mut c_void,
    ),
    (
        jni_str!("cmsEncryptUnder"),
        jni_str!("([B[BII)[B"),
        encrypt_under as *mut c_void,
    ),
    (
        jni_str!("cmsDecryptUnder"),
        jni_str!("([B[B)[B"),
        decrypt_under as *mut c_void,
    ),
    (jni_str!("cmsKind"), jni_str!("([B)[B"), kind as *mut c_void),
];

/// Bits of `settings` beside the form, which is in the two lowest.
const DETACHED: jint = 4;
const WITHOUT_ATTRIBUTES: jint = 8;
const BY_KEY: jint = 16;
const WITHOUT_CERTIFICATES: jint = 32;
const EMPTY_IDENTITY: jint = 64;

/// What is wrong with a message that is read.
fn of_message(error: Error) -> Failure {
    let kind = match error {
        Error::Signature | Error::Signer(..) => Kind::Signature,
        Error::Decryption => Kind::Decryption,
        Error::NotARecipient => Kind::Key,
        Error::Random => Kind::Provider,
        // Who sends a message must not choose whether an unchecked exception is thrown: what is
        // too large, or lacks its content, is no such message either.
        _ => Kind::Message,
    };
    Failure::Throw(kind, error.to_string())
}

/// What is wrong with the arguments of a message that is made.
fn of_arguments(error: Error) -> Failure {
    let kind = match error {
        Error::Argument(_) | Error::Limit(_) => Kind::Argument,
        Error::Random => Kind::Provider,
        // A certificate that cannot be used is that of a key that cannot be used.
        _ => Kind::Key,
    };
    Failure::Throw(kind, error.to_string())
}

pub(crate) fn certificate(der: &[u8]) -> Result<Certificate, Failure> {
    Certificate::from_der(der).map_err(of_arguments)
}

fn certificates(env: &Env<'_>, list: &JByteArray<'_>) -> Result<Vec<Certificate>, Failure> {
    let list = copied(env, list)?;
    frames::items(&list)?.into_iter().map(certificate).collect()
}

fn dialect(settings: jint) -> Dialect {
    match settings & 3 {
        0 => Dialect::Gm,
        1 => Dialect::Cms,
        _ => Dialect::GmSsl,
    }
}

fn sign_options(settings: jint, others: &[Certificate]) -> SignOptions {
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
    match settings & WITHOUT_CERTIFICATES {
        0 => options.with_certificates(others),
        _ => options.without_certificates(),
    }
}

fn encrypt_options(settings: jint, cipher: jint) -> Result<EncryptOptions, Failure> {
    let options = EncryptOptions::new()
        .with_dialect(dialect(settings))
        .with_cipher(match cipher {
            0 => ContentCipher::Sm4Cbc,
            1 => ContentCipher::Sm4Gcm,
            2 => ContentCipher::Sm4CbcNamedSm4,
            _ => return Err(Failure::argument("there is no such cipher")),
        });
    Ok(match settings & BY_KEY {
        0 => options,
        _ => options.by_key_identifier(),
    })
}

fn verify_options(
    env: &Env<'_>,
    known: &JByteArray<'_>,
    empty: jboolean,
) -> Result<VerifyOptions, Failure> {
    let identities = match empty {
        true => Identities::DefaultOrEmpty,
        false => Identities::Default,
    };
    Ok(VerifyOptions::new()
        .with_certificates(&certificates(env, known)?)
        .with_identities(identities))
}

/// Certificates with their keys, of which each has 32 bytes.
fn signers(
    env: &Env<'_>,
    signers: &JByteArray<'_>,
    keys: &JByteArray<'_>,
) -> Result<Vec<(Certificate, SigningKey)>, Failure> {
    let signers = certificates(env, signers)?;
    let keys = copied(env, keys)?;
    let (keys, rest) = keys.as_chunks::<32>();
    if keys.len() != signers.len() || !rest.is_empty() {
        return Err(Failure::argument(
            "a key of 32 bytes is needed for each certificate",
        ));
    }
    let pairs = signers.into_iter().zip(keys);
    pairs
        .map(|(certificate, d)| {
            let key = signer(d)?;
            let own = certificate.public_key().sm2().map_err(of_arguments)?;
            if own.public_key() != key.public_key() {
                return Err(Failure::Throw(
                    Kind::Key,
                    "the private key is another one than that of the signer's certificate".into(),
                ));
            }
            Ok((certificate, key))
        })
        .collect()
}

fn borrowed(signers: &[(Certificate, SigningKey)]) -> Vec<(&Certificate, &dyn Signer)> {
    signers
        .iter()
        .map(|(certificate, key)| (certificate, key as &dyn Signer))
        .collect()
}

/// A time below zero is none.
extern "system" fn sign<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    content: JByteArray<'l>,
    certificates: JByteArray<'l>,
    keys: JByteArray<'l>,
    others: JByteArray<'l>,
    settings: jint,
    signing_time: jlong,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let mut options = sign_options(settings, &self::certificates(env, &others)?);
        if let Ok(seconds) = u64::try_from(signing_time) {
            let time = DateTime::from_unix_duration(Duration::from_secs(seconds));
            let time =
                time.map_err(|_| Failure::argument("a time is between the years 1970 and 9999"))?;
            options = options.with_signing_time(time);
        }
        let signers = signers(env, &certificates, &keys)?;
        let content = copied(env, &content)?;
        message::sign(&content, &borrowed(&signers), &options).map_err(of_arguments)
    })
}

/// A signer in a list: its certificate, the serial number or the key identifier that the message
/// names it by, and the time in seconds since 1970. What is not there is empty.
fn signer_facts(found: &SignerResult) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let certificate = found.certificate.as_ref();
    let (serial, id): (&[u8], &[u8]) = match &found.id {
        CertificateId::Issuer { serial, .. } => (serial, &[]),
        CertificateId::Key(id) => (&[], id),
        _ => (&[], &[]),
    };
    let time = found.signing_time;
    let time = time.map(|time| time.unix_duration().as_secs().to_be_bytes());
    frames::list(&[
        certificate.map_or(&[][..], Certificate::as_der),
        serial,
        id,
        time.as_ref().map_or(&[][..], |time| time),
    ])
}

/// A list: the name of the message's type, the content, a list of the signers, and a list of the
/// certificates in the message.
fn found(
    kind: MessageKind,
    content: &[u8],
    verification: Option<&Verification>,
) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let signers = verification.map_or(&[][..], |found| &found.signers);
    let signers: Vec<_> = signers.iter().map(signer_facts).collect::<Result<_, _>>()?;
    let inside = verification.map_or(&[][..], |found| &found.certificates);
    let inside: Vec<&[u8]> = inside.iter().map(Certificate::as_der).collect();
    let signers: Vec<&[u8]> = signers.iter().map(|one| &one[..]).collect();
    frames::list(&[
        kind.name().as_bytes(),
        content,
        &frames::list(&signers)?,
        &frames::list(&inside)?,
    ])
}

/// With a content, the message is one that does not have it inside.
extern "system" fn verify<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    message: JByteArray<'l>,
    content: JByteArray<'l>,
    known: JByteArray<'l>,
    empty: jboolean,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let options = verify_options(env, &known, empty)?;
        let message = copied(env, &message)?;
        match copied_or_none(env, &content)? {
            None => {
                let verified = message::verify(&message, &options).map_err(of_message)?;
                let content = Zeroizing::new(verified.content);
                found(MessageKind::Signed, &content, Some(&verified.verification))
            }
            Some(content) => {
                let verified = message::verify_detached(&message, &content, &options);
                let verified = verified.map_err(of_message)?;
                found(MessageKind::Signed, &[], Some(&verified))
            }
        }
    })
}

extern "system" fn encrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    content: JByteArray<'l>,
    recipients: JByteArray<'l>,
    settings: jint,
    cipher: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let options = encrypt_options(settings, cipher)?;
        let recipients = certificates(env, &recipients)?;
        let recipients: Vec<&Certificate> = recipients.iter().collect();
        let content = copied(env, &content)?;
        message::encrypt(&content, &recipients, &options, &mut SysRng).map_err(of_arguments)
    })
}

#[allow(clippy::too_many_arguments, reason = "called by one Java method")]
extern "system" fn sign_and_encrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    content: JByteArray<'l>,
    certificates: JByteArray<'l>,
    keys: JByteArray<'l>,
    others: JByteArray<'l>,
    recipients: JByteArray<'l>,
    settings: jint,
    cipher: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let others = self::certificates(env, &others)?;
        let signing = sign_options(settings | WITHOUT_ATTRIBUTES, &others);
        let options = encrypt_options(settings, cipher)?;
        let signers = signers(env, &certificates, &keys)?;
        let recipients = self::certificates(env, &recipients)?;
        let recipients: Vec<&Certificate> = recipients.iter().collect();
        let content = copied(env, &content)?;
        let signers = borrowed(&signers);
        message::sign_and_encrypt(
            &content,
            &signers,
            &signing,
            &recipients,
            &options,
            &mut SysRng,
        )
        .map_err(of_arguments)
    })
}

/// Without a certificate, the key is tried on the first recipients. Signers are right, if there are
/// any.
extern "system" fn decrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    message: JByteArray<'l>,
    key: JByteArray<'l>,
    certificate: JByteArray<'l>,
    known: JByteArray<'l>,
    empty: jboolean,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let options = verify_options(env, &known, empty)?;
        let key = PrivateKey::from_bytes(&*array(env, &key)?)?;
        let certificate = match copied_or_none(env, &certificate)? {
            Some(der) => Some(self::certificate(&der)?),
            None => None,
        };
        let decryptor = Decryptor::of(certificate.as_ref(), &key);
        let message = copied(env, &message)?;
        let (content, opened) =
            message::open(&message, decryptor.with_verify_options(options)).map_err(of_message)?;
        found(opened.kind, &content, opened.verification.as_ref())
    })
}

extern "system" fn encrypt_under<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    content: JByteArray<'l>,
    key: JByteArray<'l>,
    settings: jint,
    cipher: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let options = encrypt_options(settings, cipher)?;
        let key = array(env, &key)?;
        let content = copied(env, &content)?;
        message::encrypt_under(&content, &key, &options, &mut SysRng).map_err(of_arguments)
    })
}

extern "system" fn decrypt_under<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    message: JByteArray<'l>,
    key: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let key = array(env, &key)?;
        let message = copied(env, &message)?;
        message::decrypt_under(&message, &key).map_err(of_message)
    })
}

/// The name of the message's type in the standards.
extern "system" fn kind<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    message: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let kind = message::kind(&copied(env, &message)?).map_err(of_message)?;
        Ok(kind.name())
    })
}
