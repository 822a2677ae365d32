//! Field elements.
//!
//! [`Fe<M, B>`] is an element modulo [`M`](Modulus), computed by backend [`B`](Backend). Code that
//! works in any field, prime or an extension, uses the traits [`Field`] and [`PrimeField`].

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::backend::Backend;
use super::modulus::{Modulus, Reduction};
use super::sqrt;
use super::u256::{Limbs, U256};

/// The operations of a field. Constant time, unless a name ends in `_vartime`.
pub trait Field:
    Copy
    + Default
    + fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + ConditionallySelectable
    + ConstantTimeEq
    + Send
    + Sync
    + 'static
{
    /// The limbs of a stored element, the same for every backend, so that all backends can use the
    /// same tables.
    type Limbs: Copy + Default + fmt::Debug + AsRef<[u64]> + AsMut<[u64]> + Send + Sync + 'static;

    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;

    /// The element with these limbs, which must be a result of [`to_limbs`](Self::to_limbs).
    fn from_limbs(limbs: Self::Limbs) -> Self;
    /// The limbs, for storing the element.
    fn to_limbs(&self) -> Self::Limbs;
    /// The entry of `table` at a secret `index`; see [`Backend::look_up`].
    fn look_up(table: &[[Self::Limbs; 2]], index: u32) -> [Self::Limbs; 2];
    /// `self²`.
    fn square(&self) -> Self;
    /// `2·self`.
    fn double(&self) -> Self;
    /// `self / 2`.
    fn half(&self) -> Self;
    /// `1 / self`, and 0 for 0.
    fn invert(&self) -> Self;
    /// `1 / self`, and 0 for 0, for public values.
    fn invert_vartime(&self) -> Self;

    /// `a·b − c·d`.
    #[inline(always)]
    fn difference_of_products([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Self {
        *a * *b - *c * *d
    }

    /// `self == 0`.
    #[inline]
    fn is_zero(&self) -> Choice {
        self.ct_eq(&Self::ZERO)
    }

    /// `self == 0`, for public values.
    #[inline]
    fn is_zero_vartime(&self) -> bool {
        bool::from(self.is_zero())
    }
}

/// A [`Field`] of integers modulo a prime.
pub trait PrimeField: Field {
    /// The prime.
    const MODULUS: U256;

    /// `2^exponent`; the exponent is public and at most a little over 256.
    fn power_of_two(exponent: usize) -> Self;
    /// The element that is `a mod m`, for any 256-bit `a`.
    fn from_u256_reduced(a: &U256) -> Self;
    /// The element `a`, when `a` is below the modulus.
    fn from_u256_vartime(a: &U256) -> Option<Self>;
    /// The integer in `[0, m)`.
    fn to_u256(&self) -> U256;
    /// A square root, when there is one, for public values.
    fn sqrt_vartime(&self) -> Option<Self>;
}

/// An element of the integers modulo `M`, in Montgomery form, fully reduced.
pub struct Fe<M: Modulus, B: Backend> {
    limbs: Limbs,
    parameters: PhantomData<(M, B)>,
}

impl<M: Modulus, B: Backend> Fe<M, B> {
    /// The element with this Montgomery form, which must be below the modulus.
    #[inline(always)]
    pub const fn from_montgomery(limbs: Limbs) -> Self {
        Self {
            limbs,
            parameters: PhantomData,
        }
    }

    /// The limbs of the Montgomery form.
    #[inline(always)]
    pub const fn to_montgomery(self) -> Limbs {
        self.limbs
    }

    /// The product with an integer, as an integer: neither is in Montgomery form. One
    /// multiplication.
    #[inline]
    pub fn mul_plain(&self, plain: &U256) -> U256 {
        U256(B::mul::<M>(&self.limbs, &plain.0))
    }

    /// The limbs of the Montgomery form, for [`dot`](Self::dot).
    #[inline(always)]
    pub const fn limbs(&self) -> &Limbs {
        &self.limbs
    }

    /// The limbs of the Montgomery form, for code that leaves a number below the modulus there.
    #[cfg(any(
        feature = "all-backends",
        not(target_pointer_width = "64"),
        all(target_arch = "x86_64", not(miri))
    ))]
    #[inline(always)]
    pub(crate) const fn limbs_mut(&mut self) -> &mut Limbs {
        &mut self.limbs
    }

    /// `Σ aᵢ·bᵢ` of at most six products, given in Montgomery form, with one reduction where the
    /// backend can.
    #[inline(always)]
    pub fn dot(terms: &[[&Limbs; 2]]) -> Self {
        Self::from_montgomery(B::dot::<M>(terms))
    }

    /// `−2·self`, only as a factor of [`dot`](Self::dot): 0 may be represented by the modulus.
    #[inline(always)]
    pub fn minus_twice(&self) -> Self {
        Self::from_montgomery(B::minus_twice::<M>(&self.limbs))
    }

    /// `self^exponent`, four bits of the exponent at a time. The time depends on the exponent, but
    /// not on `self`.
    pub fn pow_vartime(&self, exponent: &U256) -> Self {
        let mut powers = [Self::ONE; 16];
        for i in 1..16 {
            powers[i] = powers[i - 1] * *self;
        }
        let mut acc = Self::ONE;
        for window in (0..exponent.bit_length_vartime().div_ceil(4)).rev() {
            for _ in 0..4 {
                acc = acc.square();
            }
            let digit = exponent.bits(4 * window, 4) as usize;
            if digit != 0 {
                acc = acc * powers[digit];
            }
        }
        acc
    }
}

impl<M: Modulus, B: Backend> Field for Fe<M, B> {
    type Limbs = Limbs;

    const ZERO: Self = Self::from_montgomery([0; 4]);
    const ONE: Self = Self::from_montgomery(M::R);

    #[inline(always)]
    fn from_limbs(limbs: Limbs) -> Self {
        Self::from_montgomery(limbs)
    }

    #[inline(always)]
    fn to_limbs(&self) -> Limbs {
        self.limbs
    }

    #[inline(always)]
    fn look_up(table: &[[Limbs; 2]], index: u32) -> [Limbs; 2] {
        B::look_up(table, index)
    }

    #[inline(always)]
    fn square(&self) -> Self {
        Self::from_montgomery(B::square::<M>(&self.limbs))
    }

    #[inline(always)]
    fn double(&self) -> Self {
        Self::from_montgomery(B::double::<M>(&self.limbs))
    }

    #[inline(always)]
    fn half(&self) -> Self {
        Self::from_montgomery(B::half::<M>(&self.limbs))
    }

    #[inline(always)]
    fn difference_of_products([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Self {
        match M::REDUCTION {
            // One reduction instead of two. A reduction costs half as much as a product.
            Reduction::Montgomery => {
                Self::dot(&[[a.limbs(), b.limbs()], [(-*c).limbs(), d.limbs()]])
            }
            // This reduction is so cheap that saving one is not worth it.
            Reduction::Sm2Prime => *a * *b - *c * *d,
        }
    }

    fn invert(&self) -> Self {
        Self::from_montgomery(B::invert::<M>(&self.limbs))
    }

    fn invert_vartime(&self) -> Self {
        // The limbs are a·R. Their inverse is a⁻¹·R⁻¹, and its Montgomery product with R³ is a⁻¹·R.
        Self::from_montgomery(B::mul::<M>(&B::invert_vartime::<M>(&self.limbs), &M::R3))
    }

    #[inline]
    fn is_zero_vartime(&self) -> bool {
        self.limbs == [0; 4]
    }
}

impl<M: Modulus, B: Backend> PrimeField for Fe<M, B> {
    const MODULUS: U256 = M::MODULUS;

    fn power_of_two(exponent: usize) -> Self {
        // From 256 on, start from 2²⁵⁶, whose Montgomery form is R².
        let (start, doublings) = match exponent.checked_sub(256) {
            Some(rest) => (Self::from_montgomery(M::R2), rest),
            None => {
                let mut power = [0; 4];
                power[exponent / 64] = 1 << (exponent % 64);
                (Self::from_u256_reduced(&U256(power)), 0)
            }
        };
        (0..doublings).fold(start, |power, _| power.double())
    }

    #[inline]
    fn from_u256_reduced(a: &U256) -> Self {
        // A Montgomery product of any 256-bit number with R² < m is reduced.
        Self::from_montgomery(B::mul::<M>(&a.0, &M::R2))
    }

    fn from_u256_vartime(a: &U256) -> Option<Self> {
        a.lt_vartime(&M::MODULUS)
            .then(|| Self::from_u256_reduced(a))
    }

    #[inline]
    fn to_u256(&self) -> U256 {
        U256(B::redc::<M>(&self.limbs))
    }

    fn sqrt_vartime(&self) -> Option<Self> {
        let root = match M::MODULUS.0[0] % 8 {
            3 | 7 if matches!(M::REDUCTION, Reduction::Sm2Prime) => sqrt::sm2_root(self),
            // m ≡ 3 (mod 4): a^((m+1)/4). As m + 1 may have 257 bits, (m+1)/4 is computed as
            // (m−3)/4 + 1.
            3 | 7 => {
                let quarter = M::MODULUS.shr1(false).shr1(false);
                self.pow_vartime(&quarter) * *self
            }
            // m ≡ 5 (mod 8): Atkin's algorithm. With v = (2a)^((m−5)/8) and i = 2a·v², the root is
            // a·v·(i − 1).
            5 => {
                let eighth = M::MODULUS.shr1(false).shr1(false).shr1(false);
                let twice = self.double();
                let v = twice.pow_vartime(&eighth);
                let i = twice * v.square();
                *self * v * (i - Self::ONE)
            }
            // No modulus of this crate is 1 modulo 8.
            _ => return None,
        };
        (root.square() == *self).then_some(root)
    }
}

/// Replaces each element by its inverse, and 0 by 0, with one inversion and three multiplications
/// an element (Montgomery's trick). `invert` is the inversion of the product. Constant time if
/// `invert` is.
///
/// `scratch` must be at least as long as `elements`; the rest of it is not changed.
pub fn batch_invert<F: Field>(elements: &mut [F], scratch: &mut [F], invert: fn(&F) -> F) {
    let mut product = F::ONE;
    for (element, prefix) in elements.iter().zip(scratch.iter_mut()) {
        *prefix = product;
        product = F::conditional_select(&(product * *element), &product, element.is_zero());
    }
    let mut inverse = invert(&product);
    for (element, prefix) in elements.iter_mut().zip(scratch.iter()).rev() {
        let zero = element.is_zero();
        let next = F::conditional_select(&(inverse * *element), &inverse, zero);
        *element = F::conditional_select(&(inverse * *prefix), &F::ZERO, zero);
        inverse = next;
    }
}

impl<M: Modulus, B: Backend> Copy for Fe<M, B> {}

impl<M: Modulus, B: Backend> Clone for Fe<M, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Modulus, B: Backend> Default for Fe<M, B> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<M: Modulus, B: Backend> Add for Fe<M, B> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::from_montgomery(B::add::<M>(&self.limbs, &other.limbs))
    }
}

impl<M: Modulus, B: Backend> Sub for Fe<M, B> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::from_montgomery(B::sub::<M>(&self.limbs, &other.limbs))
    }
}

impl<M: Modulus, B: Backend> Mul for Fe<M, B> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::from_montgomery(B::mul::<M>(&self.limbs, &other.limbs))
    }
}

impl<M: Modulus, B: Backend> Neg for Fe<M, B> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl<M: Modulus, B: Backend> PartialEq for Fe<M, B> {
    /// Constant time. The result is a `bool` that callers branch on, so it must be public.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        bool::from(self.ct_eq(other))
    }
}

impl<M: Modulus, B: Backend> Eq for Fe<M, B> {}

impl<M: Modulus, B: Backend> ConstantTimeEq for Fe<M, B> {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        U256(self.limbs).ct_eq(&U256(other.limbs))
    }
}

impl<M: Modulus, B: Backend> ConditionallySelectable for Fe<M, B> {
    #[inline(always)]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::from_montgomery(U256::conditional_select(&U256(a.limbs), &U256(b.limbs), choice).0)
    }
}

impl<M: Modulus, B: Backend> fmt::Debug for Fe<M, B> {
    /// Shows nothing: a field element may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fe(..)")
    }
}

impl<M: Modulus, B: Backend> Zeroize for Fe<M, B> {
    fn zeroize(&mut self) {
        self.limbs.zeroize();
    }
}
