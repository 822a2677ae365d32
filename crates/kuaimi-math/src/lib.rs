//! The arithmetic of Kuaimi: the fields, curves and pairings of SM2 and SM9. Users of the library
//! need the crate `kuaimi`; the interface of this one may change in any version.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`arith`] | 256-bit integers, prime fields, several elements in the lanes of vector registers |
//! | [`curve`] | points of curves over any field |
//! | [`sm2`] | SM2's curve, and the group operations that its protocols call |
//! | [`sm9`] | SM9's curves, the tower of fields, the pairing, and the group operations that its protocols call |
//!
//! Protocols call the functions of [`sm2::group`] and [`sm9::group`]. These have no type parameters
//! for the backend: scalars are plain integers below the order, coordinates of points are limbs in
//! Montgomery form, and each operation chooses its implementation once, as
//! [`kuaimi_platform::backend`] says.

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
