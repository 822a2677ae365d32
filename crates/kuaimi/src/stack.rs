//! Overwriting the stack.

use core::hint::black_box;

/// More than any operation of this library on single items uses, in words.
const WORDS: usize = 6144;

/// Runs `body`, then overwrites the 48 KiB of stack that it and all that it called could use.
///
/// Values are wiped when they are dropped, but moves of values and intermediate results leave
/// copies on the stack, until later calls overwrite them. Where that matters, do everything with a
/// key inside of `body`: reading it, the operation, and dropping it. Return nothing secret, as
/// `body`'s caller would hold it.
///
/// Operations that take long overwrite what they left themselves (SECURITY.md, *What is wiped*);
/// reading a key and signing do not.
///
/// Takes some hundred nanoseconds, and 48 KiB of stack. Deeper parts of the stack are not
/// overwritten: batches over many items may use them. Nor is anything if `body` panics.
///
/// ```
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let signature = kuaimi::wipe_stack(|| {
///     let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
///     Ok::<_, kuaimi::sm2::Error>(key.sign_deterministic(b"a message"))
/// })?;
/// assert_eq!(signature.to_bytes().len(), 64);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn wipe_stack<T>(body: impl FnOnce() -> T) -> T {
    overwritten_after::<WORDS, T>(body)
}

/// Runs a long operation, then overwrites so many words of the stack that it could use. Operations
/// call this for which it costs less than a hundredth of their time. Without `std` it overwrites
/// nothing, as the stack may be small there.
pub(crate) fn wiped_after<const WORDS: usize, T>(body: impl FnOnce() -> T) -> T {
    #[cfg(feature = "std")]
    return overwritten_after::<WORDS, T>(body);
    #[cfg(not(feature = "std"))]
    body()
}

/// What a product of a point of SM2 and a secret number uses, and what is made of it: 9.2 KiB,
/// measured with every backend.
pub(crate) const POINT_WORDS: usize = 1536;

/// What an exchange of SM9 uses: up to 40 KiB in a release build, by the search in `tests/residue`.
#[cfg(feature = "sm9")]
pub(crate) const PAIRING_WORDS: usize = WORDS;

#[inline(never)]
fn overwritten_after<const WORDS: usize, T>(body: impl FnOnce() -> T) -> T {
    // Functions of their own, which begin at the same place of the stack.
    #[inline(never)]
    fn run<T>(body: impl FnOnce() -> T) -> T {
        body()
    }
    #[inline(never)]
    fn overwrite<const WORDS: usize>() {
        black_box(&mut [0u64; WORDS]);
    }
    let result = run(body);
    overwrite::<WORDS>();
    result
}
