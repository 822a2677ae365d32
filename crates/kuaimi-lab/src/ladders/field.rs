//! SM2's curve over the rungs of the ladder of reductions, so that whole operations can be computed
//! with each of them.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};

use kuaimi_math::arith::backend::Portable;
use kuaimi_math::arith::modulus::montgomery_form;
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Backend, Field, PrimeField, U256};
use kuaimi_math::curve::{Affine, Coefficient, Curve, Formulas};
use kuaimi_math::sm2::curve::{P, Scalar, Sm2, constants};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::inversion::{fermat, fermat_chain};
use super::reduction::Arithmetic;

/// A coordinate, in the form of a rung.
#[derive(Clone, Copy, Default)]
pub(super) struct Element<M> {
    limbs: Limbs,
    arithmetic: PhantomData<M>,
}

impl<M> Element<M> {
    const fn new(limbs: Limbs) -> Self {
        Self {
            limbs,
            arithmetic: PhantomData,
        }
    }
}

/// The form of a constant: its Montgomery form where 1 has one, else itself.
const fn form<M: Arithmetic>(a: &U256) -> Limbs {
    match M::ONE {
        [1, 0, 0, 0] => a.0,
        _ => montgomery_form::<P>(a),
    }
}

/// SM2's curve over the arithmetic of a rung.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sm2Over<M>(PhantomData<M>);

impl<M: Arithmetic> Formulas for Sm2Over<M> {}

impl<M: Arithmetic> Curve for Sm2Over<M> {
    type Field = Element<M>;
    type Scalar = Scalar<Portable>;

    const A: Coefficient = Coefficient::MinusThree;
    const B: Element<M> = Element::new(form::<M>(&constants::B));
    const GENERATOR: Affine<Self> = Affine {
        x: Element::new(form::<M>(&constants::GX)),
        y: Element::new(form::<M>(&constants::GY)),
    };
}

/// A curve whose coordinates are known as integers.
pub(super) trait Integers: Curve<Scalar: PrimeField> {
    /// The element below `p` that is this integer.
    fn element(a: &U256) -> Self::Field;
    /// The integer below `p`.
    fn integer(a: &Self::Field) -> U256;
}

impl<M: Arithmetic> Integers for Sm2Over<M> {
    fn element(a: &U256) -> Element<M> {
        Element::new(form::<M>(a))
    }

    fn integer(a: &Element<M>) -> U256 {
        U256(multiply::<M>(&a.limbs, &[1, 0, 0, 0]))
    }
}

impl<B: Backend> Integers for Sm2<B> {
    fn element(a: &U256) -> Self::Field {
        Self::Field::from_u256_reduced(a)
    }

    fn integer(a: &Self::Field) -> U256 {
        a.to_u256()
    }
}

impl<M: Arithmetic> Field for Element<M> {
    type Limbs = Limbs;

    const ZERO: Self = Self::new([0; 4]);
    const ONE: Self = Self::new(M::ONE);

    fn from_limbs(limbs: Limbs) -> Self {
        Self::new(limbs)
    }

    fn to_limbs(&self) -> Limbs {
        self.limbs
    }

    fn look_up(table: &[[Limbs; 2]], index: u32) -> [Limbs; 2] {
        Portable::look_up(table, index)
    }

    #[inline]
    fn square(&self) -> Self {
        *self * *self
    }

    #[inline]
    fn double(&self) -> Self {
        *self + *self
    }

    #[inline]
    fn half(&self) -> Self {
        Self::new(Portable::half::<P>(&self.limbs))
    }

    fn invert(&self) -> Self {
        if M::CHAIN {
            fermat_chain::invert(self)
        } else {
            fermat::invert(self)
        }
    }

    fn invert_vartime(&self) -> Self {
        self.invert()
    }
}

impl<M: Arithmetic> Add for Element<M> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(Portable::add::<P>(&self.limbs, &other.limbs))
    }
}

impl<M: Arithmetic> Sub for Element<M> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(Portable::sub::<P>(&self.limbs, &other.limbs))
    }
}

impl<M: Arithmetic> Mul for Element<M> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(multiply::<M>(&self.limbs, &other.limbs))
    }
}

/// Not inlined, so that the code of the formulas stays small, as it is with the library's portable
/// field.
#[inline(never)]
fn multiply<M: Arithmetic>(a: &Limbs, b: &Limbs) -> Limbs {
    M::multiply(a, b)
}

impl<M: Arithmetic> Neg for Element<M> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl<M> ConstantTimeEq for Element<M> {
    fn ct_eq(&self, other: &Self) -> Choice {
        U256(self.limbs).ct_eq(&U256(other.limbs))
    }
}

impl<M: Arithmetic> ConditionallySelectable for Element<M> {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(U256::conditional_select(&U256(a.limbs), &U256(b.limbs), choice).0)
    }
}

impl<M> fmt::Debug for Element<M> {
    /// Shows nothing, as the library's elements do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Element(..)")
    }
}
