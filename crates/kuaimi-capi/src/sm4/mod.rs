//! SM4 (GB/T 32907-2016, ISO/IEC 18033-3) and its modes. Data is encrypted from `data` to `out`,
//! which may be the same memory or overlap.

mod block;
mod cbc;
mod ccm;
mod cfb;
mod ctr;
mod gcm;
mod gcm_batch;
mod gcm_stream;
mod ofb;
mod xts;

pub use block::*;
pub use cbc::*;
pub use ccm::*;
pub use cfb::*;
pub use ctr::*;
pub use gcm::*;
pub use gcm_batch::*;
pub use gcm_stream::*;
pub use ofb::*;
pub use xts::*;
