//! SM9's curves, the tower of fields, the pairing, and the group operations that its protocols use.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`curve`] | the curves of `G1` and `G2` |
//! | [`tower`] | `Fq2`, `Fq6`, `Fq12` and the cyclotomic subgroup |
//! | [`pairing`] | Miller's loop, precomputed lines, and the final exponentiation |
//! | [`gt`] | powers in `GT` |
//! | [`glv`] | the decomposition of scalars into short ones, for endomorphisms |
//! | [`glv_mul`] | variable-base multiplication with endomorphisms |
//! | [`point_encoding`] | points as bytes |
//! | [`tables`] | the generators' tables |
//! | [`plain_table`] | a simpler table, for measurements and tests |
//! | `lanes` | many pairings and powers, one in each lane of vector registers |
//! | [`group`] | the operations of the protocols |

pub mod curve;
pub mod glv;
pub mod glv_mul;
pub mod group;
pub mod gt;
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
mod lanes;
pub mod pairing;
pub mod plain_table;
pub mod point_encoding;
pub mod tables;
pub mod tower;
