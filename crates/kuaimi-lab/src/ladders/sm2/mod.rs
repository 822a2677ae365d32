//! Signatures and verifications of SM2 as a whole, in the steps in which others became faster, and
//! then the library's own.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`sign`] | a signature, whatever computes `[k]G` |
//! | [`verify`] | a verification, whatever computes `[s]G + [t]P` |
//! | [`encrypt`] | encryption and decryption, whatever computes the products |
//! | [`inputs`] | keys, digests, signatures |
//! | [`tongsuo`] | reduction, inversion, tables |
//! | [`gmssl`] | tables |
//! | [`pke`] | the same steps for encryption and decryption |
//! | [`long`] | messages of 1 MB |
//! | [`go`], [`heap`] | digits, and allocations |
//!
//! What computes the products are rungs of other ladders.

mod encrypt;
pub(super) mod gmssl;
pub(super) mod go;
mod heap;
mod inputs;
pub(super) mod long;
pub(super) mod pke;
mod sign;
#[cfg(test)]
mod tests;
pub(super) mod tongsuo;
mod verify;
