//! Lists of revoked certificates (RFC 5280, clause 5; GM/T 0015), read as they were signed.
//!
//! | to do | with |
//! | --- | --- |
//! | read a list, look a serial number up | [`Crl`] |
//! | take a list and its delta together | [`Combined`] |
//! | make and sign a list | [`CrlBuilder`] |
//!
//! What a list means for a certificate in a chain is in the module [`chain`](crate::chain).

mod builder;
mod combined;
mod entry;
mod listing;
mod read;
mod scope;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use der::Decode;

pub use builder::CrlBuilder;
pub use combined::Combined;
pub use entry::Entry;
pub use listing::Listing;
pub use scope::{Contains, Scope};
pub use x509_cert::ext::pkix::CrlReason;

use crate::error::Reading;
use crate::public_key::{Identities, SignatureAlgorithm};
use crate::{Error, PublicKey};

/// The maximum length of a list in bytes. The largest known ones have about a tenth.
pub const MAX_LEN: usize = 1 << 28;

/// A list of revoked certificates. Clones share it.
///
/// It keeps its bytes and, for each entry, four more: the entry's place, in the order of the serial
/// numbers. So a look-up takes a logarithm of the number of entries.
///
/// ```
/// use kuaimi_pki::crl::Crl;
///
/// fn is_revoked(list: &Crl, serial: &[u8]) -> bool {
///     list.find(serial).is_some()
/// }
/// ```
#[derive(Clone)]
pub struct Crl(Arc<Inner>);

struct Inner {
    der: Vec<u8>,
    tbs: Range<usize>,
    issuer: Range<usize>,
    issuer_text: String,
    algorithm: spki::AlgorithmIdentifierOwned,
    signature: Range<usize>,
    this_update: u64,
    next_update: Option<u64>,
    /// Where each entry begins, in the order of their serial numbers.
    entries: Vec<u32>,
    /// The list of extensions; empty, if there is none.
    extensions: Range<usize>,
    number: Option<Vec<u8>>,
    base_number: Option<Vec<u8>>,
    issuer_key: Option<Vec<u8>>,
    scope: Scope,
}

impl Crl {
    /// Reads a list in DER, of version 1 or 2. Nothing may follow it.
    ///
    /// Its signature and its dates are not checked: see
    /// [`verify_signature`](Self::verify_signature) and [`is_current`](Self::is_current).
    ///
    /// # Errors
    /// [`Error::Der`] and [`Error::Structure`] for what is no list, for an indirect list (one that
    /// names certificates of other issuers), and for a list with a critical extension that is not
    /// known; [`Error::Limit`] for more than [`MAX_LEN`] bytes.
    pub fn from_der(der: &[u8]) -> Result<Self, Error> {
        if der.len() > MAX_LEN {
            return Err(Error::Limit(
                "a list of revoked certificates of more than 256 MiB",
            ));
        }
        read::read(der.to_vec()).map(|inner| Self(Arc::new(inner)))
    }

    /// Reads the lists in `bytes`: one in DER, or any number in PEM.
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der), and [`Error::Argument`] if there is none.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        let blocks = crate::pem::blocks(bytes, &["X509 CRL"])?;
        blocks.iter().map(|der| Self::from_der(der)).collect()
    }

    /// The list in DER, as it was read.
    pub fn as_der(&self) -> &[u8] {
        &self.0.der
    }

    /// The list in PEM.
    pub fn to_pem(&self) -> String {
        crate::pem::encode("X509 CRL", &self.0.der)
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        self.0.der.get(range.clone()).unwrap_or_default()
    }

    /// The bytes that the issuer signed.
    pub fn tbs(&self) -> &[u8] {
        self.part(&self.0.tbs)
    }

    /// The issuer's name in DER, as it stands in the list.
    pub fn issuer_der(&self) -> &[u8] {
        self.part(&self.0.issuer)
    }

    /// The issuer's name as text.
    pub fn issuer(&self) -> &str {
        &self.0.issuer_text
    }

    /// The identifier of the issuer's key, if the list has one.
    pub fn authority_key_identifier(&self) -> Option<&[u8]> {
        self.0.issuer_key.as_deref()
    }

    /// The issuer's signature, in the form that its algorithm has: DER for SM2.
    pub fn signature(&self) -> &[u8] {
        self.part(&self.0.signature)
    }

    /// The algorithm of the signature.
    ///
    /// # Errors
    /// [`Error::Algorithm`] and [`Error::Structure`] for one that is not supported.
    pub fn signature_algorithm(&self) -> Result<SignatureAlgorithm, Error> {
        SignatureAlgorithm::read(&self.0.algorithm)
    }

    /// The object identifier of that algorithm, whether it is supported or not.
    pub fn signature_oid(&self) -> der::asn1::ObjectIdentifier {
        self.0.algorithm.oid
    }

    /// Whether `issuer`'s key signed this list. Names and dates are not looked at.
    ///
    /// # Errors
    /// [`Error::Signature`] if it did not.
    pub fn verify_signature(
        &self,
        issuer: &PublicKey,
        identities: Identities,
    ) -> Result<(), Error> {
        issuer.verify(
            self.signature_algorithm()?,
            self.tbs(),
            self.signature(),
            identities,
        )
    }

    /// When the list was made, in seconds since 1970.
    pub fn this_update(&self) -> u64 {
        self.0.this_update
    }

    /// When the next list is expected, in seconds since 1970.
    pub fn next_update(&self) -> Option<u64> {
        self.0.next_update
    }

    /// Whether the list is in force at `time`: not before its date, and before the next one's. A
    /// list without a date of the next one is not.
    pub fn is_current(&self, time: u64) -> bool {
        self.0.this_update <= time && self.0.next_update.is_some_and(|next| time <= next)
    }

    /// The number of the list (CRLNumber): a big-endian integer without zeros before it.
    pub fn number(&self) -> Option<&[u8]> {
        self.0.number.as_deref()
    }

    /// The number of the list that this one is the changes to, if this is a delta.
    pub fn base_number(&self) -> Option<&[u8]> {
        self.0.base_number.as_deref()
    }

    /// Whether this has only the changes since another list.
    pub fn is_delta(&self) -> bool {
        self.0.base_number.is_some()
    }

    /// All extensions of the list, those that this library does not know, too.
    ///
    /// # Errors
    /// [`Error::Der`] for one whose parts are malformed.
    pub fn extensions(&self) -> Result<Vec<x509_cert::ext::Extension>, Error> {
        match self.part(&self.0.extensions) {
            [] => Ok(Vec::new()),
            list => Vec::from_der(list).of(read::WHAT),
        }
    }

    /// Which certificates the list is about.
    pub fn scope(&self) -> &Scope {
        &self.0.scope
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// The entries, in the order of the bytes of their serial numbers. [`Listing`] has them in that
    /// of the list.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let places = self.0.entries.iter();
        places.filter_map(|place| Entry::at(&self.0.der, *place))
    }

    /// The entry with the serial number `serial`: the content of the INTEGER in DER, as
    /// [`Certificate::serial`](crate::Certificate::serial) gives it.
    ///
    /// If there are two, it is the first one in the list.
    pub fn find(&self, serial: &[u8]) -> Option<Entry<'_>> {
        let before =
            |place: &u32| Entry::serial_at(&self.0.der, *place).is_some_and(|other| other < serial);
        let place = self.0.entries.partition_point(before);
        let entry = Entry::at(&self.0.der, *self.0.entries.get(place)?)?;
        (entry.serial() == serial).then_some(entry)
    }
}

impl PartialEq for Crl {
    fn eq(&self, other: &Self) -> bool {
        self.0.der == other.0.der
    }
}

impl Eq for Crl {}

impl fmt::Debug for Crl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crl")
            .field("issuer", &self.issuer())
            .field("this_update", &self.this_update())
            .field("entries", &self.len())
            .finish_non_exhaustive()
    }
}
