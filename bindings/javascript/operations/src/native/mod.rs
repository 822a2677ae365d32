//! Batches that only Node's addon has. WebAssembly has one thread and no lanes, so that they would
//! save nothing there: JavaScript does one operation after another.

mod diffie_hellman;
mod gcm;
pub(crate) mod threads;

pub use diffie_hellman::sm2_diffie_hellman_batch;
pub use gcm::{sm4_gcm_open_batch, sm4_gcm_seal_batch};
