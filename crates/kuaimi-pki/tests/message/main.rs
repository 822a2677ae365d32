//! Messages: what this library writes it reads, other programs read it and write what is read here,
//! and hostile bytes are refused.

mod common;
mod envelopes;
mod forged;
mod hostile;
mod openssl;
mod peers;
mod signatures;
