//! Kuaimi (快密): the ShangMi public-key algorithms, constant time on secrets.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod arith;
mod curve;
pub mod sm2;
pub mod sm3;
