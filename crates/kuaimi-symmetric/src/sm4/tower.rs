//! SM4's S-box by look-ups of four bits, computed when the crate is compiled.
//!
//! Let `F` be the field of 16 elements inside SM4's field. With `τ² + a·τ + a = 0`, a byte of the
//! field is `i·τ + k` for `i`, `k` in `F`: two halves of four bits. After M. Hamburg (“Accelerating
//! AES with vector permute instructions”, 2009), let `j = i + k` and
//!
//! ```text
//! io = 1/(1/i + a/k) + j,   jo = 1/(1/j + a/k) + i.
//! ```
//!
//! The norm `D = k² + a·i·k + a·i²` is not zero unless the byte is, and `1/io = (k + a·i)/D`,
//! `1/jo = (k + a·j)/D`. The inverse of the byte is `(i·(τ + a) + k)/D`, so it is linear in `1/io`
//! and `1/jo`:
//!
//! ```text
//! (i·τ + k)⁻¹ = X·1/io + Y·1/jo,   Y = (τ + a)/a² + 1/a,   X = Y + (τ + a)/a.
//! ```
//!
//! Each inversion and quotient is a look-up by one half, and each half of the result too, with all
//! linear maps that follow. `1/0` is [`INFINITY`]: a sum with it is no half, and the look-up of
//! what is no half gives 0. That makes the formulas right for all bytes, zero among them.
//!
//! Words are kept in transformed form, with `E = T·A` as in `field.rs`, where `T` gives the two
//! halves of a byte. What is no half has no place for the constant `c` of the S-box. So a
//! round omits it, and the round keys make up for that: see
//! [`lacks_constant`](super::schedule::lacks_constant).

#![forbid(unsafe_code)]

use super::affine::{A, C, Matrix};
use super::maps::{Affine, SM4_POLYNOMIAL, U, V, linear, multiply};

/// What is no half, and stays so when a half is added.
const INFINITY: u8 = 0x80;

const fn product(x: u8, y: u8) -> u8 {
    multiply(x, y, SM4_POLYNOMIAL)
}

/// `xⁿ`.
const fn power(x: u8, n: usize) -> u8 {
    let (mut y, mut i) = (1, 0);
    while i < n {
        y = product(y, x);
        i += 1;
    }
    y
}

const fn inverse(x: u8) -> u8 {
    power(x, 254)
}

/// `τ`: the least byte whose trace over `F` is its norm and not zero.
const TAU: u8 = {
    let mut x = 2;
    while power(x, 17) != x ^ power(x, 16) || power(x, 15) == 1 {
        x += 1;
    }
    x
};
/// `a`, in `F`.
const TRACE: u8 = power(TAU, 17);

/// `T⁻¹`: from two halves, `k` below `i`, to the byte.
const FROM_HALVES: Matrix = {
    // 1, g, g², g³ for a generator g of F.
    let (mut columns, mut x, mut i) = ([0; 8], 2, 0);
    while power(x, 51) == 1 || power(x, 85) == 1 {
        x += 1;
    }
    while i < 4 {
        columns[i] = power(power(x, 17), i);
        columns[i + 4] = product(columns[i], TAU);
        i += 1;
    }
    Matrix(columns).transpose()
};
const TO_HALVES: Matrix = FROM_HALVES.inverse();

const E: Matrix = TO_HALVES.times(A);
/// `E`, which transforms a byte.
pub(super) const TRANSFORM: Affine = linear(E);
/// `E⁻¹`.
pub(super) const INVERSE_TRANSFORM: Affine = linear(E.inverse());
/// `T·c`, which a round key adds.
pub(super) const KEY_CONSTANT: u8 = TO_HALVES.apply(C);
/// What each byte lacks after a round: `E·c<<<2`.
pub(super) const LACKING: u8 = E.apply(C.rotate_left(2));
/// What `S` lacks after these look-ups: `c`.
pub(super) const CONSTANT: u8 = C;

/// `f/x` for every half `x`.
const fn quotients(f: u8) -> [u8; 16] {
    let (mut table, mut x) = ([INFINITY; 16], 1);
    while x < 16 {
        table[x] = TO_HALVES.apply(product(f, inverse(FROM_HALVES.apply(x as u8))));
        x += 1;
    }
    table
}

/// `1/x` and `a/x`.
pub(super) static INVERSES: [u8; 16] = quotients(1);
pub(super) static TRACE_QUOTIENTS: [u8; 16] = quotients(TRACE);

/// A map from an inverse as two look-ups, by `io` and by `jo`.
const fn from_inverse(map: Matrix) -> [[u8; 16]; 2] {
    let conjugate = TAU ^ TRACE;
    let y = product(conjugate, inverse(product(TRACE, TRACE))) ^ inverse(TRACE);
    let factors = [y ^ product(conjugate, inverse(TRACE)), y];
    // Nothing for zero, which occurs only where the byte is zero.
    let (mut tables, mut i) = ([[0; 16]; 2], 0);
    while i < 32 {
        let half = FROM_HALVES.apply(i as u8 % 16);
        tables[i / 16][i % 16] = map.apply(product(factors[i / 16], inverse(half)));
        i += 1;
    }
    tables
}

/// From an inverse to `E·U·S`, to `E·V·S`, and to `S` itself for the key schedule; without the
/// constant.
pub(super) static AFTER_INVERSE_U: [[u8; 16]; 2] = from_inverse(E.times(U).times(A));
pub(super) static AFTER_INVERSE_V: [[u8; 16]; 2] = from_inverse(E.times(V).times(A));
pub(super) static AFTER_INVERSE: [[u8; 16]; 2] = from_inverse(A);

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::*;

    /// The look-ups of a vector on a byte.
    #[test]
    fn every_byte() {
        let look_up = |table: &[u8; 16], at: u8| table.get(usize::from(at)).map_or(0, |y| *y);
        for x in 0..=255 {
            let inside = TRANSFORM.apply(x) ^ KEY_CONSTANT;
            let (k, i) = (inside & 15, inside >> 4);
            let (j, quotient) = (i ^ k, look_up(&TRACE_QUOTIENTS, k));
            let out = |one, other| look_up(&INVERSES, look_up(&INVERSES, one) ^ quotient) ^ other;
            let (io, jo) = (out(i, j), out(j, i));
            let map = |[first, second]: &[[u8; 16]; 2]| look_up(first, io) ^ look_up(second, jo);
            let s = plain::sbox(x);
            let lacks = s ^ CONSTANT;
            assert_eq!(map(&AFTER_INVERSE), lacks, "{x:#04x}");
            assert_eq!(map(&AFTER_INVERSE_U), TRANSFORM.apply(lacks ^ lacks << 2));
            assert_eq!(map(&AFTER_INVERSE_V), TRANSFORM.apply(lacks ^ lacks >> 6));
            assert_eq!(LACKING, TRANSFORM.apply(C << 2 ^ C >> 6));
            assert_eq!(INVERSE_TRANSFORM.apply(TRANSFORM.apply(x)), x);
        }
    }
}
