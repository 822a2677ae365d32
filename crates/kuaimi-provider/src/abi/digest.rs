//! The digest SM3 (provider-digest(7)).

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use super::param::{Kind, Param, Requests};
use super::{
    Algorithm, Dispatch, Given, Object, Slot, bytes, duplicate, give, make, release, shared,
    verdict, with,
};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;
use kuaimi::sm3::{self, Sm3};

type NewContext = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
type Init = unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
type Update = unsafe extern "C" fn(context: *mut c_void, data: *const u8, length: usize) -> c_int;
type Final = unsafe extern "C" fn(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type Digest = unsafe extern "C" fn(
    provctx: *mut c_void,
    data: *const u8,
    data_length: usize,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type Free = unsafe extern "C" fn(context: *mut c_void);
type Duplicate = unsafe extern "C" fn(context: *mut c_void) -> *mut c_void;
type Copy = unsafe extern "C" fn(to: *mut c_void, from: *mut c_void);
type GetParams = unsafe extern "C" fn(params: *mut Param) -> c_int;
type GettableParams = unsafe extern "C" fn(provctx: *mut c_void) -> *const Param;

static TABLE: [Dispatch; 11] = [
    Slot::<NewContext>::new(1).is(new_context),
    Slot::<Init>::new(2).is(init),
    Slot::<Update>::new(3).is(update),
    Slot::<Final>::new(4).is(finish),
    Slot::<Digest>::new(5).is(digest),
    Slot::<Free>::new(6).is(free),
    Slot::<Duplicate>::new(7).is(duplicate_context),
    Slot::<GetParams>::new(8).is(get_params),
    Slot::<GettableParams>::new(11).is(gettable_params),
    Slot::<Copy>::new(15).is(copy),
    Dispatch::END,
];

pub(super) static ALGORITHMS: [Algorithm; 2] = [
    Algorithm::new(
        c"SM3:1.2.156.10197.1.401",
        Provider::PROPERTIES,
        &TABLE,
        c"SM3 (GB/T 32905)",
    ),
    Algorithm::END,
];

#[derive(Clone)]
struct Context {
    provider: Arc<Provider>,
    hash: Sm3,
}

impl super::Context for Context {}

impl Object for Context {
    fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }
}

unsafe extern "C" fn new_context(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe {
        make(provctx, |provider| {
            Ok(Context {
                provider,
                hash: Sm3::new(),
            })
        })
    }
}

unsafe extern "C" fn init(context: *mut c_void, _params: *const Param) -> c_int {
    // SAFETY: a context of this table.
    unsafe {
        with::<Context>(context, |context| {
            context.hash.reset();
            Ok(())
        })
    }
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, length: usize) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe {
        with::<Context>(context, |context| {
            context.hash.update(bytes(data, length));
            Ok(())
        })
    }
}

/// A digest for a place of this size; the length of one where there is none.
fn sized(
    place: Option<usize>,
    digest: impl FnOnce() -> [u8; sm3::DIGEST_LEN],
) -> Result<Given<[u8; sm3::DIGEST_LEN]>, Failure> {
    match place {
        None => Ok(Given::Length(sm3::DIGEST_LEN)),
        Some(sm3::DIGEST_LEN..) => Ok(Given::Bytes(digest())),
        Some(_) => Err(Reason::OutputTooSmall.into()),
    }
}

unsafe extern "C" fn finish(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        with::<Context>(context, |context| {
            give(out, length, size, |place| {
                sized(place, || context.hash.finalize_reset())
            })
        })
    }
}

unsafe extern "C" fn digest(
    provctx: *mut c_void,
    data: *const u8,
    data_length: usize,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: this provider's context, an input, and the places for the output.
    unsafe {
        let Some(provider) = provctx.cast::<Arc<Provider>>().as_ref() else {
            return 0;
        };
        verdict(provider, || {
            give(out, length, size, |place| {
                sized(place, || sm3::digest(bytes(data, data_length)))
            })
        })
    }
}

unsafe extern "C" fn free(context: *mut c_void) {
    // SAFETY: a context of this table, used for the last time.
    unsafe { release::<Context>(context) }
}

unsafe extern "C" fn duplicate_context(context: *mut c_void) -> *mut c_void {
    // SAFETY: a context of this table.
    unsafe { duplicate::<Context>(context) }
}

unsafe extern "C" fn copy(to: *mut c_void, from: *mut c_void) {
    // SAFETY: two contexts of this table.
    unsafe {
        shared::<Context>(from, |from| {
            with::<Context>(to, |to| {
                to.hash = from.hash.clone();
                Ok(())
            });
            Ok(())
        });
    }
}

unsafe extern "C" fn get_params(params: *mut Param) -> c_int {
    super::guard(0, || {
        // SAFETY: a list for this call.
        let mut requests = unsafe { Requests::new(params) };
        let mut answer = || -> Result<(), Failure> {
            requests.answer(c"blocksize", |param| {
                param.set_unsigned(sm3::BLOCK_LEN as u64)
            })?;
            requests.answer(c"size", |param| param.set_unsigned(sm3::DIGEST_LEN as u64))?;
            requests.answer(c"xof", |param| param.set_unsigned(0))?;
            // Algorithm identifiers have a NULL as their parameters, as those of OpenSSL's own SM3.
            requests.answer(c"algid-absent", |param| param.set_unsigned(0))
        };
        c_int::from(answer().is_ok())
    })
}

unsafe extern "C" fn gettable_params(_provctx: *mut c_void) -> *const Param {
    static KNOWN: [Param; 5] = [
        Param::known(c"blocksize", Kind::Unsigned),
        Param::known(c"size", Kind::Unsigned),
        Param::known(c"xof", Kind::Integer),
        Param::known(c"algid-absent", Kind::Integer),
        Param::END,
    ];
    KNOWN.as_ptr()
}
