//! Ciphers (provider-cipher(7)).

mod pieces;

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use super::core::Core;
use super::dispatch::{Dispatch, Slot};
use super::function::{
    Duplicate, Free, GetObjectParams, GetParams, Give, KnownContextParams, KnownParams, New,
    Process, SetObjectParams,
};
use super::memory::{bytes, output, set_length};
use super::object::{self, Loaded, Object, duplicate, free, guard, make, shared, with};
use super::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

/// The longest block of a cipher.
pub(crate) const MAX_BLOCK_LEN: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// The properties of a cipher that OpenSSL asks for.
pub(crate) struct Info {
    /// `EVP_CIPH_…_MODE`.
    pub(crate) mode: u64,
    pub(crate) key_len: usize,
    pub(crate) iv_len: usize,
    /// 1 where data of any length is encrypted.
    pub(crate) block_len: usize,
    /// Whether there are associated data and a tag.
    pub(crate) aead: bool,
    /// Whether the mode keeps its IV itself.
    pub(crate) custom_iv: bool,
}

/// A cipher in a mode, as the content of a context.
///
/// It gets its key and its IV together or one after the other, and may get another IV under the same key.
pub(crate) trait Cipher: Clone + Sync + 'static {
    const INFO: Info;
    /// The parameters of a context that can be read, and those that can be set.
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new() -> Self;

    /// Begins a message.
    fn init(
        &mut self,
        direction: Direction,
        key: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure>;

    /// Bytes of the message that cannot be processed yet.
    fn held(&self) -> &[u8] {
        &[]
    }

    /// How many of `total` bytes, held and new ones, can be processed now.
    fn ready(&self, total: usize) -> usize {
        total
    }

    /// Encrypts or decrypts in place.
    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure>;

    /// Keeps the bytes that were not ready, at most a block.
    fn hold(&mut self, _bytes: &[u8]) {}

    /// Takes associated data.
    fn associate(&mut self, _data: &[u8]) -> Result<(), Failure> {
        Err(Reason::NotInitialised.into())
    }

    /// Takes the length of the message, before the message.
    fn announce(&mut self, _length: usize) -> Result<(), Failure> {
        Ok(())
    }

    /// The length of a record of TLS 1.2 or before with an input of `length` bytes; none if it is not records that are processed now.
    fn record_len(&self, _length: usize) -> Result<Option<usize>, Failure> {
        Ok(None)
    }

    /// Protects a record of TLS 1.2 or before, whose first `length` bytes are the input, or opens it, in place. Returns the
    /// number of bytes that libssl takes as the result.
    fn process_record(&mut self, _record: &mut [u8], _length: usize) -> Result<usize, Failure> {
        Err(Failure::internal())
    }

    /// Ends the message, and returns the number of bytes written.
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Failure>;

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure>;

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure>;

    /// Writes the end of the next counted nonce into the parameter, and begins a message with that nonce.
    fn give_next_nonce(&mut self, _param: &mut Param) -> Result<(), Failure> {
        Err(Reason::NotInitialised.into())
    }
}

type Init = unsafe extern "C" fn(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int;

/// The functions of a cipher of the provider `P`.
pub(crate) const fn table<P: Loaded, C: Cipher>() -> [Dispatch; 15] {
    const { assert!(C::INFO.block_len <= MAX_BLOCK_LEN) };
    [
        Slot::<New>::new(1).is(new_context::<P, C>),
        Slot::<Init>::new(2).is(encrypt_init::<C>),
        Slot::<Init>::new(3).is(decrypt_init::<C>),
        Slot::<Process>::new(4).is(update::<C>),
        Slot::<Give>::new(5).is(finish::<C>),
        Slot::<Process>::new(6).is(cipher::<C>),
        Slot::<Free>::new(7).is(free::<Context<C>>),
        Slot::<Duplicate>::new(8).is(duplicate::<Context<C>>),
        Slot::<GetParams>::new(9).is(get_params::<C>),
        Slot::<GetObjectParams>::new(10).is(get_context_params::<C>),
        Slot::<SetObjectParams>::new(11).is(set_context_params::<C>),
        Slot::<KnownParams>::new(12).is(gettable_params),
        Slot::<KnownContextParams>::new(13).is(gettable_context_params::<C>),
        Slot::<KnownContextParams>::new(14).is(settable_context_params::<C>),
        Dispatch::END,
    ]
}

#[derive(Clone)]
struct Context<C> {
    core: Arc<Core>,
    cipher: C,
}

impl<C: Sync> object::Context for Context<C> {}

impl<C: Sync> Object for Context<C> {
    fn core(&self) -> &Arc<Core> {
        &self.core
    }
}

unsafe extern "C" fn new_context<P: Loaded, C: Cipher>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe {
        make(provctx, |provider: &Arc<P>| {
            Ok(Context {
                core: Arc::clone(provider.core()),
                cipher: C::new(),
            })
        })
    }
}

unsafe extern "C" fn encrypt_init<C: Cipher>(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: as libcrypto calls this function.
    unsafe {
        init::<C>(
            Direction::Encrypt,
            context,
            key,
            key_length,
            iv,
            iv_length,
            params,
        )
    }
}

unsafe extern "C" fn decrypt_init<C: Cipher>(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: as libcrypto calls this function.
    unsafe {
        init::<C>(
            Direction::Decrypt,
            context,
            key,
            key_length,
            iv,
            iv_length,
            params,
        )
    }
}

/// # Safety
/// `context` is of the cipher's table, `key` and `iv` are null or inputs, `params` is a list for this call.
unsafe fn init<C: Cipher>(
    direction: Direction,
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: as the caller says.
    unsafe {
        with::<Context<C>>(context, |context| {
            let cipher = &mut context.cipher;
            let key = (!key.is_null()).then(|| bytes(key, key_length));
            let iv = (!iv.is_null()).then(|| bytes(iv, iv_length));
            cipher.init(direction, key, iv)?;
            cipher.set(&Params::new(params))
        })
    }
}

unsafe extern "C" fn update<C: Cipher>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        with::<Context<C>>(context, |context| {
            let cipher = &mut context.cipher;
            let written = if C::INFO.aead && out.is_null() {
                if data.is_null() {
                    cipher.announce(data_length)?;
                } else {
                    cipher.associate(bytes(data, data_length))?;
                }
                data_length
            } else {
                pieces::process(cipher, out, size, data, data_length)?
            };
            set_length(length, written);
            Ok(())
        })
    }
}

unsafe extern "C" fn finish<C: Cipher>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        with::<Context<C>>(context, |context| {
            let written = context.cipher.finish(output(out, size))?;
            set_length(length, written);
            Ok(())
        })
    }
}

/// A whole message in one call, by `EVP_Cipher`: it has whole blocks where the mode needs that, and is not padded.
unsafe extern "C" fn cipher<C: Cipher>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        if C::INFO.aead {
            return if data.is_null() && !out.is_null() {
                finish::<C>(context, out, length, size)
            } else {
                update::<C>(context, out, length, size, data, data_length)
            };
        }
        with::<Context<C>>(context, |context| {
            let cipher = &mut context.cipher;
            if !data_length.is_multiple_of(C::INFO.block_len) {
                return Err(Reason::WrongFinalBlockLength.into());
            }
            pieces::process_whole(cipher, out, size, data, data_length)?;
            set_length(length, data_length);
            Ok(())
        })
    }
}

unsafe extern "C" fn get_params<C: Cipher>(params: *mut Param) -> c_int {
    guard(0, || {
        // SAFETY: a list for this call.
        let mut requests = unsafe { Requests::new(params) };
        let info = &C::INFO;
        let mut answer = || -> Result<(), Failure> {
            requests.answer(c"mode", |param| param.set_unsigned(info.mode))?;
            requests.answer(c"keylen", |param| param.set_unsigned(info.key_len as u64))?;
            requests.answer(c"ivlen", |param| param.set_unsigned(info.iv_len as u64))?;
            requests.answer(c"blocksize", |param| {
                param.set_unsigned(info.block_len as u64)
            })?;
            requests.answer(c"aead", |param| param.set_unsigned(info.aead.into()))?;
            requests.answer(c"custom-iv", |param| {
                param.set_unsigned(info.custom_iv.into())
            })?;
            for absent in [c"cts", c"tls-multi", c"has-randkey", c"encrypt-then-mac"] {
                requests.answer(absent, |param| param.set_unsigned(0))?;
            }
            Ok(())
        };
        c_int::from(answer().is_ok())
    })
}

unsafe extern "C" fn gettable_params(_provctx: *mut c_void) -> *const Param {
    static KNOWN: [Param; 10] = [
        Param::known(c"mode", Kind::Unsigned),
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"blocksize", Kind::Unsigned),
        Param::known(c"aead", Kind::Integer),
        Param::known(c"custom-iv", Kind::Integer),
        Param::known(c"cts", Kind::Integer),
        Param::known(c"tls-multi", Kind::Integer),
        Param::known(c"has-randkey", Kind::Integer),
        Param::END,
    ];
    KNOWN.as_ptr()
}

unsafe extern "C" fn get_context_params<C: Cipher>(
    context: *mut c_void,
    params: *mut Param,
) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        // Only this parameter changes the context when it is read. For others, libcrypto may call from several threads.
        let counts = Params::new(params).find(c"tlsivgen").is_some();
        if counts
            && with::<Context<C>>(context, |context| {
                Requests::new(params)
                    .answer(c"tlsivgen", |param| context.cipher.give_next_nonce(param))
            }) == 0
        {
            return 0;
        }
        shared::<Context<C>>(context, |context| {
            let mut requests = Requests::new(params);
            requests.answer(c"keylen", |param| {
                param.set_unsigned(C::INFO.key_len as u64)
            })?;
            context.cipher.answer(&mut requests)
        })
    }
}

unsafe extern "C" fn set_context_params<C: Cipher>(
    context: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        with::<Context<C>>(context, |context| {
            let params = Params::new(params);
            if let Some(param) = params.find(c"keylen")
                && param.size()? != C::INFO.key_len
            {
                return Err(Reason::WrongKeyLength.into());
            }
            context.cipher.set(&params)
        })
    }
}

unsafe extern "C" fn gettable_context_params<C: Cipher>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    C::GETTABLE.as_ptr()
}

unsafe extern "C" fn settable_context_params<C: Cipher>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    C::SETTABLE.as_ptr()
}
