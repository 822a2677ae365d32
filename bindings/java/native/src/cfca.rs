//! CFCA's own forms: key files, requests with a temporary key, and the keys that are returned for
//! them.

use std::ffi::c_void;

use getrandom::SysRng;
use jni::objects::{JByteArray, JClass};
use jni::{Env, EnvUnowned, jni_str};
use kuaimi::sm2::{PrivateKey, PublicKey};
use kuaimi_pki::external::der::Decode;
use kuaimi_pki::external::x509_cert::name::Name;
use kuaimi_pki::request::{Request, RequestBuilder};
use kuaimi_pki::{Error, ErrorKind, cfca};
use zeroize::Zeroizing;

use crate::bytes::{array, call_bytes, copied};
use crate::call::{Entry, Failure, Kind};
use crate::cms::certificate;
use crate::frames;
use crate::remembered::signer;
use crate::sm2::pair;

pub(crate) const FUNCTIONS: &[Entry] = &[
    (
        jni_str!("cfcaOpen"),
        jni_str!("([B[B)[B"),
        open as *mut c_void,
    ),
    (
        jni_str!("cfcaWrite"),
        jni_str!("([B[B[B)[B"),
        write as *mut c_void,
    ),
    (
        jni_str!("cfcaRequest"),
        jni_str!("([B[B[B[B)[B"),
        request as *mut c_void,
    ),
    (
        jni_str!("cfcaTemporaryKey"),
        jni_str!("([B)[B"),
        temporary_key as *mut c_void,
    ),
    (
        jni_str!("cfcaReturnKey"),
        jni_str!("([B[B)[B"),
        return_key as *mut c_void,
    ),
    (
        jni_str!("cfcaOpenReturnedKey"),
        jni_str!("([B[B)[B"),
        open_returned_key as *mut c_void,
    ),
];

/// Any error in reading a key is one of the key, but for a failed decryption.
fn of_key(error: Error) -> Failure {
    let kind = match error.kind() {
        ErrorKind::DecryptionFailed => Kind::Decryption,
        ErrorKind::Random => Kind::Provider,
        _ => Kind::Key,
    };
    Failure::Throw(kind, error.to_string())
}

fn argument(error: Error) -> Failure {
    match error {
        Error::Argument(_) | Error::Name(..) => Failure::argument(error),
        error => of_key(error),
    }
}

fn text(env: &Env<'_>, password: &JByteArray<'_>) -> Result<Zeroizing<String>, Failure> {
    let bytes = copied(env, password)?;
    // A copy, since a string that is no UTF-8 gives its bytes back in the error.
    match core::str::from_utf8(&bytes) {
        Ok(text) => Ok(Zeroizing::new(text.to_owned())),
        Err(_) => Err(Failure::argument("a password is text")),
    }
}

fn private(env: &Env<'_>, d: &JByteArray<'_>) -> Result<PrivateKey, Failure> {
    Ok(PrivateKey::from_bytes(&*array(env, d)?)?)
}

fn public(env: &Env<'_>, xy: &JByteArray<'_>) -> Result<PublicKey, Failure> {
    Ok(PublicKey::from_xy_bytes(&*array(env, xy)?)?)
}

/// A list: the key, with its public key, and the certificate.
extern "system" fn open<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    file: JByteArray<'l>,
    password: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let password = text(env, &password)?;
        let file = copied(env, &file)?;
        let (key, certificate) = cfca::open_key_file(&file, &password).map_err(of_key)?;
        frames::list(&[&pair(&key)[..], certificate.as_der()])
    })
}

extern "system" fn write<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
    holder: JByteArray<'l>,
    password: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let password = text(env, &password)?;
        if password.is_empty() {
            return Err(Failure::argument("an empty password protects nothing"));
        }
        let key = private(env, &d)?;
        let holder = certificate(&copied(env, &holder)?)?;
        // An argument that is wrong is a key that is another one than the certificate's.
        cfca::write_key_file(&key, &holder, &password).map_err(of_key)
    })
}

/// A request in DER, with the public key to which CFCA returns a pair to encrypt with.
extern "system" fn request<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    subject: JByteArray<'l>,
    d: JByteArray<'l>,
    temporary: JByteArray<'l>,
    challenge_password: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let subject = Name::from_der(&copied(env, &subject)?).map_err(Failure::argument)?;
        let challenge_password = text(env, &challenge_password)?;
        let key = signer(&*array(env, &d)?)?;
        let temporary = public(env, &temporary)?;
        let request = RequestBuilder::new(subject, key.public_key())
            .cfca_temporary_key(&temporary, &challenge_password)
            .and_then(|builder| builder.sign(&key))
            .map_err(argument)?;
        Ok(request.as_der().to_vec())
    })
}

/// Empty, if the request has none.
extern "system" fn temporary_key<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    request: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let request = Request::read(&copied(env, &request)?).map_err(of_key)?;
        let found = cfca::temporary_key(&request).map_err(of_key)?;
        Ok(found.map_or(Vec::new(), |key| key.to_xy_bytes().to_vec()))
    })
}

extern "system" fn return_key<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    d: JByteArray<'l>,
    temporary: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let (key, temporary) = (private(env, &d)?, public(env, &temporary)?);
        cfca::return_key(&key, &temporary, &mut SysRng).map_err(of_key)
    })
}

extern "system" fn open_returned_key<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    temporary: JByteArray<'l>,
    returned: JByteArray<'l>,
) -> JByteArray<'l> {
    call_bytes(env, |env| {
        let temporary = private(env, &temporary)?;
        let returned = copied(env, &returned)?;
        let key = cfca::open_returned_key(&temporary, &returned).map_err(of_key)?;
        Ok(pair(&key))
    })
}
