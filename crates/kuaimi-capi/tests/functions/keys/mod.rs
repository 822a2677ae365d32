//! Keys, written and read in all forms.

use kuaimi_c::*;

mod sm2;
mod sm9;

/// Encryption under a password that does not keep the test waiting.
const QUICK: kuaimi_password_encryption = kuaimi_password_encryption {
    cipher: KUAIMI_CIPHER_AES256_CBC,
    kdf: KUAIMI_PBKDF2_HMAC_SHA256,
    iterations: 2,
    scrypt_log_n: 0,
    scrypt_r: 0,
    scrypt_p: 0,
};
