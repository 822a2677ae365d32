//! SM9: a name is the public key. Master keys and users' keys are Java's bytes; what follows from them is remembered.

use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock};

use jni::objects::{JByteArray, JClass};
use jni::sys::{jboolean, jint};
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::sm9::{
    Ciphertext, DecryptionKey, Error, G1Point, Identity, MasterEncryptionKey,
    MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey, Signature, SigningKey,
};
use zeroize::Zeroizing;

use crate::bytes::{array, copied};
use crate::call::{Entry, Failure, call, call_bytes};
use crate::remembered::Remembered;

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm9GenerateSigningMaster"),
        jni_str!("()[B"),
        generate_signing as *mut c_void,
    ),
    (
        jni_str!("sm9SigningMasterPublicKey"),
        jni_str!("([B)[B"),
        signing_public as *mut c_void,
    ),
    (
        jni_str!("sm9CheckSigningMasterPublicKey"),
        jni_str!("([B)V"),
        check_signing_public as *mut c_void,
    ),
    (
        jni_str!("sm9ExtractSigning"),
        jni_str!("([B[B)[B"),
        extract_signing as *mut c_void,
    ),
    (
        jni_str!("sm9CheckSigning"),
        jni_str!("([B[B[B)V"),
        check_signing as *mut c_void,
    ),
    (
        jni_str!("sm9Sign"),
        jni_str!("([B[B[B[B)[B"),
        sign as *mut c_void,
    ),
    (
        jni_str!("sm9Verify"),
        jni_str!("([B[B[B[B)Z"),
        verify as *mut c_void,
    ),
    (
        jni_str!("sm9GenerateEncryptionMaster"),
        jni_str!("()[B"),
        generate_encryption as *mut c_void,
    ),
    (
        jni_str!("sm9EncryptionMasterPublicKey"),
        jni_str!("([B)[B"),
        encryption_public as *mut c_void,
    ),
    (
        jni_str!("sm9CheckEncryptionMasterPublicKey"),
        jni_str!("([B)V"),
        check_encryption_public as *mut c_void,
    ),
    (
        jni_str!("sm9ExtractDecryption"),
        jni_str!("([B[B)[B"),
        extract_decryption as *mut c_void,
    ),
    (
        jni_str!("sm9CheckDecryption"),
        jni_str!("([B[B[B)V"),
        check_decryption as *mut c_void,
    ),
    (
        jni_str!("sm9Encrypt"),
        jni_str!("([B[B[B)[B"),
        encrypt as *mut c_void,
    ),
    (
        jni_str!("sm9Decrypt"),
        jni_str!("([B[B[B[B)[B"),
        decrypt as *mut c_void,
    ),
    (
        jni_str!("sm9Encapsulate"),
        jni_str!("([B[BI)[B"),
        encapsulate as *mut c_void,
    ),
    (
        jni_str!("sm9Decapsulate"),
        jni_str!("([B[B[B[BI)[B"),
        decapsulate as *mut c_void,
    ),
    (
        jni_str!("sm9Forget"),
        jni_str!("([B[B[B)V"),
        forget as *mut c_void,
    ),
];

/// Public keys of centres, each with its tables of some hundred kilobytes.
const MASTERS: NonZeroUsize = NonZeroUsize::new(16).expect("not zero");
/// Users' keys, which share the tables of their centre.
const USERS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

static SIGNING_MASTERS: LazyLock<Remembered<MasterSigningPublicKey>> =
    LazyLock::new(|| Remembered::new(MASTERS));
static ENCRYPTION_MASTERS: LazyLock<Remembered<MasterEncryptionPublicKey>> =
    LazyLock::new(|| Remembered::new(MASTERS));
static SIGNERS: LazyLock<Remembered<Arc<SigningKey>>> = LazyLock::new(|| Remembered::new(USERS));
static DECRYPTERS: LazyLock<Remembered<Arc<DecryptionKey>>> =
    LazyLock::new(|| Remembered::new(USERS));

pub(crate) fn forget_all() {
    SIGNING_MASTERS.clear();
    ENCRYPTION_MASTERS.clear();
    SIGNERS.clear();
    DECRYPTERS.clear();
}

fn signing_master(bytes: &[u8]) -> Result<MasterSigningPublicKey, Failure> {
    SIGNING_MASTERS.get(&[bytes], || Ok(MasterSigningPublicKey::from_slice(bytes)?))
}

fn encryption_master(bytes: &[u8]) -> Result<MasterEncryptionPublicKey, Failure> {
    ENCRYPTION_MASTERS.get(&[bytes], || {
        Ok(MasterEncryptionPublicKey::from_slice(bytes)?)
    })
}

/// A user's key, the public key of its centre, and its identity: it is checked that they belong together.
fn signer(
    env: &Env<'_>,
    key: &JByteArray<'_>,
    master: &JByteArray<'_>,
    id: &JByteArray<'_>,
) -> Result<Arc<SigningKey>, Failure> {
    let (key, master, id) = (copied(env, key)?, copied(env, master)?, copied(env, id)?);
    SIGNERS.get(&[&key, &master, &id], || {
        let master = signing_master(&master)?;
        Ok(SigningKey::from_slice(&key, Identity::new(&id), &master)?.into())
    })
}

fn decrypter(
    env: &Env<'_>,
    key: &JByteArray<'_>,
    master: &JByteArray<'_>,
    id: &JByteArray<'_>,
) -> Result<Arc<DecryptionKey>, Failure> {
    let (key, master, id) = (copied(env, key)?, copied(env, master)?, copied(env, id)?);
    DECRYPTERS.get(&[&key, &master, &id], || {
        let master = encryption_master(&master)?;
        Ok(DecryptionKey::from_slice(&key, Identity::new(&id), &master)?.into())
    })
}

extern "system" fn generate_signing<'l>(env: EnvUnowned<'l>, _: JClass<'l>) -> JByteArray<'l> {
    call_bytes(env, |_| Ok(MasterSigningKey::generate()?.to_bytes()))
}

extern "system" fn signing_public<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let master = MasterSigningKey::from_slice(&copied(env, &master)?)?;
        Ok(master.public_key().to_bytes())
    })
}

extern "system" fn check_signing_public<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
) {
    call(env, |env| signing_master(&copied(env, &master)?).map(drop))
}

extern "system" fn extract_signing<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let master = MasterSigningKey::from_slice(&copied(env, &master)?)?;
        let key = master.extract(Identity::new(&copied(env, &id)?))?;
        Ok(key.to_bytes())
    })
}

extern "system" fn check_signing<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
) {
    call(env, |env| signer(env, &key, &master, &id).map(drop))
}

extern "system" fn sign<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    message: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let signer = signer(env, &key, &master, &id)?;
        Ok(signer.sign(&copied(env, &message)?)?.to_der())
    })
}

extern "system" fn verify<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    message: JByteArray<'l>,
    signature: JByteArray<'l>,
) -> jboolean {
    call(env, |env| {
        let master = signing_master(&copied(env, &master)?)?;
        let key = master.verifying_key(Identity::new(&copied(env, &id)?))?;
        let Ok(signature) = Signature::from_der(&copied(env, &signature)?) else {
            return Ok(false);
        };
        match key.verify(&copied(env, &message)?, &signature) {
            Ok(()) => Ok(true),
            Err(Error::InvalidSignature) => Ok(false),
            Err(error) => Err(error.into()),
        }
    })
}

extern "system" fn generate_encryption<'l>(env: EnvUnowned<'l>, _: JClass<'l>) -> JByteArray<'l> {
    call_bytes(env, |_| Ok(MasterEncryptionKey::generate()?.to_bytes()))
}

extern "system" fn encryption_public<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let master = MasterEncryptionKey::from_slice(&copied(env, &master)?)?;
        Ok(master.public_key().to_bytes())
    })
}

extern "system" fn check_encryption_public<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
) {
    call(env, |env| {
        encryption_master(&copied(env, &master)?).map(drop)
    })
}

extern "system" fn extract_decryption<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let master = MasterEncryptionKey::from_slice(&copied(env, &master)?)?;
        let key = master.extract(Identity::new(&copied(env, &id)?))?;
        Ok(key.to_bytes())
    })
}

extern "system" fn check_decryption<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
) {
    call(env, |env| decrypter(env, &key, &master, &id).map(drop))
}

extern "system" fn encrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    message: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let master = encryption_master(&copied(env, &master)?)?;
        let key = master.encryption_key(Identity::new(&copied(env, &id)?))?;
        Ok(key.encrypt(&copied(env, &message)?)?.to_der())
    })
}

extern "system" fn decrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    ciphertext: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let key = decrypter(env, &key, &master, &id)?;
        // One error for whatever is wrong with a ciphertext.
        let message = Ciphertext::from_der(&copied(env, &ciphertext)?)
            .ok()
            .and_then(|ciphertext| key.decrypt(&ciphertext).ok())
            .ok_or(Error::DecryptionFailed)?;
        Ok(message)
    })
}

/// The point `C` of 64 bytes, then the key.
extern "system" fn encapsulate<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    length: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let length = usize::try_from(length).map_err(|_| Error::KeyLength)?;
        let master = encryption_master(&copied(env, &master)?)?;
        let recipient = master.encryption_key(Identity::new(&copied(env, &id)?))?;
        let (key, point) = recipient.encapsulate(length)?;
        let mut both = Zeroizing::new(Vec::with_capacity(64 + length));
        both.extend_from_slice(&point.to_bytes());
        both.extend_from_slice(&key);
        Ok(both)
    })
}

extern "system" fn decapsulate<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    point: JByteArray<'l>,
    length: jint,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let length = usize::try_from(length).map_err(|_| Error::KeyLength)?;
        let key = decrypter(env, &key, &master, &id)?;
        let point =
            G1Point::from_bytes(&*array(env, &point)?).map_err(|_| Error::DecryptionFailed)?;
        Ok(key.decapsulate(&point, length)?)
    })
}

/// Forgets a user's key, of either kind.
extern "system" fn forget<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    key: JByteArray<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
) {
    call(env, |env| {
        let (key, master, id) = (copied(env, &key)?, copied(env, &master)?, copied(env, &id)?);
        SIGNERS.forget(&[&key, &master, &id])?;
        DECRYPTERS.forget(&[&key, &master, &id])
    })
}
