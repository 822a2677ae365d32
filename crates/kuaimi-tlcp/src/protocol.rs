//! Which protocol a client speaks, from its first bytes: one listener can serve several.

/// What the first bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Detected {
    /// There are too few bytes to tell. Ask again with more; three are enough.
    More,
    /// TLCP.
    Tlcp,
    /// SSL 3 or TLS, of any version.
    Tls,
    /// HTTP without protection.
    Http,
    /// Something else.
    Other,
}

/// Tells TLCP from TLS by the first record: its version is 0101 in TLCP, and begins with 03 in TLS.
///
/// ```
/// use kuaimi_tlcp::protocol::{Detected, detect};
///
/// assert_eq!(detect(&[22]), Detected::More);
/// assert_eq!(detect(&[22, 1, 1, 0, 45]), Detected::Tlcp);
/// assert_eq!(detect(&[22, 3, 1, 2, 0]), Detected::Tls);
/// assert_eq!(detect(b"GET / HTTP/1.1"), Detected::Http);
/// ```
pub fn detect(bytes: &[u8]) -> Detected {
    const METHODS: [&[u8]; 8] = [
        b"GET", b"POS", b"PUT", b"HEA", b"OPT", b"DEL", b"CON", b"HTT",
    ];
    match bytes {
        // A record of any type: an answer may begin with an alert.
        [20..=23] | [20..=23, 1 | 3] | [] => Detected::More,
        [20..=23, 1, 1, ..] => Detected::Tlcp,
        [20..=23, 3, ..] => Detected::Tls,
        _ if METHODS.iter().any(|method| bytes.starts_with(method)) => Detected::Http,
        _ if METHODS.iter().any(|method| method.starts_with(bytes)) => Detected::More,
        _ => Detected::Other,
    }
}

impl Detected {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::More => "too few bytes to tell",
            Self::Tlcp => "TLCP",
            Self::Tls => "TLS",
            Self::Http => "HTTP without protection",
            Self::Other => "something else",
        }
    }
}
