//! GHASH (NIST SP 800-38D, 6.4), the polynomial hash of GCM.
//!
//! On x86-64 and AArch64 CPUs with carry-less multiplication it is computed by `vectors/ghash.rs`,
//! with the vectors of WebAssembly by `vectors/wasm32/ghash.rs`, elsewhere by the `ghash` crate.
//! All are constant time.

#[cfg(vectors)]
use alloc::borrow::Cow;
#[cfg(not(kuaimi_simd128_alone))]
use core::marker::PhantomData;

#[cfg(not(kuaimi_simd128_alone))]
use ghash::{GHash, universal_hash::UniversalHash};
use kuaimi_platform::backend::{Ghash as Implementation, Supported};
#[cfg(vectors)]
use zeroize::{Zeroizing, optimization_barrier};

use super::super::{BLOCK_LEN, Block};

/// A key, in the form that the implementation needs.
#[cfg_attr(
    simd128,
    allow(clippy::large_enum_variant, reason = "the small one is not used there")
)]
#[derive(Clone)]
pub(in super::super) enum GhashKey {
    /// For the `ghash` crate.
    #[cfg(not(kuaimi_simd128_alone))]
    Crate(GHash),
    /// Powers of the key.
    #[cfg(vectors)]
    Vectors(Powers),
}

/// Powers of a key, wiped when dropped.
#[cfg(vectors)]
#[derive(Clone)]
pub(in super::super) struct Powers {
    implementation: Supported<Implementation>,
    powers: super::vectors::ghash::Powers,
}

#[cfg(vectors)]
impl Drop for Powers {
    #[inline]
    fn drop(&mut self) {
        self.powers = Default::default();
        optimization_barrier(self);
    }
}

/// A hash that has absorbed some blocks. It has its key, or borrows it.
#[cfg_attr(
    simd128,
    allow(clippy::large_enum_variant, reason = "the small one is not used there")
)]
#[derive(Clone)]
pub(in super::super) enum Ghash<'a> {
    #[cfg(not(kuaimi_simd128_alone))]
    Crate(GHash, PhantomData<&'a GhashKey>),
    /// The sum so far, in the form of the implementation.
    #[cfg(vectors)]
    Vectors(Cow<'a, Powers>, Zeroizing<[u8; BLOCK_LEN]>),
}

#[allow(unsafe_code, reason = "implementations that need CPU features")]
impl GhashKey {
    /// The key `h` in the form that an implementation needs.
    pub(in super::super) fn new(
        implementation: Supported<Implementation>,
        h: &[u8; BLOCK_LEN],
    ) -> Self {
        Self::for_blocks(implementation, h, usize::MAX)
    }

    /// The same, with no more powers than a key needs that never absorbs more than `blocks` blocks
    /// in one call.
    pub(in super::super) fn for_blocks(
        implementation: Supported<Implementation>,
        h: &[u8; BLOCK_LEN],
        blocks: usize,
    ) -> Self {
        #[cfg(not(clmul))]
        let _ = blocks;
        #[cfg(vectors)]
        {
            use super::vectors::ghash;
            let powers = match implementation.get() {
                #[cfg(not(kuaimi_simd128_alone))]
                Implementation::Crate => return Self::Crate(GHash::new(h.into())),
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the CPU has the instructions, as `implementation` proves.
                Implementation::Clmul => unsafe { ghash::clmul::powers(h, blocks) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                Implementation::Vclmul => unsafe { ghash::vclmul::powers(h, blocks) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                Implementation::Vclmul512 => unsafe { ghash::vclmul512::powers(h, blocks) },
                #[cfg(target_arch = "aarch64")]
                // SAFETY: as above.
                Implementation::Pmull => unsafe { ghash::pmull::powers(h, blocks) },
                #[cfg(target_arch = "wasm32")]
                Implementation::Simd128 => ghash::powers(h),
            };
            Self::Vectors(Powers {
                implementation,
                powers,
            })
        }
        #[cfg(not(vectors))]
        match implementation.get() {
            Implementation::Crate => Self::Crate(GHash::new(h.into())),
        }
    }

    /// A hash that has absorbed nothing.
    #[inline]
    pub(in super::super) fn start(&self) -> Ghash<'_> {
        match self {
            #[cfg(not(kuaimi_simd128_alone))]
            Self::Crate(hash) => Ghash::Crate(hash.clone(), PhantomData),
            #[cfg(vectors)]
            Self::Vectors(powers) => Ghash::Vectors(Cow::Borrowed(powers), Zeroizing::default()),
        }
    }

    /// The same, with the key inside.
    pub(in super::super) fn into_start(self) -> Ghash<'static> {
        match self {
            #[cfg(not(kuaimi_simd128_alone))]
            Self::Crate(hash) => Ghash::Crate(hash, PhantomData),
            #[cfg(vectors)]
            Self::Vectors(powers) => Ghash::Vectors(Cow::Owned(powers), Zeroizing::default()),
        }
    }
}

#[allow(unsafe_code, reason = "implementations that need CPU features")]
impl Ghash<'_> {
    /// Absorbs blocks.
    #[inline]
    pub(in super::super) fn update(&mut self, blocks: &[Block]) {
        self.update_with_ending(blocks, &[]);
    }

    /// Absorbs blocks, and one or two after them.
    #[inline]
    pub(in super::super) fn update_with_ending(&mut self, blocks: &[Block], ending: &[Block]) {
        match self {
            #[cfg(not(kuaimi_simd128_alone))]
            Self::Crate(hash, _) => {
                hash.update(blocks);
                hash.update(ending);
            }
            #[cfg(vectors)]
            Self::Vectors(key, sum) => {
                use super::vectors::ghash;
                let Powers {
                    implementation,
                    powers,
                } = &**key;
                match implementation.get() {
                    #[cfg(not(kuaimi_simd128_alone))]
                    // There are no powers for the crate.
                    Implementation::Crate => {}
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: the CPU has the instructions, as `implementation` proves.
                    Implementation::Clmul => unsafe {
                        ghash::clmul::update(powers, sum, blocks, ending)
                    },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: as above.
                    Implementation::Vclmul => unsafe {
                        ghash::vclmul::update(powers, sum, blocks, ending)
                    },
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: as above.
                    Implementation::Vclmul512 => unsafe {
                        ghash::vclmul512::update(powers, sum, blocks, ending)
                    },
                    #[cfg(target_arch = "aarch64")]
                    // SAFETY: as above.
                    Implementation::Pmull => unsafe {
                        ghash::pmull::update(powers, sum, blocks, ending)
                    },
                    #[cfg(target_arch = "wasm32")]
                    Implementation::Simd128 => {
                        ghash::update(powers, sum, blocks);
                        ghash::update(powers, sum, ending);
                    }
                }
            }
        }
    }

    /// Absorbs data, padded with zeros to whole blocks.
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

    /// The hash.
    pub(in super::super) fn finish(&self) -> [u8; BLOCK_LEN] {
        match self {
            #[cfg(not(kuaimi_simd128_alone))]
            Self::Crate(hash, _) => hash.clone().finalize().into(),
            #[cfg(vectors)]
            Self::Vectors(_, sum) => super::vectors::ghash::hash(sum),
        }
    }
}
