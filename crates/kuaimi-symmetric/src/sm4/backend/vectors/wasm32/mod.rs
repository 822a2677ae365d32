//! The vectors of WebAssembly, and the S-box on them.

mod inversion;
mod vectors;

pub(super) use inversion::Tower;
pub(super) use vectors::V128;
