//! Many products of points at a time: what batches, prepared keys and nonces ahead of time are made of.
//!
//! Every function takes slices of equal length, one element an operation, and gives the same results as the operations one by
//! one. Numbers are plain integers below `n`; points are affine, two coordinates in Montgomery form (`R = 2²⁵⁶`, fully
//! reduced), never infinity unless a contract says so. Functions may see secret numbers unless their name ends in `_vartime`;
//! points are public everywhere.
//!
//! This is the one place where the code for many operations is chosen: [`serial`] computes them one after another with the
//! selected backend and shares the inversions. How many operations a call should bring is [`chunk`]'s to say; the caller cuts
//! longer batches, and may give any number.

mod key_table;
mod serial;

pub(crate) use key_table::KeyTable;
pub(super) use serial::x_is_vartime;

use crate::arith::U256;
use crate::arith::backend::with_backend;
use crate::arith::u256::Limbs;

/// An affine point: x and y in Montgomery form.
pub(crate) type Point = [Limbs; 2];

/// What a signature must satisfy: that the x-coordinate of `[s]G + [t]P` is `x` modulo `n`.
#[derive(Clone, Copy)]
pub(crate) struct Equation<P> {
    /// Below `n`.
    pub(crate) s: U256,
    /// Below `n`.
    pub(crate) t: U256,
    /// Below `n`.
    pub(crate) x: U256,
    /// The point `P`, or its table.
    pub(crate) p: P,
}

/// How many operations fill a call: enough for the lanes, and for what is shared to be shared by many.
pub(crate) fn chunk() -> usize {
    serial::CHUNK
}

/// `[k]G` for secret `k` other than zero.
pub(crate) fn generator_mul_many(k: &[U256], out: &mut [Point]) {
    with_backend!(B => serial::generator_mul_many::<B>(k, out))
}

/// `[k]P` for secret `k` other than zero and keys with tables.
pub(crate) fn prepared_mul_many(k: &[U256], tables: &[&KeyTable], out: &mut [Point]) {
    with_backend!(B => serial::prepared_mul_many::<B>(k, tables, out))
}

/// `[k]P` for secret `k` other than zero.
pub(crate) fn point_mul_many(k: &[U256], points: &[Point], out: &mut [Point]) {
    with_backend!(B => serial::point_mul_many::<B>(k, points, out))
}

/// Whether the equations hold.
pub(crate) fn verify_many_vartime(equations: &[Equation<Point>], out: &mut [bool]) {
    with_backend!(B => serial::verify_many_vartime::<B>(equations, out))
}

/// As [`verify_many_vartime`], for keys with tables.
pub(crate) fn verify_prepared_many_vartime(equations: &[Equation<&KeyTable>], out: &mut [bool]) {
    with_backend!(B => serial::verify_prepared_many_vartime::<B>(equations, out))
}

/// As [`verify_prepared_many_vartime`], of one equation. Allocates nothing.
pub(crate) fn verify_prepared_vartime(equation: &Equation<&KeyTable>) -> bool {
    with_backend!(B => serial::verify_prepared_vartime::<B>(equation))
}

/// `[s]G + [t]P`; nothing for infinity.
pub(crate) fn double_scalar_mul_many_vartime(
    s: &[U256],
    t: &[U256],
    points: &[Point],
    out: &mut [Option<Point>],
) {
    with_backend!(B => serial::double_scalar_mul_many_vartime::<B>(s, t, points, out))
}

/// `1/a mod n`, and 0 for 0, for secret `a`, in place.
pub(crate) fn invert_many(a: &mut [U256]) {
    with_backend!(B => serial::invert_many::<B>(a))
}

#[cfg(test)]
mod tests;
