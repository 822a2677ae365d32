//! SM9's curves (GB/T 38635.1-2020): a Barreto–Naehrig curve with `t = 0x600000000058F98A`, and its
//! twist.
//!
//! `q = 36t⁴ + 36t³ + 24t² + 6t + 1`, `N = 36t⁴ + 36t³ + 18t² + 6t + 1`. The curve `E: y² = x³ + 5`
//! over `Fq` has prime order `N`, and is `G1`. The sextic twist `E′: y² = x³ + 5u` over
//! `Fq2 = Fq[u]/(u² + 2)` has a subgroup of order `N`, which is `G2`.

use core::marker::PhantomData;

use super::tower::Fq2;
use crate::arith::modulus::montgomery_form;
use crate::arith::{Backend, Fe, Field, Modulus, U256};
use crate::curve::{Affine, Coefficient, Curve, Formulas};

/// The prime `q` of the coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Q;

/// The prime order `N` of the three groups.
#[derive(Clone, Copy, Debug, Default)]
pub struct N;

impl Modulus for Q {
    const MODULUS: U256 =
        U256::from_hex("B640000002A3A6F1D603AB4FF58EC74521F2934B1A7AEEDBE56F9B27E351457D");
}

impl Modulus for N {
    const MODULUS: U256 =
        U256::from_hex("B640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25");
}

/// An integer modulo `q`.
pub type Fq<B> = Fe<Q, B>;
/// A scalar: an integer modulo `N`.
pub type Scalar<B> = Fe<N, B>;

/// The parameter `t` of the curve.
pub const T: u64 = 0x6000_0000_0058_F98A;

/// The element of `Fq` with these hexadecimal digits.
pub(super) const fn fq<B: Backend>(hex: &str) -> Fq<B> {
    Fe::from_montgomery(montgomery_form::<Q>(&U256::from_hex(hex)))
}

/// The curve of `G1`, with the field arithmetic of the backend `B`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sm9G1<B: Backend>(PhantomData<B>);

impl<B: Backend> Formulas for Sm9G1<B> {}

impl<B: Backend> Curve for Sm9G1<B> {
    type Field = Fq<B>;
    type Scalar = Scalar<B>;

    const A: Coefficient = Coefficient::Zero;
    const B: Fq<B> = fq("0000000000000000000000000000000000000000000000000000000000000005");
    const GENERATOR: Affine<Self> = Affine {
        x: fq("93DE051D62BF718FF5ED0704487D01D6E1E4086909DC3280E8C4E4817C66DDDD"),
        y: fq("21FE8DDA4F21E607631065125C395BBC1C1C00CBFA6024350C464CD70A3EA616"),
    };
}

/// The curve of `G2`, the twist, with the field arithmetic of the backend `B`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sm9G2<B: Backend>(PhantomData<B>);

impl<B: Backend> Formulas for Sm9G2<B> {}

impl<B: Backend> Curve for Sm9G2<B> {
    type Field = Fq2<B>;
    type Scalar = Scalar<B>;

    const A: Coefficient = Coefficient::Zero;
    const B: Fq2<B> = Fq2 {
        c0: <Fq<B> as Field>::ZERO,
        c1: <Sm9G1<B> as Curve>::B,
    };
    const GENERATOR: Affine<Self> = Affine {
        x: Fq2 {
            c0: fq("3722755292130B08D2AAB97FD34EC120EE265948D19C17ABF9B7213BAF82D65B"),
            c1: fq("85AEF3D078640C98597B6027B441A01FF1DD2C190F5E93C454806C11D8806141"),
        },
        y: Fq2 {
            c0: fq("A7CF28D519BE3DA65F3170153D278FF247EFBA98A71A08116215BBA5C999A7C7"),
            c1: fq("17509B092E845C1266BA0D262CBEE6ED0736A96FA347C8BD856DC76B84EBEB96"),
        },
    };
}

/// Bits of a window of the fixed-base table of `P1`.
pub const G1_WINDOW_BITS: usize = 6;
/// The number of its windows.
pub const G1_WINDOWS: usize = 256usize.div_ceil(G1_WINDOW_BITS);
/// Bits of a window of the fixed-base table of `P2`.
pub const G2_WINDOW_BITS: usize = 6;
/// The number of its windows.
pub const G2_WINDOWS: usize = 256usize.div_ceil(G2_WINDOW_BITS);
