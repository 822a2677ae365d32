//! SM2 (GB/T 32918-2016, ISO/IEC 14888-3): signatures, encryption, key exchange.

mod batch;
mod ciphertext;
mod exchange;
mod explain;
mod key_cache;
mod nonce_pool;
mod private_key;
mod public_key;
mod sign;
mod signature;
mod verify;

pub use batch::*;
pub use ciphertext::*;
pub use exchange::*;
pub use explain::*;
pub use key_cache::*;
pub use nonce_pool::*;
pub use private_key::*;
pub use public_key::*;
pub use sign::*;
pub use signature::*;
pub use verify::*;
