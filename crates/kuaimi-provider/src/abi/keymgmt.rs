//! Key management: SM2's keys (provider-keymgmt(7)).

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use super::param::{Callback, CallbackPointer, Param, Params, Requests};
use super::{Algorithm, Dispatch, Object, Slot, boxed, guard, make, release, shared, with};
use crate::provider::Provider;
use crate::sm2::key::{Generation, Key, Material, Selection};
use crate::sm2::key_params;

type New = unsafe extern "C" fn(provctx: *mut c_void) -> *mut c_void;
type GenInit = unsafe extern "C" fn(
    provctx: *mut c_void,
    selection: c_int,
    params: *const Param,
) -> *mut c_void;
type GenSetTemplate = unsafe extern "C" fn(context: *mut c_void, template: *mut c_void) -> c_int;
type SetParams = unsafe extern "C" fn(object: *mut c_void, params: *const Param) -> c_int;
type GenSettableParams =
    unsafe extern "C" fn(context: *mut c_void, provctx: *mut c_void) -> *const Param;
type Gen = unsafe extern "C" fn(
    context: *mut c_void,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> *mut c_void;
type Free = unsafe extern "C" fn(object: *mut c_void);
type Load = unsafe extern "C" fn(reference: *const c_void, size: usize) -> *mut c_void;
type GetParams = unsafe extern "C" fn(key: *mut c_void, params: *mut Param) -> c_int;
type KnownParams = unsafe extern "C" fn(provctx: *mut c_void) -> *const Param;
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

/// The table of a key type that has `$names` for its operations.
macro_rules! table {
    ($names:expr) => {
        [
            Slot::<New>::new(1).is(new),
            Slot::<GenInit>::new(2).is(gen_init),
            Slot::<GenSetTemplate>::new(3).is(gen_set_template),
            Slot::<SetParams>::new(4).is(gen_set_params),
            Slot::<GenSettableParams>::new(5).is(gen_settable_params),
            Slot::<Gen>::new(6).is(generate),
            Slot::<Free>::new(7).is(gen_cleanup),
            Slot::<Load>::new(8).is(load),
            Slot::<Free>::new(10).is(free),
            Slot::<GetParams>::new(11).is(get_params),
            Slot::<KnownParams>::new(12).is(gettable_params),
            Slot::<SetParams>::new(13).is(set_params),
            Slot::<KnownParams>::new(14).is(settable_params),
            Slot::<QueryOperationName>::new(20).is($names),
            Slot::<Has>::new(21).is(has),
            Slot::<Validate>::new(22).is(validate),
            Slot::<Match>::new(23).is(matches),
            Slot::<Import>::new(40).is(import),
            Slot::<Types>::new(41).is(types),
            Slot::<Export>::new(42).is(export),
            Slot::<Types>::new(43).is(types),
            Slot::<Duplicate>::new(44).is(duplicate),
            Dispatch::END,
        ]
    };
}

static SM2: [Dispatch; 23] = table!(sm2_names);
static SM2_IN_TONGSUO: [Dispatch; 23] = table!(tongsuo_names);
static CURVE_SM2: [Dispatch; 23] = table!(curve_names);

const NAMES: &CStr = c"SM2:1.2.156.10197.1.301";
const DESCRIPTION: &CStr = c"SM2 keys (GB/T 32918)";

static ALGORITHMS: [Algorithm; 3] = [
    Algorithm::new(NAMES, Provider::PROPERTIES, &SM2, DESCRIPTION),
    Algorithm::new(
        c"curveSM2",
        Provider::PROPERTIES,
        &CURVE_SM2,
        c"Ephemeral keys on the curve of SM2, for TLS 1.3 (RFC 8998)",
    ),
    Algorithm::END,
];

static IN_TONGSUO: [Algorithm; 2] = [
    Algorithm::new(NAMES, Provider::PROPERTIES, &SM2_IN_TONGSUO, DESCRIPTION),
    Algorithm::END,
];

/// The key types that the library behind `provider` asks for.
pub(super) fn algorithms(provider: &Provider) -> &'static [Algorithm] {
    if provider.is_tongsuo() {
        &IN_TONGSUO
    } else {
        &ALGORITHMS
    }
}

const KEY_EXCHANGE: c_int = 11;
const SIGNATURE: c_int = 12;
const ASYMMETRIC_CIPHER: c_int = 13;

unsafe extern "C" fn sm2_names(operation: c_int) -> *const c_char {
    match operation {
        SIGNATURE | ASYMMETRIC_CIPHER => c"SM2".as_ptr(),
        _ => null(),
    }
}

/// Tongsuo has a key exchange for SM2's keys. Its own implementation would take the keys of this module for its own.
unsafe extern "C" fn tongsuo_names(operation: c_int) -> *const c_char {
    match operation {
        SIGNATURE | ASYMMETRIC_CIPHER => c"SM2".as_ptr(),
        KEY_EXCHANGE => c"SM2DH".as_ptr(),
        _ => null(),
    }
}

unsafe extern "C" fn curve_names(operation: c_int) -> *const c_char {
    match operation {
        KEY_EXCHANGE => c"curveSM2".as_ptr(),
        _ => null(),
    }
}

unsafe extern "C" fn new(provctx: *mut c_void) -> *mut c_void {
    // SAFETY: this provider's context.
    unsafe {
        make(provctx, |provider| {
            Ok(Key::new(provider, Material::default()))
        })
    }
}

unsafe extern "C" fn free(key: *mut c_void) {
    // SAFETY: a key of this table, used for the last time.
    unsafe { release::<Key>(key) }
}

unsafe extern "C" fn duplicate(key: *const c_void, selection: c_int) -> *mut c_void {
    let mut copy = null_mut();
    kuaimi::wipe_stack(|| {
        // SAFETY: a key of this table.
        unsafe {
            shared::<Key>(key, |key| {
                let material = key.material().select(Selection(selection));
                copy = boxed(Key::new(key.provider().clone(), material));
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
    // SAFETY: a reference of this module's decoder, which holds a pointer to a key until it is taken.
    unsafe {
        reference
            .cast::<*mut c_void>()
            .cast_mut()
            .replace(null_mut())
    }
}

unsafe extern "C" fn gen_init(
    provctx: *mut c_void,
    selection: c_int,
    params: *const Param,
) -> *mut c_void {
    // SAFETY: this provider's context, and a list for this call.
    unsafe {
        make(provctx, |provider| {
            let mut generation = Generation::new(provider, Selection(selection));
            generation.set(&Params::new(params))?;
            Ok(generation)
        })
    }
}

/// There is one set of parameters, which every template has.
unsafe extern "C" fn gen_set_template(_context: *mut c_void, _template: *mut c_void) -> c_int {
    1
}

unsafe extern "C" fn gen_set_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context of this table, and a list for this call.
    unsafe { with::<Generation>(context, |generation| generation.set(&Params::new(params))) }
}

unsafe extern "C" fn gen_settable_params(
    _context: *mut c_void,
    _provctx: *mut c_void,
) -> *const Param {
    key_params::GENERATION.as_ptr()
}

unsafe extern "C" fn generate(
    context: *mut c_void,
    _callback: CallbackPointer,
    _argument: *mut c_void,
) -> *mut c_void {
    let mut key = null_mut();
    kuaimi::wipe_stack(|| {
        // SAFETY: a context of this table.
        unsafe {
            shared::<Generation>(context, |generation| {
                key = boxed(generation.generate()?);
                Ok(())
            });
        }
    });
    key
}

unsafe extern "C" fn gen_cleanup(context: *mut c_void) {
    // SAFETY: a context of this table, used for the last time.
    unsafe { release::<Generation>(context) }
}

unsafe extern "C" fn get_params(key: *mut c_void, params: *mut Param) -> c_int {
    // SAFETY: a key of this table, and a list for this call.
    unsafe { shared::<Key>(key, |key| key.material().answer(&mut Requests::new(params))) }
}

unsafe extern "C" fn gettable_params(_provctx: *mut c_void) -> *const Param {
    key_params::GETTABLE.as_ptr()
}

unsafe extern "C" fn set_params(key: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a key of this table, and a list for this call.
    unsafe { shared::<Key>(key, |key| key.set(&Params::new(params))) }
}

unsafe extern "C" fn settable_params(_provctx: *mut c_void) -> *const Param {
    key_params::SETTABLE.as_ptr()
}

/// Asks a key a question of yes or no.
///
/// # Safety
/// `key` is null or a key of this table.
unsafe fn ask(key: *const c_void, question: impl FnOnce(&Material) -> bool) -> c_int {
    // SAFETY: as the caller says; the key is only read.
    match unsafe { key.cast::<Key>().as_ref() } {
        Some(key) => guard(0, || c_int::from(question(&key.material()))),
        None => 0,
    }
}

unsafe extern "C" fn has(key: *const c_void, selection: c_int) -> c_int {
    // SAFETY: a key of this table.
    unsafe { ask(key, |key| key.has(Selection(selection))) }
}

unsafe extern "C" fn validate(key: *const c_void, selection: c_int, _check: c_int) -> c_int {
    // SAFETY: a key of this table.
    unsafe { ask(key, |key| key.is_valid(Selection(selection))) }
}

unsafe extern "C" fn matches(key: *const c_void, other: *const c_void, selection: c_int) -> c_int {
    // SAFETY: two keys of this table.
    unsafe {
        let Some(other) = other.cast::<Key>().as_ref() else {
            return 0;
        };
        ask(key, |key| {
            key.matches(&other.material(), Selection(selection))
        })
    }
}

unsafe extern "C" fn import(key: *mut c_void, selection: c_int, params: *const Param) -> c_int {
    kuaimi::wipe_stack(|| {
        // SAFETY: a key of this table, and a list for this call.
        unsafe {
            shared::<Key>(key, |key| {
                let material = Material::import(&Params::new(params), Selection(selection))?;
                key.set_material(material);
                Ok(())
            })
        }
    })
}

unsafe extern "C" fn export(
    key: *mut c_void,
    selection: c_int,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int {
    let callback = Callback::new(callback, argument);
    kuaimi::wipe_stack(|| {
        // SAFETY: a key of this table.
        unsafe {
            shared::<Key>(key, |key| {
                key.material().export(Selection(selection), &callback)
            })
        }
    })
}

unsafe extern "C" fn types(selection: c_int) -> *const Param {
    key_params::transfer_types(Selection(selection)).as_ptr()
}
