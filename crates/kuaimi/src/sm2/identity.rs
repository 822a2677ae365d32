//! The identity digest `Z` (GB/T 32918.2-2016, 5.5).

use super::{Error, PublicKey};
use crate::sm3::Sm3;
use kuaimi_math::sm2::curve::constants::{A, B, GX, GY};

/// The identity that is used where the parties have not agreed on one: the 16 bytes
/// `1234567812345678` (GM/T 0009).
///
/// ```
/// use kuaimi::sm2::{DEFAULT_ID, PrivateKey, VerifyingKey};
///
/// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
/// let (one, two) = (VerifyingKey::new(key), VerifyingKey::with_id(key, DEFAULT_ID)?);
/// assert_eq!(one.message_hash().finalize(), two.message_hash().finalize());
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub const DEFAULT_ID: &[u8] = b"1234567812345678";

/// The identity in TLS 1.3 (RFC 8998).
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey, TLS13_ID};
///
/// let signer = SigningKey::with_id(PrivateKey::from_bytes(&[7; 32])?, TLS13_ID)?;
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub const TLS13_ID: &[u8] = b"TLSv1.3+GM+Cipher+Suite";

/// The maximum length of an identity in bytes. Its length in bits must fit in two bytes.
///
/// ```
/// use kuaimi::sm2::{Error, MAX_ID_LEN, PrivateKey, identity_digest};
///
/// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
/// assert!(identity_digest(&[b'a'; MAX_ID_LEN], &key).is_ok());
/// assert_eq!(identity_digest(&[b'a'; MAX_ID_LEN + 1], &key), Err(Error::IdTooLong(8192)));
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub const MAX_ID_LEN: usize = 8191;

/// The identity digest `Z = SM3(ENTL ‖ ID ‖ a ‖ b ‖ xG ‖ yG ‖ xA ‖ yA)`, 32 bytes, of an identity
/// and a public key.
///
/// `ENTL` is the length of the identity in bits, as two bytes, the most significant first.
/// Signatures and key exchange hash `Z` for you: call this function only for a protocol that uses
/// `Z` itself. Source: GB/T 32918.2-2016, clause 5.5.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey, identity_digest};
/// use kuaimi::sm3::Sm3;
///
/// let signer = SigningKey::with_id(PrivateKey::from_bytes(&[7; 32])?, b"alice")?;
/// // e = SM3(Z ‖ M) is what a signature is made over.
/// let mut hash = Sm3::new();
/// hash.update(&identity_digest(b"alice", signer.public_key())?);
/// hash.update(b"a message");
/// let signature = signer.sign_digest_deterministic(&hash.finalize());
/// assert_eq!(signer.verifying_key().verify(b"a message", &signature), Ok(()));
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// # Errors
/// [`Error::IdTooLong`] for an identity over [`MAX_ID_LEN`] bytes. An empty one is allowed.
pub fn identity_digest(id: &[u8], key: &PublicKey) -> Result<[u8; 32], Error> {
    if id.len() > MAX_ID_LEN {
        return Err(Error::IdTooLong(id.len()));
    }
    Ok(digest_of_short_id(id, key))
}

/// `ENTL`, the length in bits of an identity that is not too long, two bytes.
pub(super) fn entl(id: &[u8]) -> [u8; 2] {
    (8 * id.len() as u16).to_be_bytes()
}

/// `a ‖ b ‖ xG ‖ yG`.
pub(super) static PARAMETERS: [u8; 128] = {
    let mut bytes = [0; 128];
    let (words, _) = bytes.as_chunks_mut::<8>();
    let mut i = 0;
    while i < words.len() {
        words[i] = [A, B, GX, GY][i / 4].0[3 - i % 4].to_be_bytes();
        i += 1;
    }
    bytes
};

fn digest_of_short_id(id: &[u8], key: &PublicKey) -> [u8; 32] {
    let mut hash = Sm3::new();
    hash.update(&entl(id));
    hash.update(id);
    hash.update(&PARAMETERS);
    hash.update(&key.to_xy_bytes());
    hash.finalize()
}

/// The state of SM3 that has absorbed `Z`: where every message digest of this key and identity
/// starts.
pub(super) fn message_hash(id: &[u8], key: &PublicKey) -> Result<Sm3, Error> {
    Ok(absorbing(&identity_digest(id, key)?))
}

/// As [`message_hash`], for the default identity.
pub(super) fn default_message_hash(key: &PublicKey) -> Sm3 {
    absorbing(&digest_of_short_id(DEFAULT_ID, key))
}

fn absorbing(z: &[u8; 32]) -> Sm3 {
    let mut hash = Sm3::new();
    hash.update(z);
    hash
}
