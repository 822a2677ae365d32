//! No copy of a private key, a plaintext or a cipher's key is in the memory of a process after the
//! provider's calls with it: nor on the stack.
//!
//! A child process calls the provider's tables as libcrypto would; its parent, which knows the
//! secrets, reads all of the child's memory that can be written. What signing leaves on the stack
//! is not wiped (SECURITY.md), and so not looked for.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr::{null, null_mut};

use kuaimi::encoding::EncodePrivateKey as _;
use kuaimi::sm2::PrivateKey;
use kuaimi_provider::Dispatch;
use kuaimi_provider::OSSL_provider_init;
use kuaimi_testing::child_memory::{
    CHILD, INPUT_LEN, Secret, found_in_child, read_input, wait_until_read,
};

/// `OSSL_PARAM`.
#[repr(C)]
struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

impl Param {
    fn new(key: &'static CStr, data_type: c_uint, data: *const u8, data_size: usize) -> Self {
        Self {
            key: key.as_ptr(),
            data_type,
            data: data.cast_mut().cast(),
            data_size,
            return_size: usize::MAX,
        }
    }

    fn end() -> Self {
        Self {
            key: null(),
            data_type: 0,
            data: null_mut(),
            data_size: 0,
            return_size: 0,
        }
    }
}

const UNSIGNED: c_uint = 2;
const TEXT: c_uint = 4;
const OCTETS: c_uint = 5;

/// `OSSL_DISPATCH`.
#[repr(C)]
struct Entry {
    id: c_int,
    function: *const c_void,
}

/// `OSSL_ALGORITHM`.
#[repr(C)]
struct Algorithm {
    names: *const c_char,
    properties: *const c_char,
    table: *const Entry,
    description: *const c_char,
}

type Pointer = *mut c_void;
type Callback = unsafe extern "C" fn(*const Param, Pointer) -> c_int;
type New = unsafe extern "C" fn(Pointer) -> Pointer;
type Free = unsafe extern "C" fn(Pointer);

/// The provider, as a library of version 4 loads it.
struct Provider {
    table: *const Entry,
    context: Pointer,
}

unsafe extern "C" fn get_params(_handle: *const c_void, params: *mut Param) -> c_int {
    // SAFETY: a list with one request for the address of a text, and its end.
    unsafe {
        if CStr::from_ptr((*params).key) == c"openssl-version" {
            let place = (*params).data.cast::<*const c_char>();
            place.write(c"4.0.0".as_ptr());
        }
    }
    1
}

/// Reads from the slice that `bio` is the address of.
unsafe extern "C" fn bio_read(bio: Pointer, out: *mut u8, size: usize, read: *mut usize) -> c_int {
    // SAFETY: a slice of the test's, and places of the provider's.
    unsafe {
        let rest = &mut *bio.cast::<&[u8]>();
        let count = size.min(rest.len());
        out.copy_from_nonoverlapping(rest.as_ptr(), count);
        *rest = &rest[count..];
        read.write(count);
        c_int::from(count != 0)
    }
}

unsafe extern "C" fn nothing(_params: *const Param, _argument: Pointer) -> c_int {
    1
}

impl Provider {
    fn load() -> Self {
        let entry = |id, function| Entry { id, function };
        let functions = [
            entry(2, get_params as *const c_void),
            entry(42, bio_read as *const c_void),
            entry(0, null()),
        ];
        let (mut out, mut context): (*const Dispatch, Pointer) = (null(), null_mut());
        // SAFETY: the table ends with zero, and its functions have the types that their numbers
        // say.
        let loaded = unsafe {
            let functions = functions.as_ptr().cast::<Dispatch>();
            OSSL_provider_init(null(), functions, &raw mut out, &raw mut context)
        };
        assert_eq!(loaded, 1);
        Self {
            table: out.cast(),
            context,
        }
    }

    /// The function with this number of an algorithm, as the type `F`, which it must have
    /// (core_dispatch.h).
    fn function<F: Copy>(&self, operation: c_int, name: &CStr, properties: &str, id: c_int) -> F {
        type Query = unsafe extern "C" fn(Pointer, c_int, *mut c_int) -> *const Algorithm;
        // SAFETY: tables and lists of the provider's, with their ends.
        unsafe {
            let query = find(self.table, 1027);
            let query: Query = std::mem::transmute::<*const c_void, Query>(query);
            let mut algorithm = query(self.context, operation, &mut 0);
            loop {
                assert!(!(*algorithm).names.is_null(), "{name:?}");
                let names = CStr::from_ptr((*algorithm).names).to_str().expect("text");
                let text = CStr::from_ptr((*algorithm).properties);
                if names.split(':').next() == name.to_str().ok()
                    && text.to_str().expect("text").contains(properties)
                {
                    let function = find((*algorithm).table, id);
                    return std::mem::transmute_copy::<*const c_void, F>(&function);
                }
                algorithm = algorithm.add(1);
            }
        }
    }
}

/// # Safety
/// A table with its end, that has this number.
unsafe fn find(mut table: *const Entry, id: c_int) -> *const c_void {
    // SAFETY: as the caller says.
    unsafe {
        while (*table).id != id {
            assert_ne!((*table).id, 0, "{id}");
            table = table.add(1);
        }
        (*table).function
    }
}

const KEYS: c_int = 10;
const CIPHER: c_int = 2;
const ENCRYPTION: c_int = 13;
const EXCHANGE: c_int = 11;
const DECODER: c_int = 21;
const EVERYTHING: c_int = 0xff;

/// Keys of SM2.
struct Keys<'a>(&'a Provider, &'static CStr);

impl Keys<'_> {
    /// A key of 32 bytes in the order of the machine.
    fn import(&self, secret: &[u8]) -> Pointer {
        type Import = unsafe extern "C" fn(Pointer, c_int, *const Param) -> c_int;
        let new: New = self.0.function(KEYS, self.1, "", 1);
        let import: Import = self.0.function(KEYS, self.1, "", 40);
        let params = [
            Param::new(c"group", TEXT, c"SM2".as_ptr().cast(), 3),
            Param::new(c"priv", UNSIGNED, secret.as_ptr(), 32),
            Param::end(),
        ];
        // SAFETY: the functions' types are those of their numbers, and the list has its end.
        unsafe {
            let key = new(self.0.context);
            assert_eq!(import(key, EVERYTHING, params.as_ptr()), 1);
            key
        }
    }

    fn public(&self, point: &[u8]) -> Pointer {
        type Import = unsafe extern "C" fn(Pointer, c_int, *const Param) -> c_int;
        let new: New = self.0.function(KEYS, self.1, "", 1);
        let import: Import = self.0.function(KEYS, self.1, "", 40);
        let params = [
            Param::new(c"group", TEXT, c"SM2".as_ptr().cast(), 3),
            Param::new(c"pub", OCTETS, point.as_ptr(), point.len()),
            Param::end(),
        ];
        // SAFETY: as above.
        unsafe {
            let key = new(self.0.context);
            assert_eq!(import(key, EVERYTHING, params.as_ptr()), 1);
            key
        }
    }

    fn free(&self, key: Pointer) {
        let free: Free = self.0.function(KEYS, self.1, "", 10);
        // SAFETY: a key of this table, used for the last time.
        unsafe { free(key) }
    }
}

/// What the child does. `secret` and `public` are in the heap, and wiped at the end; what is made
/// is freed, unless it is `held`.
#[inline(never)]
fn operate(name: &str, held: bool, provider: &Provider, secret: &mut [u8], public: &[u8]) {
    let free = |keys: &Keys<'_>, key| {
        if !held {
            keys.free(key);
        }
    };
    let keys = Keys(provider, c"SM2");
    // SAFETY: the functions have the types of their numbers (core_dispatch.h), and the places the
    // lengths that go with them.
    unsafe {
        match name {
            "import" => free(&keys, keys.import(secret)),
            "duplicate" => {
                type Duplicate = unsafe extern "C" fn(Pointer, c_int) -> Pointer;
                let duplicate: Duplicate = provider.function(KEYS, c"SM2", "", 44);
                let key = keys.import(secret);
                let copy = duplicate(key, EVERYTHING);
                keys.free(key);
                free(&keys, copy);
            }
            "export" => {
                type Export = unsafe extern "C" fn(Pointer, c_int, Callback, Pointer) -> c_int;
                let export: Export = provider.function(KEYS, c"SM2", "", 42);
                let key = keys.import(secret);
                assert_eq!(export(key, EVERYTHING, nothing, null_mut()), 1);
                free(&keys, key);
            }
            "ask" => {
                type Get = unsafe extern "C" fn(Pointer, *mut Param) -> c_int;
                let get: Get = provider.function(KEYS, c"SM2", "", 11);
                let key = keys.import(secret);
                let place = secret.as_mut_ptr();
                let mut params = [Param::new(c"priv", UNSIGNED, place, 32), Param::end()];
                assert_eq!(get(key, params.as_mut_ptr()), 1);
                free(&keys, key);
            }
            "decode" => {
                type Decode = unsafe extern "C" fn(
                    Pointer,
                    Pointer,
                    c_int,
                    Callback,
                    Pointer,
                    Pointer,
                    Pointer,
                ) -> c_int;
                unsafe extern "C" fn take(params: *const Param, place: Pointer) -> c_int {
                    // SAFETY: the third parameter is the pointer to the key, which is taken.
                    unsafe {
                        let reference = (*params.add(2)).data.cast::<Pointer>();
                        *place.cast::<Pointer>() = reference.replace(null_mut());
                    }
                    1
                }
                let structure = "structure=PrivateKeyInfo";
                let new: New = provider.function(DECODER, c"SM2", structure, 1);
                let free_context: Free = provider.function(DECODER, c"SM2", structure, 2);
                let decode: Decode = provider.function(DECODER, c"SM2", structure, 11);
                let context = new(provider.context);
                let (mut input, mut key) = (&secret[..], null_mut::<c_void>());
                let bio = (&raw mut input).cast();
                let place = (&raw mut key).cast();
                let none = null_mut();
                assert_eq!(decode(context, bio, 1, take, place, none, none), 1);
                free_context(context);
                assert!(!key.is_null());
                free(&keys, key);
            }
            "decrypt" => {
                type Init = unsafe extern "C" fn(Pointer, Pointer, *const Param) -> c_int;
                type Crypt = unsafe extern "C" fn(
                    Pointer,
                    *mut u8,
                    *mut usize,
                    usize,
                    *const u8,
                    usize,
                ) -> c_int;
                let new: New = provider.function(ENCRYPTION, c"SM2", "", 1);
                let init: Init = provider.function(ENCRYPTION, c"SM2", "", 4);
                let decrypt: Crypt = provider.function(ENCRYPTION, c"SM2", "", 5);
                let free_context: Free = provider.function(ENCRYPTION, c"SM2", "", 6);
                let key = keys.import(secret);
                let context = new(provider.context);
                assert_eq!(init(context, key, null()), 1);
                let (out, size, mut length) = (secret.as_mut_ptr(), secret.len(), 0);
                let (data, data_len) = (public.as_ptr(), public.len());
                let done = decrypt(context, out, &raw mut length, size, data, data_len);
                assert_eq!((done, length), (1, 32));
                free_context(context);
                free(&keys, key);
            }
            "derive" => {
                type Init = unsafe extern "C" fn(Pointer, Pointer, *const Param) -> c_int;
                type Derive = unsafe extern "C" fn(Pointer, *mut u8, *mut usize, usize) -> c_int;
                type SetPeer = unsafe extern "C" fn(Pointer, Pointer) -> c_int;
                let name = c"curveSM2";
                let keys = Keys(provider, name);
                let new: New = provider.function(EXCHANGE, name, "", 1);
                let init: Init = provider.function(EXCHANGE, name, "", 2);
                let derive: Derive = provider.function(EXCHANGE, name, "", 3);
                let set_peer: SetPeer = provider.function(EXCHANGE, name, "", 4);
                let free_context: Free = provider.function(EXCHANGE, name, "", 5);
                let (key, peer) = (keys.import(secret), keys.public(public));
                let context = new(provider.context);
                assert_eq!(init(context, key, null()), 1);
                assert_eq!(set_peer(context, peer), 1);
                let (out, mut length) = (secret.as_mut_ptr(), 0);
                assert_eq!(derive(context, out, &raw mut length, 32), 1);
                free_context(context);
                keys.free(peer);
                free(&keys, key);
            }
            cipher => {
                type Init = unsafe extern "C" fn(
                    Pointer,
                    *const u8,
                    usize,
                    *const u8,
                    usize,
                    *const Param,
                ) -> c_int;
                let (cipher, copied) = match cipher.strip_suffix(", copied") {
                    Some(cipher) => (cipher, true),
                    None => (cipher, false),
                };
                let name = std::ffi::CString::new(cipher).expect("a name");
                let new: New = provider.function(CIPHER, &name, "", 1);
                let init: Init = provider.function(CIPHER, &name, "", 2);
                let free_context: Free = provider.function(CIPHER, &name, "", 7);
                let duplicate: New = provider.function(CIPHER, &name, "", 8);
                let mut context = new(provider.context);
                let (key, key_len) = (secret.as_ptr(), key_len(cipher));
                let iv = public.as_ptr();
                let iv_len = match cipher {
                    "SM4-GCM" | "SM4-CCM" => 12,
                    _ => 16,
                };
                assert_eq!(init(context, key, key_len, iv, iv_len, null()), 1);
                if copied {
                    let copy = duplicate(context);
                    free_context(context);
                    context = copy;
                }
                if !held {
                    free_context(context);
                }
            }
        }
    }
}

fn key_len(cipher: &str) -> usize {
    if cipher.starts_with("SM4-XTS") {
        32
    } else {
        16
    }
}

#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else {
        return;
    };
    let (name, how) = name.rsplit_once(": ").expect("two parts");
    let provider = Provider::load();
    let mut input = Box::new([0; INPUT_LEN]);
    read_input(&mut input);
    let length = |at: usize| usize::from(u16::from_be_bytes([input[at], input[at + 1]]));
    let (secret_len, public_len) = (length(0), length(2));
    let (secret, public) = input[4..].split_at_mut(secret_len);
    // So deep in the stack that what follows does not overwrite what the calls left.
    deep(|| {
        operate(
            name,
            how == "held",
            &provider,
            secret,
            &public[..public_len],
        )
    });
    zeroize::Zeroize::zeroize(&mut *input);
    wait_until_read();
}

#[inline(never)]
fn deep(body: impl FnOnce()) {
    let mut room = [0u8; 8192];
    black_box(&mut room);
    body();
    black_box(&mut room);
}

fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().rev().copied().collect()
}

/// What is found of the secrets. The numbers are new in each run, so that no memory has them by
/// chance.
fn residue(name: &str, how: &str) -> Vec<String> {
    let mut number = [0; 32];
    getrandom::fill(&mut number).expect("random");
    number[0] &= 0x7f;
    let key = PrivateKey::from_bytes(&number).expect("in range");
    let mut other = [0; 32];
    getrandom::fill(&mut other).expect("random");
    other[0] &= 0x7f;
    let private = |name, bytes: &[u8; 32]| {
        vec![
            Secret::new(name, bytes),
            Secret::new(name, &reversed(bytes)),
        ]
    };
    // In the order of this machine, which all are that the children run on.
    let native = reversed(&number);
    let (secret, public, secrets) = match name {
        "decrypt" => {
            let made = key.public_key().encrypt(&other).expect("a message");
            let mut secrets = private("the key", &number);
            secrets.extend(private("the message", &other));
            // Room for the longest message, in whose place the key was.
            let room = [&native[..], &[0; 128]].concat();
            (room, made.to_der(), secrets)
        }
        "derive" => {
            let peer = PrivateKey::from_bytes(&other).expect("in range");
            let shared = key.diffie_hellman(peer.public_key());
            let mut secrets = private("the key", &number);
            secrets.extend(private("the shared secret", &shared));
            (native, peer.public_key().to_sec1_bytes().to_vec(), secrets)
        }
        "decode" => {
            let der = key.to_pkcs8_der().expect("a key");
            let secrets = private("the key", &number);
            (der.as_bytes().to_vec(), Vec::new(), secrets)
        }
        "import" | "duplicate" | "export" | "ask" => {
            (native, Vec::new(), private("the key", &number))
        }
        cipher => {
            let used = &number[..key_len(cipher)];
            let secrets = vec![Secret::new("the key", used)];
            (number.to_vec(), other.to_vec(), secrets)
        }
    };
    let mut input = [0; INPUT_LEN];
    input[..2].copy_from_slice(&(secret.len() as u16).to_be_bytes());
    input[2..4].copy_from_slice(&(public.len() as u16).to_be_bytes());
    input[4..][..secret.len()].copy_from_slice(&secret);
    input[4 + secret.len()..][..public.len()].copy_from_slice(&public);
    found_in_child(&format!("{name}: {how}"), &input, &secrets)
}

const CALLS: [&str; 17] = [
    "import",
    "duplicate",
    "export",
    "ask",
    "decode",
    "decrypt",
    "derive",
    "SM4-ECB",
    "SM4-CBC",
    "SM4-CTR",
    "SM4-CFB",
    "SM4-OFB",
    "SM4-GCM",
    "SM4-CCM",
    "SM4-XTS",
    "SM4-XTS, copied",
    "SM4-CBC, copied",
];

#[test]
fn nothing_stays_of_what_was_freed() {
    let all = CALLS.map(|name| (name, residue(name, "freed")));
    let failures: Vec<_> = all.iter().filter(|(_, found)| !found.is_empty()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The search finds what is kept: a key of SM2, and the two of XTS. Other ciphers keep what was
/// made of the key.
#[test]
fn what_is_held_is_found() {
    for name in ["import", "duplicate", "decode", "decrypt", "SM4-XTS"] {
        assert!(!residue(name, "held").is_empty(), "{name}");
    }
}
