//! Overwriting the stack.

use core::hint::black_box;

/// More than any operation of this library on single items uses, in words.
const WORDS: usize = 4096;

/// Runs `body`, then overwrites the 32 KiB of stack that it and all that it called could use.
///
/// Values are wiped when they are dropped, but moves of values and intermediate results leave copies on the stack, until later calls overwrite them. Where
/// that matters, do everything with a key inside of `body`: reading it, the operation, and dropping it. Return nothing secret, as `body`'s caller would hold it.
///
/// Takes some hundred nanoseconds, and 32 KiB of stack. Deeper parts of the stack are not overwritten: batches over many items may use them. Nor is anything
/// if `body` panics.
///
/// ```
/// use kuaimi::sm2::{SecretKey, SigningKey};
///
/// let signature = kuaimi::wipe_stack(|| {
///     let key = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
///     Ok::<_, kuaimi::sm2::Error>(key.sign_deterministic(b"a message"))
/// })?;
/// assert_eq!(signature.to_bytes().len(), 64);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[inline(never)]
pub fn wipe_stack<T>(body: impl FnOnce() -> T) -> T {
    // Functions of their own, which begin at the same place of the stack.
    #[inline(never)]
    fn run<T>(body: impl FnOnce() -> T) -> T {
        body()
    }
    #[inline(never)]
    fn overwrite() {
        black_box(&mut [0u64; WORDS]);
    }
    let result = run(body);
    overwrite();
    result
}
