//! The parameters of ciphers and of their contexts.

use std::ffi::{c_int, c_void};

use super::{Cipher, Context};
use crate::abi::object::{guard, shared, with};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

pub(super) unsafe extern "C" fn get_params<C: Cipher>(params: *mut Param) -> c_int {
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

pub(super) unsafe extern "C" fn gettable_params(_provctx: *mut c_void) -> *const Param {
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

pub(super) unsafe extern "C" fn get_context_params<C: Cipher>(
    context: *mut c_void,
    params: *mut Param,
) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe {
        // Only this parameter changes the context when it is read. For others, libcrypto may call
        // from several threads.
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

pub(super) unsafe extern "C" fn set_context_params<C: Cipher>(
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

pub(super) unsafe extern "C" fn gettable_context_params<C: Cipher>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    C::GETTABLE.as_ptr()
}

pub(super) unsafe extern "C" fn settable_context_params<C: Cipher>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    C::SETTABLE.as_ptr()
}
