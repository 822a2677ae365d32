//! Tables of a secret key, written down by its holder: frames of [`crate::stored`] under a key that follows from the user's key and the
//! master public key. A forged tag needs the user's key, and its holder has nothing to gain from one.
//!
//! Tables of public keys have no such form: a tag without a secret can be made by anyone, a table that was altered lets forged
//! signatures pass, and to compute a table anew takes about as long as to read it.

use zeroize::Zeroizing;

use crate::sm3::Sm3;

/// The key of the tag for tables of this user's key under this master public key.
pub(super) fn tag_key(user_key: &[u8], master: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut hash = Sm3::new();
    hash.update(b"Kuaimi SM9 tables");
    hash.update(user_key);
    hash.update(master);
    Zeroizing::new(hash.finalize())
}
