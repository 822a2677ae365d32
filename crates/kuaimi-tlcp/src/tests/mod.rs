//! Tests of whole connections, in memory, and of peers that break the rules.

mod broken;
#[path = "../../tests/common/mod.rs"]
pub(crate) mod common;
mod faults;
mod handshakes;
mod order;
mod records;
mod sessions;
mod sides;

pub(crate) use faults::{Fault, apply};
