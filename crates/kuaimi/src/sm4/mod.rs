//! SM4.
mod backend;
mod field;
#[cfg(test)]
mod plain;
mod schedule;
#[cfg(test)]
mod tests;

/// Bytes of a key.
pub const KEY_LEN: usize = 16;
/// Bytes of a block.
pub const BLOCK_LEN: usize = 16;
const ROUNDS: usize = 32;

pub(crate) type Block = cipher::Array<u8, cipher::consts::U16>;
