//! How signatures are written, for SM2 and SM9.

/// A form of a signature: one of the constants `KUAIMI_SIGNATURE_…`.
pub type kuaimi_signature_form = u32;
/// The numbers alone: SM2's r and s, 64 bytes; SM9's h and S, 96 bytes.
pub const KUAIMI_SIGNATURE_RAW: u32 = 1;
/// DER (GM/T 0009; SM9: GB/T 41389). Reading is strict: a signature has one encoding.
pub const KUAIMI_SIGNATURE_DER: u32 = 2;
/// SM2, for reading alone: DER as some vendors write it against the rules. One signature then has many encodings.
pub const KUAIMI_SIGNATURE_DER_LENIENT: u32 = 3;
/// SM2, for reading alone: DER or the 64 bytes, whichever it is.
pub const KUAIMI_SIGNATURE_ANY: u32 = 4;
