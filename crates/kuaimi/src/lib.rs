//! Kuaimi (快密): the ShangMi public-key algorithms, constant time on secrets.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub mod sm3;
