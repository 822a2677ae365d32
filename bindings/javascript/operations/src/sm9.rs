//! SM9 (GB/T 38635-2020).

/// What JavaScript holds of SM9.
pub enum Sm9Object {}
