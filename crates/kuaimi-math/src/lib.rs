//! The arithmetic under Kuaimi: the fields, curves and pairings of SM2 and SM9. Users of the library need the crate `kuaimi`;
//! this one has no promise of stability.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`arith`] | 256-bit integers, prime fields, several elements in the lanes of vector registers |
//! | [`curve`] | points of curves over any field |
//! | [`sm2`] | SM2's curve, and the group operations that its protocols call |
//! | [`sm9`] | SM9's curves, the tower of fields, the pairing, and the group operations that its protocols call |
//!
//! Protocols call the functions of [`sm2::group`] and [`sm9::group`]. No type parameter passes these: numbers are plain
//! integers below the order, points are words in Montgomery form, and the implementation is chosen once an operation from the
//! table in [`kuaimi_platform::backend`].

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

pub mod arith;
pub mod curve;
pub mod sm2;
#[cfg(feature = "sm9")]
pub mod sm9;

#[cfg(test)]
mod testing;
