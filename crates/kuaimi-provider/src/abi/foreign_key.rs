//! Keys that libcrypto passes as `EVP_PKEY`, its own type, instead of the provider's: Tongsuo does
//! so for its key exchange.
//!
//! Their contents are read by libcrypto's function `EVP_PKEY_export`. No table that a provider gets
//! has it, so it is looked up in the library that loaded this module.

use std::ffi::{c_int, c_void};

use super::core::Core;
use super::keymgmt::Selection;
use super::object::guard;
use super::param::{CallbackPointer, Param, Params};
use crate::failure::{Failure, Reason};

/// `EVP_PKEY_export`.
type ExportKey = unsafe extern "C" fn(
    key: *const c_void,
    selection: c_int,
    callback: CallbackPointer,
    argument: *mut c_void,
) -> c_int;

/// What the callback uses and fills.
struct Import<F, T> {
    read: F,
    result: Option<Result<T, Failure>>,
}

/// Has `import` read the key whose address `param` holds: what `selection` names of it.
pub(crate) fn read<T, F: Fn(&Params<'_>) -> Result<T, Failure>>(
    core: &Core,
    param: &Param,
    selection: Selection,
    import: F,
) -> Result<T, Failure> {
    let key = param.pointer()?;
    let function = core.symbol(c"EVP_PKEY_export").ok_or(Reason::NoKeyExport)?;
    // SAFETY: this is the type of that function (openssl/evp.h).
    let export = unsafe { std::mem::transmute::<*const c_void, ExportKey>(function) };
    let mut import = Import {
        read: import,
        result: None,
    };
    // SAFETY: a key of libcrypto's, and the function with the argument that it takes, during this
    // call.
    unsafe {
        export(
            key,
            selection.0,
            Some(take::<T, F>),
            (&raw mut import).cast(),
        )
    };
    import.result.unwrap_or_else(|| Err(Failure::told()))
}

unsafe extern "C" fn take<T, F: Fn(&Params<'_>) -> Result<T, Failure>>(
    params: *const Param,
    argument: *mut c_void,
) -> c_int {
    guard(0, || {
        // SAFETY: the argument that `read` passes.
        let import = unsafe { &mut *argument.cast::<Import<F, T>>() };
        // SAFETY: a list for this call.
        let params = unsafe { Params::new(params) };
        let result = (import.read)(&params);
        let taken = c_int::from(result.is_ok());
        import.result = Some(result);
        taken
    })
}
