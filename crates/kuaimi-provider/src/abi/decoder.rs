//! Decoders of keys (provider-decoder(7)).

use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use super::core::{Core, Input};
use super::dispatch::{Dispatch, Slot};
use super::function::{Free, New};
use super::keymgmt::{ManagedKey, Selection};
use super::object::{Loaded, Object, boxed, free, make, shared};
use super::param::{Callback, CallbackPointer, List};
use crate::failure::Failure;

/// A decoder of keys from one structure in DER.
pub(crate) trait Decoder: 'static {
    type Key: ManagedKey;

    /// The name of the type of the keys.
    const DATA_TYPE: &'static CStr;

    /// Whether the structure can have what `selection` names.
    fn can_have(selection: Selection) -> bool;

    /// The key in the next structure of the input, if it is one of this type.
    fn read(
        provider: &Arc<<Self::Key as ManagedKey>::Provider>,
        input: &mut Input<'_>,
        selection: Selection,
    ) -> Option<Self::Key>;
}

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

type ProviderOf<D> = <<D as Decoder>::Key as ManagedKey>::Provider;

/// The functions of a decoder.
pub(crate) const fn table<D: Decoder>() -> [Dispatch; 6] {
    [
        Slot::<New>::new(1).is(new_context::<ProviderOf<D>>),
        Slot::<Free>::new(2).is(free::<Context<ProviderOf<D>>>),
        Slot::<DoesSelection>::new(10).is(does_selection::<D>),
        Slot::<Decode>::new(11).is(decode::<D>),
        Slot::<ExportObject>::new(20).is(export_object::<D>),
        Dispatch::END,
    ]
}

struct Context<P> {
    provider: Arc<P>,
    /// The selection of the last [`decode`], for an [`export_object`] that its callback calls.
    selection: AtomicI32,
}

impl<P: Loaded> Object for Context<P> {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}

unsafe extern "C" fn new_context<P: Loaded>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe {
        make(provctx, |provider: &Arc<P>| {
            Ok(Context {
                provider: Arc::clone(provider),
                selection: AtomicI32::new(0),
            })
        })
    }
}

unsafe extern "C" fn does_selection<D: Decoder>(_provctx: *mut c_void, selection: c_int) -> c_int {
    c_int::from(D::can_have(Selection(selection)))
}

unsafe extern "C" fn decode<D: Decoder>(
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
        shared::<Context<ProviderOf<D>>>(context, |context| {
            context.selection.store(selection, Ordering::Relaxed);
            // What reading leaves of a private key on the stack is overwritten before libcrypto
            // goes on.
            let key = kuaimi::wipe_stack(|| {
                let mut input = Input::new(context.core(), input);
                D::read(&context.provider, &mut input, Selection(selection)).map(boxed)
            });
            let Some(mut key) = key else {
                return Ok(());
            };
            // A receiver that keeps the key takes it out of here, and leaves null.
            const PKEY: c_int = 2;
            let list = List::new()
                .integer(c"type", &PKEY)
                .text(c"data-type", D::DATA_TYPE)
                .pointer(c"reference", &raw mut key);
            let result = Callback::new(callback, argument).call(list);
            free::<D::Key>(key);
            result
        })
    }
}

unsafe extern "C" fn export_object<D: Decoder>(
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
    // SAFETY: a context of this table, and a reference that `decode` has given, to a key that
    // nobody has taken.
    unsafe {
        shared::<Context<ProviderOf<D>>>(context, |context| {
            let key = reference.cast::<*mut D::Key>().read();
            let key = key.as_ref().ok_or_else(Failure::internal)?;
            let selection = match context.selection.load(Ordering::Relaxed) {
                0 => Selection::EVERYTHING,
                some => Selection(some),
            };
            kuaimi::wipe_stack(|| key.export(selection, &callback))
        })
    }
}
