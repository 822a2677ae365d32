//! SM2's recommended curve (GB/T 32918.5-2017): `y² = x³ − 3x + b` over `Fp`,
//! `p = 2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ − 1`, of prime order `n`.

use core::marker::PhantomData;

use crate::arith::modulus::montgomery_form;
use crate::arith::{Backend, Fe, Modulus, Reduction, U256};
use crate::curve::{Affine, Coefficient, Curve};

/// The prime `p` of the coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub struct P;

/// The prime order `n` of the curve.
#[derive(Clone, Copy, Debug, Default)]
pub struct N;

impl Modulus for P {
    const MODULUS: U256 =
        U256::from_hex("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF");
    const REDUCTION: Reduction = Reduction::Sm2Prime;
}

impl Modulus for N {
    const MODULUS: U256 =
        U256::from_hex("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123");
}

/// A coordinate.
pub type Fp<B> = Fe<P, B>;
/// A scalar.
pub type Scalar<B> = Fe<N, B>;

/// The curve's parameters as integers, as the standard gives them.
pub mod constants {
    use crate::arith::U256;

    /// The coefficient `a = p − 3`.
    pub const A: U256 =
        U256::from_hex("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFC");
    /// The coefficient `b`.
    pub const B: U256 =
        U256::from_hex("28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93");
    /// The generator's x-coordinate.
    pub const GX: U256 =
        U256::from_hex("32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7");
    /// The generator's y-coordinate.
    pub const GY: U256 =
        U256::from_hex("BC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0");
}

/// The curve, with the field arithmetic of the backend `B`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sm2<B: Backend>(PhantomData<B>);

impl<B: Backend> Curve for Sm2<B> {
    type Field = Fp<B>;
    type Scalar = Scalar<B>;

    const A: Coefficient = Coefficient::MinusThree;
    const B: Fp<B> = Fe::from_montgomery(montgomery_form::<P>(&constants::B));
    const GENERATOR: Affine<Self> = Affine {
        x: Fe::from_montgomery(montgomery_form::<P>(&constants::GX)),
        y: Fe::from_montgomery(montgomery_form::<P>(&constants::GY)),
    };
}

/// Bits of a window of the generator's fixed-base table.
pub const WINDOW_BITS: usize = 6;
/// The number of its windows.
pub const WINDOWS: usize = 256usize.div_ceil(WINDOW_BITS);
/// The width of the generator's wNAF in verification. A table that is computed at its first use is
/// smaller.
pub const WNAF_WIDTH: usize = if cfg!(target_family = "wasm") { 8 } else { 11 };
/// Bits of a window of the generator's wide fixed-base table, for public scalars: 32 windows, 256
/// KiB. Where tables are computed at their first use, there is only the other one.
pub const WIDE_WINDOW_BITS: usize = if cfg!(target_family = "wasm") {
    WINDOW_BITS
} else {
    8
};
/// The number of its windows.
pub const WIDE_WINDOWS: usize = 256usize.div_ceil(WIDE_WINDOW_BITS);
