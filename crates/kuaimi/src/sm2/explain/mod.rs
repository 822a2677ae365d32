//! Why a signature may not fit: what people get wrong is tried, and what would fit is said.
//!
//! A verifier says no more than that a signature does not fit, and the reason is nearly always that
//! signer and verifier do not mean the same: another identity, the message in hexadecimal, a line
//! end more, a digest in place of the message, `r` and `s` swapped, another key. [`explain`] looks
//! for such a reason.
//!
//! **An explanation is a hint for people. It never makes a signature valid**: who accepts what it
//! finds accepts many signatures for one message. All values are public, and the time is variable
//! and bounded: at most [`MAX_HASHED`] bytes are hashed.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm2::{PrivateKey, SigningKey, VerifyingKey, explain};
//!
//! let secret = PrivateKey::generate()?;
//! let key = *secret.public_key();
//! let signature = SigningKey::with_id(secret, b"")?.sign(b"a message")?;
//! assert!(VerifyingKey::new(key).verify(b"a message", &signature).is_err());
//!
//! let found = explain::explain(&[key], b"1234567812345678", b"a message", &signature);
//! assert_eq!(found.unwrap().to_string(), "it fits under the empty identity");
//! # }
//! # Ok::<(), kuaimi::sm2::Error>(())
//! ```
//!
//! **How.** A signature and a key determine the `e` that fits them: `e = r − x₁ mod n` for
//! `(x₁, y₁) = [s]G + [r + s]P` (GB/T 32918.2-2016, clause 7.1, steps B5 to B7). It is computed
//! once for each key and each reading of the signature, and all else is hashing.

mod content;
mod identity;

use alloc::vec::Vec;
use core::fmt;

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, scalar_reduce, scalar_sub};

use super::identity::message_hash;
use super::{PublicKey, Signature};
use content::{Content, Digest};
use identity::Identity;

/// The number of bytes that [`explain`] hashes before it gives up: less than a second's work. So of
/// a message of 100 MB only the most frequent reasons are tried, and of one that is longer than
/// this none.
pub const MAX_HASHED: u64 = 256 << 20;

/// The number of keys that are tried; more are ignored.
const MAX_KEYS: usize = 16;

/// What a signature fits. `Display` says it in a few words, which do not change the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    key: Key,
    reading: Reading,
    what: What,
}

/// The key that the signature fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// One of those given.
    Given(usize),
    /// The first one with the other y-coordinate.
    OtherY,
}

/// How the signature is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Given,
    Swapped,
    LittleEndian,
    Reversed,
}

/// What was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// `SM3(Z ‖ M)`, for the content `M` and the identity in `Z`.
    Message(Content, Identity),
    /// A digest that was signed as it is, without `Z`.
    Digest(Digest),
    /// The digest that was given.
    Given,
}

/// Looks for what the signature fits, where it does not fit `message` under the identity `id` and
/// the first of `keys`. Variable time.
///
/// `keys` are the key that the signature was verified with, and others that the signer may have
/// used, such as those of the other certificates in a file. At most 16 are tried.
///
/// Nothing is returned if no reason is found, and if the signature fits after all.
///
/// # Examples
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{PrivateKey, SigningKey, explain};
///
/// let secret = PrivateKey::generate()?;
/// let key = *secret.public_key();
/// let signature = SigningKey::new(secret).sign(b"a message\n")?;
/// let found = explain::explain(&[key], b"1234567812345678", b"a message", &signature);
/// assert_eq!(found.unwrap().to_string(), "it fits the message with a line feed at its end");
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn explain(
    keys: &[PublicKey],
    id: &[u8],
    message: &[u8],
    signature: &Signature,
) -> Option<Explanation> {
    let mut search = Search::new(keys, signature)?;
    let identities = Identity::all(id);
    let given = (Content::Given, message);
    // The verifier's own trial, and all that changes one thing, the most frequent first.
    for (identity, id) in &identities {
        search.message(0, given, (*identity, id));
    }
    for content in Content::all(message) {
        if search.is_over() {
            break;
        }
        if let Some(changed) = content.of(message) {
            search.message(0, (content, &changed), (Identity::Given, id));
        }
    }
    for digest in Digest::ALL {
        search.digest(message, id, *digest);
    }
    // Another key under the identities that are in use.
    let usual = &identities[..identities.len().min(Identity::USUAL)];
    for key in 1..search.keys.len() {
        for (identity, id) in usual {
            search.message(key, given, (*identity, id));
        }
    }
    // Two things at once.
    for content in Content::all(message) {
        if search.is_over() {
            break;
        }
        if let Some(changed) = content.of(message) {
            for (identity, id) in &identities[1..] {
                search.message(0, (content, &changed), (*identity, id));
            }
        }
    }
    search.found.filter(|found| !found.is_as_given())
}

/// As [`explain`], where the digest `e = SM3(Z ‖ M)` is given in place of the message.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{PrivateKey, Signature, SigningKey, explain};
///
/// let secret = PrivateKey::generate()?;
/// let key = *secret.public_key();
/// let signature = SigningKey::new(secret).sign_digest(&[7; 32])?;
/// let swapped = Signature::from_scalars(&signature.s(), &signature.r())?;
/// let found = explain::explain_digest(&[key], &[7; 32], &swapped);
/// assert_eq!(found.unwrap().to_string(), "it fits with r and s swapped");
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn explain_digest(
    keys: &[PublicKey],
    e: &[u8; 32],
    signature: &Signature,
) -> Option<Explanation> {
    let mut search = Search::new(keys, signature)?;
    search.compare(e, None, || What::Given);
    search.found.filter(|found| !found.is_as_given())
}

/// What fits one key and one reading of the signature.
struct Target {
    key: usize,
    reading: Reading,
    e: U256,
}

struct Search {
    keys: Vec<(Key, PublicKey)>,
    targets: Vec<Target>,
    /// Bytes that may still be hashed.
    budget: u64,
    found: Option<Explanation>,
}

impl Search {
    fn new(given: &[PublicKey], signature: &Signature) -> Option<Self> {
        let first = given.first()?;
        let mut keys: Vec<_> = given.iter().take(MAX_KEYS).copied().collect();
        keys.dedup();
        let mut keys: Vec<_> = keys
            .into_iter()
            .enumerate()
            .map(|(i, key)| (Key::Given(i), key))
            .collect();
        let mut other = first.to_compressed_bytes();
        other[0] ^= 1;
        keys.extend(PublicKey::from_sec1_bytes(&other).map(|key| (Key::OtherY, key)));
        let mut targets = Vec::new();
        for reading in Reading::ALL {
            let Some(signature) = reading.of(signature) else {
                continue;
            };
            for (index, (_, key)) in keys.iter().enumerate() {
                targets.extend(fitting_digest(key, &signature).map(|e| Target {
                    key: index,
                    reading,
                    e,
                }));
            }
        }
        Some(Self {
            keys,
            targets,
            budget: MAX_HASHED,
            found: None,
        })
    }

    /// Whether something was found, or no more may be hashed.
    fn is_over(&self) -> bool {
        self.found.is_some() || self.budget == 0
    }

    /// Whether so many bytes may be hashed.
    fn may_hash(&mut self, bytes: usize) -> bool {
        let left = self.budget.checked_sub(bytes as u64);
        self.budget = left.unwrap_or(0);
        self.found.is_none() && left.is_some()
    }

    /// Tries a content under an identity and a key.
    fn message(
        &mut self,
        key: usize,
        (content, bytes): (Content, &[u8]),
        (identity, id): (Identity, &[u8]),
    ) {
        if !self.may_hash(bytes.len()) {
            return;
        }
        let Some(Ok(mut hash)) = self.keys.get(key).map(|(_, key)| message_hash(id, key)) else {
            return;
        };
        hash.update(bytes);
        self.compare(&hash.finalize(), Some(key), || {
            What::Message(content, identity)
        });
    }

    /// Tries a digest that does not depend on the key, or on the first key alone.
    fn digest(&mut self, message: &[u8], id: &[u8], digest: Digest) {
        if !self.may_hash(message.len()) {
            return;
        }
        let Some((_, first)) = self.keys.first() else {
            return;
        };
        if let Some(e) = digest.of(message, id, first) {
            self.compare(&e, digest.is_of_key().then_some(0), || What::Digest(digest));
        }
    }

    /// Keeps what was found if `e` is the one of a target; of the key with this index, if it
    /// depends on the key.
    fn compare(&mut self, e: &[u8; 32], key: Option<usize>, what: impl FnOnce() -> What) {
        let e = scalar_reduce(&U256::from_be_bytes(e));
        let fits = |target: &&Target| target.e == e && key.is_none_or(|key| key == target.key);
        if self.found.is_none()
            && let Some(target) = self.targets.iter().find(fits)
        {
            self.found = Some(Explanation {
                key: self.keys[target.key].0,
                reading: target.reading,
                what: what(),
            });
        }
    }
}

/// The digest that a signature fits under a key, modulo `n`.
fn fitting_digest(key: &PublicKey, signature: &Signature) -> Option<U256> {
    let (r, s) = signature.integers();
    let point = group::double_scalar_mul_vartime(&s, &signature.t(), &key.to_point())?;
    let xy = PublicKey::from_point(&point).to_xy_bytes();
    let x = xy.first_chunk::<32>()?;
    Some(scalar_sub(&r, &scalar_reduce(&U256::from_be_bytes(x))))
}

impl Reading {
    const ALL: [Self; 4] = [
        Self::Given,
        Self::Swapped,
        Self::LittleEndian,
        Self::Reversed,
    ];

    fn of(self, signature: &Signature) -> Option<Signature> {
        let (mut r, mut s) = (signature.r(), signature.s());
        if matches!(self, Self::LittleEndian | Self::Reversed) {
            r.reverse();
            s.reverse();
        }
        match self {
            Self::Given | Self::LittleEndian => Signature::from_scalars(&r, &s),
            Self::Swapped | Self::Reversed => Signature::from_scalars(&s, &r),
        }
        .ok()
    }
}

impl Explanation {
    /// The identity that the signature fits, if it is another one than that given; `given` is that
    /// one.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{PrivateKey, SigningKey, explain};
    ///
    /// let secret = PrivateKey::generate()?;
    /// let key = *secret.public_key();
    /// let signature = SigningKey::with_id(secret, b"")?.sign(b"a message")?;
    /// let found = explain::explain(&[key], b"alice", b"a message", &signature).unwrap();
    /// assert_eq!(found.identity(b"alice"), Some(vec![]));
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn identity(&self, given: &[u8]) -> Option<Vec<u8>> {
        match &self.what {
            What::Message(_, Identity::Given) | What::Digest(_) | What::Given => None,
            What::Message(_, identity) => identity.of(given),
        }
    }

    /// Whether nothing differs from what was given: the signature is valid.
    fn is_as_given(&self) -> bool {
        let what = matches!(
            self.what,
            What::Given | What::Message(Content::Given, Identity::Given)
        );
        what && self.key == Key::Given(0) && self.reading == Reading::Given
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it fits")?;
        match &self.what {
            What::Given => {}
            What::Digest(digest) => write!(f, " {digest}")?,
            What::Message(content, identity) => write!(f, "{content}{identity}")?,
        }
        f.write_str(match self.reading {
            Reading::Given => "",
            Reading::Swapped => " with r and s swapped",
            Reading::LittleEndian => {
                " with r and s read as little-endian numbers: their bytes are reversed"
            }
            Reading::Reversed => " with all 64 bytes of r and s reversed",
        })?;
        match self.key {
            Key::Given(0) => Ok(()),
            Key::Given(index) => write!(f, " under another key: number {} of those given", index + 1),
            Key::OtherY => f.write_str(
                " under the key with the other y-coordinate: the first byte of the compressed key is wrong",
            ),
        }
    }
}
