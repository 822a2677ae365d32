//! SM9: identity-based signatures, encryption, encapsulation and key exchange (GB/T 38635-2020).

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod curve;
#[cfg(not(feature = "internals"))]
pub(crate) mod curve;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod decompose;
#[cfg(not(feature = "internals"))]
pub(crate) mod decompose;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod groups;
#[cfg(not(feature = "internals"))]
pub(crate) mod groups;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod gt;
#[cfg(not(feature = "internals"))]
pub(crate) mod gt;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod multiply;
#[cfg(not(feature = "internals"))]
pub(crate) mod multiply;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod pairing;
#[cfg(not(feature = "internals"))]
pub(crate) mod pairing;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod plain_table;
#[cfg(not(feature = "internals"))]
pub(crate) mod plain_table;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod points;
#[cfg(not(feature = "internals"))]
pub(crate) mod points;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tables;
#[cfg(not(feature = "internals"))]
pub(crate) mod tables;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tower;
#[cfg(not(feature = "internals"))]
pub(crate) mod tower;
