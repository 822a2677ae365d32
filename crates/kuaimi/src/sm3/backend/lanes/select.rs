//! Which lanes this process uses: decided once, from what the CPU is and what `KUAIMI_BACKEND` says.

use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// A way of hashing many messages.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) enum Kind {
    /// One after the other.
    OneByOne,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Sse2(Sse2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx512(Avx512),
}

impl Kind {
    /// Those that this machine has, the best last.
    pub(in super::super::super) fn available() -> impl Iterator<Item = Self> {
        (1..=4).filter_map(Self::numbered)
    }

    /// The kind of this number, if this machine has it.
    #[inline]
    fn numbered(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::OneByOne),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            2 => Some(Self::Sse2(Sse2)),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            3 => Avx2::detect().map(Self::Avx2),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            4 => Avx512::detect().map(Self::Avx512),
            _ => None,
        }
    }

    #[inline]
    const fn number(self) -> u8 {
        match self {
            Self::OneByOne => 1,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2(_) => 2,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx2(_) => 3,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx512(_) => 4,
        }
    }

    /// How many messages are hashed at once.
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

    /// The name that `kuaimi speed` prints; that of the one stream where there are no lanes.
    pub(in super::super::super) fn name(self) -> &'static str {
        match self {
            Self::OneByOne => super::super::selected().name(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2(_) => "sse2x4",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx2(_) => "avx2x8",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx512(_) => "avx512x16",
        }
    }

    /// The best one, unless `KUAIMI_BACKEND` asks for code without lanes, or for none wider than AVX2's.
    fn decide() -> Self {
        #[cfg(feature = "std")]
        let most = match std::env::var("KUAIMI_BACKEND").as_deref().map(str::trim) {
            Ok("adx") => 1,
            Ok(name) if name.starts_with("portable") => 1,
            Ok("avx2") => 8,
            _ => usize::MAX,
        };
        #[cfg(not(feature = "std"))]
        let most = usize::MAX;
        Self::available()
            .filter(|kind| kind.lanes() <= most)
            .last()
            .unwrap_or(Self::OneByOne)
    }
}

static SELECTED: AtomicU8 = AtomicU8::new(0);

/// The one that this process uses, decided at its first use.
#[inline]
pub(in super::super::super) fn selected() -> Kind {
    Kind::numbered(SELECTED.load(Ordering::Relaxed)).unwrap_or_else(decide_and_keep)
}

#[cold]
fn decide_and_keep() -> Kind {
    let kind = Kind::decide();
    SELECTED.store(kind.number(), Ordering::Relaxed);
    kind
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
