//! The implementation of hashing many messages that this process uses, and the engine of lanes that
//! belongs to it.

use kuaimi_platform::backend::{Sm3Many, Supported};

#[cfg(simd128)]
use super::lanes::Simd128;
#[cfg(neon)]
use super::{armv8::Pairs, lanes::Neon};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::{
    lanes::{Avx2, Avx512, Sse2},
    vsm3::Pairs,
};

/// An implementation of hashing many messages. The engine in it proves that the CPU has its
/// instructions.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Implementation {
    /// One message after another.
    #[cfg(not(kuaimi_simd128_alone))]
    OneByOne,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Sse2(Sse2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx2(Avx2),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Vsm3(Pairs),
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx512(Avx512),
    #[cfg(neon)]
    Neon(Neon),
    #[cfg(neon)]
    Armv8(Pairs),
    #[cfg(simd128)]
    Simd128(Simd128),
}

#[allow(unsafe_code, reason = "engines that need CPU features")]
impl From<Supported<Sm3Many>> for Implementation {
    #[inline]
    fn from(supported: Supported<Sm3Many>) -> Self {
        match supported.get() {
            #[cfg(not(kuaimi_simd128_alone))]
            Sm3Many::OneByOne => Self::OneByOne,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Sm3Many::Sse2 => Self::Sse2(Sse2),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: the CPU has the instructions, as `supported` proves.
            Sm3Many::Avx2 => Self::Avx2(unsafe { Avx2::new() }),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm3Many::Vsm3 => Self::Vsm3(unsafe { Pairs::new() }),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm3Many::Avx512 => Self::Avx512(unsafe { Avx512::new() }),
            #[cfg(neon)]
            Sm3Many::Neon => Self::Neon(Neon),
            #[cfg(neon)]
            // SAFETY: as above.
            Sm3Many::Armv8 => Self::Armv8(unsafe { Pairs::new() }),
            #[cfg(simd128)]
            Sm3Many::Simd128 => Self::Simd128(Simd128),
        }
    }
}

#[cfg(test)]
impl Implementation {
    /// All that this CPU can run, from slow to fast.
    pub(in super::super) fn available() -> impl Iterator<Item = Self> {
        Sm3Many::available().map(Self::from)
    }

    /// The number of messages hashed at once.
    pub(in super::super) const fn lanes(self) -> usize {
        match self {
            #[cfg(not(kuaimi_simd128_alone))]
            Self::OneByOne => 1,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2(_) => 4,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx2(_) => 8,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Vsm3(_) => 2,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx512(_) => 16,
            #[cfg(neon)]
            Self::Neon(_) => 4,
            #[cfg(neon)]
            Self::Armv8(_) => 2,
            #[cfg(simd128)]
            Self::Simd128(_) => 4,
        }
    }
}

/// The implementation that this process uses now.
#[inline]
pub(in super::super) fn selected() -> Implementation {
    Sm3Many::selected().into()
}

/// Evaluates an expression with a name bound to the engine of an implementation, or another
/// expression if it has none.
macro_rules! with_engine {
    ($implementation:expr, $engine:ident => $lanes:expr, one_by_one => $one_by_one:expr) => {
        match $implementation {
            #[cfg(not(kuaimi_simd128_alone))]
            $crate::sm3::backend::select::Implementation::OneByOne => $one_by_one,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::select::Implementation::Sse2($engine) => $lanes,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::select::Implementation::Avx2($engine) => $lanes,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::select::Implementation::Vsm3($engine) => $lanes,
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            $crate::sm3::backend::select::Implementation::Avx512($engine) => $lanes,
            #[cfg(neon)]
            $crate::sm3::backend::select::Implementation::Neon($engine) => $lanes,
            #[cfg(neon)]
            $crate::sm3::backend::select::Implementation::Armv8($engine) => $lanes,
            #[cfg(simd128)]
            $crate::sm3::backend::select::Implementation::Simd128($engine) => $lanes,
        }
    };
}
pub(in super::super) use with_engine;
