//! SM9's curves, the tower of fields, the pairing, and the group operations that SM9's protocols call.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`curve`] | the curves of `G1` and `G2` |
//! | [`tower`] | Fq2, Fq6, Fq12 and the cyclotomic subgroup |
//! | [`pairing`] | Miller's loop, precomputed lines, the final exponentiation |
//! | [`gt`] | powers in `GT` |
//! | [`glv`], [`glv_mul`] | short scalars by endomorphisms, and products of points by them |
//! | [`point_encoding`] | points as bytes |
//! | [`tables`] | the generators' tables |
//! | [`group`] | the operations |

pub mod curve;
pub mod glv;
pub mod glv_mul;
pub mod group;
pub mod gt;
pub mod pairing;
pub mod plain_table;
pub mod point_encoding;
pub mod tables;
pub mod tower;
