//! Which lanes this process uses: decided once, from what the CPU is and what `KUAIMI_BACKEND` says.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::{avx2::Avx2, avx512::Avx512, sse2::Sse2};
use crate::choice::{Choice, with_wanted};

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

/// Each kind, where this machine has it, each better than the one before it.
const ALL: &[fn() -> Option<Kind>] = &[
    || Some(Kind::OneByOne),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    || Some(Kind::Sse2(Sse2)),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    || Avx2::detect().map(Kind::Avx2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    || Avx512::detect().map(Kind::Avx512),
];

impl Kind {
    /// Those that this machine has, the best last.
    #[cfg(test)]
    pub(in super::super::super) fn available() -> impl Iterator<Item = Self> {
        ALL.iter().filter_map(|kind| kind())
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

    /// The number of the best one, unless `KUAIMI_BACKEND` asks for code without lanes, or for none wider than AVX2's.
    fn choose(wanted: Option<&str>) -> usize {
        let most = match wanted {
            Some("adx") => 1,
            Some(name) if name.starts_with("portable") => 1,
            Some("avx2") => 8,
            _ => usize::MAX,
        };
        let fits = |kind: &fn() -> Option<Self>| kind().is_some_and(|kind| kind.lanes() <= most);
        ALL.iter().rposition(fits).unwrap_or(0)
    }
}

/// The one that this process uses, decided at its first use.
#[inline]
pub(in super::super::super) fn selected() -> Kind {
    static CHOICE: Choice<fn() -> Option<Kind>> = Choice::new();
    let kind = CHOICE.among(ALL, || with_wanted(Kind::choose));
    kind().unwrap_or(Kind::OneByOne)
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
