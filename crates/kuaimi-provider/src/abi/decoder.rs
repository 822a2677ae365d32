//! Decoders of keys (provider-decoder(7)).

use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use super::core::Input;
use super::param::{Callback, CallbackPointer, List};
use super::{Algorithm, Dispatch, Object, Slot, boxed, make, release, shared};
use crate::provider::Provider;
use crate::sm2::decode::Structure;
use crate::sm2::key::{Key, Selection};

type NewContext = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
type Free = unsafe extern "C" fn(context: *mut c_void);
type DoesSelection = unsafe extern "C" fn(provctx: *mut c_void, selection: c_int) -> c_int;
type Decode = unsafe extern "C" fn(
    context: *mut c_void,
    input: *mut c_void,
    selection: c_int,
    callback: CallbackPointer,
    argument: *mut c_void,
    passphrase: *const c_void,
    passphrase_argument: *mut c_void,
) -> c_int;
type ExportObject = unsafe extern "C" fn(
    context: *mut c_void,
    reference: *const c_void,
    size: usize,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int;

const PRIVATE_KEY_INFO: usize = Structure::PrivateKeyInfo as usize;
const SUBJECT_PUBLIC_KEY_INFO: usize = Structure::SubjectPublicKeyInfo as usize;
const TYPE_SPECIFIC: usize = Structure::TypeSpecific as usize;

const fn structure(number: usize) -> Structure {
    match number {
        PRIVATE_KEY_INFO => Structure::PrivateKeyInfo,
        SUBJECT_PUBLIC_KEY_INFO => Structure::SubjectPublicKeyInfo,
        _ => Structure::TypeSpecific,
    }
}

const fn table<const STRUCTURE: usize>() -> [Dispatch; 6] {
    [
        Slot::<NewContext>::new(1).is(new_context),
        Slot::<Free>::new(2).is(free),
        Slot::<DoesSelection>::new(10).is(does_selection::<STRUCTURE>),
        Slot::<Decode>::new(11).is(decode::<STRUCTURE>),
        Slot::<ExportObject>::new(20).is(export_object),
        Dispatch::END,
    ]
}

static FROM_PRIVATE_KEY_INFO: [Dispatch; 6] = table::<PRIVATE_KEY_INFO>();
static FROM_SUBJECT_PUBLIC_KEY_INFO: [Dispatch; 6] = table::<SUBJECT_PUBLIC_KEY_INFO>();
static FROM_TYPE_SPECIFIC: [Dispatch; 6] = table::<TYPE_SPECIFIC>();

const NAMES: &CStr = c"SM2:1.2.156.10197.1.301";

pub(super) static ALGORITHMS: [Algorithm; 4] = [
    Algorithm::new(
        NAMES,
        c"provider=kuaimi,input=der,structure=PrivateKeyInfo",
        &FROM_PRIVATE_KEY_INFO,
        c"SM2 private keys in PKCS#8",
    ),
    Algorithm::new(
        NAMES,
        c"provider=kuaimi,input=der,structure=SubjectPublicKeyInfo",
        &FROM_SUBJECT_PUBLIC_KEY_INFO,
        c"SM2 public keys in SubjectPublicKeyInfo",
    ),
    Algorithm::new(
        NAMES,
        c"provider=kuaimi,input=der,structure=type-specific",
        &FROM_TYPE_SPECIFIC,
        c"SM2 private keys in SEC 1's ECPrivateKey",
    ),
    Algorithm::END,
];

struct Context {
    provider: Arc<Provider>,
    /// What was asked for last: an [`export_object`] follows, out of the callback of [`decode`].
    selection: AtomicI32,
}

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
                selection: AtomicI32::new(0),
            })
        })
    }
}

unsafe extern "C" fn free(context: *mut c_void) {
    // SAFETY: a context of this table, used for the last time.
    unsafe { release::<Context>(context) }
}

unsafe extern "C" fn does_selection<const STRUCTURE: usize>(
    _provctx: *mut c_void,
    selection: c_int,
) -> c_int {
    c_int::from(structure(STRUCTURE).can_have(Selection(selection)))
}

unsafe extern "C" fn decode<const STRUCTURE: usize>(
    context: *mut c_void,
    input: *mut c_void,
    selection: c_int,
    callback: CallbackPointer,
    argument: *mut c_void,
    _passphrase: *const c_void,
    _passphrase_argument: *mut c_void,
) -> c_int {
    // SAFETY: a context of this table, and an input for this call.
    unsafe {
        shared::<Context>(context, |context| {
            context.selection.store(selection, Ordering::Relaxed);
            // What reading leaves of a private key on the stack is overwritten before libcrypto goes on.
            let key = kuaimi::wipe_stack(|| {
                let mut input = Input::new(context.provider.core(), input);
                let material = structure(STRUCTURE).read(&mut input, Selection(selection))?;
                Some(boxed(Key::new(Arc::clone(&context.provider), material)))
            });
            let Some(mut key) = key else {
                return Ok(());
            };
            // Who wants the key takes it out of here, and leaves null.
            const PKEY: c_int = 2;
            let list = List::new()
                .integer(c"type", &PKEY)
                .text(c"data-type", c"SM2")
                .pointer(c"reference", &raw mut key);
            let result = Callback::new(callback, argument).call(list);
            release::<Key>(key);
            result
        })
    }
}

unsafe extern "C" fn export_object(
    context: *mut c_void,
    reference: *const c_void,
    size: usize,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int {
    let callback = Callback::new(callback, argument);
    if reference.is_null() || size != size_of::<*mut c_void>() {
        return 0;
    }
    // SAFETY: a context of this table, and a reference that `decode` has given, to a key that nobody has taken.
    unsafe {
        shared::<Context>(context, |context| {
            let key = reference.cast::<*mut Key>().read();
            let Some(key) = key.as_ref() else {
                return Err(crate::failure::Failure::internal());
            };
            let selection = match context.selection.load(Ordering::Relaxed) {
                0 => Selection::EVERYTHING,
                some => Selection(some),
            };
            kuaimi::wipe_stack(|| key.material().export(selection, &callback))
        })
    }
}
