//! The compression function, once for every way of running it, and the choice among them.

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod bmi2;
pub(super) mod lanes;
mod portable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse2;

use super::{BLOCK_LEN, State};
use crate::choice::{Choice, with_wanted};

/// A way of running the compression function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Portable,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Sse2,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Bmi2,
}

/// All of them, each better than the one before it.
const ALL: &[Kind] = &[
    Kind::Portable,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Kind::Sse2,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Kind::Bmi2,
];

impl Kind {
    /// Those that this machine has, the best last.
    pub(super) fn available() -> &'static [Self] {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if !bmi2::is_available() {
            return &ALL[..2];
        }
        ALL
    }

    /// The name that `kuaimi speed` prints.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2 => "sse2",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Bmi2 => "bmi2",
        }
    }

    /// The number of the best one, or of portable code if that is asked for.
    fn choose(wanted: Option<&str>) -> usize {
        match wanted {
            Some(name) if name.starts_with("portable") => 0,
            _ => Self::available().len().saturating_sub(1),
        }
    }

    /// Compresses whole blocks into the state, in order.
    #[inline]
    pub(super) fn compress_blocks(self, state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
        match self {
            Self::Portable => portable::compress_blocks(state, blocks),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2 => sse2::compress_blocks(state, blocks),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Bmi2 => bmi2::compress_blocks(state, blocks),
        }
    }
}

/// The one that this process uses, decided at its first hash.
#[inline]
pub(super) fn selected() -> Kind {
    static CHOICE: Choice<Kind> = Choice::new();
    *CHOICE.among(ALL, || with_wanted(Kind::choose))
}
