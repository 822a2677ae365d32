//! GHASH (NIST SP 800-38D, 6.4), the polynomial hash of GCM.
//!
//! On x86-64 with carry-less multiplication the code is [ours](super::x86_64); elsewhere it is that of the `ghash` crate, which
//! is constant time as well.

use core::marker::PhantomData;

use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use kuaimi_platform::backend::{Ghash as Code, Runs};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use zeroize::optimization_barrier;

use super::super::{BLOCK_LEN, Block};

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
    code: Runs<Code>,
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

#[allow(unsafe_code, reason = "implementations that need CPU features")]
impl GhashKey {
    /// The key `h`, for an implementation.
    pub(in super::super) fn new(code: Runs<Code>, h: &[u8; BLOCK_LEN]) -> Self {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use super::x86_64::ghash;
            // SAFETY of all: the CPU has the instructions, of which `code` is the proof.
            let powers = match code.get() {
                Code::Crate => return Self::Crate(GHash::new(h.into())),
                Code::Clmul => unsafe { ghash::clmul::powers(h) },
                Code::Vclmul => unsafe { ghash::vclmul::powers(h) },
                Code::Vclmul512 => unsafe { ghash::vclmul512::powers(h) },
            };
            Self::Clmul(Powers { code, powers })
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        match code.get() {
            Code::Crate => Self::Crate(GHash::new(h.into())),
        }
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

#[allow(unsafe_code, reason = "implementations that need CPU features")]
impl Ghash<'_> {
    /// Takes in blocks.
    #[inline]
    pub(in super::super) fn update(&mut self, blocks: &[Block]) {
        match self {
            Self::Crate(hash, _) => hash.update(blocks),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            Self::Clmul(Powers { code, powers }, sum) => {
                use super::x86_64::ghash;
                // SAFETY of all: the CPU has the instructions, of which `code` is the proof.
                match code.get() {
                    // Powers are made for the others alone.
                    Code::Crate => {}
                    Code::Clmul => unsafe { ghash::clmul::update(powers, sum, blocks) },
                    Code::Vclmul => unsafe { ghash::vclmul::update(powers, sum, blocks) },
                    Code::Vclmul512 => unsafe { ghash::vclmul512::update(powers, sum, blocks) },
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
