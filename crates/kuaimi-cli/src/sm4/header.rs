//! The header of an encrypted file, and the keys that follow from it. The format is in
//! docs/sm4-file.md.
//!
//! The header names the function that makes the master key from a password, its parameters and a
//! salt. Two keys are derived from the master key and the header: one tags the header itself, the
//! other encrypts the chunks. The salt is new for each file, so no file shares its nonces with
//! another, even under one key file. The tag commits to the master key, and the master key to the
//! password: no file opens under two passwords.
//!
//! HMAC, which scrypt and PBKDF2 begin with, takes a password for the same as one with zero bytes
//! at its end, and one of more than 64 bytes for the same as its digest. So from version 2 of the
//! format on, the length of the password is part of what is derived. Version 1 is read, and not
//! written any more.

use kuaimi::encoding::{KeyDerivation, Prf};
use kuaimi::external::subtle::ConstantTimeEq as _;
use kuaimi::sm3::hmac_sm3;
use kuaimi::sm4::{KEY_LEN, Sm4Gcm};
use zeroize::Zeroizing;

use super::chunks::{Chunks, PREFIX_LEN};

/// Bytes of a header.
pub const LEN: usize = 80;

const MAGIC: [u8; 8] = *b"\x89KMSM4\r\n";
/// The version that is written.
const VERSION: u8 = 2;
/// The first version, in which the length of a password counts for nothing.
const WITHOUT_LENGTH: u8 = 1;

/// Bytes of the salt.
pub const SALT_LEN: usize = 32;
/// Bytes of the tag, which ends the header.
const TAG_LEN: usize = 32;
/// What the tag is of.
const TAGGED_LEN: usize = LEN - TAG_LEN;

/// Bytes of a master key that is made from a password.
const MASTER_LEN: usize = 32;

/// What is authenticated before the header, behind the version, so that the two uses of the master
/// key are apart.
const TAG_LABEL: &str = "header";
const CHUNKS_LABEL: &str = "chunks";

/// Where the master key comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A key of 16 bytes.
    Key,
    /// A password, by scrypt with these parameters.
    Scrypt { log_n: u8, r: u8, p: u8 },
    /// A password, by PBKDF2 with HMAC-SM3.
    Pbkdf2 { iterations: u32 },
}

impl Origin {
    /// What makes the key from a password, if there is one.
    pub fn derivation(self) -> Option<KeyDerivation> {
        match self {
            Self::Key => None,
            Self::Scrypt { log_n, r, p } => Some(KeyDerivation::Scrypt {
                log_n,
                r: r.into(),
                p: p.into(),
            }),
            Self::Pbkdf2 { iterations } => Some(KeyDerivation::Pbkdf2 {
                prf: Prf::HmacSm3,
                iterations,
            }),
        }
    }
}

/// Why bytes are no header that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// They do not begin as a header does.
    NotOurs,
    /// A version of the format that this program does not know.
    Version(u8),
    /// A field has a value without a meaning.
    Malformed,
    /// The key derivation would take too much memory or time.
    Cost,
}

/// A header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    bytes: [u8; LEN],
    pub origin: Origin,
}

impl Header {
    /// A header with this salt, without its tag yet.
    pub fn new(origin: Origin, salt: &[u8; SALT_LEN]) -> Self {
        let (kind, parameters) = match origin {
            Origin::Key => (0, [0; 6]),
            Origin::Scrypt { log_n, r, p } => (1, [log_n, r, p, 0, 0, 0]),
            Origin::Pbkdf2 { iterations } => {
                let [a, b, c, d] = iterations.to_be_bytes();
                (2, [a, b, c, d, 0, 0])
            }
        };
        let mut bytes = [0; LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8] = VERSION;
        bytes[9] = kind;
        bytes[10..16].copy_from_slice(&parameters);
        bytes[16..TAGGED_LEN].copy_from_slice(salt);
        Self { bytes, origin }
    }

    /// Reads a header. Its tag is not checked yet.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        if !bytes.starts_with(&MAGIC) {
            return Err(Error::NotOurs);
        }
        let bytes: [u8; LEN] = bytes.try_into().map_err(|_| Error::Malformed)?;
        if !(WITHOUT_LENGTH..=VERSION).contains(&bytes[8]) {
            return Err(Error::Version(bytes[8]));
        }
        let [a, b, c, d, e, f] = [10, 11, 12, 13, 14, 15].map(|i| bytes[i]);
        let origin = match (bytes[9], [d, e, f]) {
            (0, [0, 0, 0]) if [a, b, c] == [0; 3] => Origin::Key,
            (1, [0, 0, 0]) => Origin::Scrypt {
                log_n: a,
                r: b,
                p: c,
            },
            (2, [_, 0, 0]) => Origin::Pbkdf2 {
                iterations: u32::from_be_bytes([a, b, c, d]),
            },
            _ => return Err(Error::Malformed),
        };
        if let Some(derivation) = origin.derivation() {
            derivation.check().map_err(|_| Error::Cost)?;
        }
        Ok(Self { bytes, origin })
    }

    pub fn as_bytes(&self) -> &[u8; LEN] {
        &self.bytes
    }

    fn version(&self) -> u8 {
        self.bytes[8]
    }

    fn salt(&self) -> &[u8] {
        &self.bytes[16..TAGGED_LEN]
    }

    /// The master key that a password stands for.
    pub fn master_of(&self, password: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let derivation = self.origin.derivation().ok_or(Error::Malformed)?;
        let mut salt = self.salt().to_vec();
        if self.version() != WITHOUT_LENGTH {
            salt.extend((password.len() as u64).to_be_bytes());
        }
        derivation
            .derive(password, &salt, MASTER_LEN)
            .map_err(|_| Error::Cost)
    }

    /// Gives a new header its tag. The result encrypts the chunks.
    pub fn seal(&mut self, master: &[u8]) -> Chunks {
        let tag = self.derive(master, TAG_LABEL);
        self.bytes[TAGGED_LEN..].copy_from_slice(&*tag);
        self.chunks(master)
    }

    /// Checks the tag, in constant time. The result decrypts the chunks; nothing if the master key
    /// is another one or the header was altered.
    pub fn open(&self, master: &[u8]) -> Option<Chunks> {
        let tag = self.derive(master, TAG_LABEL);
        let right: bool = tag[..].ct_eq(&self.bytes[TAGGED_LEN..]).into();
        right.then(|| self.chunks(master))
    }

    /// The chunks' cipher: the first 16 bytes are its key, the next seven begin each nonce.
    fn chunks(&self, master: &[u8]) -> Chunks {
        let derived = self.derive(master, CHUNKS_LABEL);
        let mut key = Zeroizing::new([0; KEY_LEN]);
        key.copy_from_slice(&derived[..KEY_LEN]);
        let mut prefix = [0; PREFIX_LEN];
        prefix.copy_from_slice(&derived[KEY_LEN..KEY_LEN + PREFIX_LEN]);
        Chunks::new(Sm4Gcm::new(&key), prefix, self.bytes)
    }

    /// HMAC-SM3, under the master key, of the label and of what the tag is of.
    fn derive(&self, master: &[u8], label: &str) -> Zeroizing<[u8; TAG_LEN]> {
        let label = format!("Kuaimi SM4 file {}: {label}", self.version());
        let input = [label.as_bytes(), &self.bytes[..TAGGED_LEN]].concat();
        Zeroizing::new(hmac_sm3(master, &input))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRYPT: Origin = Origin::Scrypt {
        log_n: 14,
        r: 8,
        p: 1,
    };

    /// The bytes that docs/sm4-file.md shows.
    #[test]
    fn layout() {
        let salt: [u8; SALT_LEN] = std::array::from_fn(|i| i as u8);
        let header = |origin| *Header::new(origin, &salt).as_bytes();
        let bytes = header(SCRYPT);
        assert_eq!(bytes[..16], *b"\x89KMSM4\r\n\x02\x01\x0e\x08\x01\0\0\0");
        assert_eq!(bytes[16..48], salt);
        assert_eq!(bytes[48..], [0; 32]);
        let pbkdf2 = Origin::Pbkdf2 {
            iterations: 0x0009_27c0,
        };
        assert_eq!(header(pbkdf2)[9..16], [2, 0, 9, 0x27, 0xc0, 0, 0]);
        assert_eq!(header(Origin::Key)[9..16], [0; 7]);
        for origin in [Origin::Key, SCRYPT, pbkdf2] {
            assert_eq!(Header::parse(&header(origin)).map(|h| h.origin), Ok(origin));
        }
    }

    #[test]
    fn what_is_no_header() {
        let good = *Header::new(SCRYPT, &[7; SALT_LEN]).as_bytes();
        let with = |changes: &[(usize, u8)]| {
            let mut bytes = good;
            for &(place, value) in changes {
                bytes[place] = value;
            }
            Header::parse(&bytes).map(|header| header.origin)
        };
        assert_eq!(with(&[(0, 0x88)]), Err(Error::NotOurs));
        for version in [0, 3, 255] {
            assert_eq!(with(&[(8, version)]), Err(Error::Version(version)));
        }
        assert_eq!(with(&[(9, 3)]), Err(Error::Malformed));
        for place in 13..16 {
            assert_eq!(with(&[(place, 1)]), Err(Error::Malformed));
        }
        assert_eq!(with(&[(9, 0)]), Err(Error::Malformed));
        assert_eq!(Header::parse(&good[..LEN - 1]), Err(Error::Malformed));
        assert_eq!(Header::parse(b""), Err(Error::NotOurs));
        // Gigabytes, hours, or nothing at all.
        for [log_n, r, p] in [
            [18, 8, 1],
            [255, 8, 1],
            [64, 255, 255],
            [17, 8, 255],
            [0, 8, 1],
            [14, 0, 1],
            [14, 8, 0],
        ] {
            let changed = with(&[(10, log_n), (11, r), (12, p)]);
            assert_eq!(changed, Err(Error::Cost), "{log_n} {r} {p}");
        }
        let iterations = |count: u32| {
            let [a, b, c, d] = count.to_be_bytes();
            with(&[(9, 2), (10, a), (11, b), (12, c), (13, d)])
        };
        assert_eq!(iterations(0), Err(Error::Cost));
        assert_eq!(iterations(10_000_001), Err(Error::Cost));
        assert_eq!(iterations(u32::MAX), Err(Error::Cost));
        assert!(iterations(10_000_000).is_ok());
    }

    /// Whatever is changed, the header or the key, the tag is another one.
    #[test]
    fn the_tag_is_of_key_and_header() {
        let mut header = Header::new(Origin::Key, &[7; SALT_LEN]);
        header.seal(&[1; 16]);
        assert!(header.open(&[1; 16]).is_some());
        assert!(header.open(&[2; 16]).is_none());
        for place in 0..LEN {
            let mut altered = header.clone();
            altered.bytes[place] ^= 1;
            assert!(altered.open(&[1; 16]).is_none(), "{place}");
        }
    }
}
