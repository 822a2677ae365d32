//! SM4 in its modes over a content in pieces.

use alloc::boxed::Box;
use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use kuaimi::sm4::{Sm4Cbc, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4GcmStream, Sm4Ofb, padding_length};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use super::ContentCipher;
use super::recipient::KEY_LEN;
use crate::Error;
use crate::ber::{Elements, INTEGER, OCTET_STRING, SEQUENCE, element, identifier, integer};
use crate::oid::{SM4, SM4_CBC, SM4_CFB, SM4_CTR, SM4_GCM, SM4_OFB};

const BLOCK: usize = 16;
/// The tag that is written. Read are those that RFC 5084 allows, of 12 to 16 bytes.
pub(crate) const TAG_LEN: usize = 16;
pub(crate) const NONCE_LEN: usize = 12;

/// The algorithm of an encrypted content, with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Algorithm {
    oid: ObjectIdentifier,
    /// The initialisation vector, or GCM's nonce.
    iv: Vec<u8>,
    tag_len: usize,
}

impl Algorithm {
    pub(crate) fn new(cipher: ContentCipher, iv: Vec<u8>) -> Self {
        let oid = match cipher {
            ContentCipher::Sm4Cbc => SM4_CBC,
            ContentCipher::Sm4CbcNamedSm4 => SM4,
            ContentCipher::Sm4Gcm => SM4_GCM,
        };
        Self {
            oid,
            iv,
            tag_len: TAG_LEN,
        }
    }

    pub(crate) fn read(der: &[u8]) -> Result<Self, Error> {
        const WHAT: &str = "content's cipher";
        let (oid, parameters) = Elements::new(der, WHAT).algorithm()?;
        let parameters = parameters.ok_or(Error::Structure(WHAT, "has no parameters"))?;
        let mut outer = Elements::new(parameters.whole, WHAT);
        if oid == SM4_GCM {
            let mut inside = outer.enter(SEQUENCE)?;
            let iv = inside.octets()?.to_vec();
            let tag_len = match inside.optional(INTEGER)? {
                None => 12,
                Some([length @ 12..=16]) => usize::from(*length),
                Some(_) => return Err(Error::Structure(WHAT, "has a tag of a wrong length")),
            };
            inside.end()?;
            // Others have another derivation of the counter, and nobody writes them.
            if iv.len() != NONCE_LEN {
                return Err(Error::Structure(WHAT, "has a nonce of a wrong length"));
            }
            return Ok(Self { oid, iv, tag_len });
        }
        if ![SM4, SM4_CBC, SM4_OFB, SM4_CFB, SM4_CTR].contains(&oid) {
            return Err(Error::Algorithm("a content", oid));
        }
        let iv = outer.octets()?.to_vec();
        if iv.len() != BLOCK {
            return Err(Error::Structure(
                WHAT,
                "has an initialisation vector of a wrong length",
            ));
        }
        Ok(Self {
            oid,
            iv,
            tag_len: 0,
        })
    }

    pub(crate) fn to_der(&self) -> Vec<u8> {
        let iv = element(OCTET_STRING, &[&self.iv]);
        let parameters = match self.oid {
            SM4_GCM => element(SEQUENCE, &[&iv, &integer(self.tag_len as u32)]),
            _ => iv,
        };
        identifier(self.oid, &parameters)
    }

    pub(crate) fn is_gcm(&self) -> bool {
        self.oid == SM4_GCM
    }

    fn block_iv(&self) -> [u8; BLOCK] {
        self.iv.as_slice().try_into().unwrap_or_default()
    }

    fn gcm(&self, key: &[u8; KEY_LEN], attributes: &[u8]) -> Result<Box<Sm4GcmStream>, Error> {
        let stream = Sm4GcmStream::new(&Sm4Gcm::new(key), &self.iv);
        let mut stream = Box::new(stream.map_err(|_| Error::Decryption)?);
        stream
            .associated_data(attributes)
            .map_err(|_| Error::Decryption)?;
        Ok(stream)
    }
}

enum Mode {
    Cbc(Box<Sm4Cbc>, [u8; BLOCK]),
    Gcm(Box<Sm4GcmStream>),
    Ofb(Box<Sm4Ofb>),
    Cfb(Box<Sm4Cfb>),
    Ctr(Box<Sm4Ctr>),
}

/// Encrypts.
pub(crate) struct Encryption {
    mode: Mode,
    /// The bytes of a block that is not whole.
    waiting: Zeroizing<Vec<u8>>,
}

impl Encryption {
    pub(crate) fn new(algorithm: &Algorithm, key: &[u8; KEY_LEN]) -> Result<Self, Error> {
        Ok(Self {
            mode: match algorithm.is_gcm() {
                true => Mode::Gcm(algorithm.gcm(key, &[])?),
                false => Mode::Cbc(Box::new(Sm4Cbc::new(key)), algorithm.block_iv()),
            },
            waiting: Zeroizing::new(Vec::with_capacity(BLOCK)),
        })
    }

    /// How long a ciphertext is.
    pub(crate) fn length(algorithm: &Algorithm, plaintext: u64) -> u64 {
        match algorithm.is_gcm() {
            true => plaintext,
            false => (plaintext / BLOCK as u64 + 1) * BLOCK as u64,
        }
    }

    /// The ciphertext of the next bytes, in place of what `out` has.
    pub(crate) fn update(&mut self, plaintext: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        out.clear();
        // Room for all: no plaintext is left in memory that was given up.
        out.reserve(self.waiting.len() + plaintext.len());
        out.extend_from_slice(&self.waiting);
        out.extend_from_slice(plaintext);
        match &mut self.mode {
            Mode::Gcm(stream) => stream
                .encrypt(out)
                .map_err(|_| Error::Limit("a content of more than 64 GiB in GCM mode")),
            Mode::Cbc(cipher, iv) => {
                let whole = out.len() - out.len() % BLOCK;
                self.waiting.zeroize();
                self.waiting
                    .extend_from_slice(out.get(whole..).unwrap_or_default());
                if let Some(rest) = out.get_mut(whole..) {
                    rest.zeroize();
                }
                out.truncate(whole);
                encrypt_cbc(cipher, iv, out)
            }
            _ => Err(Error::Decryption),
        }
    }

    /// The last bytes of the ciphertext, and GCM's tag.
    pub(crate) fn finish(mut self, out: &mut Vec<u8>) -> Result<Option<[u8; TAG_LEN]>, Error> {
        out.clear();
        match self.mode {
            Mode::Gcm(stream) => Ok(Some(stream.tag())),
            _ => {
                let padding = BLOCK - self.waiting.len() % BLOCK;
                let padding = alloc::vec![padding as u8; padding];
                self.update(&padding, out)?;
                Ok(None)
            }
        }
    }
}

/// Whole blocks. The last of the ciphertext is the next initialisation vector.
fn encrypt_cbc(cipher: &Sm4Cbc, iv: &mut [u8; BLOCK], data: &mut [u8]) -> Result<(), Error> {
    cipher.encrypt(iv, data).map_err(|_| Error::Decryption)?;
    if let Some(next) = data.last_chunk::<BLOCK>() {
        *iv = *next;
    }
    Ok(())
}

/// Decrypts.
pub(crate) struct Decryption {
    mode: Mode,
    /// Ciphertext that cannot be decrypted yet: it may be the last block, or the tag.
    waiting: Vec<u8>,
    tag_len: usize,
    /// Whether the tag follows the ciphertext in the same octet string, as some write GCM in
    /// envelopedData.
    tag_inside: bool,
}

impl Decryption {
    /// `attributes`: those that GCM authenticates.
    pub(crate) fn new(
        algorithm: &Algorithm,
        key: &[u8; KEY_LEN],
        tag_inside: bool,
        attributes: &[u8],
    ) -> Result<Self, Error> {
        let iv = algorithm.block_iv();
        Ok(Self {
            mode: match algorithm.oid {
                SM4_GCM => Mode::Gcm(algorithm.gcm(key, attributes)?),
                SM4_OFB => Mode::Ofb(Box::new(Sm4Ofb::new(key, &iv))),
                SM4_CFB => Mode::Cfb(Box::new(Sm4Cfb::new(key, &iv))),
                SM4_CTR => Mode::Ctr(Box::new(Sm4Ctr::new(key, &iv))),
                _ => Mode::Cbc(Box::new(Sm4Cbc::new(key)), iv),
            },
            waiting: Vec::new(),
            tag_len: algorithm.tag_len,
            tag_inside,
        })
    }

    /// Appends the plaintext of the next bytes to `out`.
    pub(crate) fn update(&mut self, ciphertext: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        out.extend_from_slice(&self.waiting);
        out.extend_from_slice(ciphertext);
        let total = out.len() - start;
        let ready = match &self.mode {
            // The last block stays, as it has the padding.
            Mode::Cbc(..) => total.saturating_sub(1) / BLOCK * BLOCK,
            Mode::Gcm(_) if self.tag_inside => total.saturating_sub(self.tag_len),
            _ => total,
        };
        self.waiting.clear();
        self.waiting
            .extend_from_slice(out.get(start + ready..).unwrap_or_default());
        out.truncate(start + ready);
        let data = out.get_mut(start..).unwrap_or_default();
        match &mut self.mode {
            Mode::Cbc(cipher, iv) => decrypt_cbc(cipher, iv, data),
            Mode::Gcm(stream) => stream
                .decrypt_unverified(data)
                .map_err(|_| Error::Decryption),
            Mode::Ofb(stream) => {
                stream.apply(data);
                Ok(())
            }
            Mode::Cfb(stream) => {
                stream.decrypt(data);
                Ok(())
            }
            Mode::Ctr(stream) => {
                stream.apply(data);
                Ok(())
            }
        }
    }

    /// Ends the content: appends what is left to `out`, and compares the tag.
    pub(crate) fn finish(self, tag: Option<&[u8]>, out: &mut Vec<u8>) -> Result<(), Error> {
        match self.mode {
            Mode::Cbc(cipher, mut iv) => {
                let mut last = Zeroizing::new([0; BLOCK]);
                match <[u8; BLOCK]>::try_from(self.waiting.as_slice()) {
                    Ok(block) => *last = block,
                    Err(_) => return Err(Error::Decryption),
                }
                decrypt_cbc(&cipher, &mut iv, last.as_mut())?;
                let padding = padding_length(&last).ok_or(Error::Decryption)?;
                out.extend_from_slice(last.get(..BLOCK - padding).unwrap_or_default());
                Ok(())
            }
            Mode::Gcm(stream) => {
                let tag = match self.tag_inside {
                    true => Some(self.waiting.as_slice()),
                    false => tag,
                };
                let tag = tag.filter(|tag| tag.len() == self.tag_len && self.tag_len >= 12);
                let tag = tag.ok_or(Error::Decryption)?;
                let expected = Zeroizing::new(stream.tag());
                let right = expected
                    .get(..tag.len())
                    .is_some_and(|it| it.ct_eq(tag).into());
                right.then_some(()).ok_or(Error::Decryption)
            }
            _ => Ok(()),
        }
    }
}

fn decrypt_cbc(cipher: &Sm4Cbc, iv: &mut [u8; BLOCK], data: &mut [u8]) -> Result<(), Error> {
    let next = data.last_chunk::<BLOCK>().copied();
    cipher.decrypt(iv, data).map_err(|_| Error::Decryption)?;
    if let Some(next) = next {
        *iv = next;
    }
    Ok(())
}
