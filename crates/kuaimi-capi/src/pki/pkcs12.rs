//! PKCS #12 (RFC 7292; GM/T 0091): private keys and their certificates under a password.

use getrandom::SysRng;
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::pkcs12::{Pkcs12, Profile};

use super::certificate::kuaimi_certificate;
use super::{at, room_for, utf8};
use crate::buffer::Output;
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::sm2::kuaimi_sm2_private_key;

/// The keys of SM2 in a PKCS #12 file, with their certificates. Not changed by any function, so
/// that threads may share it.
pub struct kuaimi_pkcs12 {
    _opaque: [u8; 0],
}
objects!(kuaimi_pkcs12: Vec<Identity>);

/// A key, its certificate and those above it.
pub(crate) struct Identity {
    key: PrivateKey,
    certificates: Vec<Certificate>,
}

options! {
    /// Whose programs should open a PKCS #12 file.
    pub enum kuaimi_pkcs12_profile {
        /// AES-256-CBC and HMAC-SHA-256: OpenSSL 1.1.1 and newer, Bouncy Castle, gmsm.
        KUAIMI_PKCS12_COMPATIBLE = 1,
        /// SM4-CBC, HMAC-SM3 and PBMAC1 (RFC 9579): gmsm.
        KUAIMI_PKCS12_SM = 2,
        /// SM4-CBC and HMAC-SM3 with OpenSSL's identifier: OpenSSL 4.0, Tongsuo.
        KUAIMI_PKCS12_SM_OPENSSL = 3,
        /// Triple DES and SHA-1, for old programs: **weak**.
        KUAIMI_PKCS12_LEGACY = 4,
    }
}

fn identities(file: &Pkcs12) -> Result<Vec<Identity>, Error> {
    let mut found = file.identities();
    // Keys of other algorithms are passed over.
    found.retain(|identity| identity.key.algorithm() == kuaimi_pki::oid::SM2);
    let ours = found.iter().map(|identity| {
        let certificates = identity.certificate.iter().chain(&identity.chain);
        Ok(Identity {
            key: identity.key.sm2()?,
            certificates: certificates.map(|&one| one.clone()).collect(),
        })
    });
    ours.collect()
}

/// Reads a PKCS #12 file in DER or BER, which must have a MAC. What it has of SM2 is at `*out`;
/// free it with `kuaimi_pkcs12_free`. `password`: in UTF-8. Takes some tenths of a second, and some
/// seconds at most: a file may ask for 10 million iterations.
///
/// `KUAIMI_ERROR_WRONG_PASSWORD`: another password, or an altered file, which look the same.
/// `KUAIMI_ERROR_DER`: it is no such file, or has no MAC. `KUAIMI_ERROR_OTHER_ALGORITHM`,
/// `KUAIMI_ERROR_UNSUPPORTED_ENCRYPTION`: it is encrypted in a way that is not supported.
/// `KUAIMI_ERROR_ENCRYPTION_COST`, `KUAIMI_ERROR_INVALID_ARGUMENT`: it asks for too much work, is
/// too large, or the password is not UTF-8.
///
/// Source: RFC 7292; RFC 9579; GM/T 0091-2020.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_read(
    bytes: *const u8,
    len: usize,
    password: *const u8,
    password_len: usize,
    out: *mut *mut kuaimi_pkcs12,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        #[once] bytes = input(bytes, len),
        #[once] password = input(password, password_len) => {
            let file = Pkcs12::from_bytes(bytes, utf8(password)?)?;
            out.put(identities(&file)?);
            Ok(())
        }
    )
}

/// The number of keys of SM2 in a file, at `count`. A file may have two: a pair of keys to sign and
/// to encrypt.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_key_count(
    file: *const kuaimi_pkcs12,
    count: *mut usize,
) -> kuaimi_error {
    call!(file = handle(file), count = place(count) => {
        count.put(file.len());
        Ok(())
    })
}

/// Key number `index` of a file, counted from 0, at `*out`. Free it with
/// `kuaimi_sm2_private_key_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_key(
    file: *const kuaimi_pkcs12,
    index: usize,
    out: *mut *mut kuaimi_sm2_private_key,
) -> kuaimi_error {
    call!(out = new_handle(out), file = handle(file) => {
        out.put(at(file, index)?.key.clone());
        Ok(())
    })
}

/// The number of certificates of key number `index`, at `count`: its own and those above it, as far
/// as the file has them; 0 if it has none of this key.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_certificate_count(
    file: *const kuaimi_pkcs12,
    index: usize,
    count: *mut usize,
) -> kuaimi_error {
    call!(file = handle(file), count = place(count) => {
        count.put(at(file, index)?.certificates.len());
        Ok(())
    })
}

/// A certificate of key number `index`, at `*out`: `place` 0 is the key's own, 1 its issuer's, and
/// so on, by their names: nothing of them was verified. Free it with `kuaimi_certificate_free`.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there are not so many keys, or certificates.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_certificate(
    file: *const kuaimi_pkcs12,
    index: usize,
    place: usize,
    out: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(out = new_handle(out), file = handle(file) => {
        out.put(at(&at(file, index)?.certificates, place)?.clone());
        Ok(())
    })
}

/// Writes a PKCS #12 file in DER with a private key, its certificate, and `certificates` above it.
/// `password`: in UTF-8. Takes some tenths of a second. The size that it asks for is some hundred
/// bytes too many.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: the certificate is of another key, or the password is not
/// UTF-8.
///
/// Source: RFC 7292; RFC 9579; GM/T 0091-2020.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_write(
    key: *const kuaimi_sm2_private_key,
    certificate: *const kuaimi_certificate,
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    password: *const u8,
    password_len: usize,
    profile: kuaimi_pkcs12_profile,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        certificate = handle(certificate),
        certificates = handles(certificates, count),
        #[once] password = input(password, password_len),
        out = output(out, out_len) => {
            write(&[(key, certificate)], &certificates, password, profile, out)
        }
    )
}

/// As `kuaimi_pkcs12_write`, for several private keys, such as the pair to sign and to encrypt.
/// `holders[0]` is the certificate of `keys[0]`, and so on; `certificates` are those above them.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: there is no key, or as of `kuaimi_pkcs12_write`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_write_all(
    keys: *const *mut kuaimi_sm2_private_key,
    holders: *const *mut kuaimi_certificate,
    key_count: usize,
    certificates: *const *mut kuaimi_certificate,
    count: usize,
    password: *const u8,
    password_len: usize,
    profile: kuaimi_pkcs12_profile,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        keys = handles(keys, key_count),
        holders = handles(holders, key_count),
        certificates = handles(certificates, count),
        #[once] password = input(password, password_len),
        out = output(out, out_len) => {
            if keys.is_empty() {
                return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT);
            }
            let pairs: Vec<_> = keys.into_iter().zip(holders).collect();
            write(&pairs, &certificates, password, profile, out)
        }
    )
}

fn write(
    keys: &[(&PrivateKey, &Certificate)],
    certificates: &[&Certificate],
    password: &[u8],
    profile: kuaimi_pkcs12_profile,
    out: Output,
) -> Result<(), Error> {
    let profile = match profile {
        KUAIMI_PKCS12_COMPATIBLE => Profile::Compatible,
        KUAIMI_PKCS12_SM => Profile::ShangMi,
        KUAIMI_PKCS12_SM_OPENSSL => Profile::ShangMiOpenssl,
        KUAIMI_PKCS12_LEGACY => Profile::Legacy,
        _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    };
    let password = utf8(password)?;
    let mut file = Pkcs12::new();
    for (key, certificate) in keys {
        file.push_identity(key, certificate, None)?;
    }
    for certificate in certificates {
        file.push_certificate(certificate);
    }
    let holders = keys.iter().map(|&(_, certificate)| certificate);
    let bound = 2048 * keys.len() + room_for(holders) + room_for(certificates.iter().copied());
    out.write(bound, || Ok(file.to_der(password, profile, &mut SysRng)?))
}

/// Wipes and frees the content of a file. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_pkcs12_free(file: *mut kuaimi_pkcs12) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(file) }
}
