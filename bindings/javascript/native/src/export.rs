//! The operations of `kuaimi_js`, as functions.

use std::sync::Arc;

use kuaimi_js::{Handle, Value};
use napi::bindgen_prelude::{AsyncTask, Env, External, JsObjectValue, Object, Result};

use crate::call::{Answer, Call, answer};
use crate::later::Later;

/// Exports operations, and makes a line of text of each.
macro_rules! export {
    ($module:ident $(fn $name:ident($($argument:ident: $kind:ident),*) -> $result:ident;)*) => {
        mod $module {
            use super::*;

            pub(super) const LIST: &str = concat!($(
                stringify!($name), $(" ", stringify!($kind),)* " ", stringify!($result), "\n",
            )*);

            pub(super) fn export(
                env: &Env,
                exports: &mut Object<'_>,
                later: &mut Object<'_>,
            ) -> Result<()> {
                $(
                    now(env, exports, stringify!($name), |_call| {
                        $(let $argument = _call.$kind()?;)*
                        Ok(kuaimi_js::$module::$name($($argument),*).map(Value::from))
                    })?;
                    self::later(env, later, stringify!($name), |_call| {
                        // The caller may change its memory before the operation begins.
                        $(let $argument = own!($kind, _call.$kind()?);)*
                        Ok(Later::new(move || {
                            kuaimi_js::$module::$name($(lend!($kind, $argument)),*).map(Value::from)
                        }))
                    })?;
                )*
                Ok(())
            }
        }
    };
}

/// A copy of an argument.
macro_rules! own {
    (bytes, $value:expr) => {
        zeroize::Zeroizing::new($value.to_vec())
    };
    (maybe, $value:expr) => {
        $value.map(|bytes| zeroize::Zeroizing::new(bytes.to_vec()))
    };
    (object, $value:expr) => {
        Arc::clone($value)
    };
    (number, $value:expr) => {
        $value
    };
}

/// The argument of a copy.
macro_rules! lend {
    (maybe, $value:expr) => {
        $value.as_ref().map(|bytes| bytes.as_slice())
    };
    (number, $value:expr) => {
        $value
    };
    ($kind:ident, $value:expr) => {
        &$value
    };
}

kuaimi_js::common_operations!(export);
kuaimi_js::symmetric_operations!(export);
kuaimi_js::formats_operations!(export);
kuaimi_js::sm2_operations!(export);
kuaimi_js::native_operations!(export);
kuaimi_js::sm9_operations!(export);
kuaimi_js::pki_operations!(export);

/// Exports all operations.
pub(crate) fn all(env: &Env, exports: &mut Object<'_>) -> Result<()> {
    let lists = [
        common::LIST,
        symmetric::LIST,
        formats::LIST,
        sm2::LIST,
        native::LIST,
        sm9::LIST,
        pki::LIST,
    ];
    exports.set("operations", lists.concat())?;
    let mut later = Object::new(env)?;
    common::export(env, exports, &mut later)?;
    symmetric::export(env, exports, &mut later)?;
    formats::export(env, exports, &mut later)?;
    sm2::export(env, exports, &mut later)?;
    native::export(env, exports, &mut later)?;
    sm9::export(env, exports, &mut later)?;
    pki::export(env, exports, &mut later)?;
    exports.set("later", later)
}

/// A function that does an operation at once.
fn now<F>(env: &Env, exports: &mut Object<'_>, name: &str, operation: F) -> Result<()>
where
    F: Fn(&mut Call<'_>) -> Result<kuaimi_js::Result<Value>> + 'static,
{
    let function = env.create_function_from_closure::<(), Answer<External<Arc<Handle>>>, _>(
        name,
        move |context| {
            let mut call = Call::new(context);
            let room = call.room()?;
            Ok(answer(operation(&mut call)?, room))
        },
    )?;
    exports.set_named_property(name, function)
}

/// A function that promises what the operation gives on another thread.
fn later<F>(env: &Env, exports: &mut Object<'_>, name: &str, operation: F) -> Result<()>
where
    F: Fn(&mut Call<'_>) -> Result<Later> + 'static,
{
    let function = env
        .create_function_from_closure::<(), AsyncTask<Later>, _>(name, move |context| {
            Ok(AsyncTask::new(operation(&mut Call::new(context))?))
        })?;
    exports.set_named_property(name, function)
}
