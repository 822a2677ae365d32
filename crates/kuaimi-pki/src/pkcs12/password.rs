//! Passwords as the key derivations take them (RFC 7292, clause B.1; RFC 8018).

use alloc::vec::Vec;

use zeroize::Zeroizing;

/// A password in the forms that it may have been used in.
pub(super) struct Password<'a> {
    text: &'a str,
    /// For PKCS #12's own derivation; one or two.
    old: Vec<Zeroizing<Vec<u8>>>,
}

impl<'a> Password<'a> {
    /// RFC 7292 makes a string of characters with two bytes, with a zero at its end. An empty
    /// password is that zero, and for some programs nothing at all: both are tried.
    pub(super) fn new(text: &'a str) -> Self {
        let mut old = alloc::vec![utf16(text, true)];
        if text.is_empty() {
            old.push(Zeroizing::default());
        }
        Self { text, old }
    }

    /// For PBKDF2 and scrypt.
    pub(super) fn utf8(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// For PKCS #12's own derivation, the most likely first.
    pub(super) fn old(&self) -> &[Zeroizing<Vec<u8>>] {
        &self.old
    }

    /// Keeps one of [`old`](Self::old), which was found to be right.
    pub(super) fn settle(&mut self, index: usize) {
        if index < self.old.len() {
            self.old.swap(0, index);
            self.old.truncate(1);
        }
    }
}

/// `text` in UTF-16, big-endian: a BMPString, in which characters beyond U+FFFF are two units, as
/// OpenSSL, Java and Windows have it.
pub(super) fn utf16(text: &str, terminated: bool) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(2 * text.len() + 2));
    out.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    if terminated {
        out.extend_from_slice(&[0, 0]);
    }
    out
}
