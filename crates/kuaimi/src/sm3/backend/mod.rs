//! The compression function, once for every way of running it, and the choice among them.

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64;

pub(super) mod lanes;
mod portable;

use core::sync::atomic::{AtomicU8, Ordering};

use super::{BLOCK_LEN, State};

/// A way of running the compression function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    Portable = 1,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Sse2 = 2,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Avx = 3,
}

impl Kind {
    /// Those that this machine has, the best last.
    #[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
    pub(super) fn available() -> &'static [Self] {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            let all = &[Self::Portable, Self::Sse2, Self::Avx];
            if x86_64::has_avx() { all } else { &all[..2] }
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        {
            &[Self::Portable]
        }
    }

    /// The name that `kuaimi speed` prints.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2 => "sse2",
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx => "avx",
        }
    }

    /// The best one, unless `KUAIMI_BACKEND` asks for portable code.
    fn decide() -> Self {
        #[cfg(feature = "std")]
        if std::env::var("KUAIMI_BACKEND").is_ok_and(|name| name.trim().starts_with("portable")) {
            return Self::Portable;
        }
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let [.., best] = Self::available() {
            return *best;
        }
        Self::Portable
    }

    /// Compresses whole blocks into the state, in order.
    #[inline]
    pub(super) fn compress_blocks(self, state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
        match self {
            Self::Portable => portable::compress_blocks(state, blocks),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Sse2 => x86_64::sse2(state, blocks),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Avx => x86_64::avx(state, blocks),
        }
    }
}

static SELECTED: AtomicU8 = AtomicU8::new(0);

/// The one that this process uses, decided at its first hash.
#[inline]
pub(super) fn selected() -> Kind {
    match SELECTED.load(Ordering::Relaxed) {
        1 => Kind::Portable,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        2 => Kind::Sse2,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        3 => Kind::Avx,
        _ => decide_and_keep(),
    }
}

#[cold]
fn decide_and_keep() -> Kind {
    let kind = Kind::decide();
    SELECTED.store(kind as u8, Ordering::Relaxed);
    kind
}
