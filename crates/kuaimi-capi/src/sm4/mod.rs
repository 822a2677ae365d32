//! SM4 (GB/T 32907-2016, ISO/IEC 18033-3) and its modes. Data is encrypted from `data` to `out`, which may be the same memory
//! or overlap.

use std::sync::{Mutex, MutexGuard, PoisonError};

mod block;
mod cbc;
mod ccm;
mod cfb;
mod ctr;
mod gcm;
mod gcm_stream;
mod ofb;
mod xts;

pub use block::*;
pub use cbc::*;
pub use ccm::*;
pub use cfb::*;
pub use ctr::*;
pub use gcm::*;
pub use gcm_stream::*;
pub use ofb::*;
pub use xts::*;

/// A state that each call changes. A panic inside would be a bug, and leaves a state that can still be used.
fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
