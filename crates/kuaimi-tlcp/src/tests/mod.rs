//! Tests of whole connections, in memory, and of peers that break the rules.

mod broken;
#[path = "../../tests/common/mod.rs"]
pub(crate) mod common;
mod faults;
mod handshakes;
mod order;
mod records;

pub(crate) use faults::{Fault, apply};
