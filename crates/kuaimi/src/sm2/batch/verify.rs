//! Many verifications (GB/T 32918.2-2016, clause 7).
//!
//! Hashing and decoding come first, item by item. Then the items are sorted by their public keys,
//! so that those of one key stand together: where there are enough of them, a table of the key is
//! made and its items are verified with it. It stays with the key if that can keep it, and is
//! dropped otherwise; no more than [`TABLES`] of those exist at a time.

use alloc::vec;
use alloc::vec::Vec;

use super::hash::digests;
use super::{Content, LONG, none};
use crate::batch::{Threads, in_chunks};
use crate::precompute::worth_in_batch;
use crate::sm2::identity::{self, MAX_ID_LEN};
use crate::sm2::point_with_table::PointWithTable;
use crate::sm2::verify::equation;
use crate::sm2::{DEFAULT_ID, Error, PublicKey, Signature, VerifyingKey};
use crate::sm3::{Sm3, hash_many};
use kuaimi_math::sm2::group::{self, Equation, KeyTable, Point};

/// How many tables are made at a time.
const TABLES: usize = 64;

/// The signer to verify a signature against: a public key with its identity.
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{Signer, VerifyItem, verify_batch};
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::with_id(PrivateKey::from_bytes(&[7; 32])?, b"alice")?;
/// let signature = key.sign_deterministic(b"a message");
/// let signer = Signer::Sec1 { point: &key.public_key().to_sec1_bytes(), id: b"alice" };
/// assert_eq!(verify_batch(&[VerifyItem::new(signer, b"a message", &signature)], Threads::One), [Ok(())]);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Signer<'a> {
    /// A key with its identity, which keeps its table.
    Key(&'a VerifyingKey),
    /// A public key, and an identity of at most 8191 bytes.
    Identity {
        /// The key.
        key: &'a PublicKey,
        /// The identity.
        id: &'a [u8],
    },
    /// A public key as bytes (see [`PublicKey::from_sec1_bytes`]), and an identity of at most 8191
    /// bytes.
    Sec1 {
        /// The point.
        point: &'a [u8],
        /// The identity.
        id: &'a [u8],
    },
}

impl<'a> From<&'a VerifyingKey> for Signer<'a> {
    fn from(key: &'a VerifyingKey) -> Self {
        Self::Key(key)
    }
}

impl<'a> From<&'a PublicKey> for Signer<'a> {
    /// Under the default identity, [`DEFAULT_ID`].
    fn from(key: &'a PublicKey) -> Self {
        Self::Identity {
            key,
            id: DEFAULT_ID,
        }
    }
}

impl Signer<'_> {
    /// A number that is the same for the same key, and mostly differs for others. It decides which
    /// thread verifies what, and nothing else: one key in two forms may have two.
    fn tag(&self) -> u64 {
        let tag = |bytes: &[u8]| {
            let last = bytes.last_chunk().copied();
            last.map_or(0, u64::from_le_bytes)
        };
        match self {
            Self::Key(key) => tag(&key.public_key().to_xy_bytes()),
            Self::Identity { key, .. } => tag(&key.to_xy_bytes()),
            Self::Sec1 { point, .. } => tag(point),
        }
    }
}

/// A signature, or the error of decoding one.
///
/// The results of the decoders of [`Signature`] convert to it. So a signature that cannot be read
/// does not stop a batch: the result of its item is the error.
///
/// ```
/// use kuaimi::sm2::batch::SignatureInput;
/// use kuaimi::sm2::{Error, Signature};
///
/// let input = SignatureInput::from(Signature::from_slice(b"too short"));
/// assert_eq!(input, SignatureInput::from(Err::<Signature, _>(Error::SignatureLength(9))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureInput(pub(crate) Result<Signature, Error>);

impl From<Signature> for SignatureInput {
    fn from(signature: Signature) -> Self {
        Self(Ok(signature))
    }
}

impl From<&Signature> for SignatureInput {
    fn from(signature: &Signature) -> Self {
        Self(Ok(*signature))
    }
}

impl From<Result<Signature, Error>> for SignatureInput {
    fn from(decoded: Result<Signature, Error>) -> Self {
        Self(decoded)
    }
}

/// A signature to verify, for [`verify_batch`].
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{VerifyItem, verify_batch};
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let signature = key.sign_deterministic(b"a message");
/// let items = [VerifyItem::new(key.verifying_key(), b"a message", &signature)];
/// assert_eq!(verify_batch(&items, Threads::One), [Ok(())]);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VerifyItem<'a> {
    signer: Signer<'a>,
    content: Content<'a>,
    signature: SignatureInput,
}

impl<'a> VerifyItem<'a> {
    /// A signature over a message (or, as a [`Content::Digest`], over a digest).
    ///
    /// The signer may be a [`VerifyingKey`], a [`PublicKey`] under the default identity, or another
    /// [`Signer`]. The signature may be a [`Signature`], or the result of decoding one:
    ///
    /// ```
    /// use kuaimi::Threads;
    /// use kuaimi::sm2::batch::{VerifyItem, verify_batch};
    /// use kuaimi::sm2::{Error, PrivateKey, Signature};
    ///
    /// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
    /// let results = verify_batch(&[
    ///     VerifyItem::new(&key, b"a message", Signature::from_slice(b"too short")),
    ///     VerifyItem::new(&key, b"a message", Signature::from_der(&[0x31])),
    /// ], Threads::One);
    /// assert_eq!(results, [Err(Error::SignatureLength(9)), Err(Error::SignatureEncoding)]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(
        signer: impl Into<Signer<'a>>,
        content: impl Into<Content<'a>>,
        signature: impl Into<SignatureInput>,
    ) -> Self {
        Self {
            signer: signer.into(),
            content: content.into(),
            signature: signature.into(),
        }
    }
}

/// Verifies every item, and gives a result for each, in order.
///
/// Keys, identities, lengths, messages and digests may be mixed. A key with [`worth_in_batch`]
/// signatures or more gets a table. A [`VerifyingKey`] keeps it from batch to batch
/// ([`precompute`](crate::precompute); a batch counts as one use of a key with fewer signatures),
/// and so does a [`KeyCache`](crate::sm2::KeyCache). Variable time, as all data is public.
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{VerifyItem, verify_batch};
/// use kuaimi::sm2::{Error, PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let signature = key.sign_deterministic(b"a message");
/// let results = verify_batch(&[
///     VerifyItem::new(key.verifying_key(), b"a message", &signature),
///     VerifyItem::new(key.verifying_key(), b"another", &signature),
/// ], Threads::One);
/// assert_eq!(results, [Ok(()), Err(Error::InvalidSignature)]);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// For an item: the error of decoding its signature; [`Error::IdTooLong`] and the errors of
/// [`PublicKey::from_sec1_bytes`] for a [`Signer`] that is given in parts;
/// [`Error::InvalidSignature`] if it is not this signer's signature over this content.
pub fn verify_batch(items: &[VerifyItem<'_>], threads: Threads) -> Vec<Result<(), Error>> {
    verify_with(items, None, threads)
}

/// A cache of tables: asked once for every key of a batch that comes without one, with the number
/// of its signatures. Without a cache, the keys themselves count their uses.
pub(in crate::sm2) type Tables<'a> =
    Option<&'a (dyn Fn(&PublicKey, usize) -> Option<PointWithTable> + Sync)>;

/// As [`verify_batch`], with tables from elsewhere.
///
/// Each thread verifies a share of the items from beginning to end. Items of one key are in one
/// share, or in a few if there are many: so a table is made once, and no thread waits for
/// another's.
pub(in crate::sm2) fn verify_with(
    items: &[VerifyItem<'_>],
    tables: Tables<'_>,
    threads: Threads,
) -> Vec<Result<(), Error>> {
    let count = threads.count(LONG, items.len());
    if count == 1 {
        return verify_here(items, tables);
    }
    let mut by_key: Vec<(u64, usize)> = items
        .iter()
        .enumerate()
        .map(|(place, item)| (item.signer.tag(), place))
        .collect();
    by_key.sort_unstable();
    let least = items.len().div_ceil(SHARES * count);
    let least = least.max(group::chunk() / 2);
    let shares = shares(&by_key, least);
    let mut verified: Vec<Vec<Result<(), Error>>> = vec![Vec::new(); shares.len()];
    in_chunks(
        (threads, 1),
        &shares,
        &mut verified,
        1,
        |shares, verified| {
            for (share, verified) in shares.iter().zip(verified) {
                let items: Vec<VerifyItem<'_>> = share
                    .iter()
                    .filter_map(|(_, place)| items.get(*place).copied())
                    .collect();
                *verified = verify_here(&items, tables);
            }
        },
    );
    let mut results = vec![Err(Error::InvalidSignature); items.len()];
    for ((_, place), verdict) in by_key.iter().zip(verified.iter().flatten()) {
        if let Some(result) = results.get_mut(*place) {
            *result = *verdict;
        }
    }
    results
}

/// Shares for each thread: several, so that a thread that begins late finds less to do.
const SHARES: usize = 4;

/// Cuts a list that is sorted by keys into shares of about `least` items: between two keys where
/// one is near, else within a key.
fn shares(by_key: &[(u64, usize)], least: usize) -> Vec<&[(u64, usize)]> {
    let mut shares = Vec::new();
    let mut rest = by_key;
    while !rest.is_empty() {
        let at = least.min(rest.len());
        let last = rest[at - 1].0;
        let more = rest[at..]
            .iter()
            .take_while(|(key, _)| *key == last)
            .count();
        let end = if more <= least / 2 { at + more } else { at };
        let (share, others) = rest.split_at(end);
        shares.push(share);
        rest = others;
    }
    shares
}

/// As [`verify_with`], on this thread.
fn verify_here(items: &[VerifyItem<'_>], tables: Tables<'_>) -> Vec<Result<(), Error>> {
    let mut opened: Vec<Option<Result<Opened<'_>, Error>>> = none(items.len());
    in_chunks(
        (Threads::One, LONG),
        items,
        &mut opened,
        group::chunk(),
        open_chunk,
    );
    let mut results: Vec<Result<(), Error>> = opened
        .iter()
        .map(|item| match item {
            Some(Err(error)) => Err(*error),
            _ => Err(Error::InvalidSignature),
        })
        .collect();
    // Those that are left, by their keys, and those of one key with a key that keeps a table first.
    let mut left: Vec<(usize, Opened<'_>)> = opened
        .into_iter()
        .enumerate()
        .filter_map(|(place, item)| Some((place, item?.ok()?)))
        .collect();
    left.sort_unstable_by_key(|(place, item)| (item.equation.p, item.rank(), *place));

    let mut valid = |places: &[usize], verdicts: &[bool]| {
        for (place, valid) in places.iter().zip(verdicts) {
            if *valid && let Some(result) = results.get_mut(*place) {
                *result = Ok(());
            }
        }
    };
    let mut alone = Group::default();
    let mut runs = left
        .chunk_by(|(_, a), (_, b)| a.equation.p == b.equation.p)
        .peekable();
    while runs.peek().is_some() {
        let wave: Vec<&[(usize, Opened<'_>)]> = runs.by_ref().take(TABLES).collect();
        let found: Vec<Option<Found<'_>>> = wave.iter().map(|run| table_for(run, tables)).collect();
        let mut together: Group<&KeyTable> = Group::default();
        for (run, found) in wave.iter().zip(&found) {
            match found.as_ref().and_then(Found::table) {
                Some(table) => together.extend(run, |_| table),
                None => alone.extend(run, |point| *point),
            }
        }
        let verdicts =
            together.verdicts(group::several_chunks(), group::verify_prepared_many_vartime);
        valid(&together.places, &verdicts);
    }
    let verdicts = alone.verdicts(group::chunk(), group::verify_many_vartime);
    valid(&alone.places, &verdicts);
    results
}

/// What there is to show for an item.
struct Opened<'a> {
    equation: Equation<Point>,
    /// The key, if the item came with one that keeps its table.
    key: Option<&'a PointWithTable>,
}

impl Opened<'_> {
    /// Keys that have their table come first, then those that can keep one.
    fn rank(&self) -> u8 {
        match self.key {
            Some(key) if key.known_table().is_some() => 0,
            Some(_) => 1,
            None => 2,
        }
    }
}

/// A table for one key's items: one that a key keeps, or one for this batch.
enum Found<'a> {
    Given(&'a KeyTable),
    Cached(PointWithTable),
    Made(KeyTable),
}

impl Found<'_> {
    fn table(&self) -> Option<&KeyTable> {
        match self {
            Self::Given(table) => Some(table),
            Self::Cached(key) => key.known_table(),
            Self::Made(table) => Some(table),
        }
    }
}

fn table_for<'a>(run: &[(usize, Opened<'a>)], tables: Tables<'_>) -> Option<Found<'a>> {
    let (_, first) = run.first()?;
    if let Some(table) = first.key.and_then(PointWithTable::known_table) {
        return Some(Found::Given(table));
    }
    let worth_a_table = run.len() >= worth_in_batch();
    if let Some(cached) = tables {
        let public = PublicKey::from_point(&first.equation.p);
        if let Some(key) = cached(&public, run.len())
            && key.used_table().is_some()
        {
            return Some(Found::Cached(key));
        }
    } else {
        let uses = if worth_a_table { 2 } else { 1 };
        if let Some(table) = first.key.and_then(|key| key.used_table_times(uses)) {
            return Some(Found::Given(table));
        }
    }
    worth_a_table.then(|| Found::Made(KeyTable::build_vartime(&first.equation.p)))
}

/// Equations that are verified in the same way, and the places of their items.
struct Group<P> {
    places: Vec<usize>,
    equations: Vec<Equation<P>>,
}

impl<P> Default for Group<P> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            equations: Vec::new(),
        }
    }
}

impl<P: Copy + Sync> Group<P> {
    fn extend(&mut self, run: &[(usize, Opened<'_>)], p: impl Fn(&Point) -> P) {
        for (place, item) in run {
            let Equation { s, t, x, p: point } = &item.equation;
            self.places.push(*place);
            self.equations.push(Equation {
                s: *s,
                t: *t,
                x: *x,
                p: p(point),
            });
        }
    }

    fn verdicts(
        &self,
        chunk: usize,
        verify: impl Fn(&[Equation<P>], &mut [bool]) + Sync,
    ) -> Vec<bool> {
        let mut verdicts = vec![false; self.places.len()];
        in_chunks(
            (Threads::One, LONG),
            &self.equations,
            &mut verdicts,
            chunk,
            verify,
        );
        verdicts
    }
}

/// Decodes and hashes.
fn open_chunk<'a>(items: &[VerifyItem<'a>], out: &mut [Option<Result<Opened<'a>, Error>>]) {
    let mut starts: Vec<Result<(PublicKey, Sm3), Error>> = items.iter().map(start).collect();
    absorb_identities(items, &mut starts);
    // e = SM3(Z ‖ M), of nothing where there is no key.
    let mut e = vec![[0; 32]; items.len()];
    let contents = items.iter().zip(&starts).map(|(item, start)| match start {
        Ok((_, hash)) => (hash.clone(), item.content),
        Err(_) => (Sm3::new(), Content::Message(&[])),
    });
    digests(contents, &mut e);
    for (((item, start), e), out) in items.iter().zip(&starts).zip(&e).zip(out) {
        *out = Some(start.as_ref().map_err(|error| *error).and_then(|(key, _)| {
            let signature = item.signature.0?;
            Ok(Opened {
                equation: equation(e, &signature, key.to_point()),
                key: match item.signer {
                    Signer::Key(key) => Some(key.point()),
                    _ => None,
                },
            })
        }));
    }
}

/// The public key of an item, and a hash that has absorbed its `Z`, or nothing if `Z` is not yet
/// computed. If the signature could not be read, this error is returned before any other.
fn start(item: &VerifyItem<'_>) -> Result<(PublicKey, Sm3), Error> {
    item.signature.0?;
    let (key, id) = match item.signer {
        Signer::Key(key) => return Ok((*key.public_key(), key.message_hash())),
        Signer::Identity { key, id } => (*key, id),
        Signer::Sec1 { point, id } => (PublicKey::from_sec1_bytes(point)?, id),
    };
    if id.len() > MAX_ID_LEN && matches!(item.content, Content::Message(_)) {
        return Err(Error::IdTooLong(id.len()));
    }
    Ok((key, Sm3::new()))
}

/// Lets SM3 absorb the `Z` of those items whose keys came without it and whose contents need it.
fn absorb_identities(items: &[VerifyItem<'_>], starts: &mut [Result<(PublicKey, Sm3), Error>]) {
    let mut waiting: Vec<(&mut Sm3, &[u8], [u8; 64])> = items
        .iter()
        .zip(starts)
        .filter_map(|(item, start)| {
            let (key, hash) = start.as_mut().ok()?;
            match (item.signer, item.content) {
                (Signer::Identity { id, .. } | Signer::Sec1 { id, .. }, Content::Message(_)) => {
                    Some((hash, id, key.to_xy_bytes()))
                }
                _ => None,
            }
        })
        .collect();
    let mut digests = vec![[0; 32]; waiting.len()];
    let lengths: Vec<[u8; 2]> = waiting
        .iter()
        .map(|(_, id, _)| identity::entl(id))
        .collect();
    let messages = waiting.iter().zip(&lengths).map(|((_, id, xy), length)| {
        (
            Sm3::new(),
            [
                length.as_slice(),
                *id,
                identity::PARAMETERS.as_slice(),
                xy.as_slice(),
            ],
        )
    });
    hash_many(messages, |i, z| {
        if let Some(place) = digests.get_mut(i) {
            *place = z;
        }
    });
    for ((hash, ..), z) in waiting.iter_mut().zip(&digests) {
        hash.update(z);
    }
}

#[cfg(test)]
mod tests {
    use super::shares;

    /// Every item is in one share; a key with few items is not cut; and no share is much larger
    /// than the others.
    #[test]
    fn shares_end_between_keys() {
        for (keys, of_each) in [
            (1000, 1),
            (100, 10),
            (10, 100),
            (1, 1000),
            (3, 333),
            (999, 1),
        ] {
            let by_key: Vec<(u64, usize)> = (0..keys * of_each)
                .map(|i| ((i / of_each) as u64, i))
                .collect();
            for least in [8, 64, 125, 2000] {
                let shares = shares(&by_key, least);
                assert_eq!(shares.concat(), by_key);
                assert!(shares.iter().all(|share| share.len() <= least + least / 2));
                if of_each <= least / 2 {
                    let cut = |pair: &[&[(u64, usize)]]| {
                        pair[0].last().map(|item| item.0) == pair[1].first().map(|item| item.0)
                    };
                    assert!(!shares.windows(2).any(cut), "{keys} {of_each} {least}");
                }
            }
        }
    }
}
