//! Key management (provider-keymgmt(7)).

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use super::dispatch::{Dispatch, Operation, Slot};
use super::function::{
    Free, GetObjectParams, KnownContextParams, KnownParams, New, SetObjectParams,
};
use super::object::{Context, Loaded, Object, boxed, free, guard, make, shared, with};
use super::param::{Callback, CallbackPointer, Param, Params, Requests};
use crate::failure::Failure;

/// The parts of a key that an operation needs: private key, public key, parameters
/// (`OSSL_KEYMGMT_SELECT_…`).
#[derive(Clone, Copy)]
pub(crate) struct Selection(pub(super) c_int);

impl Selection {
    const PRIVATE_KEY: c_int = 0x01;
    const PUBLIC_KEY: c_int = 0x02;
    const KEY_PAIR: c_int = Self::PRIVATE_KEY | Self::PUBLIC_KEY;
    const PARAMETERS: c_int = 0x04;
    const OTHER_PARAMETERS: c_int = 0x80;

    /// A key pair, or a public key, with the parameters.
    pub(crate) const WHOLE: Self = Self(Self::KEY_PAIR | Self::PARAMETERS | Self::OTHER_PARAMETERS);
    pub(crate) const WITHOUT_PRIVATE: Self = Self(Self::WHOLE.0 & !Self::PRIVATE_KEY);
    pub(crate) const EVERYTHING: Self = Self(0xff);

    pub(crate) fn private(self) -> bool {
        self.0 & Self::PRIVATE_KEY != 0
    }

    pub(crate) fn public(self) -> bool {
        self.0 & Self::PUBLIC_KEY != 0
    }

    pub(crate) fn any_key(self) -> bool {
        self.0 & Self::KEY_PAIR != 0
    }

    pub(crate) fn key_pair(self) -> bool {
        self.0 & Self::KEY_PAIR == Self::KEY_PAIR
    }

    pub(crate) fn parameters(self) -> bool {
        self.0 & Self::PARAMETERS != 0
    }

    pub(crate) fn any_parameters(self) -> bool {
        self.0 & (Self::PARAMETERS | Self::OTHER_PARAMETERS) != 0
    }
}

/// A key that libcrypto holds. Threads share it.
pub(crate) trait ManagedKey: Object + Sized {
    type Provider: Loaded;
    type Generation: Generation<Key = Self>;

    /// The parameters that can be read, and those that can be set.
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    /// A key with nothing in it.
    fn new(provider: &Arc<Self::Provider>) -> Self;

    /// Another key, with what `selection` names of this one.
    fn select(&self, selection: Selection) -> Self;

    /// Whether everything that `selection` names is there.
    fn has(&self, selection: Selection) -> bool;

    /// Whether what `selection` names is there and valid.
    fn is_valid(&self, selection: Selection) -> bool;

    /// Whether two keys agree in what `selection` names and both have.
    fn matches(&self, other: &Self, selection: Selection) -> bool;

    fn set(&self, params: &Params<'_>) -> Result<(), Failure>;

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure>;

    /// Takes the contents in `params`.
    fn import(&self, params: &Params<'_>, selection: Selection) -> Result<(), Failure>;

    /// Passes the contents that there are to `callback`.
    fn export(&self, selection: Selection, callback: &Callback) -> Result<(), Failure>;

    /// The parameters that import takes and export gives.
    fn transfer_types(selection: Selection) -> &'static [Param];
}

/// How a key is to be made.
pub(crate) trait Generation: Context + Sized {
    type Key: ManagedKey;

    /// The parameters that can be set.
    const SETTABLE: &'static [Param];

    fn new(provider: &Arc<<Self::Key as ManagedKey>::Provider>, selection: Selection) -> Self;

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure>;

    /// A new key.
    fn generate(&self) -> Result<Self::Key, Failure>;
}

/// The names under which the operations with a type of keys are found.
pub(crate) trait OperationNames: 'static {
    fn of(operation: Operation) -> Option<&'static CStr>;
}

type GenInit = unsafe extern "C" fn(
    provctx: *mut c_void,
    selection: c_int,
    params: *const Param,
) -> *mut c_void;
type GenSetTemplate = unsafe extern "C" fn(context: *mut c_void, template: *mut c_void) -> c_int;
type Gen = unsafe extern "C" fn(
    context: *mut c_void,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> *mut c_void;
type Load = unsafe extern "C" fn(reference: *const c_void, size: usize) -> *mut c_void;
type QueryOperationName = unsafe extern "C" fn(operation: c_int) -> *const c_char;
type Has = unsafe extern "C" fn(key: *const c_void, selection: c_int) -> c_int;
type Validate = unsafe extern "C" fn(key: *const c_void, selection: c_int, check: c_int) -> c_int;
type Match =
    unsafe extern "C" fn(key: *const c_void, other: *const c_void, selection: c_int) -> c_int;
type Import =
    unsafe extern "C" fn(key: *mut c_void, selection: c_int, params: *const Param) -> c_int;
type Types = unsafe extern "C" fn(selection: c_int) -> *const Param;
type Export = unsafe extern "C" fn(
    key: *mut c_void,
    selection: c_int,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int;
type Duplicate = unsafe extern "C" fn(key: *const c_void, selection: c_int) -> *mut c_void;

/// The functions of a type of keys whose operations have the names `N`.
pub(crate) const fn table<K: ManagedKey, N: OperationNames>() -> [Dispatch; 23] {
    [
        Slot::<New>::new(1).is(new::<K>),
        Slot::<GenInit>::new(2).is(gen_init::<K>),
        Slot::<GenSetTemplate>::new(3).is(gen_set_template),
        Slot::<SetObjectParams>::new(4).is(gen_set_params::<K>),
        Slot::<KnownContextParams>::new(5).is(gen_settable_params::<K>),
        Slot::<Gen>::new(6).is(generate::<K>),
        Slot::<Free>::new(7).is(free::<K::Generation>),
        Slot::<Load>::new(8).is(load),
        Slot::<Free>::new(10).is(free::<K>),
        Slot::<GetObjectParams>::new(11).is(get_params::<K>),
        Slot::<KnownParams>::new(12).is(gettable_params::<K>),
        Slot::<SetObjectParams>::new(13).is(set_params::<K>),
        Slot::<KnownParams>::new(14).is(settable_params::<K>),
        Slot::<QueryOperationName>::new(20).is(query_operation_name::<N>),
        Slot::<Has>::new(21).is(has::<K>),
        Slot::<Validate>::new(22).is(validate::<K>),
        Slot::<Match>::new(23).is(matches::<K>),
        Slot::<Import>::new(40).is(import::<K>),
        Slot::<Types>::new(41).is(types::<K>),
        Slot::<Export>::new(42).is(export::<K>),
        Slot::<Types>::new(43).is(types::<K>),
        Slot::<Duplicate>::new(44).is(duplicate::<K>),
        Dispatch::END,
    ]
}

unsafe extern "C" fn new<K: ManagedKey>(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe { make(provctx, |provider| Ok(K::new(provider))) }
}

unsafe extern "C" fn duplicate<K: ManagedKey>(key: *const c_void, selection: c_int) -> *mut c_void {
    let mut copy = null_mut();
    kuaimi::wipe_stack(|| {
        // SAFETY: a key of this table.
        unsafe {
            shared::<K>(key, |key| {
                copy = boxed(key.select(Selection(selection)));
                Ok(())
            });
        }
    });
    copy
}

/// Takes the key out of a decoder's reference, which is the address of the pointer to it.
unsafe extern "C" fn load(reference: *const c_void, size: usize) -> *mut c_void {
    if reference.is_null() || size != size_of::<*mut c_void>() {
        return null_mut();
    }
    // SAFETY: a reference of this module's decoder, which holds a pointer to a key until it is
    // taken.
    unsafe {
        reference
            .cast::<*mut c_void>()
            .cast_mut()
            .replace(null_mut())
    }
}

unsafe extern "C" fn query_operation_name<N: OperationNames>(operation: c_int) -> *const c_char {
    Operation::from_number(operation)
        .and_then(N::of)
        .map_or(null(), CStr::as_ptr)
}

unsafe extern "C" fn gen_init<K: ManagedKey>(
    provctx: *mut c_void,
    selection: c_int,
    params: *const Param,
) -> *mut c_void {
    // SAFETY: this provider's context, and a list for this call.
    unsafe {
        make(provctx, |provider| {
            let mut generation = K::Generation::new(provider, Selection(selection));
            generation.set(&Params::new(params))?;
            Ok(generation)
        })
    }
}

/// All keys of a type have the same parameters, so a template adds nothing.
unsafe extern "C" fn gen_set_template(_context: *mut c_void, _template: *mut c_void) -> c_int {
    1
}

unsafe extern "C" fn gen_set_params<K: ManagedKey>(
    context: *mut c_void,
    params: *const Param,
) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe { with::<K::Generation>(context, |generation| generation.set(&Params::new(params))) }
}

unsafe extern "C" fn gen_settable_params<K: ManagedKey>(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    K::Generation::SETTABLE.as_ptr()
}

unsafe extern "C" fn generate<K: ManagedKey>(
    context: *mut c_void,
    _callback: CallbackPointer,
    _argument: *mut c_void,
) -> *mut c_void {
    let mut key = null_mut();
    kuaimi::wipe_stack(|| {
        // SAFETY: a context of this table.
        unsafe {
            shared::<K::Generation>(context, |generation| {
                key = boxed(generation.generate()?);
                Ok(())
            });
        }
    });
    key
}

unsafe extern "C" fn get_params<K: ManagedKey>(key: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: a key of this table, and a list for this call.
    unsafe { shared::<K>(key, |key| key.answer(&mut Requests::new(params))) }
}

unsafe extern "C" fn gettable_params<K: ManagedKey>(_provctx: *mut c_void) -> *const Param {
    K::GETTABLE.as_ptr()
}

unsafe extern "C" fn set_params<K: ManagedKey>(key: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a key of this table, and a list for this call.
    unsafe { shared::<K>(key, |key| key.set(&Params::new(params))) }
}

unsafe extern "C" fn settable_params<K: ManagedKey>(_provctx: *mut c_void) -> *const Param {
    K::SETTABLE.as_ptr()
}

/// The answer to a yes-or-no question about a key.
///
/// # Safety
/// `key` is null or a key of this table.
unsafe fn ask<K: ManagedKey>(key: *const c_void, question: impl FnOnce(&K) -> bool) -> c_int {
    // SAFETY: as the caller says; the key is only read.
    match unsafe { key.cast::<K>().as_ref() } {
        Some(key) => guard(0, || c_int::from(question(key))),
        None => 0,
    }
}

unsafe extern "C" fn has<K: ManagedKey>(key: *const c_void, selection: c_int) -> c_int {
    // SAFETY: a key of this table.
    unsafe { ask(key, |key: &K| key.has(Selection(selection))) }
}

unsafe extern "C" fn validate<K: ManagedKey>(
    key: *const c_void,
    selection: c_int,
    _check: c_int,
) -> c_int {
    // SAFETY: a key of this table.
    unsafe { ask(key, |key: &K| key.is_valid(Selection(selection))) }
}

unsafe extern "C" fn matches<K: ManagedKey>(
    key: *const c_void,
    other: *const c_void,
    selection: c_int,
) -> c_int {
    // SAFETY: two keys of this table.
    unsafe {
        let Some(other) = other.cast::<K>().as_ref() else {
            return 0;
        };
        ask(key, |key: &K| key.matches(other, Selection(selection)))
    }
}

unsafe extern "C" fn import<K: ManagedKey>(
    key: *mut c_void,
    selection: c_int,
    params: *const Param,
) -> c_int {
    kuaimi::wipe_stack(|| {
        // SAFETY: a key of this table, and a list for this call.
        unsafe {
            shared::<K>(key, |key| {
                key.import(&Params::new(params), Selection(selection))
            })
        }
    })
}

unsafe extern "C" fn export<K: ManagedKey>(
    key: *mut c_void,
    selection: c_int,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int {
    let callback = Callback::new(callback, argument);
    kuaimi::wipe_stack(|| {
        // SAFETY: a key of this table.
        unsafe { shared::<K>(key, |key| key.export(Selection(selection), &callback)) }
    })
}

unsafe extern "C" fn types<K: ManagedKey>(selection: c_int) -> *const Param {
    K::transfer_types(Selection(selection)).as_ptr()
}
