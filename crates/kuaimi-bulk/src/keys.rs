//! Keys that come again: counted over the whole file, decoded once, and told to make their tables
//! when that pays.
//!
//! A key and its identity, as they are written, are a *label*. Of labels that were used once only a
//! hash is remembered, with a count. From the second use on the key itself is kept. Here its second
//! use does not pay for a table, since all is done in batches: it makes its table after
//! [`worth_in_batch`] uses, if there is room.
//!
//! All of it is bounded. Labels are kept in two generations: when the young one is full it becomes
//! the old one, and what is still used moves over, so that what is not used is forgotten without a
//! list of who came when. A table is dropped for another key's only when it has not been used for
//! long: otherwise many keys that take turns would make tables for each other to drop. So the limit
//! of all keys ([`kuaimi::precompute`]) is not used, as it drops nothing.
//!
//! Threads share it. Labels are spread over shards, each under a lock of its own, which no thread
//! holds while it computes. In the child of a fork a shard that another thread was using is empty.

use std::array;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kuaimi::precompute::{Precompute, worth_in_batch};
use kuaimi::sm2::{PublicKey, VerifyingKey};
use kuaimi_platform::fork::{Guard, Lock};

use crate::verdict::Fault;

/// What a key and an identity are written as. Where the key is a point, its coordinates, however
/// they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    pub key: KeyLabel<'a>,
    pub id: &'a [u8],
}

/// What a key is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyLabel<'a> {
    /// One key for all rows.
    One,
    /// `x ‖ y`, not checked yet.
    Coordinates([u8; 64]),
    /// Text of another form.
    Text(&'a [u8]),
    /// Bytes of another form.
    Binary(&'a [u8]),
}

impl Label<'_> {
    /// The kind of the key's form, and its bytes.
    fn parts(&self) -> (u8, &[u8]) {
        match &self.key {
            KeyLabel::One => (0, &[]),
            KeyLabel::Coordinates(xy) => (1, xy),
            KeyLabel::Text(bytes) => (2, bytes),
            KeyLabel::Binary(bytes) => (3, bytes),
        }
    }

    /// No two labels have the same bytes.
    fn to_bytes(self) -> Box<[u8]> {
        let (kind, key) = self.parts();
        let mut out = Vec::with_capacity(9 + key.len() + self.id.len());
        out.push(kind);
        out.extend_from_slice(&(key.len() as u64).to_le_bytes());
        out.extend_from_slice(key);
        out.extend_from_slice(self.id);
        out.into()
    }

    fn is(&self, bytes: &[u8]) -> bool {
        let (kind, key) = self.parts();
        bytes.len() == 9 + key.len() + self.id.len()
            && bytes[0] == kind
            && bytes[1..9] == (key.len() as u64).to_le_bytes()
            && bytes[9..].starts_with(key)
            && bytes.ends_with(self.id)
    }
}

/// A key under an identity, or what is wrong with it.
#[derive(Clone, Debug)]
pub enum Entry {
    /// Used once: without the digest `Z` of its identity.
    Once(PublicKey),
    /// Used before. It has its table, if [`Keys`] made that.
    Known(Arc<VerifyingKey>),
    Malformed(Arc<Fault>),
}

/// Bytes of labels and keys that a generation of all shards has, about.
const GENERATION: usize = 8 << 20;
/// Bytes of an entry beside its label, about.
const ENTRY: usize = 512;
/// Labels whose counts a generation of all shards has.
const COUNTS: usize = 1 << 18;
/// Bytes of tables.
const TABLES: usize = 64 << 20;
/// A table that was not used in so many rows may make room for another.
const STALE: u64 = 1 << 17;
const SHARDS: usize = 16;

/// Keys that come again.
pub struct Keys {
    shards: [Lock<Shard>; SHARDS],
    hasher: foldhash::quality::RandomState,
    /// Rows looked at so far.
    rows: AtomicU64,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Shard {
    young: Generation,
    old: Generation,
    /// Hashes of labels that have tables.
    tables: Vec<u64>,
    /// No table of this shard becomes stale before this row.
    full_until: u64,
}

#[derive(Debug, Default)]
struct Generation {
    counts: HashMap<u64, u64, BuildHasherDefault<Hashed>>,
    known: HashMap<u64, Kept, BuildHasherDefault<Hashed>>,
    bytes: usize,
}

#[derive(Debug)]
struct Kept {
    label: Box<[u8]>,
    entry: Entry,
    uses: u64,
    /// The row at which it was used last.
    last: u64,
}

impl Kept {
    fn is_prepared(&self) -> bool {
        matches!(&self.entry, Entry::Known(key) if key.is_prepared())
    }
}

/// What a shard has of a label. What takes long is done without its lock.
enum Found {
    Known {
        entry: Entry,
        make_table: bool,
    },
    /// `again`: it was used before, and is worth keeping.
    Unknown {
        again: bool,
    },
}

fn malformed(fault: Fault) -> Entry {
    Entry::Malformed(Arc::new(fault))
}

/// A key that makes its table when it is told to.
fn without_table(key: PublicKey, id: &[u8]) -> Result<VerifyingKey, Fault> {
    let key = VerifyingKey::with_id(key, id);
    let key = key.map_err(|error| Fault::new(format_args!("id: {error}")))?;
    Ok(key.with_precompute(Precompute::Never))
}

impl Keys {
    pub fn new() -> Self {
        Self {
            shards: array::from_fn(|_| Lock::new(Shard::default())),
            hasher: foldhash::quality::RandomState::default(),
            rows: AtomicU64::new(0),
        }
    }

    /// A hash of a label, different in each run.
    pub fn hash(&self, label: &Label<'_>) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        let (kind, key) = label.parts();
        hasher.write_u8(kind);
        hasher.write(key);
        hasher.write(label.id);
        hasher.finish()
    }

    /// Counts rows, which is how time is told here.
    pub fn pass(&self, rows: usize) -> u64 {
        self.rows.fetch_add(rows as u64, Ordering::Relaxed)
    }

    /// The key of a label that is used `uses` times more, at row `now`. `decode` reads it.
    pub fn resolve(
        &self,
        hash: u64,
        label: &Label<'_>,
        uses: u64,
        now: u64,
        decode: impl FnOnce() -> Result<PublicKey, Fault>,
    ) -> Entry {
        let used = |entry: Entry, make_table: bool| {
            if let (Entry::Known(key), true) = (&entry, make_table) {
                key.prepare();
            }
            entry
        };
        let found = self.shard(hash).find(hash, label, uses, now);
        let again = match found {
            Found::Known { entry, make_table } => return used(entry, make_table),
            Found::Unknown { again } => again,
        };
        let key = decode();
        if !again {
            return key.map_or_else(malformed, Entry::Once);
        }
        let key = key.and_then(|key| without_table(key, label.id));
        let entry = key.map_or_else(malformed, |key| Entry::Known(Arc::new(key)));
        let mut shard = self.shard(hash);
        shard.keep(hash, label, entry.clone(), now);
        match shard.find(hash, label, uses, now) {
            Found::Known { entry, make_table } => {
                drop(shard);
                used(entry, make_table)
            }
            // Another label of the same hash is there already.
            Found::Unknown { .. } => entry,
        }
    }

    /// Where a label is.
    fn shard(&self, hash: u64) -> Guard<'_, Shard> {
        // The maps take the lowest bits and the highest ones.
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        // A panic of another thread leaves nothing half done.
        shard.lock(Shard::default)
    }
}

impl Shard {
    fn find(&mut self, hash: u64, label: &Label<'_>, uses: u64, now: u64) -> Found {
        if let Some(kept) = self.old.known.remove(&hash) {
            let has_place = self.tables.contains(&hash);
            self.make_room(kept.label.len());
            if has_place && !self.tables.contains(&hash) {
                self.tables.push(hash);
            }
            self.young.known.insert(hash, kept);
        }
        let Some(kept) = self.young.known.get_mut(&hash) else {
            let again = self.count(hash, uses) >= 2;
            return Found::Unknown { again };
        };
        if !label.is(&kept.label) {
            return Found::Unknown { again: false };
        }
        kept.uses = kept.uses.saturating_add(uses);
        kept.last = now;
        let pays = kept.uses >= worth_in_batch() as u64 && !kept.is_prepared();
        let entry = kept.entry.clone();
        let make_table = pays && matches!(entry, Entry::Known(_)) && self.has_place(hash, now);
        Found::Known { entry, make_table }
    }

    /// How often the hash was used, these times among them.
    fn count(&mut self, hash: u64, uses: u64) -> u64 {
        if self.young.counts.len() >= COUNTS / SHARDS {
            self.old.counts = std::mem::take(&mut self.young.counts);
        }
        let before = self.old.counts.remove(&hash).unwrap_or(0);
        let count = self.young.counts.entry(hash).or_default();
        *count = (*count + before).saturating_add(uses);
        *count
    }

    fn keep(&mut self, hash: u64, label: &Label<'_>, entry: Entry, now: u64) {
        let kept = Kept {
            label: label.to_bytes(),
            entry,
            uses: 0,
            last: now,
        };
        self.make_room(kept.label.len());
        self.young.known.entry(hash).or_insert(kept);
    }

    /// Room for an entry in the young generation.
    fn make_room(&mut self, label: usize) {
        let size = label + ENTRY;
        if self.young.bytes + size > GENERATION / SHARDS {
            self.old.known = std::mem::take(&mut self.young.known);
            self.young.bytes = 0;
            let (young, old) = (&self.young, &self.old);
            let is_there =
                |hash: &u64| young.known.contains_key(hash) || old.known.contains_key(hash);
            self.tables.retain(is_there);
        }
        self.young.bytes += size;
    }

    fn kept(&self, hash: u64) -> Option<&Kept> {
        self.young
            .known
            .get(&hash)
            .or_else(|| self.old.known.get(&hash))
    }

    /// Whether there is a place for this table, after a stale one was dropped if need be. It is
    /// taken then.
    fn has_place(&mut self, hash: u64, now: u64) -> bool {
        // Another thread may be making the same table.
        if self.tables.contains(&hash) {
            return true;
        }
        let has_room = self.tables.len() < TABLES / SHARDS / VerifyingKey::TABLE_BYTES;
        if has_room || self.drop_stale(now) {
            self.tables.push(hash);
            return true;
        }
        false
    }

    /// Drops the table that was not used for longest, if that is stale.
    fn drop_stale(&mut self, now: u64) -> bool {
        if now < self.full_until {
            return false;
        }
        let last = |hash: &u64| self.kept(*hash).map_or(0, |kept| kept.last);
        let oldest = self
            .tables
            .iter()
            .enumerate()
            .min_by_key(|(_, hash)| last(hash));
        let Some((place, hash)) = oldest.map(|(place, hash)| (place, *hash)) else {
            return false;
        };
        let stale_at = last(&hash).saturating_add(STALE);
        if now < stale_at {
            self.full_until = stale_at;
            return false;
        }
        self.tables.swap_remove(place);
        for generation in [&mut self.young, &mut self.old] {
            if let Some(kept) = generation.known.get_mut(&hash)
                && let Entry::Known(key) = &kept.entry
            {
                kept.entry = Entry::Known(Arc::new(key.with_precompute(Precompute::Never)));
                kept.uses = 0;
            }
        }
        true
    }
}

/// A hash that was computed already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use kuaimi::sm2::PrivateKey;

    use super::*;

    fn label(i: &usize) -> Vec<u8> {
        i.to_le_bytes().to_vec()
    }

    fn public(i: usize) -> PublicKey {
        let mut bytes = [1; 32];
        bytes[24..].copy_from_slice(&(i as u64).to_be_bytes());
        *PrivateKey::from_bytes(&bytes).unwrap().public_key()
    }

    fn resolve(keys: &Keys, i: usize, uses: u64) -> Entry {
        let bytes = label(&i);
        let label = Label {
            key: KeyLabel::Text(&bytes),
            id: b"x",
        };
        let now = keys.pass(uses as usize);
        keys.resolve(keys.hash(&label), &label, uses, now, || Ok(public(i)))
    }

    fn kind(entry: &Entry) -> u8 {
        match entry {
            Entry::Once(_) => 0,
            Entry::Known(key) => 1 + u8::from(key.is_prepared()),
            Entry::Malformed(_) => 3,
        }
    }

    #[test]
    fn labels_tell_pairs_apart() {
        let keys = Keys::new();
        let text = |key, id| Label {
            key: KeyLabel::Text(key),
            id,
        };
        let labels = [
            text(b"ab", b"c"),
            text(b"a", b"bc"),
            text(b"a", b"x"),
            text(b"a", b"y"),
            text(b"", b"abc"),
            text(b"abc", b""),
            Label {
                key: KeyLabel::Binary(b"ab"),
                id: b"c",
            },
            Label {
                key: KeyLabel::One,
                id: b"abc",
            },
            Label {
                key: KeyLabel::Coordinates([7; 64]),
                id: b"",
            },
            text(&[7; 64], b""),
        ];
        for (i, one) in labels.iter().enumerate() {
            for (j, other) in labels.iter().enumerate() {
                assert_eq!(one.is(&other.to_bytes()), i == j, "{one:?} {other:?}");
                assert_eq!(keys.hash(one) == keys.hash(other), i == j);
            }
        }
    }

    /// Counted from call to call, however the uses are spread.
    #[test]
    fn known_at_the_second_use_and_prepared_after_some() {
        let keys = Keys::new();
        let kinds: Vec<u8> = (0..=worth_in_batch())
            .map(|_| kind(&resolve(&keys, 1, 1)))
            .collect();
        // The first use, before it was known, is not counted.
        assert_eq!(kinds[..2], [0, 1]);
        assert_eq!(
            kinds.iter().position(|&kind| kind == 2),
            Some(worth_in_batch())
        );
        assert_eq!(kind(&resolve(&keys, 2, 100)), 2);
        assert_eq!(kind(&resolve(&keys, 3, 3)), 1);
    }

    #[test]
    fn a_malformed_key_is_so_every_time() {
        let keys = Keys::new();
        let label = Label {
            key: KeyLabel::Text(b"z"),
            id: b"",
        };
        let mut decoded = 0;
        for _ in 0..10 {
            let entry = keys.resolve(keys.hash(&label), &label, 1, 0, || {
                decoded += 1;
                Err(Fault::new("bad"))
            });
            assert!(matches!(entry, Entry::Malformed(fault) if fault.reason == "bad"));
        }
        assert_eq!(decoded, 2);
    }

    /// A hash says where to look, and never which key it is.
    #[test]
    fn labels_of_the_same_hash_have_their_own_keys() {
        let keys = Keys::new();
        for _ in 0..5 {
            for i in [1, 2] {
                let bytes = label(&i);
                let label = Label {
                    key: KeyLabel::Text(&bytes),
                    id: b"x",
                };
                let found = match keys.resolve(77, &label, 20, 0, || Ok(public(i))) {
                    Entry::Once(key) => key,
                    Entry::Known(key) => *key.public_key(),
                    Entry::Malformed(fault) => panic!("{fault}"),
                };
                assert_eq!(found, public(i));
            }
        }
    }

    #[test]
    fn bounded_and_yet_remembering_what_is_used() {
        let keys = Keys::new();
        assert_eq!(kind(&resolve(&keys, usize::MAX, 2)), 1);
        let key = public(0);
        for i in 0..200_000 {
            let bytes = label(&i);
            let label = Label {
                key: KeyLabel::Text(&bytes),
                id: b"x",
            };
            keys.resolve(keys.hash(&label), &label, 2, i as u64, || Ok(key));
            if i % 50 == 0 {
                assert_ne!(kind(&resolve(&keys, usize::MAX, 1)), 0, "{i}");
            }
        }
        let kept: usize = keys
            .shards
            .iter()
            .map(|shard| {
                let shard = shard.lock(Shard::default);
                shard.young.known.len() + shard.old.known.len()
            })
            .sum();
        assert!(kept <= 2 * GENERATION / ENTRY);
        let counts = |shard: &Lock<Shard>| shard.lock(Shard::default).young.counts.len();
        assert!(keys.shards.iter().map(counts).sum::<usize>() <= COUNTS);
    }

    /// Keys that take turns keep their tables, the others go without; and when they come no more,
    /// others get the room.
    #[test]
    fn tables_stay_while_they_are_used() {
        let keys = Keys::new();
        let room = TABLES / VerifyingKey::TABLE_BYTES;
        let many = 2 * room;
        let prepared = |keys: &Keys| {
            (0..many)
                .filter(|&i| kind(&resolve(keys, i, 20)) == 2)
                .count()
        };
        let first = prepared(&keys);
        assert!(first > room / 2 && first <= room, "{first}");
        let tables = |keys: &Keys| -> Vec<u64> {
            let of = |shard: &Lock<Shard>| shard.lock(Shard::default).tables.clone();
            keys.shards.iter().flat_map(of).collect()
        };
        let before = tables(&keys);
        assert_eq!(prepared(&keys), first);
        assert_eq!(tables(&keys), before, "no table was dropped for another");
        keys.pass(2 * STALE as usize);
        let other = (0..room / 2).filter(|&i| kind(&resolve(&keys, many + i, 20)) == 2);
        assert!(other.count() > room / 4);
        assert!(tables(&keys).len() <= room);
    }
}
