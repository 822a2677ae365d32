//! The numbers of RFC 8998 and of draft-yang-tls-hybrid-sm2-mlkem-03 in TLS. For most of them,
//! rustls 0.24 has names of its own.

/// The cipher suite `TLS_SM4_GCM_SM3` (RFC 8998, clause 2).
#[cfg(feature = "rustls-0-23")]
pub(crate) const TLS_SM4_GCM_SM3: u16 = 0x00c6;
/// The cipher suite `TLS_SM4_CCM_SM3` (RFC 8998, clause 2).
#[cfg(feature = "rustls-0-23")]
pub(crate) const TLS_SM4_CCM_SM3: u16 = 0x00c7;
/// The signature scheme `sm2sig_sm3` (RFC 8998, clause 3.2.1).
pub(crate) const SM2SIG_SM3: u16 = 0x0708;
/// The group `curveSM2` (RFC 8998, clause 3.2.2).
#[cfg(feature = "rustls-0-23")]
pub(crate) const CURVE_SM2: u16 = 0x0029;
/// The group `curveSM2MLKEM768` (the draft, clause 6).
#[cfg(feature = "mlkem")]
pub(crate) const CURVE_SM2_MLKEM768: u16 = 4590;
