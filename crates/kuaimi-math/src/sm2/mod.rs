//! SM2's curve, and the group operations that its protocols call.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`curve`] | the curve of GB/T 32918.5-2017 |
//! | [`tables`] | the generator's tables |
//! | [`group`] | the operations: one at a time, and many |

pub mod curve;
pub mod group;
pub mod tables;
