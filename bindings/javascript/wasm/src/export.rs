//! The operations of `kuaimi_js`, behind one export.

use kuaimi_js::{Result, Value};

use crate::call::{Arguments, run};

/// The letter of a kind, as the list is text that everybody loads.
macro_rules! letter {
    (object) => {
        "o"
    };
    (bytes) => {
        "b"
    };
    (maybe) => {
        "m"
    };
    (number) => {
        "n"
    };
    (flag) => {
        "f"
    };
    (nothing) => {
        "-"
    };
}

/// Makes a function of arguments of each operation, and a line of text.
macro_rules! export {
    ($module:ident $(fn $name:ident($($argument:ident: $kind:ident),*) -> $result:ident;)*) => {
        mod $module {
            use kuaimi_js::{Result, Value};

            use super::Part;
            use crate::call::Arguments;

            $(
                fn $name(_arguments: &Arguments<'_>) -> Result<Value> {
                    let [$($argument,)* ..] = _arguments.numbers;
                    $(let $argument = _arguments.$kind($argument)?;)*
                    kuaimi_js::$module::$name($($argument),*).map(Value::from)
                }
            )*

            pub(super) const PART: Part = Part {
                operations: &[$($name),*],
                list: concat!($(
                    stringify!($name), " ", $(letter!($kind),)* letter!($result), "\n",
                )*),
            };
        }
    };
}

/// Some operations, and the list of them.
struct Part {
    operations: &'static [fn(&Arguments<'_>) -> Result<Value>],
    list: &'static str,
}

const PARTS: &[Part] = &[
    common::PART,
    #[cfg(feature = "sm2")]
    symmetric::PART,
    #[cfg(feature = "formats")]
    formats::PART,
    #[cfg(feature = "sm2")]
    sm2::PART,
    #[cfg(feature = "sm9")]
    sm9::PART,
    #[cfg(feature = "pki")]
    pki::PART,
];

kuaimi_js::common_operations!(export);
#[cfg(feature = "sm2")]
kuaimi_js::symmetric_operations!(export);
#[cfg(feature = "formats")]
kuaimi_js::formats_operations!(export);
#[cfg(feature = "sm2")]
kuaimi_js::sm2_operations!(export);
#[cfg(feature = "sm9")]
kuaimi_js::sm9_operations!(export);
#[cfg(feature = "pki")]
kuaimi_js::pki_operations!(export);

/// The list of operations: a line each, of its name, the letters of its arguments' kinds, and that
/// of its result's. Part `i` of it, or zero behind the last; the length is `operations_length(i)`.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: no other function of this name is linked.
#[unsafe(no_mangle)]
pub extern "C" fn operations(part: usize) -> *const u8 {
    PARTS
        .get(part)
        .map_or(core::ptr::null(), |part| part.list.as_ptr())
}

/// The length of a part of the list.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn operations_length(part: usize) -> usize {
    PARTS.get(part).map_or(0, |part| part.list.len())
}

/// Does operation `at` of a part, and says what JavaScript is told of it. Its arguments are the
/// first ones. This is one export for all, as the names of many would be in the module twice.
#[allow(unsafe_code, clippy::too_many_arguments, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn call(
    part: usize,
    at: usize,
    a: u32,
    b: u32,
    c: u32,
    d: u32,
    e: u32,
    f: u32,
    g: u32,
) -> i32 {
    run(PARTS[part].operations[at], [a, b, c, d, e, f, g])
}

/// Whether the module was compiled for hosts with vector instructions.
#[allow(unsafe_code, reason = "an export")]
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn has_simd() -> u32 {
    cfg!(target_feature = "simd128").into()
}
