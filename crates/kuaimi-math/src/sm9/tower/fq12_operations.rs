//! The operations on `Fq12` that pairings and powers need.
//!
//! There are two forms of `Fq12`: [`Fq12`] computes with one coefficient after another,
//! [`Fq12x4`](super::Fq12x4) with four at once. Pairings and powers are written once, for the trait
//! [`Fq12Operations`]. Its methods have other names than the methods of [`Fq12`] itself (`times`
//! for `mul`, `squared` for `square`), so that a call is never ambiguous.
//!
//! Forms in lanes need CPU features and are private to this crate.
//! [`for_each_form`](crate::sm9::pairing::forms::for_each_form) gives access to those that the CPU
//! can run.

use zeroize::Zeroize;

use super::fq12::{Line, ScaledLine};
use super::{Fq2, Fq6, Fq12};
use crate::arith::backend::look_up_words;
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Field};
use crate::sm9::curve::Fq;

/// The arithmetic that final exponentiations need, of one element or of several at once. The
/// backend `B` computes with single elements of `Fq`.
pub trait Fq12Arithmetic<B: Backend>: Copy {
    /// `self·other`.
    fn times(&self, other: &Self) -> Self;
    /// `self²`.
    fn squared(&self) -> Self;
    /// `self²` of an element of the cyclotomic subgroup.
    fn cyclotomic_squared(&self) -> Self;
    /// `self^(2^count)` of an element `A + Bw + Cw²` of the cyclotomic subgroup, where only `B` and
    /// `C` of the result are right.
    fn compressed_squared(&self, count: usize) -> Self;
    /// The element of the cyclotomic subgroup with these `B` and `C`.
    fn decompressed(&self) -> Self;
    /// The `q⁶`-th power. In the cyclotomic subgroup it is the inverse.
    fn conjugated(&self) -> Self;
    /// `self^(q^J)`, for `J` from 1 to 3.
    fn frobenius_power<const J: usize>(&self) -> Self;
    /// `self/self̄`, for `self` other than zero. Constant time. It is `self²` over the norm
    /// `self·self̄`, which is in `Fq6`: fewer products than an inverse takes.
    fn over_conjugate(&self) -> Self;

    /// `self^(2^count)` of an element of the cyclotomic subgroup.
    fn cyclotomic_squares(&self, count: usize) -> Self {
        if count >= LONG_RUN {
            return self.compressed_squared(count).decompressed();
        }
        self.few_cyclotomic_squares(count)
    }

    /// The same without compression.
    fn few_cyclotomic_squares(&self, count: usize) -> Self {
        (0..count).fold(*self, |power, _| power.cyclotomic_squared())
    }
}

/// An element of `Fq12`.
pub trait Fq12Operations<B: Backend>: Fq12Arithmetic<B> + Zeroize {
    /// The element with these limbs: see [`Fq12::to_limbs`].
    fn from_limbs(limbs: &[Limbs; 12]) -> Self;
    /// The limbs of the coefficients: see [`Fq12::to_limbs`].
    fn to_limbs(&self) -> [Limbs; 12];
    /// `self·(l₀ + l₃w³ + l₅w⁵)`.
    fn times_line(&self, line: &Line<B>) -> Self;
    /// `self·(1 + c₃/yP·w³ + c₅·xP/yP·w⁵)` for a precomputed line `[c₃, c₅]`.
    fn times_precomputed_line(
        &self,
        line: &[[u64; 8]; 2],
        one_over_y: &Fq<B>,
        x_over_y: &Fq<B>,
    ) -> Self;
    /// The entry at a secret index. Constant time: the whole table is read.
    fn look_up<const WORDS: usize>(table: &[[u64; WORDS]], index: u32) -> [u64; WORDS] {
        look_up_words(table, index)
    }
    /// `self·(c + w)`.
    fn times_numerator(&self, c: &Fq6<B>) -> Self;
}

/// The number of successive squares from which compressed ones are faster. A compressed square
/// saves a third of the work, and the decompression costs as much as about fifteen of them save.
const LONG_RUN: usize = 20;

impl<B: Backend> Fq12Arithmetic<B> for Fq12<B> {
    #[inline]
    fn times(&self, other: &Self) -> Self {
        *self * *other
    }

    #[inline]
    fn squared(&self) -> Self {
        self.square()
    }

    #[inline]
    fn cyclotomic_squared(&self) -> Self {
        self.cyclotomic_square()
    }

    #[inline]
    fn compressed_squared(&self, count: usize) -> Self {
        self.compressed_squares(count)
    }

    #[inline]
    fn decompressed(&self) -> Self {
        self.decompress()
    }

    #[inline]
    fn conjugated(&self) -> Self {
        self.conjugate()
    }

    #[inline]
    fn frobenius_power<const J: usize>(&self) -> Self {
        match J {
            1 => self.frobenius(),
            2 => self.frobenius2(),
            _ => self.frobenius3(),
        }
    }

    #[inline]
    fn over_conjugate(&self) -> Self {
        Fq12::over_conjugate(self)
    }
}

impl<B: Backend> Fq12Operations<B> for Fq12<B> {
    #[inline]
    fn from_limbs(limbs: &[Limbs; 12]) -> Self {
        Fq12::from_limbs(limbs)
    }

    #[inline]
    fn to_limbs(&self) -> [Limbs; 12] {
        Fq12::to_limbs(*self)
    }

    #[inline]
    fn times_line(&self, line: &Line<B>) -> Self {
        self.mul_line(line)
    }

    #[inline]
    fn times_precomputed_line(
        &self,
        [c3, c5]: &[[u64; 8]; 2],
        one_over_y: &Fq<B>,
        x_over_y: &Fq<B>,
    ) -> Self {
        self.mul_scaled_line(&ScaledLine {
            l3: Fq2::from_limbs(*c3).scale(one_over_y),
            l5: Fq2::from_limbs(*c5).scale(x_over_y),
        })
    }

    fn times_numerator(&self, c: &Fq6<B>) -> Self {
        let [ac, bc] = Fq6::products([&self.a, &self.b], c);
        Self {
            a: ac + self.b.mul_s(),
            b: self.a + bc,
        }
    }
}

/// Evaluates an expression with one type name bound to the selected backend, and another to the
/// selected form of `Fq12`.
macro_rules! with_fq12 {
    ($backend:ident, $fq12:ident => $body:expr) => {
        match kuaimi_platform::backend::Fq12::selected().get() {
            kuaimi_platform::backend::Fq12::Scalar => {
                $crate::arith::backend::with_backend!($backend => {
                    type $fq12 = $crate::sm9::tower::Fq12<$backend>;
                    $body
                })
            }
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            kuaimi_platform::backend::Fq12::Avx2 => {
                $crate::sm9::tower::fq12_operations::in_lanes!($backend, $fq12, radix29::Avx2 => $body)
            }
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            kuaimi_platform::backend::Fq12::AvxIfma => {
                $crate::sm9::tower::fq12_operations::in_lanes!($backend, $fq12, ifma::AvxIfma => $body)
            }
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            kuaimi_platform::backend::Fq12::HalfIfma => {
                $crate::sm9::tower::fq12_operations::in_lanes!($backend, $fq12, ifma::HalfIfma => $body)
            }
        }
    };
}
pub(crate) use with_fq12;

/// [`with_fq12`] for an engine of four lanes. ADX computes with single elements of `Fq`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! in_lanes {
    ($backend:ident, $fq12:ident, $module:ident::$engine:ident => $body:expr) => {{
        type $backend = $crate::arith::backend::Adx;
        type $fq12 = $crate::sm9::tower::Fq12x4<$crate::arith::lanes::$module::$engine>;
        $body
    }};
}
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use in_lanes;
