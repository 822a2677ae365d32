//! Kuaimi as an addon for Node, by Node-API: the functions that `src/engine/native.js` wraps.
//!
//! The addon has a function for each operation of [`kuaimi_js`], with the operation's name and
//! arguments, behind one more: a view that takes a result of few bytes. It gives
//!
//! | what the operation gives | what the function gives |
//! | --- | --- |
//! | bytes | how many it wrote into the view, or a `Uint8Array` where they do not fit |
//! | an object | a handle, which the garbage collector frees |
//! | a number, a flag, nothing | the same |
//! | a failure | a string: the code, a newline, the message |
//!
//! A small array that Rust makes costs ten times what it costs JavaScript to copy one from the
//! view. `later` has functions that promise the same of the operation on another thread.

#![deny(unsafe_code)]

mod call;
mod export;
mod later;

use napi::bindgen_prelude::{Env, Object};
use napi_derive::napi;

/// Fills the module.
#[napi(module_exports)]
pub fn exports(mut exports: Object<'_>, env: Env) -> napi::Result<()> {
    exports.set("version", env!("CARGO_PKG_VERSION"))?;
    export::all(&env, &mut exports)
}
