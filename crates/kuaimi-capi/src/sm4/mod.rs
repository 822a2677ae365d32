//! SM4 (GB/T 32907-2016, ISO/IEC 18033-3) and its modes. Data is encrypted from `data` to `out`, which may be the same memory
//! or overlap.

mod block;
mod cbc;
mod ctr;
mod gcm;
mod xts;

pub use block::*;
pub use cbc::*;
pub use ctr::*;
pub use gcm::*;
pub use xts::*;
