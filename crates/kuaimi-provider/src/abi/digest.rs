//! Digests (provider-digest(7)).

use std::ffi::{c_int, c_void};
use std::sync::Arc;

use super::core::Core;
use super::dispatch::{Dispatch, Slot};
use super::function::{Duplicate, Free, GetParams, Give, KnownParams, New, Take};
use super::memory::{Output, bytes, write_output};
use super::object::{
    self, Loaded, Object, duplicate, free, guard, loaded, make, shared, verdict, with,
};
use super::param::{Kind, Param, Requests};
use crate::failure::{Failure, Reason};

/// A digest: the state of a message that has begun.
pub(crate) trait Digest: Clone + Sync + 'static {
    const BLOCK_LEN: usize;
    const LEN: usize;
    type Bytes: AsRef<[u8]>;

    fn new() -> Self;

    /// Begins again.
    fn reset(&mut self);

    fn update(&mut self, data: &[u8]);

    /// The digest of the message. Begins again.
    fn finish(&mut self) -> Self::Bytes;

    /// The digest of a whole message.
    fn digest(data: &[u8]) -> Self::Bytes;
}

type Init = unsafe extern "C" fn(context: *mut c_void, params: *const Param) -> c_int;
type DigestFn = unsafe extern "C" fn(
    provctx: *mut c_void,
    data: *const u8,
    data_length: usize,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int;
type Copy = unsafe extern "C" fn(to: *mut c_void, from: *mut c_void);

/// The functions of a digest of the provider `P`.
pub(crate) const fn table<P: Loaded, D: Digest>() -> [Dispatch; 11] {
    [
        Slot::<New>::new(1).is(new_context::<P, D>),
        Slot::<Init>::new(2).is(init::<D>),
        Slot::<Take>::new(3).is(update::<D>),
        Slot::<Give>::new(4).is(finish::<D>),
        Slot::<DigestFn>::new(5).is(digest::<P, D>),
        Slot::<Free>::new(6).is(free::<Context<D>>),
        Slot::<Duplicate>::new(7).is(duplicate::<Context<D>>),
        Slot::<GetParams>::new(8).is(get_params::<D>),
        Slot::<KnownParams>::new(11).is(gettable_params),
        Slot::<Copy>::new(15).is(copy::<D>),
        Dispatch::END,
    ]
}

#[derive(Clone)]
struct Context<D> {
    core: Arc<Core>,
    digest: D,
}

impl<D: Sync> object::Context for Context<D> {}

impl<D: Sync> Object for Context<D> {
    fn core(&self) -> &Arc<Core> {
        &self.core
    }
}

unsafe extern "C" fn new_context<P: Loaded, D: Digest>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe {
        make(provctx, |provider: &Arc<P>| {
            Ok(Context {
                core: Arc::clone(provider.core()),
                digest: D::new(),
            })
        })
    }
}

unsafe extern "C" fn init<D: Digest>(context: *mut c_void, _params: *const Param) -> c_int {
    // SAFETY: a context of this table.
    unsafe {
        with::<Context<D>>(context, |context| {
            context.digest.reset();
            Ok(())
        })
    }
}

unsafe extern "C" fn update<D: Digest>(
    context: *mut c_void,
    data: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: a context of this table, and its input.
    unsafe {
        with::<Context<D>>(context, |context| {
            context.digest.update(bytes(data, length));
            Ok(())
        })
    }
}

/// A digest for an output buffer of this capacity; the length of one where there is no buffer.
fn sized<D: Digest>(
    capacity: Option<usize>,
    digest: impl FnOnce() -> D::Bytes,
) -> Result<Output<D::Bytes>, Failure> {
    match capacity {
        None => Ok(Output::Length(D::LEN)),
        Some(size) if size < D::LEN => Err(Reason::OutputTooSmall.into()),
        Some(_) => Ok(Output::Bytes(digest())),
    }
}

unsafe extern "C" fn finish<D: Digest>(
    context: *mut c_void,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: a context of this table, and the places for its output.
    unsafe {
        with::<Context<D>>(context, |context| {
            write_output(out, length, size, |capacity| {
                sized::<D>(capacity, || context.digest.finish())
            })
        })
    }
}

/// Everything in one call, without a context.
unsafe extern "C" fn digest<P: Loaded, D: Digest>(
    provctx: *mut c_void,
    data: *const u8,
    data_length: usize,
    out: *mut u8,
    length: *mut usize,
    size: usize,
) -> c_int {
    // SAFETY: this provider's context, an input, and the places for the output.
    unsafe {
        let Some(provider) = loaded::<P>(provctx) else {
            return 0;
        };
        verdict(provider.core(), || {
            write_output(out, length, size, |capacity| {
                sized::<D>(capacity, || D::digest(bytes(data, data_length)))
            })
        })
    }
}

unsafe extern "C" fn copy<D: Digest>(to: *mut c_void, from: *mut c_void) {
    // SAFETY: two contexts of this table.
    unsafe {
        shared::<Context<D>>(from, |from| {
            with::<Context<D>>(to, |to| {
                to.digest = from.digest.clone();
                Ok(())
            });
            Ok(())
        });
    }
}

unsafe extern "C" fn get_params<D: Digest>(params: *mut Param) -> c_int {
    guard(0, || {
        // SAFETY: a list for this call.
        let mut requests = unsafe { Requests::new(params) };
        let mut answer = || -> Result<(), Failure> {
            requests.answer(c"blocksize", |param| {
                param.set_unsigned(D::BLOCK_LEN as u64)
            })?;
            requests.answer(c"size", |param| param.set_unsigned(D::LEN as u64))?;
            requests.answer(c"xof", |param| param.set_unsigned(0))?;
            // Algorithm identifiers have a NULL as their parameters, as those of OpenSSL's own
            // digests.
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
