//! The capabilities of the provider (provider-base(7), CAPABILITIES): the group and the signature
//! scheme of TLS 1.3 with ShangMi suites (RFC 8998), which libssl queries.

use std::ffi::c_int;

use crate::abi::param::{Callback, List};
use crate::failure::Failure;
use crate::provider::Provider;

const TLS13: c_int = 0x0304;
/// No version of DTLS.
const NEVER: c_int = -1;
const NO_LIMIT: c_int = 0;
const SECURITY_BITS: c_int = 128;

/// The group `curveSM2` and the signature scheme `sm2sig_sm3`, in the registry of TLS parameters.
const CURVE_SM2: c_int = 41;
const SM2SIG_SM3: c_int = 0x0708;

/// Passes each group or signature scheme to `callback`.
pub(crate) fn report(
    provider: &Provider,
    capability: &str,
    callback: &Callback,
) -> Result<(), Failure> {
    // Before 4.0, libssl sets no identity for a signature in TLS 1.3. Tongsuo has its own code for
    // both, and asks no provider.
    if !provider.serves_libssl() {
        return Ok(());
    }
    let list = if capability.eq_ignore_ascii_case("TLS-GROUP") {
        List::new()
            .text(c"tls-group-name", c"curveSM2")
            .text(c"tls-group-name-internal", c"SM2")
            .text(c"tls-group-alg", c"curveSM2")
            .integer(c"tls-group-id", &CURVE_SM2)
            .integer(c"tls-group-sec-bits", &SECURITY_BITS)
            .integer(c"tls-min-tls", &TLS13)
            .integer(c"tls-max-tls", &NO_LIMIT)
            .integer(c"tls-min-dtls", &NEVER)
            .integer(c"tls-max-dtls", &NEVER)
            .integer(c"tls-group-is-kem", &0)
    } else if capability.eq_ignore_ascii_case("TLS-SIGALG") {
        List::new()
            .text(c"tls-sigalg-iana-name", c"sm2sig_sm3")
            .text(c"tls-sigalg-name", c"SM2")
            .text(c"tls-sigalg-oid", c"1.2.156.10197.1.501")
            .integer(c"tls-sigalg-code-point", &SM2SIG_SM3)
            .integer(c"tls-sigalg-sec-bits", &SECURITY_BITS)
            .integer(c"tls-min-tls", &TLS13)
            .integer(c"tls-max-tls", &NO_LIMIT)
            .integer(c"tls-min-dtls", &NEVER)
            .integer(c"tls-max-dtls", &NEVER)
    } else {
        return Ok(());
    };
    callback.call(list)
}
