//! The vectors of x86-64, the S-box and carry-less products on them.

mod inversion;
mod products;
mod vectors;

pub(super) use inversion::{Aes, AesAvx2, AesVl, Gfni, Gfni128, Gfni512, GfniVl, Vaes, Vaes512};
pub(super) use vectors::{V128, V256, V512};
