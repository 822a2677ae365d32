//! The entry of the module, and the table of the provider itself (provider-base(7)).

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null;
use std::sync::Arc;

use super::core::Core;
use super::param::{Callback, CallbackPointer, Kind, Param, Requests};
use super::{
    Algorithm, Dispatch, Slot, asym_cipher, boxed, cipher, decoder, digest, keyexch, keymgmt,
    signature,
};
use crate::capabilities;
use crate::failure::Reason;
use crate::provider::Provider;

type Teardown = unsafe extern "C" fn(provctx: *mut c_void);
type GettableParams = unsafe extern "C" fn(provctx: *mut c_void) -> *const Param;
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

static TABLE: [Dispatch; 8] = [
    Slot::<Teardown>::new(1024).is(teardown),
    Slot::<GettableParams>::new(1025).is(gettable_params),
    Slot::<GetParams>::new(1026).is(get_params),
    Slot::<QueryOperation>::new(1027).is(query_operation),
    Slot::<GetReasonStrings>::new(1029).is(get_reason_strings),
    Slot::<GetCapabilities>::new(1030).is(get_capabilities),
    Slot::<SelfTest>::new(1031).is(self_test),
    Dispatch::END,
];

/// The entry of the module, which libcrypto calls when it has loaded it (provider-base(7)).
///
/// Returns 1, with the provider's functions in `out` and its context in `provctx`; or 0 with the reason in the error queue: the
/// library's version is none of 3.0 to 4, a setting is wrong, or the self-test failed.
///
/// # Safety
/// `functions` is null or a table of libcrypto's functions for `handle` that ends with zero; `out` and `provctx` are places for
/// a pointer each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OSSL_provider_init(
    handle: *const c_void,
    functions: *const Dispatch,
    out: *mut *const Dispatch,
    provctx: *mut *mut c_void,
) -> c_int {
    super::guard(0, || {
        // SAFETY: the handle and the table belong together.
        let core = unsafe { Core::new(handle, functions) };
        match Provider::new(core) {
            Ok(provider) => {
                // SAFETY: places for a pointer each.
                unsafe {
                    provctx.write(boxed(Arc::new(provider)));
                    out.write(TABLE.as_ptr());
                }
                1
            }
            Err((core, failure)) => {
                core.raise(&failure);
                0
            }
        }
    })
}

/// The provider at `provctx`.
///
/// # Safety
/// `provctx` is null or what `OSSL_provider_init` handed out.
unsafe fn provider<'a>(provctx: *mut c_void) -> Option<&'a Arc<Provider>> {
    // SAFETY: as the caller says.
    unsafe { provctx.cast::<Arc<Provider>>().as_ref() }
}

unsafe extern "C" fn teardown(provctx: *mut c_void) {
    // SAFETY: libcrypto's last call for this context.
    unsafe { super::release::<Arc<Provider>>(provctx) }
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

unsafe extern "C" fn get_params(provctx: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: this provider's context.
    let Some(provider) = (unsafe { provider(provctx) }) else {
        return 0;
    };
    super::verdict(provider, || {
        // SAFETY: a list for this call.
        let mut requests = unsafe { Requests::new(params) };
        requests.answer(c"name", |param| param.set_text(c"Kuaimi"))?;
        requests.answer(c"version", |param| param.set_text(Provider::VERSION))?;
        requests.answer(c"buildinfo", |param| param.set_text(Provider::VERSION))?;
        requests.answer(c"status", |param| param.set_unsigned(1))
    })
}

unsafe extern "C" fn query_operation(
    provctx: *mut c_void,
    operation: c_int,
    no_cache: *mut c_int,
) -> *const Algorithm {
    // SAFETY: null, or a place for an integer.
    if let Some(no_cache) = unsafe { no_cache.as_mut() } {
        *no_cache = 0;
    }
    // SAFETY: this provider's context.
    let Some(provider) = (unsafe { provider(provctx) }) else {
        return null();
    };
    match operation {
        1 => digest::ALGORITHMS.as_ptr(),
        2 => cipher::ALGORITHMS.as_ptr(),
        10 => keymgmt::algorithms(provider).as_ptr(),
        11 => keyexch::algorithms(provider).as_ptr(),
        12 => signature::ALGORITHMS.as_ptr(),
        13 => asym_cipher::ALGORITHMS.as_ptr(),
        21 => decoder::ALGORITHMS.as_ptr(),
        _ => null(),
    }
}

unsafe extern "C" fn get_reason_strings(_provctx: *mut c_void) -> *const Item {
    REASONS.as_ptr()
}

unsafe extern "C" fn get_capabilities(
    provctx: *mut c_void,
    capability: *const c_char,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: this provider's context.
    let Some(provider) = (unsafe { provider(provctx) }) else {
        return 0;
    };
    // SAFETY: a string.
    let Some(capability) = (unsafe { super::text(capability) }) else {
        return 0;
    };
    let callback = Callback::new(callback, argument);
    super::verdict(provider, || {
        capabilities::report(provider, capability, &callback)
    })
}

unsafe extern "C" fn self_test(provctx: *mut c_void) -> c_int {
    // SAFETY: this provider's context.
    match unsafe { provider(provctx) } {
        Some(provider) => super::verdict(provider, crate::self_test::run),
        None => 0,
    }
}
