//! Encrypting messages in pieces.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::{Zeroize, Zeroizing};

use super::super::octets::{Octets, check_length};
use super::super::types::{Dialect, Kind};
use super::cipher::{Algorithm, Encryption, NONCE_LEN, TAG_LEN};
use super::recipient::{self, KEY_LEN};
use super::{ContentCipher, EncryptOptions};
use crate::ber::{self, CONSTRUCTED, OCTET_STRING, SEQUENCE, context, element, header, integer};
use crate::{Certificate, Error, signer};

/// Encrypts a content of any size that comes in pieces.
///
/// If the length is given beforehand, the message is DER; else it is BER, whose lengths are
/// indefinite.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{EncryptOptions, EnvelopeWriter, decrypt};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let (mut message, options) = (Vec::new(), EncryptOptions::new());
/// let rng = &mut getrandom::SysRng;
/// let mut writer = EnvelopeWriter::new(&[&certificate], &options, None, rng, &mut message)?;
/// writer.push(b"a con", &mut message)?;
/// writer.push(b"tent", &mut message)?;
/// writer.finish(&mut message)?;
/// assert_eq!(*decrypt(&message, &certificate, key.private_key())?, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub struct EnvelopeWriter {
    encryption: Encryption,
    plain: Octets,
    octets: Octets,
    /// Ciphertext on its way.
    piece: Vec<u8>,
}

impl EnvelopeWriter {
    /// Begins a message for these recipients, with a new key, and appends its beginning to `out`.
    /// `length`: the number of bytes of the content, if it is known.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no recipient; [`Error::Limit`] for too many, or too long a
    /// content; [`Error::Algorithm`] for a certificate of another algorithm than SM2;
    /// [`Error::Random`].
    pub fn new<R: TryCryptoRng + ?Sized>(
        recipients: &[&Certificate],
        options: &EncryptOptions,
        length: Option<u64>,
        rng: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<Self, Error> {
        let mut key = Zeroizing::new([0; KEY_LEN]);
        signer::fill(rng, key.as_mut())?;
        let recipients = recipient::write(recipients, &key, *options, rng)?;
        let version = match (options.kind(), options.dialect, options.by_key) {
            (Kind::AuthEnveloped, ..) => 0,
            (_, _, true) => 2,
            (_, Dialect::Gm | Dialect::GmSsl, false) => 1,
            (_, Dialect::Cms, false) => 0,
        };
        let fields = [integer(version), recipients].concat();
        Self::begin(options.kind(), &fields, &key, *options, length, rng, out)
    }

    /// Begins encryptedData, under a key of SM4 that both sides have. Never in GCM mode, which
    /// encryptedData does not have.
    ///
    /// # Errors
    /// [`Error::Argument`] for GCM mode; as [`new`](Self::new).
    pub fn under<R: TryCryptoRng + ?Sized>(
        key: &[u8; 16],
        options: &EncryptOptions,
        length: Option<u64>,
        rng: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<Self, Error> {
        if options.cipher == ContentCipher::Sm4Gcm {
            return Err(Error::Argument("encryptedData has no place for GCM's tag"));
        }
        let version = match options.dialect {
            Dialect::Gm | Dialect::GmSsl => 1,
            Dialect::Cms => 0,
        };
        let key = Zeroizing::new(*key);
        let version = integer(version);
        Self::begin(Kind::Encrypted, &version, &key, *options, length, rng, out)
    }

    fn begin<R: TryCryptoRng + ?Sized>(
        kind: Kind,
        fields: &[u8],
        key: &[u8; KEY_LEN],
        options: EncryptOptions,
        length: Option<u64>,
        rng: &mut R,
        out: &mut Vec<u8>,
    ) -> Result<Self, Error> {
        check_length(length)?;
        let algorithm = new_algorithm(options.cipher, rng)?;
        let encryption = Encryption::new(&algorithm, key)?;
        let kind_oid = ber::oid(kind.oid(options.dialect));
        // What is authenticated without attributes must be of CMS's type `data`.
        let dialect = match kind {
            Kind::AuthEnveloped => Dialect::Cms,
            _ => options.dialect,
        };
        let info = [ber::oid(Kind::Data.oid(dialect)), algorithm.to_der()].concat();
        match length {
            Some(length) => {
                let length = Encryption::length(&algorithm, length);
                let tag_len = match algorithm.is_gcm() {
                    true => element(OCTET_STRING, &[&[0; TAG_LEN]]).len(),
                    false => 0,
                };
                // From the inside to the outside: each header needs the length of what is in it.
                let octets = header(0x80, length);
                let info_len = (info.len() + octets.len()) as u64 + length;
                let info_header = header(SEQUENCE, info_len);
                let body_len = (fields.len() + info_header.len() + tag_len) as u64 + info_len;
                let body = header(SEQUENCE, body_len);
                let explicit_len = body.len() as u64 + body_len;
                let explicit = header(context(0), explicit_len);
                let all_len = (kind_oid.len() + explicit.len()) as u64 + explicit_len;
                out.extend(header(SEQUENCE, all_len));
                out.extend([&kind_oid[..], &explicit, &body, fields, &info_header, &info].concat());
                out.extend(octets);
            }
            None => {
                out.extend([SEQUENCE, 0x80]);
                out.extend(kind_oid);
                out.extend([context(0), 0x80, SEQUENCE, 0x80]);
                out.extend(fields);
                out.extend([SEQUENCE, 0x80]);
                out.extend(info);
                out.extend([0x80 | CONSTRUCTED, 0x80]);
            }
        }
        Ok(Self {
            octets: Octets::new(length.map(|length| Encryption::length(&algorithm, length))),
            plain: Octets::new(length),
            encryption,
            piece: Vec::new(),
        })
    }

    /// Takes the next bytes of the content, and appends their encryption to `out`.
    ///
    /// # Errors
    /// [`Error::Argument`] for more bytes than the length that was given; [`Error::Limit`] for more
    /// than GCM can encrypt, 64 GiB.
    pub fn push(&mut self, content: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.plain.count(content.len())?;
        for content in content.chunks(PIECE) {
            self.encryption.update(content, &mut self.piece)?;
            self.octets.write(&self.piece, out)?;
        }
        Ok(())
    }

    /// Ends the content, and appends the end of the message to `out`.
    ///
    /// # Errors
    /// [`Error::Argument`] for fewer bytes than the length that was given.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.plain.check()?;
        let tag = self.encryption.finish(&mut self.piece)?;
        self.octets.write(&self.piece, out)?;
        self.octets.check()?;
        self.piece.zeroize();
        let known = self.octets.is_known();
        if !known {
            // The octet string, and the structure of the content.
            out.extend([0; 4]);
        }
        if let Some(tag) = tag {
            out.extend(element(OCTET_STRING, &[&tag]));
        }
        if !known {
            // The body, its explicit tag, the message.
            out.extend([0; 6]);
        }
        Ok(())
    }
}

/// Bytes that are encrypted at a time.
const PIECE: usize = 64 << 10;

/// A cipher with a new initialisation vector or nonce.
pub(super) fn new_algorithm<R: TryCryptoRng + ?Sized>(
    cipher: ContentCipher,
    rng: &mut R,
) -> Result<Algorithm, Error> {
    let mut iv = alloc::vec![0; match cipher {
        ContentCipher::Sm4Gcm => NONCE_LEN,
        _ => 16,
    }];
    signer::fill(rng, &mut iv)?;
    Ok(Algorithm::new(cipher, iv))
}
