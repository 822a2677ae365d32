//! SM2: keys, signatures, encryption, the key exchange.

use std::ffi::c_void;

use jni::objects::{JByteArray, JClass};
use jni::sys::{jboolean, jint};
use jni::{EnvUnowned, jni_str};
use kuaimi::encoding::{
    self, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
    PrivateKeyStructure, SignatureForm, read_private_key, read_public_key,
};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, CiphertextForm, Error, MAX_ID_LEN, PrivateKey, PublicKey, Signature, VerifyingKey,
    explain as sm2_explain, identity_digest,
};
use zeroize::Zeroizing;

use crate::bytes::{array, call_bytes, copied, copied_or_none, given, part};
use crate::call::{Entry, Failure, Kind, call};
use crate::remembered::{TABLES, forget_signer, signer, signers};

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm2Generate"),
        jni_str!("()[B"),
        generate as *mut c_void,
    ),
    (
        jni_str!("sm2PublicKey"),
        jni_str!("([B)[B"),
        public_key as *mut c_void,
    ),
    (
        jni_str!("sm2Point"),
        jni_str!("([B)[B"),
        point as *mut c_void,
    ),
    (
        jni_str!("sm2FromPkcs8"),
        jni_str!("([B)[B"),
        from_pkcs8 as *mut c_void,
    ),
    (
        jni_str!("sm2FromSpki"),
        jni_str!("([B)[B"),
        from_spki as *mut c_void,
    ),
    (
        jni_str!("sm2IsCurve"),
        jni_str!("([B)Z"),
        is_curve as *mut c_void,
    ),
    (
        jni_str!("sm2ReadPrivate"),
        jni_str!("([B[B)[B"),
        read_private as *mut c_void,
    ),
    (
        jni_str!("sm2ReadPublic"),
        jni_str!("([B)[B"),
        read_public as *mut c_void,
    ),
    (
        jni_str!("sm2ToPkcs8"),
        jni_str!("([B)[B"),
        to_pkcs8 as *mut c_void,
    ),
    (
        jni_str!("sm2ToSpki"),
        jni_str!("([B)[B"),
        to_spki as *mut c_void,
    ),
    (
        jni_str!("sm2IdentityDigest"),
        jni_str!("([B[B)[B"),
        identity as *mut c_void,
    ),
    (
        jni_str!("sm2Sign"),
        jni_str!("([B[BZ)[B"),
        sign as *mut c_void,
    ),
    (
        jni_str!("sm2Verify"),
        jni_str!("([B[B[BIIZ)Z"),
        verify as *mut c_void,
    ),
    (
        jni_str!("sm2Explain"),
        jni_str!("([B[B[B[B)[B"),
        explain as *mut c_void,
    ),
    (
        jni_str!("sm2Encrypt"),
        jni_str!("([B[BIII)[B"),
        encrypt as *mut c_void,
    ),
    (
        jni_str!("sm2Decrypt"),
        jni_str!("([B[BIII)[B"),
        decrypt as *mut c_void,
    ),
    (
        jni_str!("sm2Agree"),
        jni_str!("(Z[B[B[B[B[B[BI)[B"),
        agree as *mut c_void,
    ),
    (
        jni_str!("sm2Forget"),
        jni_str!("([B)V"),
        forget as *mut c_void,
    ),
    (
        jni_str!("sm2SigningKeys"),
        jni_str!("()I"),
        signing_keys as *mut c_void,
    ),
    (
        jni_str!("sm2Tables"),
        jni_str!("()I"),
        tables as *mut c_void,
    ),
];

/// `d`, then `x` and `y`.
pub(crate) fn pair(key: &PrivateKey) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(96));
    bytes.extend_from_slice(key.to_bytes().as_ref());
    bytes.extend_from_slice(&key.public_key().to_xy_bytes());
    bytes
}

/// A structure that is no key of SM2's.
fn no_key(error: impl ToString) -> Failure {
    Failure::Throw(Kind::Key, error.to_string())
}

extern "system" fn generate<'l>(env: EnvUnowned<'l>, _: JClass<'l>) -> JByteArray<'l> {
    call_bytes(env, |_| Ok(pair(&PrivateKey::generate()?)))
}

extern "system" fn public_key<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        Ok(signer(&*array(env, &d)?)?.public_key().to_xy_bytes())
    })
}

extern "system" fn point<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    sec1: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        Ok(PublicKey::from_sec1_bytes(&copied(env, &sec1)?)?.to_xy_bytes())
    })
}

extern "system" fn from_pkcs8<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    der: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let bytes = copied(env, &der)?;
        if let Ok(key) = PrivateKey::from_pkcs8_der(&bytes) {
            return Ok(pair(&key));
        }
        let (key, form) = read_private_key(&bytes, None).map_err(no_key)?;
        if form.structure == PrivateKeyStructure::Raw {
            return Err(no_key(
                "a number alone does not say on which curve it is a key: Sm2Keys.readPrivate reads it as one of SM2's",
            ));
        }
        Ok(pair(&key))
    })
}

extern "system" fn from_spki<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    der: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let bytes = copied(env, &der)?;
        let key = match PublicKey::from_public_key_der(&bytes) {
            Ok(key) => key,
            Err(_) => read_public_key(&bytes).map_err(no_key)?.0,
        };
        Ok(key.to_xy_bytes())
    })
}

/// Whether these are the curve's parameters, by its name or by all its numbers: then they are those
/// of a key.
extern "system" fn is_curve<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    parameters: JByteArray<'l>,
) -> jboolean {
    call(env, |env| {
        Ok(encoding::is_sm2_curve(&copied(env, &parameters)?))
    })
}

extern "system" fn read_private<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    bytes: JByteArray<'l>,
    password: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let password = copied_or_none(env, &password)?;
        let bytes = copied(env, &bytes)?;
        let (key, _) = read_private_key(&bytes, password.as_ref().map(|p| p.as_slice()))?;
        Ok(pair(&key))
    })
}

extern "system" fn read_public<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    bytes: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        Ok(read_public_key(&copied(env, &bytes)?)?.0.to_xy_bytes())
    })
}

extern "system" fn to_pkcs8<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let document = signer(&*array(env, &d)?)?
            .private_key()
            .to_pkcs8_der()
            .map_err(no_key)?;
        Ok(Zeroizing::new(document.as_bytes().to_vec()))
    })
}

extern "system" fn to_spki<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    xy: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let key = PublicKey::from_xy_bytes(&*array(env, &xy)?)?;
        Ok(key.to_public_key_der().map_err(no_key)?.into_vec())
    })
}

extern "system" fn identity<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    xy: JByteArray<'l>,
    id: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let key = PublicKey::from_xy_bytes(&*array(env, &xy)?)?;
        Ok(identity_digest(&copied(env, &id)?, &key)?)
    })
}

fn form(raw: jboolean) -> SignatureForm {
    if raw {
        SignatureForm::Raw
    } else {
        SignatureForm::Der
    }
}

extern "system" fn sign<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
    e: JByteArray<'l>,
    raw: jboolean,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let signature = signer(&*array(env, &d)?)?.sign_digest(&*array(env, &e)?)?;
        Ok(signature.to_form(form(raw)))
    })
}

extern "system" fn verify<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    xy: JByteArray<'l>,
    e: JByteArray<'l>,
    signature: JByteArray<'l>,
    offset: jint,
    length: jint,
    raw: jboolean,
) -> jboolean {
    call(env, |env| {
        let key = VerifyingKey::new(PublicKey::from_xy_bytes(&*array(env, &xy)?)?);
        let e = array(env, &e)?;
        let bytes = part(env, &signature, offset, length)?;
        let valid = match Signature::from_form(form(raw), &bytes) {
            Ok(signature) => TABLES.verify_digest(&key, &e, &signature),
            Err(encoding::Error::Sm2(error)) => Err(error),
            Err(error) => return Err(Failure::Throw(Kind::Signature, error.to_string())),
        };
        match valid {
            Ok(()) => Ok(true),
            // It has the form of a signature.
            Err(
                Error::InvalidSignature | Error::SignatureR | Error::SignatureS | Error::SignatureT,
            ) => Ok(false),
            Err(error) => Err(error.into()),
        }
    })
}

/// What a signature that does not fit fits, in words; null if nothing is found.
extern "system" fn explain<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    xy: JByteArray<'l>,
    id: JByteArray<'l>,
    message: JByteArray<'l>,
    signature: JByteArray<'l>,
) -> JByteArray<'l> {
    call(env, |env| {
        let key = PublicKey::from_xy_bytes(&*array(env, &xy)?)?;
        let (id, message) = (copied(env, &id)?, copied(env, &message)?);
        if id.len() > MAX_ID_LEN {
            return Err(Error::IdTooLong(id.len()).into());
        }
        let (signature, _) = Signature::from_any_form(&copied(env, &signature)?)
            .map_err(|error| Failure::Throw(Kind::Signature, error.to_string()))?;
        match sm2_explain::explain(&[key], &id, &message, &signature) {
            Some(found) => given(env, found.to_string().as_bytes()),
            None => Ok(JByteArray::default()),
        }
    })
}

/// The forms by their numbers in the enumeration `Sm2CiphertextForm`; none for another number.
fn ciphertext_form(number: jint) -> Option<CiphertextForm> {
    Some(match number {
        0 => CiphertextForm::C1C3C2,
        1 => CiphertextForm::C1C2C3,
        2 => CiphertextForm::Der,
        _ => return None,
    })
}

extern "system" fn encrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    xy: JByteArray<'l>,
    message: JByteArray<'l>,
    offset: jint,
    length: jint,
    form: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let form = ciphertext_form(form).ok_or(Failure::argument("no such form of ciphertext"))?;
        let key = PublicKey::from_xy_bytes(&*array(env, &xy)?)?;
        let message = part(env, &message, offset, length)?;
        let ciphertext = TABLES.encryption_key(&key).encrypt(&message)?;
        Ok(ciphertext.to_bytes(form))
    })
}

/// Any other number than that of a form: the form is found out.
extern "system" fn decrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
    ciphertext: JByteArray<'l>,
    offset: jint,
    length: jint,
    form: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let signer = signer(&*array(env, &d)?)?;
        let (key, bytes) = (
            signer.private_key(),
            part(env, &ciphertext, offset, length)?,
        );
        let message = match ciphertext_form(form) {
            // One error for whatever is wrong with a ciphertext.
            Some(form) => Ciphertext::from_bytes(form, &bytes)
                .ok()
                .and_then(|ciphertext| key.decrypt(&ciphertext).ok())
                .ok_or(Error::DecryptionFailed)?,
            None => key.decrypt_bytes(&bytes)?.0,
        };
        Ok(message)
    })
}

extern "system" fn agree<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    initiates: jboolean,
    d: JByteArray<'l>,
    id: JByteArray<'l>,
    peer_xy: JByteArray<'l>,
    peer_id: JByteArray<'l>,
    ephemeral: JByteArray<'l>,
    peer_ephemeral: JByteArray<'l>,
    length: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let signer = signer(&*array(env, &d)?)?;
        let party = Party::new(signer.private_key(), &copied(env, &id)?)?;
        let public = PublicKey::from_xy_bytes(&*array(env, &peer_xy)?)?;
        let peer = Peer::new(&public, &copied(env, &peer_id)?)?;
        let ephemeral = array(env, &ephemeral)?;
        let other = PublicKey::from_xy_bytes(&*array(env, &peer_ephemeral)?)?;
        let length = usize::try_from(length).map_err(|_| Error::SharedKeyLength)?;
        Ok(if initiates {
            Initiator::start_with_nonce(party, peer, &ephemeral)?
                .0
                .finish_unconfirmed(&other, length)?
        } else {
            Responder::new(party, peer)
                .respond_with_nonce(&other, length, &ephemeral)?
                .key_unconfirmed()
        })
    })
}

extern "system" fn forget<'l>(env: EnvUnowned<'l>, _: JClass<'l>, d: JByteArray<'l>) {
    call(env, |env| forget_signer(&*array(env, &d)?))
}

/// How many keys that sign are remembered now.
extern "system" fn signing_keys<'l>(env: EnvUnowned<'l>, _: JClass<'l>) -> jint {
    call(env, |_| Ok(signers() as jint))
}

/// How many public keys have a table now.
extern "system" fn tables<'l>(env: EnvUnowned<'l>, _: JClass<'l>) -> jint {
    call(env, |_| Ok(TABLES.stats().entries as jint))
}
