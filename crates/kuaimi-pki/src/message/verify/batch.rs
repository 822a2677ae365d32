//! Many messages at once: their signatures of SM2 are computed together.

use alloc::vec::Vec;

use kuaimi::Threads;
use kuaimi::sm2::batch::{self, Content, VerifyItem};

use super::plan::Plan;
use super::whole::plan;
use super::{Verified, VerifyOptions};
use crate::Error;

/// A message, and its content if it is not inside.
#[derive(Clone, Copy, Debug)]
pub struct BatchItem<'a> {
    message: &'a [u8],
    content: Option<&'a [u8]>,
}

impl<'a> BatchItem<'a> {
    /// A message with its content inside.
    pub fn new(message: &'a [u8]) -> Self {
        Self {
            message,
            content: None,
        }
    }

    /// A message, and the content that its signatures are of.
    pub fn detached(message: &'a [u8], content: &'a [u8]) -> Self {
        Self {
            message,
            content: Some(content),
        }
    }
}

/// Verifies each message as [`verify`](super::verify) and
/// [`verify_detached`](super::verify_detached) do, and gives the results in the order of `items`.
/// It takes less time, most of all if signers repeat.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::Threads;
/// use kuaimi_pki::message::{BatchItem, SignOptions, VerifyOptions, sign, verify_batch};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = sign(b"a content", &[(&certificate, &key)], &SignOptions::new())?;
/// let items = [BatchItem::new(&message), BatchItem::new(b"no message")];
/// let results = verify_batch(&items, &VerifyOptions::new(), Threads::One);
/// assert_eq!(results[0].as_ref().map(|it| it.content.as_slice()), Ok(&b"a content"[..]));
/// assert!(results[1].is_err());
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub fn verify_batch(
    items: &[BatchItem<'_>],
    options: &VerifyOptions,
    threads: Threads,
) -> Vec<Result<Verified, Error>> {
    let planned: Vec<_> = items
        .iter()
        .map(|item| plan(item.message, item.content, options))
        .collect();
    // The first digest of the first certificate: nearly always, there is no other.
    let first = |plan: &Plan| {
        let first = plan.tries.first()?;
        Some((first.key.clone(), *first.digests.first()?, plan.signature?))
    };
    let all: Vec<_> = planned
        .iter()
        .flatten()
        .flat_map(|(plans, _)| plans.iter().filter_map(first))
        .collect();
    let to_verify: Vec<VerifyItem<'_>> = all
        .iter()
        .map(|(key, digest, signature)| VerifyItem::new(key, Content::Digest(digest), signature))
        .collect();
    let mut verdicts = batch::verify_batch(&to_verify, threads).into_iter();
    planned
        .into_iter()
        .map(|planned| {
            let (plans, mut verified) = planned?;
            for plan in plans {
                let was_first = first(&plan).is_some();
                let signer = match was_first && verdicts.next() == Some(Ok(())) {
                    true => plan.settled(),
                    false => plan.settle(),
                };
                verified.verification.signers.push(signer);
            }
            verified.verification.check()?;
            Ok(verified)
        })
        .collect()
}
