//! Carry-less products: PMULL, as assembly. The intrinsics would be inlined only into functions
//! that name the feature, and the methods of a trait cannot.

use core::arch::aarch64::*;
use core::arch::asm;

use super::super::ghash::Multiply;
use super::vectors::V128;

impl Multiply for V128 {
    #[inline(always)]
    fn low_product(self, other: Self) -> Self {
        let product: uint8x16_t;
        // SAFETY: products are computed only in functions with the feature `aes`, which has PMULL;
        // it changes one register.
        unsafe {
            asm!("pmull {0:v}.1q, {1:v}.1d, {2:v}.1d", lateout(vreg) product, in(vreg) self.0, in(vreg) other.0,
                options(pure, nomem, nostack, preserves_flags));
        }
        Self(product)
    }

    #[inline(always)]
    fn high_product(self, other: Self) -> Self {
        let product: uint8x16_t;
        // SAFETY: as above.
        unsafe {
            asm!("pmull2 {0:v}.1q, {1:v}.2d, {2:v}.2d", lateout(vreg) product, in(vreg) self.0, in(vreg) other.0,
                options(pure, nomem, nostack, preserves_flags));
        }
        Self(product)
    }

    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vextq_u8::<8>(self.0, self.0) })
    }

    #[inline(always)]
    fn low_half_up(self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vextq_u8::<8>(vdupq_n_u8(0), self.0) })
    }

    #[inline(always)]
    fn high_half_down(self) -> Self {
        // SAFETY: the target has NEON.
        Self(unsafe { vextq_u8::<8>(self.0, vdupq_n_u8(0)) })
    }

    #[inline(always)]
    fn repeat_first(self) -> Self {
        self
    }

    #[inline(always)]
    fn first_powers(x: V128) -> Self {
        x
    }

    #[inline(always)]
    fn sum(self) -> V128 {
        self
    }
}
