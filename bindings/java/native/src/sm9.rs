//! SM9: a name is the public key. Master keys and users' keys are Java's bytes; what follows from
//! them is remembered.

use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::sync::LazyLock;

use jni::objects::{JByteArray, JClass};
use jni::sys::{jboolean, jint};
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::sm9::{
    Ciphertext, DecryptionKey, EncryptionKey, Error, G1Point, Identity, MasterEncryptionKey,
    MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey, Signature, SigningKey,
    VerifyingKey,
};
use zeroize::Zeroizing;

use crate::bytes::{array, call_bytes, copied};
use crate::call::{Entry, Failure, call};
use crate::remembered::Remembered;

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("sm9GenerateSigningMaster"),
        jni_str!("()[B"),
        signing::generate as *mut c_void,
    ),
    (
        jni_str!("sm9SigningMasterPublicKey"),
        jni_str!("([B)[B"),
        signing::public as *mut c_void,
    ),
    (
        jni_str!("sm9CheckSigningMasterPublicKey"),
        jni_str!("([B)V"),
        signing::check_public as *mut c_void,
    ),
    (
        jni_str!("sm9ExtractSigning"),
        jni_str!("([B[B)[B"),
        signing::extract as *mut c_void,
    ),
    (
        jni_str!("sm9CheckSigning"),
        jni_str!("([B[B[B)V"),
        signing::check as *mut c_void,
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
        encryption::generate as *mut c_void,
    ),
    (
        jni_str!("sm9EncryptionMasterPublicKey"),
        jni_str!("([B)[B"),
        encryption::public as *mut c_void,
    ),
    (
        jni_str!("sm9CheckEncryptionMasterPublicKey"),
        jni_str!("([B)V"),
        encryption::check_public as *mut c_void,
    ),
    (
        jni_str!("sm9ExtractDecryption"),
        jni_str!("([B[B)[B"),
        encryption::extract as *mut c_void,
    ),
    (
        jni_str!("sm9CheckDecryption"),
        jni_str!("([B[B[B)V"),
        encryption::check as *mut c_void,
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

/// Public keys of centres, each with its tables: 76 KiB for signatures, 118 KiB for encryption.
const MASTERS: NonZeroUsize = NonZeroUsize::new(16).expect("not zero");
/// Users' keys, private and public, which share the tables of their centre and have one of 10 or 52
/// KiB each.
const USERS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

/// What both kinds of keys have in common, in a module for each: `master`, the public key of a
/// centre, `user` and `public_user`, a user's private and public key, and the functions that Java
/// calls on these keys alone.
macro_rules! keys {
    ($module:ident, $Master:ident, $MasterPublicKey:ident, $UserKey:ident, $PublicUserKey:ident) => {
        mod $module {
            use super::*;

            static MASTERS: LazyLock<Remembered<$MasterPublicKey>> =
                LazyLock::new(|| Remembered::new(super::MASTERS));
            static USERS: LazyLock<Remembered<$UserKey>> =
                LazyLock::new(|| Remembered::new(super::USERS));
            static PUBLIC_USERS: LazyLock<Remembered<$PublicUserKey>> =
                LazyLock::new(|| Remembered::new(super::USERS));

            pub(super) fn make_all() {
                LazyLock::force(&MASTERS);
                LazyLock::force(&USERS);
                LazyLock::force(&PUBLIC_USERS);
            }

            pub(super) fn forget_all() {
                MASTERS.clear();
                USERS.clear();
                PUBLIC_USERS.clear();
            }

            pub(super) fn forget(names: &[&[u8]]) -> Result<(), Failure> {
                USERS.forget(names)
            }

            pub(super) fn master(bytes: &[u8]) -> Result<$MasterPublicKey, Failure> {
                MASTERS.get(&[bytes], || Ok($MasterPublicKey::from_slice(bytes)?))
            }

            /// A user's key, the public key of its centre, and its identity: it is checked that
            /// they belong together.
            pub(super) fn user(
                env: &Env<'_>,
                key: &JByteArray<'_>,
                centre: &JByteArray<'_>,
                id: &JByteArray<'_>,
            ) -> Result<$UserKey, Failure> {
                let (key, centre) = (copied(env, key)?, copied(env, centre)?);
                let id = copied(env, id)?;
                USERS.get(&[&key, &centre, &id], || {
                    let centre = master(&centre)?;
                    Ok($UserKey::from_slice(&key, Identity::new(&id), &centre)?)
                })
            }

            /// The key of an identity under the public key of its centre.
            pub(super) fn public_user(
                env: &Env<'_>,
                centre: &JByteArray<'_>,
                id: &JByteArray<'_>,
            ) -> Result<$PublicUserKey, Failure> {
                let (centre, id) = (copied(env, centre)?, copied(env, id)?);
                PUBLIC_USERS.get(&[&centre, &id], || {
                    Ok($PublicUserKey::new(&master(&centre)?, Identity::new(&id))?)
                })
            }

            pub(super) extern "system" fn generate<'l>(
                env: EnvUnowned<'l>,
                _: JClass<'l>,
            ) -> JByteArray<'l> {
                call_bytes(env, |_| Ok($Master::generate()?.to_bytes()))
            }

            pub(super) extern "system" fn public<'l>(
                env: EnvUnowned<'l>,
                _: JClass<'l>,
                master: JByteArray<'l>,
            ) -> JByteArray<'l> {
                call_bytes(env, |env| {
                    let master = $Master::from_slice(&copied(env, &master)?)?;
                    Ok(master.public_key().to_bytes())
                })
            }

            pub(super) extern "system" fn check_public<'l>(
                env: EnvUnowned<'l>,
                _: JClass<'l>,
                centre: JByteArray<'l>,
            ) {
                call(env, |env| master(&copied(env, &centre)?).map(drop))
            }

            pub(super) extern "system" fn extract<'l>(
                env: EnvUnowned<'l>,
                _: JClass<'l>,
                master: JByteArray<'l>,
                id: JByteArray<'l>,
            ) -> JByteArray<'l> {
                call_bytes(env, |env| {
                    let master = $Master::from_slice(&copied(env, &master)?)?;
                    let key = master.extract(Identity::new(&copied(env, &id)?))?;
                    Ok(key.to_bytes())
                })
            }

            pub(super) extern "system" fn check<'l>(
                env: EnvUnowned<'l>,
                _: JClass<'l>,
                key: JByteArray<'l>,
                centre: JByteArray<'l>,
                id: JByteArray<'l>,
            ) {
                call(env, |env| user(env, &key, &centre, &id).map(drop))
            }
        }
    };
}

keys!(
    signing,
    MasterSigningKey,
    MasterSigningPublicKey,
    SigningKey,
    VerifyingKey
);
keys!(
    encryption,
    MasterEncryptionKey,
    MasterEncryptionPublicKey,
    DecryptionKey,
    EncryptionKey
);

pub(crate) fn make_all() {
    signing::make_all();
    encryption::make_all();
}

pub(crate) fn forget_all() {
    signing::forget_all();
    encryption::forget_all();
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
        let signer = signing::user(env, &key, &master, &id)?;
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
        let key = signing::public_user(env, &master, &id)?;
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

extern "system" fn encrypt<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    master: JByteArray<'l>,
    id: JByteArray<'l>,
    message: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let key = encryption::public_user(env, &master, &id)?;
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
        let key = encryption::user(env, &key, &master, &id)?;
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
        let recipient = encryption::public_user(env, &master, &id)?;
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
        let key = encryption::user(env, &key, &master, &id)?;
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
        signing::forget(&[&key, &master, &id])?;
        encryption::forget(&[&key, &master, &id])
    })
}
