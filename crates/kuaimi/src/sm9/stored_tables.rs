//! Tables of secret keys as bytes, to store beside the key.
//!
//! Both are frames of [`crate::stored`]. The key of the tag follows from the user's key and the
//! master public key: tables of another key are refused, and so is what was altered by someone
//! without the key. A forged tag needs the user's key, and its holder has nothing to gain from one,
//! since what is read serves that key alone.
//!
//! | header | body |
//! | --- | --- |
//! | `KM9-psk2`, signing key | multiples of `ds`, powers of `g` |
//! | `KM9-pdk2`, decryption key | lines of Miller's loop through `de` |
//! | `KM9-pxk2`, exchange key | the same |
//!
//! Tables of public keys cannot be stored, as computing them takes a millisecond at most.

use alloc::vec::Vec;

use kuaimi_math::sm9::group::{G1Table, G2Lines, GtTable};
use zeroize::Zeroizing;

use super::user_key::UserKey;
use super::{DecryptionKey, Error, ExchangeKey, SigningKey};
use crate::precompute::Slot;
use crate::sm3::Sm3;
use crate::stored;

fn tag_key(user_key: &[u8], master: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut hash = Sm3::new();
    hash.update(b"Kuaimi SM9 tables");
    hash.update(user_key);
    hash.update(master);
    Zeroizing::new(hash.finalize())
}

const SIGNING: &[u8; 8] = b"KM9-psk2";
const DECRYPTION: &[u8; 8] = b"KM9-pdk2";
const EXCHANGE: &[u8; 8] = b"KM9-pxk2";

impl SigningKey {
    /// The length of the tables in bytes, in memory and written.
    ///
    /// ```
    /// assert!(kuaimi::sm9::SigningKey::TABLE_BYTES < 128 << 10);
    /// ```
    pub const TABLE_BYTES: usize = G1Table::BYTES + GtTable::BYTES;

    fn tag_key(&self) -> Zeroizing<[u8; 32]> {
        tag_key(
            self.to_bytes().as_ref(),
            &self.master_public_key().to_bytes(),
        )
    }

    /// The tables as bytes, to store beside the key: [`TABLE_BYTES`](Self::TABLE_BYTES) bytes and
    /// 40 more. They are made if they are not there. **Secret**, like the key.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, SigningKey};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// assert_eq!(alice.tables_to_bytes().len(), SigningKey::TABLE_BYTES + 40);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn tables_to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let tables = [&self.table().to_bytes()[..], &self.g_table().to_bytes()[..]];
        stored::write(SIGNING, &tables, self.tag_key().as_ref())
    }

    /// The same key with the tables that [`tables_to_bytes`](Self::tables_to_bytes) wrote. They
    /// serve this key and its clones.
    ///
    /// # Errors
    /// [`Error::TableFormat`]; [`Error::TableAltered`] if they belong to another key, or were
    /// altered by someone without the key.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract("alice")?, master.extract("bob")?);
    /// let tables = alice.tables_to_bytes();
    /// assert!(alice.with_tables(&tables)?.is_prepared());
    /// assert_eq!(bob.with_tables(&tables), Err(Error::TableAltered));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_tables(&self, bytes: &[u8]) -> Result<Self, Error> {
        let mut tables = stored::read(SIGNING, bytes, self.tag_key().as_ref())?;
        let table = G1Table::from_bytes(tables.bytes(G1Table::BYTES)?)?;
        let g_table = GtTable::from_bytes(tables.bytes(GtTable::BYTES)?)?;
        tables.end()?;
        let verifying = self.verifying_key().clone();
        let table = Slot::filled(table);
        Ok(Self::in_slot(
            *self.point(),
            verifying,
            table,
            Some(g_table),
        ))
    }
}

impl UserKey {
    fn tag_key(&self) -> Zeroizing<[u8; 32]> {
        tag_key(self.to_bytes().as_ref(), &self.master().to_bytes())
    }

    fn lines_to_bytes(&self, header: &[u8; 8]) -> Zeroizing<Vec<u8>> {
        let lines = self.lines().to_bytes();
        stored::write(header, &[&lines], self.tag_key().as_ref())
    }

    fn with_lines(&self, header: &[u8; 8], bytes: &[u8]) -> Result<Self, Error> {
        let mut body = stored::read(header, bytes, self.tag_key().as_ref())?;
        let lines = G2Lines::from_bytes(body.bytes(G2Lines::BYTES)?)?;
        body.end()?;
        let public = self.public().clone();
        Ok(Self::in_slot(*self.point(), public, Slot::filled(lines)))
    }
}

macro_rules! stored_lines {
    ($key:ident, $header:ident, $extract:literal) => {
        impl $key {
            /// The lines through `de` as bytes, to store beside the key:
            /// [`TABLE_BYTES`](Self::TABLE_BYTES) bytes and 40 more. They are made if they are not
            /// there. **Secret**, like the key.
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{MasterEncryptionKey, ", stringify!($key), "};")]
            #[doc = concat!("# let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.", $extract, "(\"bob\")?;")]
            #[doc = concat!("assert_eq!(bob.tables_to_bytes().len(), ", stringify!($key), "::TABLE_BYTES + 40);")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn tables_to_bytes(&self) -> Zeroizing<Vec<u8>> {
                self.0.lines_to_bytes($header)
            }

            /// The same key with the lines that [`tables_to_bytes`](Self::tables_to_bytes) wrote.
            /// They serve this key and its clones.
            ///
            /// # Errors
            /// [`Error::TableFormat`]; [`Error::TableAltered`] if they belong to another key, or
            /// were altered by someone without the key.
            ///
            /// ```
            /// # use kuaimi::sm9::{Error, MasterEncryptionKey};
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("# let (alice, bob) = (master.", $extract, "(\"alice\")?, master.", $extract, "(\"bob\")?);")]
            /// let lines = bob.tables_to_bytes();
            /// assert!(bob.with_tables(&lines)?.is_prepared());
            /// assert_eq!(alice.with_tables(&lines), Err(Error::TableAltered));
            /// # Ok::<(), Error>(())
            /// ```
            pub fn with_tables(&self, bytes: &[u8]) -> Result<Self, Error> {
                self.0.with_lines($header, bytes).map(Self)
            }
        }
    };
}

stored_lines!(DecryptionKey, DECRYPTION, "extract");
stored_lines!(ExchangeKey, EXCHANGE, "extract_exchange");
