//! A public key with the table of its multiples, which signers' and recipients' keys keep.
//!
//! Without a table, most of the time of `[k]P` goes into 256 doublings. The table has, for each of
//! 52 windows of five bits, the multiples `1, 3, …, 31` of `2^(5i)·P` (see `curve::fixed_base` of
//! `kuaimi-math`). With it, a product is one addition for each window and no doubling. It takes as
//! long to make as two to four verifications without it, two where lanes of AVX-512 IFMA make it.
//! Verification is then about three times as fast, and encryption of short messages about twice.

use core::fmt;

use alloc::sync::Arc;

use super::{Error, PublicKey, Signature};
use crate::precompute::{Precompute, Slot};
use crate::sm2::verify::equation;
use kuaimi_math::sm2::group::{self, KeyTable};

/// A public key, and the place of its table, which clones share.
#[derive(Clone)]
pub(super) struct PointWithTable {
    public: PublicKey,
    table: Arc<Slot<KeyTable>>,
}

impl PointWithTable {
    pub(super) fn new(public: PublicKey) -> Self {
        Self::with_precompute(public, Precompute::default())
    }

    pub(super) fn with_precompute(public: PublicKey, policy: Precompute) -> Self {
        let key = Self::in_slot(public, Slot::new(policy));
        if policy == Precompute::AtOnce {
            key.prepare();
        }
        key
    }

    /// For a cache, in which tables count.
    #[cfg(feature = "std")]
    pub(super) fn in_cache(public: PublicKey) -> Self {
        Self::in_slot(public, Slot::in_cache())
    }

    fn in_slot(public: PublicKey, slot: Slot<KeyTable>) -> Self {
        let table = Arc::new(slot);
        Self { public, table }
    }

    pub(super) fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Makes the table, if it is not there.
    pub(super) fn prepare(&self) {
        self.table.get(|| self.make_table());
    }

    /// The table, if it was made.
    pub(super) fn known_table(&self) -> Option<&KeyTable> {
        self.table.peek()
    }

    /// The table, by the policy of this key. This counts as a use.
    pub(super) fn used_table(&self) -> Option<&KeyTable> {
        self.table.used(|| Some(self.make_table()))
    }

    /// As [`used_table`](Self::used_table), for several uses together.
    #[cfg(feature = "batch")]
    pub(super) fn used_table_times(&self, uses: usize) -> Option<&KeyTable> {
        self.table.used_times(uses, || Some(self.make_table()))
    }

    fn make_table(&self) -> KeyTable {
        KeyTable::build_vartime(&self.public.to_point())
    }

    /// Steps B1 to B7 of clause 7.1 for a digest.
    pub(super) fn verify_digest(&self, e: &[u8; 32], signature: &Signature) -> Result<(), Error> {
        match self.used_table() {
            Some(table) => verdict(group::verify_prepared_vartime(&equation(
                e, signature, table,
            ))),
            None => self.verify_without_table(e, signature),
        }
    }

    /// The same, without the table. This does not count as a use.
    pub(super) fn verify_without_table(
        &self,
        e: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), Error> {
        let point = self.public.to_point();
        verdict(group::verify_vartime(&equation(e, signature, &point)))
    }
}

fn verdict(valid: bool) -> Result<(), Error> {
    if valid {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}

impl fmt::Debug for PointWithTable {
    /// The key, without its table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.public.fmt(f)
    }
}
