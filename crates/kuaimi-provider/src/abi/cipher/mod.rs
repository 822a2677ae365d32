//! Ciphers (provider-cipher(7)).

mod params;
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
use super::object::{self, Loaded, Object, duplicate, free, make, with};
use super::param::{Param, Params, Requests};
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
/// It gets its key and its IV together or one after the other, and may get another IV under the
/// same key.
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

    /// The length of a record of TLS 1.2 or before with an input of `length` bytes; none if it is
    /// not records that are processed now.
    fn record_len(&self, _length: usize) -> Result<Option<usize>, Failure> {
        Ok(None)
    }

    /// Protects a record of TLS 1.2 or before, whose first `length` bytes are the input, or opens
    /// it, in place. Returns the number of bytes that libssl takes as the result.
    fn process_record(&mut self, _record: &mut [u8], _length: usize) -> Result<usize, Failure> {
        Err(Failure::internal())
    }

    /// Ends the message, and returns the number of bytes written.
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Failure>;

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure>;

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure>;

    /// Writes the end of the next counted nonce into the parameter, and begins a message with that
    /// nonce.
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
        Slot::<GetParams>::new(9).is(params::get_params::<C>),
        Slot::<GetObjectParams>::new(10).is(params::get_context_params::<C>),
        Slot::<SetObjectParams>::new(11).is(params::set_context_params::<C>),
        Slot::<KnownParams>::new(12).is(params::gettable_params),
        Slot::<KnownContextParams>::new(13).is(params::gettable_context_params::<C>),
        Slot::<KnownContextParams>::new(14).is(params::settable_context_params::<C>),
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
/// `context` is of the cipher's table, `key` and `iv` are null or inputs, `params` is a list for
/// this call.
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

/// A whole message in one call, by `EVP_Cipher`: it has whole blocks where the mode needs that, and
/// is not padded.
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
