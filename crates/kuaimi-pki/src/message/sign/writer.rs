//! signedData in pieces.

use alloc::vec::Vec;

use super::super::octets::{Octets, check_length};
use super::SignOptions;
use super::signing::{Head, Prepared, Signed, Signing};
use crate::ber::{OCTET_STRING, SEQUENCE, context, header};
use crate::{Certificate, Error, Signer};

/// Signs a content of any size that comes in pieces, and writes the message with the content
/// inside.
///
/// The message is BER: the length of the signatures is not known when its beginning is written, so
/// the outer elements have indefinite lengths. Where DER is needed, hash the content first, and
/// read it a second time: [`Signing`], [`Signed::around`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{SignOptions, SignedWriter, VerifyOptions, verify};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let mut message = Vec::new();
/// let mut writer = SignedWriter::new(&[certificate], SignOptions::new(), None, &mut message)?;
/// writer.push(b"a con", &mut message)?;
/// writer.push(b"tent", &mut message)?;
/// writer.finish(&[&key], &mut message)?;
/// assert_eq!(verify(&message, &VerifyOptions::new())?.content, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub struct SignedWriter {
    signing: Signing,
    octets: Octets,
}

/// The tag of an element whose length is indefinite.
pub(crate) fn indefinite(tag: u8) -> [u8; 2] {
    [tag, 0x80]
}

impl SignedWriter {
    /// Begins a message, and appends its beginning to `out`. `length`: the number of bytes of the
    /// content, if it is known; then the content is written in one piece.
    ///
    /// # Errors
    /// As [`Signing::new`]; [`Error::Argument`] with the option
    /// [`detached`](SignOptions::detached), for which [`Signing`] is enough.
    pub fn new(
        certificates: &[Certificate],
        options: SignOptions,
        length: Option<u64>,
        out: &mut Vec<u8>,
    ) -> Result<Self, Error> {
        if options.detached {
            return Err(Error::Argument(
                "a message without its content is not written in pieces",
            ));
        }
        check_length(length)?;
        let head = Head::of(&options);
        let signing = Signing::new(certificates, options)?;
        out.extend(indefinite(SEQUENCE));
        out.extend(head.message_type());
        out.extend(indefinite(context(0)));
        out.extend(indefinite(SEQUENCE));
        out.extend(&head.fields);
        match length {
            Some(length) => {
                let octets = header(OCTET_STRING, length);
                let explicit_len = octets.len() as u64 + length;
                let explicit = header(context(0), explicit_len);
                let inside = (head.content_type.len() + explicit.len()) as u64 + explicit_len;
                out.extend(header(SEQUENCE, inside));
                out.extend(&head.content_type);
                out.extend(explicit);
                out.extend(octets);
            }
            None => {
                out.extend(indefinite(SEQUENCE));
                out.extend(&head.content_type);
                out.extend(indefinite(context(0)));
                out.extend(indefinite(OCTET_STRING | crate::ber::CONSTRUCTED));
            }
        }
        Ok(Self {
            signing,
            octets: Octets::new(length),
        })
    }

    /// Takes the next bytes of the content, and appends them to `out` in their place.
    ///
    /// # Errors
    /// [`Error::Argument`] for more bytes than the length that was given.
    pub fn push(&mut self, content: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        self.octets.write(content, out)?;
        // The caller's memory may change: what is hashed is what was written.
        let written = out.len().saturating_sub(content.len()).max(start);
        self.signing.update(out.get(written..).unwrap_or_default());
        Ok(())
    }

    /// Ends the content. The signatures are still to be made.
    ///
    /// # Errors
    /// As [`Signing::prepare`]; [`Error::Argument`] for fewer bytes than the length that was given.
    pub fn prepare(self) -> Result<Prepared, Error> {
        self.octets.check()?;
        self.signing.prepare()
    }

    /// Ends the content, signs it, and appends the end of the message to `out`.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare) and [`Prepared::sign`].
    pub fn finish(self, signers: &[&dyn Signer], out: &mut Vec<u8>) -> Result<(), Error> {
        let known = self.octets.is_known();
        let signed = self.prepare()?.sign(signers)?;
        signed.write_tail(known, out);
        Ok(())
    }
}

impl Signed {
    /// Appends the end of a message that a [`SignedWriter`] began, for who makes the signatures in
    /// two steps. `known`: whether the length of the content was given to it.
    pub fn write_tail(&self, known: bool, out: &mut Vec<u8>) {
        if !known {
            // The octet string, its explicit tag, the structure of the content.
            out.extend([0; 6]);
        }
        out.extend(&self.fields);
        // The body, its explicit tag, the message.
        out.extend([0; 6]);
    }
}
