//! GmSSL.
