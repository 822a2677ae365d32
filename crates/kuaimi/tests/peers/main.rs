//! The library beside others, in both directions, and these beside each other: OpenSSL,
//! emmansun/gmsm, GmSSL.

mod common {
    pub(crate) mod cases;
    pub(crate) mod certificate;
    pub(crate) mod gmsm;
    pub(crate) mod gmssl;
    pub(crate) mod lines;
    pub(crate) mod openssl;
}

mod each_other;
mod encoding_gmsm;
mod encoding_openssl;
mod interop_gmsm;
mod interop_gmssl;
mod interop_openssl;
mod interop_sm4;
mod interop_sm9;
