//! Many verifications under one master key: the results of the single ones, for less time each.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm9::{Error, MasterSigningKey, VerifyItem};
//!
//! let master = MasterSigningKey::generate()?;
//! let (alice, bob) = (master.user_key("alice")?, master.user_key("bob")?);
//! let signatures = [alice.sign(b"one")?, alice.sign(b"two")?, bob.sign(b"three")?];
//!
//! let verifier = master.public_key().prepare();
//! let results = verifier.verify_batch(&[
//!     VerifyItem::new("alice", b"one", &signatures[0]),
//!     VerifyItem::new("alice", b"another", &signatures[1]),
//!     VerifyItem::new("bob", b"three", &signatures[2]),
//! ]);
//! assert_eq!(results, [Ok(()), Err(Error::InvalidSignature), Ok(())]);
//! # }
//! # Ok::<(), kuaimi::sm9::Error>(())
//! ```
//!
//! Results come in the order of the items, each what the single operation would have given: there is no probabilistic check of many
//! signatures together, which SM9's signatures do not allow anyway (`h` is a hash of what would be added up). What is shared is an
//! identity's point and the lines through it, computed once for all its signatures. Variable time: all of it is public. With the
//! feature `rayon` a batch spreads over the threads of the current pool.

use alloc::vec::Vec;

use super::{
    Error, HID_SIGN, Identity, MessageHash, PreparedIdentity, PreparedVerifier, Signature,
};
use crate::batch::in_chunks;
use kuaimi_math::arith::U256;

/// How many items a thread takes at a time.
const CHUNK: usize = 8;

/// From how many signatures of one identity on it pays to keep its lines.
const WORTH_LINES: usize = 2;

/// One signature to be verified.
#[derive(Clone, Copy, Debug)]
pub struct VerifyItem<'a> {
    identity: Identity<'a>,
    message: &'a [u8],
    signature: Result<Signature, Error>,
}

impl<'a> VerifyItem<'a> {
    /// A signature over a message by an identity (with [`HID_SIGN`] by default). The signature may be one, or what came of decoding
    /// one, of which an error is that item's result.
    pub fn new(
        identity: impl Into<Identity<'a>>,
        message: &'a [u8],
        signature: impl Into<SignatureInput>,
    ) -> Self {
        Self {
            identity: identity.into(),
            message,
            signature: signature.into().0,
        }
    }
}

/// A signature, or why its bytes are none.
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

impl PreparedVerifier {
    /// Verifies every item, and gives a result for each, in order.
    ///
    /// An identity with two signatures or more in the batch has its lines computed once for all of them; an
    /// [`IdentityCache`](super::IdentityCache) remembers them from batch to batch.
    ///
    /// # Errors
    /// For an item, what decoding its signature gave; else as
    /// [`MasterSigningPublicKey::verify`](super::MasterSigningPublicKey::verify).
    pub fn verify_batch(&self, items: &[VerifyItem<'_>]) -> Vec<Result<(), Error>> {
        verify_with(self, items, &|_, _| None)
    }
}

/// Where identities are kept: asked once for every identity of a batch, by its `H1`, with the number of its signatures.
pub(super) type Kept<'a> = &'a (dyn Fn(&U256, usize) -> Option<PreparedIdentity> + Sync);

/// As [`PreparedVerifier::verify_batch`], with identities from elsewhere.
pub(super) fn verify_with(
    verifier: &PreparedVerifier,
    items: &[VerifyItem<'_>],
    kept: Kept<'_>,
) -> Vec<Result<(), Error>> {
    // An item whose signature could not be read, or whose identity is none, has its result.
    let mut results: Vec<Result<(), Error>> = Vec::with_capacity(items.len());
    let mut left: Vec<(U256, usize)> = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        let h1 = item.signature.and_then(|_| item.identity.h1(HID_SIGN));
        results.push(h1.map(|_| ()));
        left.extend(h1.map(|h1| (h1, place)));
    }
    // Those of one identity together: equal hashes are, but for collisions of SM3, equal identities.
    left.sort_unstable_by_key(|(h1, place)| (h1.0, *place));
    let runs: Vec<&[(U256, usize)]> = left.chunk_by(|(a, _), (b, _)| a == b).collect();
    let mut known: Vec<Option<Found>> = core::iter::repeat_with(|| None).take(runs.len()).collect();
    in_chunks(&runs, &mut known, CHUNK, |runs, out| {
        for (run, out) in runs.iter().zip(out) {
            *out = run
                .first()
                .map(|(h1, _)| find(verifier, h1, run.len(), kept));
        }
    });
    let work: Vec<(usize, &Found)> = runs
        .iter()
        .zip(&known)
        .flat_map(|(run, found)| {
            run.iter()
                .filter_map(move |(_, place)| Some((*place, found.as_ref()?)))
        })
        .collect();
    let mut verdicts = alloc::vec![Err(Error::InvalidSignature); work.len()];
    in_chunks(&work, &mut verdicts, CHUNK, |work, out| {
        for ((place, found), out) in work.iter().zip(out) {
            if let Some(item) = items.get(*place) {
                *out = verify(verifier, item, found);
            }
        }
    });
    for ((place, _), verdict) in work.iter().zip(verdicts) {
        if let Some(result) = results.get_mut(*place) {
            *result = verdict;
        }
    }
    results
}

/// An identity of a batch.
enum Found {
    /// With its lines.
    Known(PreparedIdentity),
    /// With a single signature, which lines would not make up for.
    Once,
    /// Which the master key cannot serve.
    Unusable(Error),
}

fn find(verifier: &PreparedVerifier, h1: &U256, uses: usize, kept: Kept<'_>) -> Found {
    if let Some(known) = kept(h1, uses) {
        return Found::Known(known);
    }
    if uses < WORTH_LINES {
        return Found::Once;
    }
    match verifier.identity_of(h1) {
        Ok(known) => Found::Known(known),
        Err(error) => Found::Unusable(error),
    }
}

fn verify(verifier: &PreparedVerifier, item: &VerifyItem<'_>, found: &Found) -> Result<(), Error> {
    let signature = item.signature?;
    let message = MessageHash::of(item.message);
    match found {
        Found::Known(identity) => identity.verify_hashed(&message, &signature),
        Found::Once => verifier.verify_hashed(item.identity, &message, &signature),
        Found::Unusable(error) => Err(*error),
    }
}
