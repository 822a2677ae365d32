//! GHASH (NIST SP 800-38D, 6.4), the polynomial hash of GCM, and the choice among the ways of running it.
//!
//! On x86-64 with carry-less multiplication the code is [ours](super::x86_64); elsewhere it is that of the `ghash` crate, which
//! is constant time as well.

use core::marker::PhantomData;

use ghash::GHash;
use ghash::universal_hash::UniversalHash;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use zeroize::optimization_barrier;

use super::super::{BLOCK_LEN, Block};
use super::Kind;

/// A key, ready to hash with.
#[derive(Clone)]
pub(in super::super) enum GhashKey {
    /// For the `ghash` crate.
    Crate(GHash),
    /// Powers of the key.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Clmul(Powers),
}

/// Powers of a key, wiped when dropped.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[derive(Clone)]
pub(in super::super) struct Powers {
    way: Way,
    powers: super::x86_64::ghash::Powers,
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Drop for Powers {
    #[inline]
    fn drop(&mut self) {
        self.powers = Default::default();
        optimization_barrier(self);
    }
}

/// A hash under way.
pub(in super::super) enum Ghash<'a> {
    Crate(GHash, PhantomData<&'a GhashKey>),
    /// With the sum so far, its bytes in reverse order.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Clmul(&'a Powers, [u8; BLOCK_LEN]),
}

/// A way of multiplying.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Way {
    Clmul,
    Vclmul,
    Vclmul512,
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Way {
    const ALL: [Self; 3] = [Self::Clmul, Self::Vclmul, Self::Vclmul512];

    fn is_available(self) -> bool {
        use super::x86_64::ghash;
        match self {
            Self::Clmul => ghash::clmul::is_available(),
            Self::Vclmul => ghash::vclmul::is_available(),
            Self::Vclmul512 => ghash::vclmul512::is_available(),
        }
    }

    /// Those that this machine has, the best last.
    pub(in super::super) fn available() -> impl DoubleEndedIterator<Item = Self> {
        Self::ALL.into_iter().filter(|way| way.is_available())
    }

    /// The best for vectors no longer than the cipher's.
    fn beside(kind: Kind) -> Option<Self> {
        let most = match kind {
            Kind::Portable => return None,
            Kind::Aes => Self::Clmul,
            Kind::AesAvx2 | Kind::Vaes | Kind::Gfni => Self::Vclmul,
            Kind::Vaes512 | Kind::Gfni512 => Self::Vclmul512,
        };
        Self::available().rfind(|&way| way as u8 <= most as u8)
    }
}

impl GhashKey {
    /// The key `h`, for what fits to the cipher's way.
    pub(in super::super) fn new(kind: Kind, h: &[u8; BLOCK_LEN]) -> Self {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(way) = Way::beside(kind) {
            return Self::with_way(way, h);
        }
        let _ = kind;
        Self::Crate(GHash::new(h.into()))
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(in super::super) fn with_way(way: Way, h: &[u8; BLOCK_LEN]) -> Self {
        use super::x86_64::ghash;
        let powers = match way {
            Way::Clmul => ghash::clmul::powers(h),
            Way::Vclmul => ghash::vclmul::powers(h),
            Way::Vclmul512 => ghash::vclmul512::powers(h),
        };
        Self::Clmul(Powers { way, powers })
    }

    /// A hash of nothing yet.
    #[inline]
    pub(in super::super) fn start(&self) -> Ghash<'_> {
        match self {
            Self::Crate(hash) => Ghash::Crate(hash.clone(), PhantomData),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Clmul(powers) => Ghash::Clmul(powers, [0; BLOCK_LEN]),
        }
    }
}

impl Ghash<'_> {
    /// Takes in blocks.
    #[inline]
    pub(in super::super) fn update(&mut self, blocks: &[Block]) {
        match self {
            Self::Crate(hash, _) => hash.update(blocks),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Clmul(Powers { way, powers }, sum) => {
                use super::x86_64::ghash;
                match way {
                    Way::Clmul => ghash::clmul::update(powers, sum, blocks),
                    Way::Vclmul => ghash::vclmul::update(powers, sum, blocks),
                    Way::Vclmul512 => ghash::vclmul512::update(powers, sum, blocks),
                }
            }
        }
    }

    /// Takes in data, with zeros after it up to a whole block.
    pub(in super::super) fn update_padded(&mut self, data: &[u8]) {
        let (blocks, rest) = Block::slice_as_chunks(data);
        if !blocks.is_empty() {
            self.update(blocks);
        }
        if !rest.is_empty() {
            let mut last = Block::default();
            last[..rest.len()].copy_from_slice(rest);
            self.update(core::slice::from_ref(&last));
        }
    }

    /// The hash, 16 bytes.
    pub(in super::super) fn finish(self) -> [u8; BLOCK_LEN] {
        match self {
            Self::Crate(hash, _) => hash.finalize().into(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Clmul(_, mut sum) => {
                sum.reverse();
                sum
            }
        }
    }
}
