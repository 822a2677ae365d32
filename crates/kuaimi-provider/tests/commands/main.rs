//! The provider under the system's `openssl` program: what its users type, with and without the
//! provider, side by side.

mod certificates;
mod documents;
mod drop_in;
mod keys;
mod openssl;
mod other_algorithms;
mod provider;
mod signatures;
mod symmetric;
