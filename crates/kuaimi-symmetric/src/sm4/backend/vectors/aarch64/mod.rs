//! The vectors of AArch64, the S-box and carry-less products on them, and the instructions for SM4.

mod inversion;
mod products;
pub(in super::super) mod sm4e;
mod vectors;

pub(super) use inversion::{Aes, Table};
pub(super) use vectors::V128;
