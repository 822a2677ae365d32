//! SM2's curve, and the group operations that its protocols use.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`curve`] | the curve of GB/T 32918.5-2017 |
//! | `backend` | the curve's formulas that machines have in one piece |
//! | [`tables`] | the generator's tables |
//! | [`group`] | the operations, one or many at once |

mod backend;
pub mod curve;
pub mod group;
pub mod tables;
