//! The engine that the table names for this process, with the proof that this CPU has its instructions.

use kuaimi_platform::backend::{Runs, Sm3Many};

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// An implementation of hashing many messages.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) enum Kind {
    /// One after another.
    OneByOne,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Sse2(Sse2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx512(Avx512),
}

impl From<Runs<Sm3Many>> for Kind {
    #[inline]
    fn from(code: Runs<Sm3Many>) -> Self {
        match code.get() {
            Sm3Many::OneByOne => Self::OneByOne,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm3Many::Sse2 => Self::Sse2(Sse2),
            // SAFETY of both: the CPU has the instructions, of which `code` is the proof.
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm3Many::Avx2 => Self::Avx2(unsafe { Avx2::new() }),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm3Many::Avx512 => Self::Avx512(unsafe { Avx512::new() }),
        }
    }
}

impl Kind {
    /// Those that this CPU can run, the fastest last.
    #[cfg(test)]
    pub(in super::super::super) fn available() -> impl Iterator<Item = Self> {
        Sm3Many::available().map(Self::from)
    }

    /// How many messages are hashed at once.
    #[cfg(test)]
    pub(in super::super::super) const fn lanes(self) -> usize {
        match self {
            Self::OneByOne => 1,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2(_) => 4,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx2(_) => 8,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx512(_) => 16,
        }
    }
}

/// The one that this process uses now.
#[inline]
pub(in super::super::super) fn selected() -> Kind {
    Sm3Many::selected().into()
}

/// Evaluates an expression with a name bound to the engine of a kind, or another expression where that has no lanes.
macro_rules! with_engine {
    ($kind:expr, $engine:ident => $lanes:expr, one_by_one => $one_by_one:expr) => {
        match $kind {
            $crate::sm3::backend::lanes::Kind::OneByOne => $one_by_one,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::lanes::Kind::Sse2($engine) => $lanes,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::lanes::Kind::Avx2($engine) => $lanes,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::lanes::Kind::Avx512($engine) => $lanes,
        }
    };
}
pub(in super::super::super) use with_engine;
