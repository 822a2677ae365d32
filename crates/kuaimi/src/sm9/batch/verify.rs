//! Many verifications (GB/T 38635.2-2020, clause 6.3). Variable time: all of it is public.
//!
//! The items of one identity under one master public key stand together: where there are enough of
//! them, its lines are made. They stay with the key if that can keep them, and are dropped
//! otherwise.

use alloc::vec;
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G2, Gt, GtTable, Lines};

use super::{Content, Signer, for_each_chunk};
use crate::batch::Threads;
use crate::sm9::{Error, MasterSigningPublicKey, MessageHash, Signature, VerifyingKey};

/// From how many signatures of one identity on its lines save more time than they take.
const WORTH_LINES: usize = 2;

/// From how many signatures of such identities on a table of powers of `g` does, which takes as
/// long as some verifications. The master public key keeps it.
const WORTH_TABLE: usize = 20;

/// One signature to be verified.
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm9::batch::{Signer, VerifyItem, verify_batch};
/// use kuaimi::sm9::{Error, MasterSigningKey, Signature};
///
/// let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
/// let alice = Signer::Identity { master: &master, identity: "alice".into() };
/// let results = verify_batch(&[
///     VerifyItem::new(alice, b"a message", Signature::from_slice(b"too short")),
///     VerifyItem::new(alice, b"a message", Signature::from_der(&[0x31])),
/// ], Threads::One);
/// assert_eq!(results, [Err(Error::SignatureLength(9)), Err(Error::SignatureEncoding)]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VerifyItem<'a> {
    signer: Signer<'a>,
    content: Content<'a>,
    signature: SignatureInput,
}

impl<'a> VerifyItem<'a> {
    /// A signature over a message or a [`MessageHash`](crate::sm9::MessageHash).
    ///
    /// The signer may be a [`VerifyingKey`] or another [`Signer`]. The signature may be one, or
    /// what came of decoding one: an error is then the item's result.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterSigningKey, batch::VerifyItem};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let signature = alice.sign(b"a message")?;
    /// let item = VerifyItem::new(alice.verifying_key(), b"a message", &signature);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
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

/// A signature, or why bytes are none: what [`Signature`]'s decoders give.
///
/// ```
/// use kuaimi::sm9::{Signature, batch::SignatureInput};
///
/// let unreadable = SignatureInput::from(Signature::from_slice(b"too short"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureInput(Result<Signature, Error>);

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

/// Verifies all items, each with a result of its own, in order.
///
/// An identity with several signatures in the batch has its lines computed once for all of them. A
/// [`VerifyingKey`] keeps them from batch to batch ([`precompute`](crate::precompute); a batch
/// counts as one use of an identity with a single signature), and so does an `IdentityCache`.
///
/// # Errors
/// For an item, what decoding its signature gave; [`Error::EmptyIdentity`];
/// [`Error::InvalidSignature`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{Error, MasterSigningKey, batch::{VerifyItem, verify_batch}};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let signature = alice.sign(b"one")?;
/// let results = verify_batch(&[
///     VerifyItem::new(alice.verifying_key(), b"one", &signature),
///     VerifyItem::new(alice.verifying_key(), b"two", &signature),
/// ], Threads::One);
/// assert_eq!(results, [Ok(()), Err(Error::InvalidSignature)]);
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub fn verify_batch(items: &[VerifyItem<'_>], threads: Threads) -> Vec<Result<(), Error>> {
    verify_with(items, None, threads)
}

/// A cache of keys with lines: asked once for each key of a batch that has none, with the number of
/// its uses. Without a cache, the keys themselves count their uses.
pub(in crate::sm9) type Known<'a> =
    Option<&'a (dyn Fn(&VerifyingKey, usize) -> Option<VerifyingKey> + Sync)>;

/// The key of an item that has a signature and an identity.
fn key_of(item: &VerifyItem<'_>) -> Result<VerifyingKey, Error> {
    item.signature.0?;
    match item.signer {
        Signer::Key(key) => Ok(key.clone()),
        Signer::Identity { master, identity } => VerifyingKey::new(master, identity),
    }
}

/// `P` or the lines through it, and the table of `g`, if the key has them.
fn arguments(key: &VerifyingKey) -> Option<(Pairs<'_>, &GtTable)> {
    let pairs = match key.known_lines() {
        Some(lines) => Pairs::Lines(lines),
        None => Pairs::Point(key.point()?),
    };
    Some((pairs, key.master_public_key().known_g_table()?))
}

/// The second argument of a verification's pairing.
enum Pairs<'a> {
    Point(G2),
    Lines(&'a Lines),
}

/// As [`verify_batch`], with keys from elsewhere.
pub(in crate::sm9) fn verify_with(
    items: &[VerifyItem<'_>],
    known: Known<'_>,
    threads: Threads,
) -> Vec<Result<(), Error>> {
    let mut keys: Vec<Result<VerifyingKey, Error>> = items.iter().map(key_of).collect();
    share_lines(&mut keys, known, threads);
    let jobs: Vec<_> = items.iter().zip(&keys).collect();
    for_each_chunk(threads, &jobs, verify_chunk)
}

/// A verification to be made.
struct Job<'a, 'r> {
    key: &'a VerifyingKey,
    message: MessageHash,
    signature: &'a Signature,
    result: &'r mut Result<(), Error>,
}

fn verify_chunk<'a>(
    items: &[(&VerifyItem<'a>, &'a Result<VerifyingKey, Error>)],
    results: &mut [Result<(), Error>],
) {
    let (mut with_lines, mut without) = (Vec::new(), Vec::new());
    for (&(item, key), result) in items.iter().zip(results) {
        let (key, signature) = match (key, &item.signature.0) {
            (Ok(key), Ok(signature)) => (key, signature),
            (&Err(error), _) | (_, &Err(error)) => {
                *result = Err(error);
                continue;
            }
        };
        let job = Job {
            key,
            message: item.content.hash(),
            signature,
            result,
        };
        match key.known_lines() {
            Some(_) => with_lines.push(job),
            None => without.push(job),
        }
    }
    let in_lanes = group::verifications_in_lanes(without.len());
    verify_jobs(without, in_lanes);
    let in_lanes = group::verifications_with_lines_in_lanes(with_lines.len());
    verify_jobs(with_lines, in_lanes);
}

/// The first `in_lanes` together, if their keys have what is needed; the others one by one.
fn verify_jobs(mut jobs: Vec<Job<'_, '_>>, in_lanes: usize) {
    let mut alone = jobs.split_off(in_lanes);
    let (mut with_points, mut points) = (Vec::new(), Vec::new());
    let (mut with_lines, mut lines) = (Vec::new(), Vec::new());
    for job in jobs {
        match arguments(job.key) {
            None => alone.push(job),
            Some((Pairs::Point(point), g)) => {
                with_points.push((job, g));
                points.push(point);
            }
            Some((Pairs::Lines(table), g)) => {
                with_lines.push((job, g));
                lines.push(table);
            }
        }
    }
    verify_together(with_points, |s, u| group::pairing_many(s, &points, u));
    verify_together(with_lines, |s, u| group::pairing_with_many(s, &lines, u));
    for job in alone {
        let tables = job.key.known_tables();
        *job.result = job.key.verify_in(tables, &job.message, job.signature);
    }
}

/// Steps B4 to B8, given the table of `g` of each, where `pair` gives the pairings `e(S, P)` of
/// all.
fn verify_together(jobs: Vec<(Job<'_, '_>, &GtTable)>, pair: impl FnOnce(&[G1], &mut [Gt])) {
    // B4: t = g^h
    let tables: Vec<&GtTable> = jobs.iter().map(|(_, g)| *g).collect();
    let h: Vec<U256> = jobs
        .iter()
        .map(|(job, _)| job.signature.h_integer())
        .collect();
    let mut t = vec![Gt::default(); jobs.len()];
    group::gt_table_pow_many(&tables, &h, &mut t);
    // B6: u = e(S, P)
    let s: Vec<G1> = jobs.iter().map(|(job, _)| job.signature.s().0).collect();
    let mut u = vec![Gt::default(); jobs.len()];
    pair(&s, &mut u);
    // B7, B8: w' = u·t, h' = H2(M ‖ w')
    for ((job, _), (u, t)) in jobs.into_iter().zip(u.iter().zip(&t)) {
        let h = job.message.h2(&group::gt_mul(u, t));
        *job.result = if h == job.signature.h_integer() {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        };
    }
}

/// Gives the items of one identity one key, which has lines where the identity occurs often enough
/// or the key is known.
fn share_lines(keys: &mut [Result<VerifyingKey, Error>], known: Known<'_>, threads: Threads) {
    let mut sorted: Vec<(usize, VerifyingKey)> = Vec::with_capacity(keys.len());
    for (place, key) in keys.iter().enumerate() {
        if let Ok(key) = key {
            sorted.push((place, key.clone()));
        }
    }
    // Those under one master public key together, and of these those of one identity.
    sorted.sort_unstable_by(|(_, a), (_, b)| {
        let point = |key: &VerifyingKey| *key.master_public_key().point();
        let h1 = |key: &VerifyingKey| key.key_identity().h1().0;
        (point(a), h1(a)).cmp(&(point(b), h1(b)))
    });
    let master = |key: &(usize, VerifyingKey)| key.1.master_public_key().clone();
    for keys_of_master in sorted.chunk_by(|a, b| master(a) == master(b)) {
        let Some(master) = keys_of_master.first().map(master) else {
            continue;
        };
        let runs: Vec<_> = keys_of_master.chunk_by(|(_, a), (_, b)| a == b).collect();
        // Where pairings are computed in lanes, those without lines use the table, too.
        let least = if group::verifications_in_lanes(keys_of_master.len()) > 0 {
            1
        } else {
            WORTH_LINES
        };
        let repeated = runs.iter().map(|run| run.len());
        if repeated.filter(|&uses| uses >= least).sum::<usize>() >= WORTH_TABLE {
            master.g_table();
        }
        let shared = for_each_chunk(threads, &runs, |runs, results| {
            for (run, result) in runs.iter().zip(results) {
                *result = Ok(key_with_lines(run, &master, known));
            }
        });
        for (run, shared) in runs.iter().zip(shared) {
            let Ok(Some(shared)) = shared else {
                continue;
            };
            for (place, _) in *run {
                if let Some(key) = keys.get_mut(*place) {
                    *key = Ok(shared.clone());
                }
            }
        }
    }
}

/// A key with lines for the items of one identity, if there is one or it is worth while.
fn key_with_lines(
    run: &[(usize, VerifyingKey)],
    master: &MasterSigningPublicKey,
    known: Known<'_>,
) -> Option<VerifyingKey> {
    if let Some((_, key)) = run.iter().find(|(_, key)| key.is_prepared()) {
        return Some(key.clone());
    }
    let (_, key) = run.first()?;
    let worth_lines = run.len() >= WORTH_LINES && master.known_g_table().is_some();
    if let Some(cached) = known {
        if let Some(cached) = cached(key, run.len())
            && cached.used_lines(1).is_some()
        {
            return Some(cached);
        }
    } else {
        let uses = if worth_lines { 2 } else { 1 };
        let has_table = key.master_public_key().known_g_table().is_some();
        if has_table && key.used_lines(uses).is_some() {
            return Some(key.clone());
        }
    }
    worth_lines.then(|| {
        // Under this master public key, so that all share its table.
        let key = key.in_cache(master);
        key.used_lines(1);
        key
    })
}
