//! Products modulo SM2's prime in assembly, for AVX2.
//!
//! The method is that of [`sm2p`](super::sm2p). Columns can be negative, and AVX2 has no arithmetic
//! right shift of 64-bit numbers. So a multiple of `2²⁹` is added to each column, and subtracted
//! from the next.
//!
//! From one column to the next lead only the carry, by a shift and an addition, and the digit, by
//! five instructions for two columns. Everything else of a column is summed before.
//!
//! | name | what it holds |
//! | --- | --- |
//! | `ymm13` | the carry |
//! | `ymm14` | `8qₖ₋₁` |
//! | `ymm11`, `ymm12` | `2⁶·vₖ` for even and odd `k` |
//! | `ymm15` | the digit |
//! | `[{s}]`, places 0–9 | `2²¹·vₖ` |
//! | `[{c}]` | [`Constants`] |
//!
//! *Bounds.* Tight limbs are below `2²⁹`. The products in a column are below `18·2⁵⁸` if two
//! products are summed, the reduction adds less than `9·2⁵⁸ + 2⁵³`, and the sum is below `2⁶³`. If
//! the products of magnitudes are at most 16, the result is below `m + 16m²/2²⁶¹ < 1.5·m`.
//!
//! For `a·b − c²`, what is added to a column is `2⁶²`, which is more than the `9·2⁵⁸ + 2⁵³` that
//! are subtracted at most, and the sum is below `2⁶³`. `m` is added to the result.

#![allow(unsafe_code, reason = "assembly")]

use core::arch::asm;
use core::mem::MaybeUninit;

use super::columns::SCRATCH;
use super::constants::{self, LIMBS, MASK};
use super::sm2p::Sm2Products;
use crate::arith::lanes::words::x86::Ymm;
use crate::sm2::curve::P;

/// Nine limbs of four lanes.
type Limbs29 = super::Limbs29<Ymm>;

/// What is added to the columns and to the last carry, and the mask of a limb; in four lanes.
#[repr(C, align(32))]
struct Constants {
    raise: [[u64; 4]; 18],
    mask: [u64; 4],
}

impl Constants {
    /// `2^BITS` is added to each column, and subtracted from the next; and `k·m` to the result.
    const fn new(bits: u32, k: u64) -> Self {
        let multiple = constants::Constants::<P>::multiple(k);
        let mut raise = [[0; 4]; 18];
        let mut i = 0;
        while i < raise.len() {
            let mut value: u64 = 0;
            if i < 17 {
                value += 1 << bits;
            }
            if i > 0 {
                value = value.wrapping_sub(1 << (bits - constants::BITS));
            }
            if i >= LIMBS {
                value = value.wrapping_add(multiple[i - LIMBS]);
            }
            raise[i] = [value; 4];
            i += 1;
        }
        Self {
            raise,
            mask: [MASK; 4],
        }
    }
}

static SUMS: Constants = Constants::new(52, 0);
static DIFFERENCES: Constants = Constants::new(62, 1);

/// Column `k` in `ymm10` is completed; its digit or its limb, and the carry.
macro_rules! reduce {
    (0) => {
        concat!(
            "vpaddq ymm10, ymm10, [{c}]\n",
            split!(),
            "vpsllq ymm14, ymm15, 3\n",
            "vpsllq ymm11, ymm15, 6\n",
            "vpsllq ymm9, ymm15, 21\n",
            "vmovdqa [{s}], ymm9\n",
        )
    };
    (1) => {
        concat!(complete!(1), digit!(1, "ymm12"))
    };
    (2) => {
        concat!(complete!(2, near "ymm11"), digit!(2, "ymm11"))
    };
    (3) => {
        concat!(complete!(3, near "ymm12"), digit!(3, "ymm12"))
    };
    (4) => {
        concat!(complete!(4, near "ymm11"), digit!(4, "ymm11"))
    };
    (5) => {
        concat!(complete!(5, near "ymm12"), digit!(5, "ymm12"))
    };
    (6) => {
        concat!(complete!(6, near "ymm11"), digit!(6, "ymm11"))
    };
    (7) => {
        concat!(complete!(7, near "ymm12", far 0), digit!(7, "ymm12"))
    };
    // And v₉ = −8q₈, which stays in ymm15 until ymm12 is free.
    (8) => {
        concat!(
            complete!(8, near "ymm11", far 1),
            digit!(8, "ymm11"),
            "vpxor ymm15, ymm15, ymm15\n",
            "vpsubq ymm15, ymm15, ymm14\n",
            "vpsllq ymm9, ymm15, 21\n",
            "vmovdqa [{s} + 32*9], ymm9\n",
        )
    };
    (9) => {
        concat!(
            complete!(9, near "ymm12", far 2),
            limb!(0),
            "vpsllq ymm12, ymm15, 6\n",
        )
    };
    (10) => {
        concat!(complete!(10, near "ymm11", far 3), limb!(1))
    };
    (11) => {
        concat!(complete!(11, near "ymm12", far 4), limb!(2))
    };
    (12) => {
        concat!(complete!(12, far 5), limb!(3))
    };
    (13) => {
        concat!(complete!(13, far 6), limb!(4))
    };
    (14) => {
        concat!(complete!(14, far 7), limb!(5))
    };
    (15) => {
        concat!(complete!(15, far 8), limb!(6))
    };
    (16) => {
        concat!(
            complete!(16, far 9),
            limb!(7),
            "vpaddq ymm13, ymm13, [{c} + 32*17]\n",
            "vmovdqu [{out} + 32*8], ymm13\n",
        )
    };
}

/// Adds to column `k` the constant, `−2²¹·v` from place `$far`, `2⁶·v` and the carry.
macro_rules! complete {
    ($k:literal $(, near $near:literal)? $(, far $far:literal)?) => {
        concat!(
            "vpaddq ymm10, ymm10, [{c} + 32*", $k, "]\n",
            $("vpsubq ymm10, ymm10, [{s} + 32*", $far, "]\n",)?
            $("vpaddq ymm10, ymm10, ", $near, "\n",)?
            "vpaddq ymm10, ymm10, ymm13\n",
        )
    };
}

/// The low limb of the column, and its carry.
macro_rules! split {
    () => {
        "vpand ymm15, ymm10, [{c} + 32*18]
         vpsrlq ymm13, ymm10, 29
        "
    };
}

/// The digit of column `k`, and what it adds to later columns.
macro_rules! digit {
    ($k:literal, $near:literal) => {
        concat!(
            split!(),
            "vpsubq ymm10, ymm15, ymm14\n",
            "vpsllq ymm14, ymm15, 3\n",
            "vpsllq ",
            $near,
            ", ymm10, 6\n",
            "vpsllq ymm9, ymm10, 21\n",
            "vmovdqa [{s} + 32*",
            $k,
            "], ymm9\n",
        )
    };
}

/// Limb `i` of the result, and the carry.
macro_rules! limb {
    ($i:literal) => {
        concat!(
            "vpsrlq ymm13, ymm10, 29\n",
            "vpand ymm9, ymm10, [{c} + 32*18]\n",
            "vmovdqu [{out} + 32*",
            $i,
            "], ymm9\n",
        )
    };
}

/// [`reduce!`] of a column and the one that [`keep!`] kept.
macro_rules! reduce_sum {
    ($k:tt) => {
        concat!(
            "vpaddq ymm10, ymm10, [{s} + 32*19 + 32*",
            $k,
            "]\n",
            reduce!($k)
        )
    };
}

/// [`reduce!`] of a column less the one that [`keep!`] kept.
macro_rules! reduce_difference {
    ($k:tt) => {
        concat!(
            "vpsubq ymm10, ymm10, [{s} + 32*19 + 32*",
            $k,
            "]\n",
            reduce!($k)
        )
    };
}

/// Runs a text on the registers and the scratch that it needs, with further operands.
macro_rules! run {
    ($out:ident, $constants:ident, $text:expr $(, $name:ident = $value:expr)*) => {{
        let mut scratch = MaybeUninit::<[Ymm; SCRATCH]>::uninit();
        // SAFETY: the text reads what the operands point to, all of which has nine vectors, or is
        // the constants; it writes the scratch and the result, and what it reads of the scratch it
        // wrote before.
        unsafe {
            asm!(
                $text,
                $($name = in(reg) $value,)*
                s = in(reg) scratch.as_mut_ptr(),
                c = in(reg) &$constants,
                out = in(reg) $out,
                out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
                out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
                out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
                out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
                options(nostack, preserves_flags),
            );
        }
    }};
}

/// `a·b/2²⁶¹ mod p`.
///
/// # Safety
/// Nine vectors can be written at `out`, which may be `a` or `b`.
#[inline(never)]
#[target_feature(enable = "avx2")]
pub unsafe fn mul(out: *mut Limbs29, a: *const Limbs29, b: *const Limbs29) {
    run!(
        out,
        SUMS,
        concat!(load!("{a}"), all_columns!(products, reduce)),
        a = a,
        b = b
    );
}

/// `a²/2²⁶¹ mod p`.
///
/// # Safety
/// As [`mul`].
#[inline(never)]
#[target_feature(enable = "avx2")]
pub unsafe fn square(out: *mut Limbs29, a: *const Limbs29) {
    run!(
        out,
        SUMS,
        concat!(load!("{a}"), twice!(), all_square_columns!(reduce)),
        a = a
    );
}

/// `(a·b + d·e)/2²⁶¹ mod p`.
///
/// # Safety
/// As [`mul`].
#[inline(never)]
#[target_feature(enable = "avx2")]
pub unsafe fn mul_add(
    out: *mut Limbs29,
    a: *const Limbs29,
    b: *const Limbs29,
    d: *const Limbs29,
    e: *const Limbs29,
) {
    run!(
        out,
        SUMS,
        concat!(
            load!("{d}"),
            all_columns!(other_products, keep),
            load!("{a}"),
            all_columns!(products, reduce_sum)
        ),
        a = a,
        b = b,
        d = d,
        e = e
    );
}

/// `(a·b − d²)/2²⁶¹ mod p`.
///
/// # Safety
/// As [`mul`].
#[inline(never)]
#[target_feature(enable = "avx2")]
pub unsafe fn mul_sub_square(
    out: *mut Limbs29,
    a: *const Limbs29,
    b: *const Limbs29,
    d: *const Limbs29,
) {
    run!(
        out,
        DIFFERENCES,
        concat!(
            load!("{d}"),
            twice!(),
            all_square_columns!(keep),
            load!("{a}"),
            all_columns!(products, reduce_difference)
        ),
        a = a,
        b = b,
        d = d
    );
}

/// A result that is written through a pointer.
#[inline(always)]
fn written(write: impl FnOnce(*mut Limbs29)) -> Limbs29 {
    let mut out = MaybeUninit::uninit();
    write(out.as_mut_ptr());
    // SAFETY: all callers pass a product, which writes all limbs.
    unsafe { out.assume_init() }
}

impl Sm2Products for Ymm {
    #[inline(always)]
    fn mul_sm2p(a: &Limbs29, b: &Limbs29) -> Limbs29 {
        written(
            // SAFETY: the result has room for the limbs, and the engine's CPU has AVX2.
            #[inline(always)]
            |out| unsafe { mul(out, a, b) },
        )
    }

    #[inline(always)]
    fn square_sm2p(a: &Limbs29) -> Limbs29 {
        written(
            // SAFETY: the result has room for the limbs, and the engine's CPU has AVX2.
            #[inline(always)]
            |out| unsafe { square(out, a) },
        )
    }

    #[inline(always)]
    fn mul_add_sm2p([a, d]: &[&Limbs29; 2], [b, e]: &[&Limbs29; 2]) -> Limbs29 {
        written(
            // SAFETY: the result has room for the limbs, and the engine's CPU has AVX2.
            #[inline(always)]
            |out| unsafe { mul_add(out, *a, *b, *d, *e) },
        )
    }

    #[inline(always)]
    fn mul_sub_square_sm2p(a: &Limbs29, b: &Limbs29, c: &Limbs29) -> Limbs29 {
        written(
            // SAFETY: the result has room for the limbs, and the engine's CPU has AVX2.
            #[inline(always)]
            |out| unsafe { mul_sub_square(out, a, b, c) },
        )
    }
}
