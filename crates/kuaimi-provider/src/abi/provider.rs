//! The entry of the module, and the table of the provider itself (provider-base(7)).

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null;
use std::sync::Arc;

use super::core::Core;
use super::dispatch::{Algorithm, Dispatch, Operation, Slot};
use super::function::KnownParams;
use super::memory::text;
use super::object::{Loaded, boxed, free, guard, loaded, verdict};
use super::param::{Callback, CallbackPointer, Kind, Param, Requests};
use crate::failure::{Failure, Reason};

/// A provider, as a library loads it.
pub(crate) trait Provider: Loaded + Sized {
    const NAME: &'static CStr;
    const VERSION: &'static CStr;

    /// Reads the settings and tests the algorithms.
    fn load(core: &Arc<Core>) -> Result<Self, Failure>;

    /// The algorithms for an operation; the list ends with [`Algorithm::END`].
    fn algorithms(&self, operation: Operation) -> &'static [Algorithm];

    /// Tells `callback` of everything that the provider has under the name of a capability.
    fn report(&self, capability: &str, callback: &Callback) -> Result<(), Failure>;

    fn self_test(&self) -> Result<(), Failure>;
}

type Teardown = unsafe extern "C" fn(provctx: *mut c_void);
type GetParams = unsafe extern "C" fn(provctx: *mut c_void, params: *mut Param) -> c_int;
type QueryOperation = unsafe extern "C" fn(
    provctx: *mut c_void,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm;
type GetReasonStrings = unsafe extern "C" fn(provctx: *mut c_void) -> *const Item;
type GetCapabilities = unsafe extern "C" fn(
    provctx: *mut c_void,
    capability: *const c_char,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int;
type SelfTest = unsafe extern "C" fn(provctx: *mut c_void) -> c_int;

/// `OSSL_ITEM`: a number and a text.
#[repr(C)]
struct Item {
    id: u32,
    text: *const c_char,
}

// SAFETY: numbers and addresses of constants.
unsafe impl Sync for Item {}

static REASONS: [Item; Reason::TEXTS.len() + 1] = {
    let mut items = [const {
        Item {
            id: 0,
            text: null(),
        }
    }; Reason::TEXTS.len() + 1];
    let mut i = 0;
    while i < Reason::TEXTS.len() {
        items[i] = Item {
            id: Reason::TEXTS[i].0,
            text: Reason::TEXTS[i].1.as_ptr(),
        };
        i += 1;
    }
    items
};

const fn table<P: Provider>() -> [Dispatch; 8] {
    [
        Slot::<Teardown>::new(1024).is(free::<Arc<P>>),
        Slot::<KnownParams>::new(1025).is(gettable_params),
        Slot::<GetParams>::new(1026).is(get_params::<P>),
        Slot::<QueryOperation>::new(1027).is(query_operation::<P>),
        Slot::<GetReasonStrings>::new(1029).is(get_reason_strings),
        Slot::<GetCapabilities>::new(1030).is(get_capabilities::<P>),
        Slot::<SelfTest>::new(1031).is(self_test::<P>),
        Dispatch::END,
    ]
}

/// Makes [`OSSL_provider_init`](crate::OSSL_provider_init) for a type of provider.
macro_rules! entry {
    ($Provider:ty) => {
        /// The entry of the module, which libcrypto calls when it has loaded it (provider-base(7)).
        ///
        /// Returns 1, with the provider's functions in `out` and its context in `provctx`; or 0
        /// with the reason in the error queue: the library's version is none of 3.0 to 4, a setting
        /// is wrong, or the self-test failed.
        ///
        /// # Safety
        /// `functions` is null or a table of libcrypto's functions for `handle` that ends with
        /// zero; `out` and `provctx` are places for a pointer each.
        #[allow(unsafe_code, reason = "the foreign interface, whose code is in `abi`")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn OSSL_provider_init(
            handle: *const std::ffi::c_void,
            functions: *const $crate::Dispatch,
            out: *mut *const $crate::Dispatch,
            provctx: *mut *mut std::ffi::c_void,
        ) -> std::ffi::c_int {
            // SAFETY: as the caller says.
            unsafe { $crate::abi::provider::init::<$Provider>(handle, functions, out, provctx) }
        }
    };
}
pub(crate) use entry;

/// Loads the provider `P`, for [`entry`].
///
/// # Safety
/// As `OSSL_provider_init` says.
pub(crate) unsafe fn init<P: Provider>(
    handle: *const c_void,
    functions: *const Dispatch,
    out: *mut *const Dispatch,
    provctx: *mut *mut c_void,
) -> c_int {
    guard(0, || {
        // SAFETY: the handle and the table belong together.
        let core = Arc::new(unsafe { Core::new(handle, functions) });
        match P::load(&core) {
            Ok(provider) => {
                // SAFETY: places for a pointer each.
                unsafe {
                    provctx.write(boxed(Arc::new(provider)));
                    out.write(const { &table::<P>() }.as_ptr());
                }
                1
            }
            Err(failure) => {
                core.raise(&failure);
                0
            }
        }
    })
}

unsafe extern "C" fn gettable_params(_provctx: *mut c_void) -> *const Param {
    static KNOWN: [Param; 5] = [
        Param::known(c"name", Kind::Text),
        Param::known(c"version", Kind::Text),
        Param::known(c"buildinfo", Kind::Text),
        Param::known(c"status", Kind::Integer),
        Param::END,
    ];
    KNOWN.as_ptr()
}

unsafe extern "C" fn get_params<P: Provider>(provctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: this provider's context.
    let Some(provider) = (unsafe { loaded::<P>(provctx) }) else {
        return 0;
    };
    verdict(provider.core(), || {
        // SAFETY: a list for this call.
        let mut requests = unsafe { Requests::new(params) };
        requests.answer(c"name", |param| param.set_text(P::NAME))?;
        requests.answer(c"version", |param| param.set_text(P::VERSION))?;
        requests.answer(c"buildinfo", |param| param.set_text(P::VERSION))?;
        requests.answer(c"status", |param| param.set_unsigned(1))
    })
}

unsafe extern "C" fn query_operation<P: Provider>(
    provctx: *mut c_void,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm {
    // SAFETY: null, or a place for an integer.
    if let Some(no_cache) = unsafe { no_cache.as_mut() } {
        *no_cache = 0;
    }
    // SAFETY: this provider's context.
    let Some(provider) = (unsafe { loaded::<P>(provctx) }) else {
        return null();
    };
    match Operation::from_number(operation) {
        Some(operation) => provider.algorithms(operation).as_ptr(),
        None => null(),
    }
}

unsafe extern "C" fn get_reason_strings(_provctx: *mut c_void) -> *const Item {
    REASONS.as_ptr()
}

unsafe extern "C" fn get_capabilities<P: Provider>(
    provctx: *mut c_void,
    capability: *const c_char,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: this provider's context.
    let Some(provider) = (unsafe { loaded::<P>(provctx) }) else {
        return 0;
    };
    // SAFETY: a string.
    let Some(capability) = (unsafe { text(capability) }) else {
        return 0;
    };
    let callback = Callback::new(callback, argument);
    verdict(provider.core(), || provider.report(capability, &callback))
}

unsafe extern "C" fn self_test<P: Provider>(provctx: *mut c_void) -> c_int {
    // SAFETY: this provider's context.
    match unsafe { loaded::<P>(provctx) } {
        Some(provider) => verdict(provider.core(), || provider.self_test()),
        None => 0,
    }
}
