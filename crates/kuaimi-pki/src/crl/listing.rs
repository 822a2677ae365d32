//! The entries of a list in the order in which they stand there.

use alloc::vec::Vec;

use super::{Crl, Entry};

/// The entries of a list as it has them: for who shows a list, or counts its places. It keeps four
/// bytes for each.
///
/// ```
/// use kuaimi_pki::crl::{Crl, Listing};
///
/// fn first_and_last(list: &Crl) -> Option<(u64, u64)> {
///     let listing = Listing::new(list);
///     let last = listing.get(list.len().checked_sub(1)?)?;
///     Some((listing.get(0)?.date(), last.date()))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Listing {
    list: Crl,
    /// Where the entries begin.
    places: Vec<u32>,
}

impl Listing {
    /// The entries of `list`.
    pub fn new(list: &Crl) -> Self {
        let mut places = list.0.entries.clone();
        places.sort_unstable();
        Self {
            list: list.clone(),
            places,
        }
    }

    /// The entry at a place, counted from 0.
    pub fn get(&self, place: usize) -> Option<Entry<'_>> {
        Entry::at(&self.list.0.der, *self.places.get(place)?)
    }
}
