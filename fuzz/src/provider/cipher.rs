//! The provider's ciphers, with any parameters, at any place between pieces of data of any length.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;

use openssl_sys as ssl;

use super::{Input, OURS, Params, context};

unsafe extern "C" {
    fn EVP_CIPHER_CTX_set_params(
        context: *mut ssl::EVP_CIPHER_CTX,
        params: *const ssl::OSSL_PARAM,
    ) -> c_int;
    fn EVP_CIPHER_CTX_get_params(
        context: *mut ssl::EVP_CIPHER_CTX,
        params: *mut ssl::OSSL_PARAM,
    ) -> c_int;
}

const NAMES: [&CStr; 8] = [
    c"SM4-ECB", c"SM4-CBC", c"SM4-CTR", c"SM4-OFB", c"SM4-CFB", c"SM4-GCM", c"SM4-CCM", c"SM4-XTS",
];
const PARAMS: [&CStr; 16] = [
    c"keylen",
    c"ivlen",
    c"padding",
    c"num",
    c"tag",
    c"taglen",
    c"iv",
    c"updated-iv",
    c"tlsaad",
    c"tlsaadpad",
    c"tlsivfixed",
    c"tlsivgen",
    c"tlsivinv",
    c"tls-version",
    c"tls-mac-size",
    c"tls-mac",
];

pub(super) fn check(input: &Input) {
    let name: *const c_char = NAMES[usize::from(input.what / 3) % NAMES.len()].as_ptr();
    let encrypts = c_int::from(input.what / 3 / 8 % 2);
    let mut pieces = input.pieces.iter();
    let mut next = || pieces.next().map_or(&[][..], |it| it);
    // A key and an IV of the greatest lengths.
    let (mut key, mut iv) = ([7; 64], [9; 128]);
    for (place, byte) in key.iter_mut().zip(next()) {
        *place = *byte;
    }
    for (place, byte) in iv.iter_mut().zip(next()) {
        *place = *byte;
    }
    let mut first = Params::new(&input.params, &PARAMS);
    let mut later = Params::new(&input.more, &PARAMS);
    // SAFETY: contexts that live until they are freed; outputs have room for a block more than the
    // input.
    unsafe {
        let algorithm = ssl::EVP_CIPHER_fetch(context(), name, OURS.as_ptr());
        if algorithm.is_null() {
            return;
        }
        let cipher = ssl::EVP_CIPHER_CTX_new();
        ssl::EVP_CipherInit_ex(
            cipher,
            algorithm,
            null_mut(),
            key.as_ptr(),
            iv.as_ptr(),
            encrypts,
        );
        EVP_CIPHER_CTX_set_params(cipher, first.get());
        // The IV again, which may have another length now.
        ssl::EVP_CipherInit_ex(
            cipher,
            null_mut(),
            null_mut(),
            null_mut(),
            iv.as_ptr(),
            encrypts,
        );
        for (i, piece) in input.pieces.iter().skip(2).take(6).enumerate() {
            let mut length = 0;
            let mut out = vec![0; piece.len() + 16].into_boxed_slice();
            let associated = input.what >= 192 && i == 0;
            let place = if associated {
                null_mut()
            } else {
                out.as_mut_ptr()
            };
            let (from, given) = (piece.as_ptr(), piece.len() as c_int);
            let done = ssl::EVP_CipherUpdate(cipher, place, &mut length, from, given);
            assert!(done != 1 || associated || length as usize <= out.len());
            if i == 1 {
                EVP_CIPHER_CTX_set_params(cipher, later.get());
            }
        }
        let mut out = vec![0; 32].into_boxed_slice();
        let mut length = 0;
        let done = ssl::EVP_CipherFinal(cipher, out.as_mut_ptr(), &mut length);
        assert!(done != 1 || length <= 16);
        EVP_CIPHER_CTX_get_params(cipher, later.get());
        ssl::EVP_CIPHER_CTX_free(cipher);
        ssl::EVP_CIPHER_free(algorithm);
    }
}
