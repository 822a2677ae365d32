//! Where a secret computation's outcome becomes known.
//!
//! Constant-time code ends in verdicts: the candidate was in range, the digest was right. A verdict is a function of
//! secrets, and branching on it tells it to the world; so every place where the library does that calls [`verdict`] and says
//! beside it why the verdict may be known. All other branches on secrets are faults, and `make constant-time` finds them:
//! under the feature `memcheck`, secrets are undefined memory to valgrind, and verdicts are the only thing here that makes
//! anything defined again.

use subtle::Choice;

/// The verdict as a `bool` to branch on: for what may be known.
#[inline(always)]
pub fn verdict(choice: Choice) -> bool {
    #[cfg(feature = "memcheck")]
    let choice = {
        let mut bit = choice.unwrap_u8();
        super::memcheck::declassify(core::slice::from_mut(&mut bit));
        Choice::from(bit)
    };
    bool::from(choice)
}
