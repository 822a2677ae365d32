//! The operations of `kuaimi_js`, as exports.

/// Exports operations, and makes a line of text of each.
macro_rules! export {
    ($module:ident $(fn $name:ident($($argument:ident: $kind:ident),*) -> $result:ident;)*) => {
        mod $module {
            use kuaimi_js::Value;

            use crate::call::run;

            $(
                #[allow(unsafe_code, reason = "an export")]
                // SAFETY: no other function of this name is linked.
                #[unsafe(no_mangle)]
                extern "C" fn $name($($argument: u32),*) -> i32 {
                    run(&|_arguments| {
                        $(let $argument = _arguments.$kind($argument)?;)*
                        kuaimi_js::$module::$name($($argument),*).map(Value::from)
                    })
                }
            )*

            pub(super) const LIST: &str = concat!($(
                stringify!($name), $(" ", stringify!($kind),)* " ", stringify!($result), "\n",
            )*);
        }
    };
}

kuaimi_js::common_operations!(export);
#[cfg(feature = "sm2")]
kuaimi_js::symmetric_operations!(export);
#[cfg(feature = "formats")]
kuaimi_js::formats_operations!(export);
#[cfg(feature = "sm2")]
kuaimi_js::sm2_operations!(export);
#[cfg(feature = "sm9")]
kuaimi_js::sm9_operations!(export);

/// The list of operations: a line each, of its name, the kinds of its arguments and the kind of its
/// result. Part `i` of it, or zero behind the last; the length is `operations_length(i)`.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: no other function of this name is linked.
#[unsafe(no_mangle)]
pub extern "C" fn operations(part: usize) -> *const u8 {
    PARTS
        .get(part)
        .map_or(core::ptr::null(), |part| part.as_ptr())
}

/// The length of a part of the list.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn operations_length(part: usize) -> usize {
    PARTS.get(part).map_or(0, |part| part.len())
}

const PARTS: &[&str] = &[
    common::LIST,
    #[cfg(feature = "sm2")]
    symmetric::LIST,
    #[cfg(feature = "formats")]
    formats::LIST,
    #[cfg(feature = "sm2")]
    sm2::LIST,
    #[cfg(feature = "sm9")]
    sm9::LIST,
];

/// Whether the module was compiled for hosts with vector instructions.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn has_simd() -> u32 {
    cfg!(target_feature = "simd128").into()
}
