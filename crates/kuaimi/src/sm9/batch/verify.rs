//! Many verifications (GB/T 38635.2-2020, clause 6.3). Variable time: all of it is public.
//!
//! The items of one identity under one master public key stand together: where there are enough of them, the key is prepared, and the
//! lines dropped after the batch.

use alloc::vec;
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G2, Gt, GtTable, Lines};

use super::{Content, Signer, for_each_chunk};
use crate::sm9::verify::verify;
use crate::sm9::{Error, MessageHash, PreparedVerifyingKey, Signature, VerifyingKey};

/// From how many signatures of one identity on its lines save more time than they take.
const WORTH_LINES: usize = 2;

/// From how many signatures of such identities on a table of powers of `g` does, which takes as long as some verifications. The
/// master public key keeps it.
const WORTH_TABLE: usize = 20;

/// One signature to be verified.
///
/// ```
/// use kuaimi::sm9::batch::{Signer, VerifyItem, verify_batch};
/// use kuaimi::sm9::{Error, MasterSigningKey, Signature};
///
/// let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
/// let alice = Signer::Identity { master: &master, identity: "alice".into() };
/// let results = verify_batch(&[
///     VerifyItem::new(alice, b"a message", Signature::from_slice(b"too short")),
///     VerifyItem::new(alice, b"a message", Signature::from_der(&[0x31])),
/// ]);
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
    /// The signer may be a [`VerifyingKey`], a [`PreparedVerifyingKey`] or another [`Signer`]. The signature may be one, or what came of
    /// decoding one: an error is then the item's result.
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
/// An identity with several signatures in the batch has its lines computed once for all of them; an `IdentityCache` keeps them from
/// batch to batch.
///
/// # Errors
/// For an item, what decoding its signature gave; [`Error::EmptyIdentity`]; [`Error::InvalidSignature`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// # use kuaimi::sm9::{Error, MasterSigningKey, batch::{VerifyItem, verify_batch}};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let signature = alice.sign(b"one")?;
/// let results = verify_batch(&[
///     VerifyItem::new(alice.verifying_key(), b"one", &signature),
///     VerifyItem::new(alice.verifying_key(), b"two", &signature),
/// ]);
/// assert_eq!(results, [Ok(()), Err(Error::InvalidSignature)]);
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub fn verify_batch(items: &[VerifyItem<'_>]) -> Vec<Result<(), Error>> {
    verify_with(items, &|_, _| None)
}

/// Where prepared keys are looked for, once for each key of a batch, with the number of its uses.
pub(in crate::sm9) type Known<'a> =
    &'a (dyn Fn(&VerifyingKey, usize) -> Option<PreparedVerifyingKey> + Sync);

/// A key in a batch.
enum BatchKey {
    Plain(VerifyingKey),
    Prepared(PreparedVerifyingKey),
}

impl BatchKey {
    /// The key of an item that has a signature and an identity.
    fn of(item: &VerifyItem<'_>) -> Result<Self, Error> {
        item.signature.0?;
        Ok(match item.signer {
            Signer::Key(key) => Self::Plain(key.clone()),
            Signer::Prepared(key) => Self::Prepared(key.clone()),
            Signer::Identity { master, identity } => {
                Self::Plain(VerifyingKey::new(master, identity)?)
            }
        })
    }

    /// `P` or the lines through it, and the table of `g`, where pairings are computed in lanes and the key has them.
    fn arguments(&self) -> Option<(Pairs<'_>, &GtTable)> {
        let (pairs, master) = match self {
            Self::Plain(key) => (Pairs::Point(key.point()?), key.master_public_key()),
            Self::Prepared(key) => {
                let master = key.verifying_key().master_public_key();
                (Pairs::Lines(key.lines()?), master)
            }
        };
        Some((pairs, master.known_g_table()?))
    }

    fn verify(&self, message: &MessageHash, signature: &Signature) -> Result<(), Error> {
        match self {
            Self::Plain(key) => verify(key, message, signature),
            Self::Prepared(key) => verify(key, message, signature),
        }
    }
}

/// The second argument of a verification's pairing.
enum Pairs<'a> {
    Point(G2),
    Lines(&'a Lines),
}

/// As [`verify_batch`], with prepared keys from elsewhere.
pub(in crate::sm9) fn verify_with(
    items: &[VerifyItem<'_>],
    known: Known<'_>,
) -> Vec<Result<(), Error>> {
    let mut keys: Vec<Result<BatchKey, Error>> = items.iter().map(BatchKey::of).collect();
    prepare_repeated(&mut keys, known);
    let jobs: Vec<_> = items.iter().zip(&keys).collect();
    for_each_chunk(&jobs, verify_chunk)
}

/// A verification to be made.
struct Job<'a, 'r> {
    key: &'a BatchKey,
    message: MessageHash,
    signature: &'a Signature,
    result: &'r mut Result<(), Error>,
}

fn verify_chunk<'a>(
    items: &[(&VerifyItem<'a>, &'a Result<BatchKey, Error>)],
    results: &mut [Result<(), Error>],
) {
    let (mut plain, mut prepared) = (Vec::new(), Vec::new());
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
        match key {
            BatchKey::Plain(_) => plain.push(job),
            BatchKey::Prepared(_) => prepared.push(job),
        }
    }
    let in_lanes = group::verifications_in_lanes(plain.len());
    verify_jobs(plain, in_lanes);
    let in_lanes = group::verifications_with_lines_in_lanes(prepared.len());
    verify_jobs(prepared, in_lanes);
}

/// The first `in_lanes` together, if their keys have what is needed; the others one by one.
fn verify_jobs(mut jobs: Vec<Job<'_, '_>>, in_lanes: usize) {
    let mut alone = jobs.split_off(in_lanes);
    let (mut with_points, mut points) = (Vec::new(), Vec::new());
    let (mut with_lines, mut lines) = (Vec::new(), Vec::new());
    for job in jobs {
        match job.key.arguments() {
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
        *job.result = job.key.verify(&job.message, job.signature);
    }
}

/// Steps B4 to B8, given the table of `g` of each, where `pair` gives the pairings `e(S, P)` of all.
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

/// Prepares the keys that occur often enough, or are known.
fn prepare_repeated(keys: &mut [Result<BatchKey, Error>], known: Known<'_>) {
    let mut plain: Vec<(usize, VerifyingKey)> = Vec::with_capacity(keys.len());
    for (place, key) in keys.iter().enumerate() {
        if let Ok(BatchKey::Plain(key)) = key {
            plain.push((place, key.clone()));
        }
    }
    // Those under one master public key together, and of these those of one identity.
    plain.sort_unstable_by(|(_, a), (_, b)| {
        let point = |key: &VerifyingKey| *key.master_public_key().point();
        let h1 = |key: &VerifyingKey| key.key_identity().h1().0;
        (point(a), h1(a)).cmp(&(point(b), h1(b)))
    });
    let master = |key: &(usize, VerifyingKey)| key.1.master_public_key().clone();
    for keys_of_master in plain.chunk_by(|a, b| master(a) == master(b)) {
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
        let prepare = |run: &&[(usize, VerifyingKey)]| {
            let (_, key) = run.first()?;
            let worth = run.len() >= WORTH_LINES && master.known_g_table().is_some();
            // Under this master public key, so that all share its table.
            let prepare = || worth.then(|| key.under(&master).prepare());
            known(key, run.len()).or_else(prepare)
        };
        let prepared = for_each_chunk(&runs, |runs, results| {
            for (run, result) in runs.iter().zip(results) {
                *result = Ok(prepare(run));
            }
        });
        for (run, prepared) in runs.iter().zip(prepared) {
            let Ok(Some(prepared)) = prepared else {
                continue;
            };
            for (place, _) in *run {
                if let Some(key) = keys.get_mut(*place) {
                    *key = Ok(BatchKey::Prepared(prepared.clone()));
                }
            }
        }
    }
}
