//! The SM3 hash function, HMAC-SM3 and the key derivation function of SM2 (GB/T 32905-2016; GB/T
//! 32918.3-2016, 5.4.3).
//!
//! ```
//! use kuaimi::Threads;
//! use kuaimi::sm3::{Sm3, digest, digest_many, hmac_sm3};
//!
//! let mut hash = Sm3::new();
//! hash.update(b"a");
//! hash.update(b"bc");
//! assert_eq!(hash.finalize(), digest(b"abc"));
//!
//! assert_eq!(digest_many(&[b"abc".as_slice(), b""], Threads::One), [digest(b"abc"), digest(b"")]);
//! let tag: [u8; 32] = hmac_sm3(b"key", b"message");
//! # assert_ne!(tag, digest(b"message"));
//! ```
//!
//! Constant time in what is hashed; its length shows.

pub use kuaimi_symmetric::sm3::{
    BLOCK_LEN, DIGEST_LEN, HmacSm3, INITIAL_STATE, Kdf, KdfError, Sm3, Sm3Core, compress, digest,
    hash_many, hmac_sm3, kdf,
};

#[cfg(feature = "batch")]
mod many {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::DIGEST_LEN;
    use crate::batch::{Threads, in_chunks};

    /// Messages that a thread hashes at a time: several times as many as there are lanes.
    const CHUNK: usize = 64;
    /// Bytes that are worth waking a thread: as many as are hashed in some dozens of microseconds.
    const WORTH_A_THREAD: usize = 128 << 10;

    /// The digests of many messages of any lengths, in the lanes of vector registers, and on these
    /// threads.
    ///
    /// ```
    /// use kuaimi::Threads;
    /// use kuaimi::sm3::{digest, digest_many};
    ///
    /// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer one"];
    /// assert_eq!(digest_many(&messages, Threads::One), messages.map(digest));
    /// ```
    pub fn digest_many<M: AsRef<[u8]>>(messages: &[M], threads: Threads) -> Vec<[u8; DIGEST_LEN]> {
        if threads == Threads::One {
            return kuaimi_symmetric::sm3::digest_many(messages);
        }
        let messages: Vec<&[u8]> = messages.iter().map(AsRef::as_ref).collect();
        let bytes: usize = messages.iter().map(|message| message.len()).sum();
        // Padding counts, too.
        let bytes = bytes + 16 * messages.len();
        let mean = (bytes / messages.len().max(1)).max(1);
        let least = (WORTH_A_THREAD / mean).max(1);
        let mut digests = vec![[0; DIGEST_LEN]; messages.len()];
        in_chunks(
            (threads, least),
            &messages,
            &mut digests,
            CHUNK,
            |messages, out| {
                out.copy_from_slice(&kuaimi_symmetric::sm3::digest_many(messages));
            },
        );
        digests
    }

    #[cfg(all(test, feature = "rayon"))]
    mod tests {
        use super::*;

        /// Enough messages for several threads, of all lengths, in their order.
        #[test]
        fn many_messages_on_threads() {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(3)
                .build()
                .unwrap();
            for length in [0, 100, 5000] {
                let messages: Vec<Vec<u8>> = (0..500)
                    .map(|i| vec![i as u8; length + i * (length / 50)])
                    .collect();
                let expected: Vec<_> = messages.iter().map(|m| super::super::digest(m)).collect();
                let found = pool.install(|| digest_many(&messages, Threads::Pool));
                assert_eq!(found, expected);
                assert_eq!(digest_many(&messages, Threads::One), expected);
            }
            assert!(digest_many::<Vec<u8>>(&[], Threads::Pool).is_empty());
        }
    }
}

#[cfg(feature = "batch")]
pub use many::digest_many;
