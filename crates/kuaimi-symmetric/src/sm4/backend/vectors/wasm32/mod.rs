//! The vectors of WebAssembly, and the S-box on them.

pub(in super::super) mod ghash;
mod inversion;
mod vectors;

pub(super) use inversion::Tower;
pub(super) use vectors::V128;
