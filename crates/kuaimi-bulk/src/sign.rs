//! Messages or digests of a table become signatures.

use kuaimi::Threads;
use kuaimi::sm2::batch::{SignItem, sign_batch};
use kuaimi::sm2::{Signature, SigningKey};

use crate::options::{Encoding, PlainEncoding};
use crate::signed::Signed;
use crate::table::Table;
use crate::verdict::Fault;

/// Signs the rows of a table under one key, part by part. Threads may share it.
///
/// Each signature has a nonce of its own, hedged with randomness that is drawn for many of them at
/// once. Constant time in the key and the nonces.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
/// use kuaimi_bulk::{Cell, Column, Signer, Table, Values};
///
/// let key = SigningKey::new(PrivateKey::generate()?);
/// let cells = [Cell::Text(0..3), Cell::Absent, Cell::Text(3..6)];
/// let mut table = Table {
///     rows: 3,
///     ..Table::default()
/// };
/// table.columns[Column::Message as usize] = Values::Cells { bytes: b"onetwo", cells: &cells };
///
/// let results = Signer::new(key.clone()).sign(&table);
/// key.verifying_key().verify(b"two", results[2].as_ref().unwrap())?;
/// assert_eq!(results[1].as_ref().unwrap_err().reason, "has neither a message nor a digest");
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Debug)]
pub struct Signer {
    key: SigningKey,
    message_encoding: PlainEncoding,
    digest_encoding: Encoding,
    threads: Threads,
}

impl Signer {
    /// Signs messages as they stand, and digests in whichever form they are written.
    pub fn new(key: SigningKey) -> Self {
        Self {
            key,
            message_encoding: PlainEncoding::default(),
            digest_encoding: Encoding::default(),
            threads: Threads::default(),
        }
    }

    /// Which threads sign: the calling one, if nothing else is said.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// How messages are written.
    #[must_use]
    pub fn message_encoding(mut self, encoding: PlainEncoding) -> Self {
        self.message_encoding = encoding;
        self
    }

    /// How digests `e = SM3(Z ‖ M)` are written.
    #[must_use]
    pub fn digest_encoding(mut self, encoding: Encoding) -> Self {
        self.digest_encoding = encoding;
        self
    }

    /// A signature for each row, in their order, over its message or its digest.
    ///
    /// # Errors
    /// For a row, what is wrong with it; or that the random generator has failed.
    pub fn sign(&self, table: &Table<'_>) -> Vec<Result<Signature, Fault>> {
        let mut buffer = Vec::new();
        let contents: Vec<Result<Signed<'_>, Fault>> = table
            .read_rows(|row| {
                let (message, digest) = (self.message_encoding, self.digest_encoding);
                Signed::of(table, row, message, digest, &mut buffer)?
                    .ok_or_else(|| Fault::new("has neither a message nor a digest"))
            })
            .collect();
        let items: Vec<SignItem<'_>> = contents
            .iter()
            .flatten()
            .map(|signed| SignItem::new(&self.key, signed.content(&buffer)))
            .collect();
        let mut signatures = sign_batch(&items, self.threads).into_iter();
        let lost = || Fault::new("was not signed");
        contents
            .iter()
            .map(|content| match content {
                Err(fault) => Err(fault.clone()),
                Ok(_) => signatures.next().ok_or_else(lost)?.map_err(Fault::new),
            })
            .collect()
    }
}
