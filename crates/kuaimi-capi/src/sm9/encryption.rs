//! Encryption and decryption (GB/T 38635.2-2020, clause 9).

use kuaimi::sm9::{Ciphertext, DecryptOptions, EncryptOptions, Error as Sm9Error, Mac, Mode};

use super::decryption_key::kuaimi_sm9_decryption_key;
use super::encryption_key::kuaimi_sm9_encryption_key;
use crate::error::{Error, kuaimi_error};

options! {
    /// How SM9 encrypts a message. The numbers are the `EnType` of GB/T 41389.
    pub enum kuaimi_sm9_mode {
        /// A key stream as long as the message: the usual mode.
        KUAIMI_SM9_MODE_STREAM = 0,
        /// SM4-ECB with padding. It shows which blocks of the message are equal.
        KUAIMI_SM9_MODE_ECB = 1,
        /// SM4-CBC with padding.
        KUAIMI_SM9_MODE_CBC = 2,
        /// SM4-OFB.
        KUAIMI_SM9_MODE_OFB = 4,
        /// SM4-CFB.
        KUAIMI_SM9_MODE_CFB = 8,
    }
}

options! {
    /// How SM9 authenticates a ciphertext.
    pub enum kuaimi_sm9_mac {
        /// The standard's: SM3 over the ciphertext and the key.
        KUAIMI_SM9_MAC_SM3 = 0,
        /// GmSSL's: HMAC-SM3.
        KUAIMI_SM9_MAC_HMAC_SM3 = 1,
    }
}

options! {
    /// A form of an SM9 ciphertext.
    pub enum kuaimi_sm9_ciphertext_form {
        /// DER (GB/T 41389), which names the mode.
        KUAIMI_SM9_CIPHERTEXT_DER = 0,
        /// Point (64 bytes), digest (32 bytes), encrypted message. It does not name the mode.
        KUAIMI_SM9_CIPHERTEXT_RAW = 1,
    }
}

/// The choices of who encrypts with SM9. Who decrypts must know them, but for the mode in DER,
/// which is then ignored. Where a function takes a pointer to it, null means all zeros: a key
/// stream, the standard's authentication, DER.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct kuaimi_sm9_options {
    /// How the message is encrypted.
    pub mode: kuaimi_sm9_mode,
    /// How the ciphertext is authenticated.
    pub mac: kuaimi_sm9_mac,
    /// How the ciphertext is written.
    pub form: kuaimi_sm9_ciphertext_form,
}

/// The same, checked.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    mode: Mode,
    mac: Mac,
    der: bool,
}

/// The most bytes that a ciphertext takes more than its message, in any mode and form: the header
/// of DER, an initial value and padding.
pub const KUAIMI_SM9_CIPHERTEXT_OVERHEAD: usize = 192;

impl TryFrom<Option<&kuaimi_sm9_options>> for Options {
    type Error = Error;

    fn try_from(options: Option<&kuaimi_sm9_options>) -> Result<Self, Error> {
        let options = options.copied().unwrap_or_default();
        let wrong = Error::KUAIMI_ERROR_INVALID_ARGUMENT;
        Ok(Self {
            mode: u8::try_from(options.mode)
                .ok()
                .and_then(Mode::from_en_type)
                .ok_or(wrong)?,
            mac: match options.mac {
                KUAIMI_SM9_MAC_SM3 => Mac::Sm3,
                KUAIMI_SM9_MAC_HMAC_SM3 => Mac::HmacSm3,
                _ => return Err(wrong),
            },
            der: match options.form {
                KUAIMI_SM9_CIPHERTEXT_DER => true,
                KUAIMI_SM9_CIPHERTEXT_RAW => false,
                _ => return Err(wrong),
            },
        })
    }
}

impl Options {
    pub(crate) fn to_encrypt(self) -> EncryptOptions {
        EncryptOptions::new()
            .with_mode(self.mode)
            .with_mac(self.mac)
    }

    pub(crate) fn to_decrypt(self) -> DecryptOptions {
        DecryptOptions::new().with_mac(self.mac)
    }

    pub(crate) fn write(self, ciphertext: &Ciphertext) -> Vec<u8> {
        if self.der {
            ciphertext.to_der()
        } else {
            ciphertext.to_bytes()
        }
    }

    /// A ciphertext that is to be decrypted: one that cannot be read does not decrypt.
    pub(crate) fn read(self, bytes: &[u8]) -> Result<Ciphertext, Error> {
        let failed = Error::KUAIMI_ERROR_DECRYPTION_FAILED;
        if self.der {
            Ciphertext::from_der(bytes).map_err(|_| failed)
        } else {
            Ciphertext::from_bytes(self.mode, bytes).map_err(|_| failed)
        }
    }
}

/// The most bytes of a ciphertext.
pub(crate) fn ciphertext_bound(message_len: usize) -> Result<usize, Error> {
    message_len
        .checked_add(KUAIMI_SM9_CIPHERTEXT_OVERHEAD)
        .ok_or(Error::KUAIMI_ERROR_MESSAGE_TOO_LONG)
}

/// Encrypts a message of at least one byte. Constant time in the message but for its length.
/// `options` may be null. The size that it asks for is `KUAIMI_SM9_CIPHERTEXT_OVERHEAD` more than
/// the message's, some bytes more than it writes.
///
/// `KUAIMI_ERROR_EMPTY_MESSAGE`: there is nothing to encrypt. `KUAIMI_ERROR_RANDOM`: the random
/// generator failed.
///
/// Source: GB/T 38635.2-2020, clause 9.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encrypt(
    key: *const kuaimi_sm9_encryption_key,
    message: *const u8,
    message_len: usize,
    options: *const kuaimi_sm9_options,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        message = input(message, message_len),
        options = optional_structure(options),
        out = output(out, out_len) => {
            if message.is_empty() {
                return Err(Sm9Error::EmptyMessage.into());
            }
            let options = Options::try_from(options)?;
            out.write(ciphertext_bound(message.len())?, || {
                let ciphertext = key.encrypt_with(message, options.to_encrypt())?;
                Ok(options.write(&ciphertext))
            })
        }
    )
}

/// Decrypts a ciphertext. Constant time in the key and the plaintext but for its length. `options`
/// may be null. A plaintext is written only after it was found to be right. In the modes with
/// padding, the size that it asks for is up to 32 bytes more than it writes.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: for whatever reason.
///
/// Source: GB/T 38635.2-2020, clause 9.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_decrypt(
    key: *const kuaimi_sm9_decryption_key,
    ciphertext: *const u8,
    ciphertext_len: usize,
    options: *const kuaimi_sm9_options,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        #[once] ciphertext = input(ciphertext, ciphertext_len),
        options = optional_structure(options),
        out = output(out, out_len) => {
            let options = Options::try_from(options)?;
            let ciphertext = options.read(ciphertext)?;
            out.write(ciphertext.c2().len(), || {
                Ok(key.decrypt_with(&ciphertext, options.to_decrypt())?)
            })
        }
    )
}
