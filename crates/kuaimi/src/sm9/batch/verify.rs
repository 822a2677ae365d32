//! Many verifications (GB/T 38635.2-2020, clause 6.3). Variable time: all of it is public.
//!
//! The items of one identity under one master public key stand together: where there are enough of them, the key is prepared, and the
//! lines dropped after the batch.

use alloc::vec::Vec;

use super::{Content, Signer, for_each};
use crate::sm9::verify::verify;
use crate::sm9::{Error, PreparedVerifyingKey, Signature, VerifyingKey};

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

    fn verify(&self, item: &VerifyItem<'_>) -> Result<(), Error> {
        let signature = item.signature.0?;
        item.content.hashed(|message| match self {
            Self::Plain(key) => verify(key, message, &signature),
            Self::Prepared(key) => verify(key, message, &signature),
        })
    }
}

/// As [`verify_batch`], with prepared keys from elsewhere.
pub(in crate::sm9) fn verify_with(
    items: &[VerifyItem<'_>],
    known: Known<'_>,
) -> Vec<Result<(), Error>> {
    let mut keys: Vec<Result<BatchKey, Error>> = items.iter().map(BatchKey::of).collect();
    prepare_repeated(&mut keys, known);
    let jobs: Vec<_> = items.iter().zip(&keys).collect();
    for_each(&jobs, |(item, key)| {
        key.as_ref().map_err(|error| *error)?.verify(item)
    })
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
        let repeated = runs.iter().map(|run| run.len());
        if repeated.filter(|&uses| uses >= WORTH_LINES).sum::<usize>() >= WORTH_TABLE {
            master.g_table();
        }
        let prepared = for_each(&runs, |run| {
            let Some((_, key)) = run.first() else {
                return Ok(None);
            };
            let worth = run.len() >= WORTH_LINES && master.has_g_table();
            // Under one master public key, so that all share its table.
            let prepare = || worth.then(|| key.under(&master).prepare());
            Ok(known(key, run.len()).or_else(prepare))
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
