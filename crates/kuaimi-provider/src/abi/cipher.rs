//! Ciphers: SM4 in its modes (provider-cipher(7)).

use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

use super::param::{Kind, Param, Params, Requests};
use super::{
    Algorithm, Dispatch, Object, Slot, bytes, duplicate, guard, make, output, release, set_length,
    shared, with,
};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;
use crate::sm4::block::{Cbc, Ecb};
use crate::sm4::ccm::Ccm;
use crate::sm4::gcm::Gcm;
use crate::sm4::stream::{Cfb, Ctr, Ofb};
use crate::sm4::xts::Xts;
use crate::sm4::{BLOCK_LEN, Direction, Mode};

type NewContext = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
type Init = unsafe extern "C" fn(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int;
type Update = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int;
type Final = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type Free = unsafe extern "C" fn(context: *mut c_void);
type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;
type GetParams = unsafe extern "C" fn(params: *mut Param) -> c_int;
type GetContextParams = unsafe extern "C" fn(context: *mut c_void, params: *mut Param) -> c_int;
type SetContextParams = unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
type KnownParams = unsafe extern "C" fn(provctx: *mut c_void) -> *const Param;
type KnownContextParams =
    unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;

const fn table<M: Mode + 'static>() -> [Dispatch; 15] {
    [
        Slot::<NewContext>::new(1).is(new_context::<M>),
        Slot::<Init>::new(2).is(encrypt_init::<M>),
        Slot::<Init>::new(3).is(decrypt_init::<M>),
        Slot::<Update>::new(4).is(update::<M>),
        Slot::<Final>::new(5).is(finish::<M>),
        Slot::<Update>::new(6).is(cipher::<M>),
        Slot::<Free>::new(7).is(free::<M>),
        Slot::<Duplicate>::new(8).is(duplicate_context::<M>),
        Slot::<GetParams>::new(9).is(get_params::<M>),
        Slot::<GetContextParams>::new(10).is(get_context_params::<M>),
        Slot::<SetContextParams>::new(11).is(set_context_params::<M>),
        Slot::<KnownParams>::new(12).is(gettable_params),
        Slot::<KnownContextParams>::new(13).is(gettable_context_params::<M>),
        Slot::<KnownContextParams>::new(14).is(settable_context_params::<M>),
        Dispatch::END,
    ]
}

static ECB: [Dispatch; 15] = table::<Ecb>();
static CBC: [Dispatch; 15] = table::<Cbc>();
static CTR: [Dispatch; 15] = table::<Ctr>();
static CFB: [Dispatch; 15] = table::<Cfb>();
static OFB: [Dispatch; 15] = table::<Ofb>();
static GCM: [Dispatch; 15] = table::<Gcm>();
static CCM: [Dispatch; 15] = table::<Ccm>();
static XTS: [Dispatch; 15] = table::<Xts>();

const fn algorithm(
    names: &'static CStr,
    table: &'static [Dispatch],
    about: &'static CStr,
) -> Algorithm {
    Algorithm::new(names, Provider::PROPERTIES, table, about)
}

pub(super) static ALGORITHMS: [Algorithm; 9] = [
    algorithm(c"SM4-ECB:1.2.156.10197.1.104.1", &ECB, c"SM4 in ECB mode"),
    algorithm(
        c"SM4-CBC:SM4:1.2.156.10197.1.104.2",
        &CBC,
        c"SM4 in CBC mode",
    ),
    algorithm(c"SM4-CTR:1.2.156.10197.1.104.7", &CTR, c"SM4 in CTR mode"),
    algorithm(
        c"SM4-OFB:SM4-OFB128:1.2.156.10197.1.104.3",
        &OFB,
        c"SM4 in OFB mode",
    ),
    algorithm(
        c"SM4-CFB:SM4-CFB128:1.2.156.10197.1.104.4",
        &CFB,
        c"SM4 in CFB mode",
    ),
    algorithm(c"SM4-GCM:1.2.156.10197.1.104.8", &GCM, c"SM4 in GCM mode"),
    algorithm(c"SM4-CCM:1.2.156.10197.1.104.9", &CCM, c"SM4 in CCM mode"),
    algorithm(c"SM4-XTS:1.2.156.10197.1.104.10", &XTS, c"SM4 in XTS mode"),
    Algorithm::END,
];

#[derive(Clone)]
struct Context<M> {
    provider: Arc<Provider>,
    mode: M,
}

impl<M: Sync> super::Context for Context<M> {}

impl<M: Sync> Object for Context<M> {
    fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }
}

unsafe extern "C" fn new_context<M: Mode>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe {
        make(provctx, |provider| {
            Ok(Context {
                provider,
                mode: M::new(),
            })
        })
    }
}

unsafe extern "C" fn free<M>(context: *mut c_void) {
    // SAFETY: a context of this table, used for the last time.
    unsafe { release::<Context<M>>(context) }
}

unsafe extern "C" fn duplicate_context<M: Mode>(context: *mut c_void) -> *mut c_void {
    // SAFETY: a context of this table.
    unsafe { duplicate::<Context<M>>(context) }
}

unsafe extern "C" fn encrypt_init<M: Mode>(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: as libcrypto calls this function.
    unsafe {
        init::<M>(
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

unsafe extern "C" fn decrypt_init<M: Mode>(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    params: *const Param,
) -> c_int {
    // SAFETY: as libcrypto calls this function.
    unsafe {
        init::<M>(
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
/// `context` is of the mode's table, `key` and `iv` are null or inputs, `params` is a list for this call.
unsafe fn init<M: Mode>(
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
        with::<Context<M>>(context, |context| {
            let mode = &mut context.mode;
            let key = (!key.is_null()).then(|| bytes(key, key_length));
            let iv = (!iv.is_null()).then(|| bytes(iv, iv_length));
            mode.init(direction, key, iv)?;
            mode.set(&Params::new(params))
        })
    }
}

/// Moves what the mode held back and the input to the output, which may be the place of the input, and has the mode process
/// there what it can. Gives the number of bytes.
///
/// # Safety
/// `data` is an input of `length` bytes, and `out` has `size` bytes.
unsafe fn process<M: Mode>(
    mode: &mut M,
    out: *mut u8,
    size: usize,
    data: *const u8,
    length: usize,
) -> Result<usize, Failure> {
    if let Some(record_length) = mode.record_len(length)? {
        if data.is_null() || out.is_null() || record_length.max(length) > size {
            return Err(Reason::OutputTooSmall.into());
        }
        // SAFETY: both have as many bytes. They are the same, or may overlap.
        unsafe { std::ptr::copy(data, out, length) };
        // SAFETY: the output, of which everything is this call's.
        let record = unsafe { std::slice::from_raw_parts_mut(out, record_length) };
        return mode.process_record(record, length);
    }
    let mut held = [0; BLOCK_LEN];
    let held_length = mode.held().len();
    held[..held_length].copy_from_slice(mode.held());
    let total = held_length
        .checked_add(length)
        .ok_or(Reason::MessageTooLong)?;
    let ready = mode.ready(total);
    if ready > size {
        return Err(Reason::OutputTooSmall.into());
    }
    // What stays behind is copied first, as the output may overwrite it.
    let from_held = ready.min(held_length);
    let from_data = ready - from_held;
    let mut rest = [0; 2 * BLOCK_LEN];
    let rest = &mut rest[..total - ready];
    rest[..held_length - from_held].copy_from_slice(&held[from_held..held_length]);
    // SAFETY: the input, after the part that is ready.
    let after = unsafe { &bytes(data, length)[from_data..] };
    rest[held_length - from_held..].copy_from_slice(after);
    if ready != 0 {
        if out.is_null() {
            return Err(Reason::OutputTooSmall.into());
        }
        // SAFETY: both have as many bytes. They may overlap.
        unsafe { std::ptr::copy(data, out.add(from_held), from_data) };
        // SAFETY: the output, of which everything before `ready` is this call's.
        let out = unsafe { std::slice::from_raw_parts_mut(out, ready) };
        out[..from_held].copy_from_slice(&held[..from_held]);
        mode.process(out)?;
    }
    mode.hold(rest);
    zeroize::Zeroize::zeroize(&mut held);
    zeroize::Zeroize::zeroize(rest);
    Ok(ready)
}

unsafe extern "C" fn update<M: Mode>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        with::<Context<M>>(context, |context| {
            let mode = &mut context.mode;
            let written = if M::INFO.aead && out.is_null() {
                if data.is_null() {
                    mode.announce(data_length)?;
                } else {
                    mode.associate(bytes(data, data_length))?;
                }
                data_length
            } else {
                process(mode, out, size, data, data_length)?
            };
            set_length(length, written);
            Ok(())
        })
    }
}

unsafe extern "C" fn finish<M: Mode>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        with::<Context<M>>(context, |context| {
            let written = context.mode.finish(output(out, size))?;
            set_length(length, written);
            Ok(())
        })
    }
}

/// Everything in one call, which `EVP_Cipher` makes: the data is whole blocks where the mode needs that, and nothing is
/// padded.
unsafe extern "C" fn cipher<M: Mode>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
    data: *const u8,
    data_length: usize,
) -> c_int {
    // SAFETY: a context of this table, the places for its output, and its input.
    unsafe {
        if M::INFO.aead {
            return if data.is_null() && !out.is_null() {
                finish::<M>(context, out, length, size)
            } else {
                update::<M>(context, out, length, size, data, data_length)
            };
        }
        with::<Context<M>>(context, |context| {
            let mode = &mut context.mode;
            if M::INFO.block_len > 1 && !data_length.is_multiple_of(BLOCK_LEN) {
                return Err(Reason::WrongFinalBlockLength.into());
            }
            if data_length > size {
                return Err(Reason::OutputTooSmall.into());
            }
            if data_length != 0 {
                if data.is_null() || out.is_null() {
                    return Err(Reason::OutputTooSmall.into());
                }
                std::ptr::copy(data, out, data_length);
                mode.process(std::slice::from_raw_parts_mut(out, data_length))?;
            }
            set_length(length, data_length);
            Ok(())
        })
    }
}

unsafe extern "C" fn get_params<M: Mode>(params: *mut Param) -> c_int {
    guard(0, || {
        // SAFETY: a list for this call.
        let mut requests = unsafe { Requests::new(params) };
        let info = &M::INFO;
        let mut answer = || -> Result<(), Failure> {
            requests.answer(c"mode", |param| param.set_unsigned(info.number))?;
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

unsafe extern "C" fn get_context_params<M: Mode>(
    context: *mut c_void,
    params: *mut Param,
) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        // Only this question changes the context. Others come in calls that libcrypto takes for reading.
        let counts = Params::new(params).find(c"tlsivgen").is_some();
        if counts
            && with::<Context<M>>(context, |context| {
                Requests::new(params)
                    .answer(c"tlsivgen", |param| context.mode.give_next_nonce(param))
            }) == 0
        {
            return 0;
        }
        shared::<Context<M>>(context, |context| {
            let mut requests = Requests::new(params);
            requests.answer(c"keylen", |param| {
                param.set_unsigned(M::INFO.key_len as u64)
            })?;
            context.mode.answer(&mut requests)
        })
    }
}

unsafe extern "C" fn set_context_params<M: Mode>(
    context: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        with::<Context<M>>(context, |context| {
            let params = Params::new(params);
            if let Some(param) = params.find(c"keylen")
                && param.size()? != M::INFO.key_len
            {
                return Err(Reason::WrongKeyLength.into());
            }
            context.mode.set(&params)
        })
    }
}

unsafe extern "C" fn gettable_context_params<M: Mode>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    M::GETTABLE.as_ptr()
}

unsafe extern "C" fn settable_context_params<M: Mode>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    M::SETTABLE.as_ptr()
}
