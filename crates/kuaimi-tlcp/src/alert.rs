//! Alerts (GB/T 38636-2020, 6.4.3).

use core::fmt;

/// What an alert says. Numbers that the standard does not name are kept as they are.
///
/// ```
/// use kuaimi_tlcp::AlertDescription;
///
/// assert_eq!(AlertDescription::BAD_RECORD_MAC.to_string(), "bad_record_mac");
/// assert_eq!(AlertDescription(77).to_string(), "alert 77");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlertDescription(pub u8);

macro_rules! alerts {
    ($($number:literal $constant:ident $name:literal $about:literal,)*) => {
        impl AlertDescription {
            $(#[doc = concat!("`", $name, "`: ", $about)] pub const $constant: Self = Self($number);)*

            /// The standard's name, where it has one.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($name),)*
                    _ => None,
                }
            }
        }
    };
}

alerts! {
    0 CLOSE_NOTIFY "close_notify" "the sender sends nothing more.",
    10 UNEXPECTED_MESSAGE "unexpected_message" "a message that does not belong here.",
    20 BAD_RECORD_MAC "bad_record_mac" "a record was altered, or its keys are others.",
    21 DECRYPTION_FAILED "decryption_failed" "never sent: it would tell paddings from MACs.",
    22 RECORD_OVERFLOW "record_overflow" "a record is too long.",
    30 DECOMPRESSION_FAILURE "decompression_failure" "never sent: nothing is compressed.",
    40 HANDSHAKE_FAILURE "handshake_failure" "there is nothing that both sides can do.",
    42 BAD_CERTIFICATE "bad_certificate" "a certificate is malformed, or not the peer's.",
    43 UNSUPPORTED_CERTIFICATE "unsupported_certificate" "a certificate of another kind.",
    44 CERTIFICATE_REVOKED "certificate_revoked" "a certificate was revoked.",
    45 CERTIFICATE_EXPIRED "certificate_expired" "a certificate is not valid now.",
    46 CERTIFICATE_UNKNOWN "certificate_unknown" "a certificate is not accepted.",
    47 ILLEGAL_PARAMETER "illegal_parameter" "a value that is not possible here.",
    48 UNKNOWN_CA "unknown_ca" "no path to an authority that is trusted.",
    49 ACCESS_DENIED "access_denied" "the certificate is good, its holder is not admitted.",
    50 DECODE_ERROR "decode_error" "a message is malformed.",
    51 DECRYPT_ERROR "decrypt_error" "a signature or Finished is wrong.",
    70 PROTOCOL_VERSION "protocol_version" "another version, or another protocol.",
    71 INSUFFICIENT_SECURITY "insufficient_security" "the suites are too weak.",
    80 INTERNAL_ERROR "internal_error" "the sender failed, and not the peer.",
    90 USER_CANCELED "user_canceled" "the handshake was canceled.",
    100 NO_RENEGOTIATION "no_renegotiation" "there is one handshake for a connection.",
    110 UNSUPPORTED_EXTENSION "unsupported_extension" "an extension that was not asked for.",
    112 UNRECOGNIZED_NAME "unrecognized_name" "the server does not have the name.",
    120 NO_APPLICATION_PROTOCOL "no_application_protocol" "no protocol of ALPN in common.",
    200 UNSUPPORTED_SITE2SITE "unsupported_site2site" "no connection between sites.",
    201 NO_AREA "no_area" "no protected area.",
    202 UNSUPPORTED_AREATYPE "unsupported_areatype" "another type of area.",
    203 BAD_IBCPARAM "bad_ibcparam" "malformed parameters of SM9.",
    204 UNSUPPORTED_IBCPARAM "unsupported_ibcparam" "other parameters of SM9.",
    205 IDENTITY_NEED "identity_need" "an identity of SM9 is missing.",
}

impl fmt::Display for AlertDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "alert {}", self.0),
        }
    }
}

/// The level of an alert.
pub(crate) mod level {
    pub(crate) const WARNING: u8 = 1;
    pub(crate) const FATAL: u8 = 2;
}
