//! SM9 (GB/T 38635-2020, ISO/IEC 18033-5, 11770-3): signatures, encryption, encapsulation and key
//! exchange under identities.

mod batch;
mod decryption_key;
mod encapsulation;
mod encryption;
mod encryption_key;
mod exchange;
mod exchange_key;
mod extract_exchange;
mod identity;
mod identity_cache;
mod master_encryption;
mod master_signing;
mod signature;
mod signing_key;
mod verifying_key;

pub use batch::*;
pub use decryption_key::*;
pub use encapsulation::*;
pub use encryption::*;
pub use encryption_key::*;
pub use exchange::*;
pub use exchange_key::*;
pub use extract_exchange::*;
pub use identity::*;
pub use identity_cache::*;
pub use master_encryption::*;
pub use master_signing::*;
pub use signature::*;
pub use signing_key::*;
pub use verifying_key::*;
