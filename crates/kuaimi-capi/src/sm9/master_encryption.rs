//! Master keys for encryption and key exchange: what the key generation centre holds, and what
//! everyone knows of it.

use kuaimi::Threads;
use kuaimi::encoding::sm9::{Key as FileKey, read_key};
use kuaimi::encoding::{EncodePrivateKey, EncodePublicKey, LineEnding};
use kuaimi::sm9::{MasterEncryptionKey, MasterEncryptionPublicKey};

use super::decryption_key::kuaimi_sm9_decryption_key;
use super::identity::{identity, kuaimi_sm9_identity};
use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::key_form::*;
use crate::sm2::run;

/// A master key for encryption and key exchange, with its public key: the secret of the key
/// generation centre. Threads may share it.
pub struct kuaimi_sm9_master_encryption_key {
    _opaque: [u8; 0],
}
/// A master public key for encryption and key exchange, which all users know. Threads may share it.
pub struct kuaimi_sm9_master_encryption_public_key {
    _opaque: [u8; 0],
}
objects!(
    kuaimi_sm9_master_encryption_key: MasterEncryptionKey,
    kuaimi_sm9_master_encryption_public_key: MasterEncryptionPublicKey,
);

/// A new master key at `*out`, from the operating system's random generator. Free it with
/// `kuaimi_sm9_master_encryption_key_free`.
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_generate(
    out: *mut *mut kuaimi_sm9_master_encryption_key,
) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(MasterEncryptionKey::generate()?);
        Ok(())
    })
}

/// The master key that is the integer in the 32 bytes at `bytes`, most significant byte first.
/// Constant time.
///
/// `KUAIMI_ERROR_KEY_LENGTH`: `len` is not 32. `KUAIMI_ERROR_PRIVATE_KEY_RANGE`: the integer is not
/// in `[1, N - 1]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_from_bytes(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm9_master_encryption_key,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(MasterEncryptionKey::from_slice(bytes)?);
        Ok(())
    })
}

/// Reads the content of a key file: PKCS#8, encrypted or not, in PEM, DER, hexadecimal or Base64.
/// `password` may be null; it is not used for a key that is not encrypted.
///
/// The errors from 50 on say what is wrong with the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_read(
    bytes: *const u8,
    len: usize,
    password: *const u8,
    password_len: usize,
    out: *mut *mut kuaimi_sm9_master_encryption_key,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        #[once] bytes = input(bytes, len),
        password = optional_input(password, password_len) => {
            out.put(MasterEncryptionKey::try_from(read_key(bytes, password)?.0)?);
            Ok(())
        }
    )
}

/// Writes a master key, not encrypted. Wipe the buffer with `kuaimi_wipe` after use.
///
/// `form`: `KUAIMI_KEY_RAW` (32 bytes), `KUAIMI_KEY_DER`, `KUAIMI_KEY_PKCS8_PEM` or
/// `KUAIMI_KEY_PKCS8_DER`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_write(
    key: *const kuaimi_sm9_master_encryption_key,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), out = output(out, out_len) => {
        write_sm9_private!(key, form, out)
    })
}

/// Writes a master key, encrypted under a password: see `kuaimi_sm2_private_key_write_encrypted`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_write_encrypted(
    key: *const kuaimi_sm9_master_encryption_key,
    password: *const u8,
    password_len: usize,
    encryption: *const kuaimi_password_encryption,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        password = input(password, password_len),
        encryption = optional_structure(encryption),
        out = output(out, out_len) => { write_encrypted(key, password, encryption, form, out) }
    )
}

/// The master public key that belongs to a master key, at `*out`. Free it with
/// `kuaimi_sm9_master_encryption_public_key_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_public_key(
    key: *const kuaimi_sm9_master_encryption_key,
    out: *mut *mut kuaimi_sm9_master_encryption_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), key = handle(key) => {
        out.put(key.public_key().clone());
        Ok(())
    })
}

/// The decryption key of the user `id` at `*out`. `hid` is the function identifier; 0 means the
/// usual one, 3. Free the key with `kuaimi_sm9_decryption_key_free`.
///
/// `KUAIMI_ERROR_EMPTY_IDENTITY`. `KUAIMI_ERROR_UNUSABLE_MASTER_KEY`: this master key cannot serve
/// this identity, which does not happen by chance.
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_extract(
    master: *const kuaimi_sm9_master_encryption_key,
    id: *const u8,
    id_len: usize,
    hid: u8,
    out: *mut *mut kuaimi_sm9_decryption_key,
) -> kuaimi_error {
    call!(out = new_handle(out), master = handle(master), #[once] id = input(id, id_len) => {
        out.put(master.extract(identity(id, hid))?);
        Ok(())
    })
}

/// As `kuaimi_sm9_master_encryption_key_extract`, for many users: faster than one by one. The
/// handles are at `keys[0]` to `keys[count - 1]`; one that fails is null. `results` has one result
/// for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_extract_batch(
    master: *const kuaimi_sm9_master_encryption_key,
    identities: *const kuaimi_sm9_identity,
    count: usize,
    keys: *mut *mut kuaimi_sm9_decryption_key,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        keys = new_handles(keys, count),
        master = handle(master),
        identities = items(identities, count),
        results = results(results, count) => {
            let mut keys = keys;
            let read = identities.iter().map(kuaimi_sm9_identity::get);
            run(read, results, |identities| master.extract_batch(identities, Threads::One), |place, key| {
                keys.put(place, key.clone());
                Ok(())
            })
        }
    )
}

/// Wipes and frees a master key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_key_free(
    key: *mut kuaimi_sm9_master_encryption_key,
) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}

/// The master public key that is a point: 64 bytes (coordinates), 65 bytes (after 04), or 33 bytes
/// (compressed).
///
/// `KUAIMI_ERROR_POINT_ENCODING` and `KUAIMI_ERROR_POINT_NOT_ON_CURVE`: it is no point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_public_key_from_bytes(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm9_master_encryption_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        out.put(MasterEncryptionPublicKey::from_slice(bytes)?);
        Ok(())
    })
}

/// Reads the content of a key file: SubjectPublicKeyInfo, or GmSSL's form, in PEM, DER, hexadecimal
/// or Base64.
///
/// The errors from 50 on say what is wrong with the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_public_key_read(
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm9_master_encryption_public_key,
) -> kuaimi_error {
    call!(out = new_handle(out), #[once] bytes = input(bytes, len) => {
        match read_key(bytes, None)?.0 {
            FileKey::MasterEncryptionPublic(key) => out.put(key),
            _ => return Err(Error::KUAIMI_ERROR_OTHER_KEY),
        }
        Ok(())
    })
}

/// Writes a master public key.
///
/// `form`: `KUAIMI_KEY_RAW` (64 bytes), `KUAIMI_KEY_UNCOMPRESSED` (65 bytes), `KUAIMI_KEY_DER`,
/// `KUAIMI_KEY_SPKI_PEM`, `KUAIMI_KEY_SPKI_DER` or `KUAIMI_KEY_GMSSL_PEM`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_public_key_write(
    key: *const kuaimi_sm9_master_encryption_public_key,
    form: kuaimi_key_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), out = output(out, out_len) => {
        match form {
            KUAIMI_KEY_RAW => out.write_bytes(key.to_bytes()),
            KUAIMI_KEY_UNCOMPRESSED => out.write_bytes(key.to_sec1_bytes()),
            KUAIMI_KEY_DER => out.write_bytes(key.to_der()),
            KUAIMI_KEY_SPKI_PEM => out.write_bytes(key.to_public_key_pem(LineEnding::LF)?),
            KUAIMI_KEY_SPKI_DER => out.write_bytes(key.to_public_key_der()?.as_bytes()),
            KUAIMI_KEY_GMSSL_PEM => out.write_bytes(key.to_gmssl_pem()?),
            _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        }
    })
}

/// Makes the table of a master public key now, 118 KiB, which all keys under it share: encryption
/// and key exchange are faster with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_public_key_prepare(
    key: *const kuaimi_sm9_master_encryption_public_key,
) -> kuaimi_error {
    call!(key = handle(key) => {
        key.prepare();
        Ok(())
    })
}

/// Frees a master public key. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_master_encryption_public_key_free(
    key: *mut kuaimi_sm9_master_encryption_public_key,
) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(key) }
}
