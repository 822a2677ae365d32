//! Where the result of a computation on secrets becomes public.
//!
//! Constant-time code ends in conditions such as "the candidate was in range" or "the digest was
//! right". They are computed from secrets, and a branch on one reveals it. Every place where the
//! library branches on such a condition calls [`declassify`], with a comment that says why the
//! condition may be public. All other branches on secrets are faults, and `make constant-time`
//! finds them: with the feature `memcheck`, secrets are undefined memory for valgrind, and only
//! `declassify` makes a value defined again.

use subtle::Choice;

/// The condition as a `bool` to branch on. Only for conditions that may be public.
#[inline(always)]
pub fn declassify(condition: Choice) -> bool {
    #[cfg(feature = "memcheck")]
    let condition = {
        let mut bit = condition.unwrap_u8();
        super::memcheck::declassify(core::slice::from_mut(&mut bit));
        Choice::from(bit)
    };
    bool::from(condition)
}
