//! The OpenSSL provider, through libcrypto: keys from files and parameters, then signatures,
//! ciphertexts, ciphers and digests with any parameters. What may not happen is a crash, memory
//! errors, or a forged success.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use arbitrary::{Arbitrary, Unstructured};
use openssl_sys as ssl;

mod cipher;

unsafe extern "C" {
    fn OSSL_PROVIDER_add_builtin(
        context: *mut ssl::OSSL_LIB_CTX,
        name: *const c_char,
        init: *const c_void,
    ) -> c_int;
    fn EVP_PKEY_CTX_new_from_pkey(
        context: *mut ssl::OSSL_LIB_CTX,
        key: *mut ssl::EVP_PKEY,
        properties: *const c_char,
    ) -> *mut ssl::EVP_PKEY_CTX;
}

const OURS: &CStr = c"provider=kuaimi";

/// A library context with the provider, compiled in, and OpenSSL's own for PEM and other keys.
fn context() -> *mut ssl::OSSL_LIB_CTX {
    static CONTEXT: OnceLock<usize> = OnceLock::new();
    *CONTEXT.get_or_init(|| {
        let init = kuaimi_provider::OSSL_provider_init as *const c_void;
        // SAFETY: the entry of a provider, and names that end with zero.
        unsafe {
            let context = ssl::OSSL_LIB_CTX_new();
            assert_eq!(
                OSSL_PROVIDER_add_builtin(context, c"kuaimi".as_ptr(), init),
                1
            );
            for name in [c"kuaimi", c"default"] {
                let provider = ssl::OSSL_PROVIDER_load(context, name.as_ptr());
                assert!(!provider.is_null(), "{name:?}");
            }
            context as usize
        }
    }) as *mut _
}

/// A parameter of a call: a known name, and a value of any kind.
#[derive(Arbitrary, Debug)]
struct Param {
    name: u8,
    kind: u8,
    number: i64,
    value: Vec<u8>,
}

/// Parameters as libcrypto has them, with the memory behind them.
struct Params {
    list: Vec<ssl::OSSL_PARAM>,
    _values: Vec<Box<[u8]>>,
}

impl Params {
    fn new(params: &[Param], names: &[&'static CStr]) -> Self {
        let (mut list, mut values) = (Vec::new(), Vec::new());
        for param in params.iter().take(8) {
            let mut value: Box<[u8]> = match param.kind % 4 {
                0 | 1 => param.number.to_ne_bytes()[..4 + param.kind as usize % 8 / 4 * 4].into(),
                // A text ends with zero.
                2 => param
                    .value
                    .iter()
                    .copied()
                    .filter(|it| *it != 0)
                    .chain([0])
                    .collect(),
                _ => param.value.clone().into(),
            };
            list.push(ssl::OSSL_PARAM {
                key: names[usize::from(param.name) % names.len()].as_ptr(),
                data_type: [1, 2, 4, 5][usize::from(param.kind % 4)],
                data: value.as_mut_ptr().cast(),
                data_size: value.len() - usize::from(param.kind % 4 == 2),
                return_size: usize::MAX,
            });
            values.push(value);
        }
        // SAFETY: the end of a list is zeros.
        list.push(unsafe { std::mem::zeroed() });
        Self {
            list,
            _values: values,
        }
    }

    fn get(&mut self) -> *mut ssl::OSSL_PARAM {
        self.list.as_mut_ptr()
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    what: u8,
    params: Vec<Param>,
    more: Vec<Param>,
    pieces: Vec<Vec<u8>>,
}

pub fn check(data: &[u8]) {
    // The first byte: what the others are.
    match data.split_first() {
        Some((0, file)) => {
            let key = decoded(file);
            use_key(key, &[], &[file.to_vec()]);
        }
        Some((_, rest)) => {
            let Ok(input) = Input::arbitrary(&mut Unstructured::new(rest)) else {
                return;
            };
            match input.what % 3 {
                0 => use_key(made(&input.params), &input.more, &input.pieces),
                1 => cipher::check(&input),
                _ => digest(&input),
            }
        }
        None => {}
    }
    // SAFETY: no pointer; errors of one input are not kept for the next.
    unsafe { ssl::ERR_clear_error() };
}

/// The key in a file, DER or PEM; null if there is none.
fn decoded(file: &[u8]) -> *mut ssl::EVP_PKEY {
    let mut key = null_mut();
    // SAFETY: null where libcrypto takes null, and data of the length beside it.
    unsafe {
        let decoder = ssl::OSSL_DECODER_CTX_new_for_pkey(
            &mut key,
            null(),
            null(),
            null(),
            0,
            context(),
            c"?provider=kuaimi".as_ptr(),
        );
        let (mut start, mut length) = (file.as_ptr(), file.len());
        // Without a password: a file may ask for minutes of work, which OpenSSL's own code does.
        ssl::OSSL_DECODER_from_data(decoder, &mut start, &mut length);
        ssl::OSSL_DECODER_CTX_free(decoder);
    }
    key
}

/// A key from parameters, which may be a key's own with some changed.
fn made(params: &[Param]) -> *mut ssl::EVP_PKEY {
    const NAMES: [&CStr; 6] = [
        c"group",
        c"pub",
        c"priv",
        c"encoding",
        c"point-format",
        c"encoded-pub-key",
    ];
    let mut key = null_mut();
    let mut params = Params::new(params, &NAMES);
    // SAFETY: a context that is freed, and a list of parameters that ends with zeros.
    unsafe {
        let making = ssl::EVP_PKEY_CTX_new_from_name(context(), c"SM2".as_ptr(), OURS.as_ptr());
        assert!(!making.is_null());
        if ssl::EVP_PKEY_fromdata_init(making) == 1 {
            // A key pair.
            ssl::EVP_PKEY_fromdata(making, &mut key, 0x87, params.get());
        }
        ssl::EVP_PKEY_CTX_free(making);
    }
    key
}

/// Signs, verifies, encrypts, decrypts and derives with a key, which is freed.
fn use_key(key: *mut ssl::EVP_PKEY, params: &[Param], pieces: &[Vec<u8>]) {
    const NAMES: [&CStr; 10] = [
        c"distid",
        c"digest",
        c"digest-size",
        c"kdf-type",
        c"outlen",
        c"self-id",
        c"peer-id",
        c"sm2-initiator",
        c"self-enc-key",
        c"peer-enc-key",
    ];
    if key.is_null() {
        return;
    }
    let mut params = Params::new(params, &NAMES);
    let piece = |i: usize| pieces.get(i).map_or(&[][..], |it| it);
    let (first, second) = (piece(0), piece(1));
    let begin: [unsafe extern "C" fn(*mut ssl::EVP_PKEY_CTX) -> c_int; 5] = [
        ssl::EVP_PKEY_sign_init,
        ssl::EVP_PKEY_verify_init,
        ssl::EVP_PKEY_encrypt_init,
        ssl::EVP_PKEY_decrypt_init,
        ssl::EVP_PKEY_derive_init,
    ];
    for (kind, begin) in begin.into_iter().enumerate() {
        // SAFETY: a key and a context that live until they are freed, and buffers of the lengths
        // beside them.
        unsafe {
            let using = EVP_PKEY_CTX_new_from_pkey(context(), key, null());
            if !using.is_null() && begin(using) == 1 {
                ssl::EVP_PKEY_CTX_set_params(using, params.get());
                let mut out = vec![0; 4 * first.len() + 256];
                let mut length = out.len();
                let (to, size) = (out.as_mut_ptr(), &mut length);
                let (from, given) = (first.as_ptr(), first.len());
                let done = match kind {
                    0 => ssl::EVP_PKEY_sign(using, to, size, from, given),
                    1 => ssl::EVP_PKEY_verify(using, from, given, second.as_ptr(), second.len()),
                    2 => ssl::EVP_PKEY_encrypt(using, to, size, from, given),
                    3 => ssl::EVP_PKEY_decrypt(using, to, size, from, given),
                    _ => {
                        ssl::EVP_PKEY_derive_set_peer(using, key);
                        ssl::EVP_PKEY_derive(using, to, size)
                    }
                };
                assert!(done != 1 || length <= out.len());
            }
            ssl::EVP_PKEY_CTX_free(using);
        }
    }
    // SAFETY: its last use.
    unsafe { ssl::EVP_PKEY_free(key) };
}

/// SM3 in pieces through libcrypto, against the library.
fn digest(input: &Input) {
    let mut out = [0; 64];
    let mut length = 0;
    // SAFETY: contexts that live until they are freed, and buffers of the lengths beside them.
    unsafe {
        let algorithm = ssl::EVP_MD_fetch(context(), c"SM3".as_ptr(), OURS.as_ptr());
        let hash = ssl::EVP_MD_CTX_new();
        assert_eq!(ssl::EVP_DigestInit_ex(hash, algorithm, null_mut()), 1);
        for piece in &input.pieces {
            assert_eq!(
                ssl::EVP_DigestUpdate(hash, piece.as_ptr().cast(), piece.len()),
                1
            );
        }
        assert_eq!(
            ssl::EVP_DigestFinal_ex(hash, out.as_mut_ptr(), &mut length),
            1
        );
        ssl::EVP_MD_CTX_free(hash);
        ssl::EVP_MD_free(algorithm);
    }
    assert_eq!(out[..32], kuaimi::sm3::digest(&input.pieces.concat()));
}
