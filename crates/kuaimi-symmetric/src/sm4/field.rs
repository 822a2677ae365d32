//! SM4's S-box in the field of AES, computed when the crate is compiled.
//!
//! The S-box (GB/T 32907-2016, 6.2) is `S(x) = A·(A·x + c)⁻¹ + c`, with the inversion in
//! GF(2⁸) = GF(2)\[X\]/(X⁸+X⁷+X⁶+X⁵+X⁴+X²+1) and 0⁻¹ = 0.
//!
//! All fields of 256 elements are isomorphic. A root `ρ` of SM4's polynomial in the field of AES,
//! GF(2)\[X\]/(X⁸+X⁴+X³+X+1), gives the isomorphism `T: Xⁱ ↦ ρⁱ`, a linear map over GF(2). With it
//!
//! ```text
//! S(x) = A·T⁻¹·inv(T·A·x + T·c) + c,
//! ```
//!
//! where `inv` is the inversion in the field of AES, which the AES and GFNI instructions compute.
//!
//! # Rounds on transformed words
//!
//! A round applies `S` to each byte of its input, then
//! `L(B) = B + (B<<<2) + (B<<<10) + (B<<<18) + (B<<<24)` (6.2), and adds the result to a word. Let
//! `P` shift the bits of a byte up by two, and `Q` down by six. A rotation of the word by two puts
//! `P` of a byte in the byte's own place and `Q` of it one place up. So
//!
//! ```text
//! L(B) = U(B) + (V(B)<<<24) + (W(B)<<<8) + (W(B)<<<16),   U = 1 + P,   V = 1 + Q,   W = U + V:
//! ```
//!
//! where `U`, `V` and `W` are maps of bytes, and the rotations move whole bytes. So a word `x` can
//! be kept in transformed form, `E·x` byte by byte with `E = T·A`. The input of a round is a sum of
//! such words and of the round key as `E·k + T·c`, and is inverted as it is. After the inversion a
//! single linear map, `E·U·A·T⁻¹` or `E·V·A·T⁻¹`, does the rest. `E` is applied once to a block at
//! the beginning, and `E⁻¹` at the end.

#![forbid(unsafe_code)]

use super::affine::{A, C, Matrix};
#[cfg(clmul)]
use super::maps::KEY_MAPS;
use super::maps::{Affine, SM4_POLYNOMIAL, U, V, multiply};

/// The polynomial of AES.
const AES_POLYNOMIAL: u16 = 0x11b;

/// `T`, from SM4's field into that of AES.
const T: Matrix = isomorphism();

/// The linear part of the S-box of AES, `M·inv(x) + 0x63` (FIPS 197, 5.1.1).
const AES_M: Matrix = {
    let mut rows = [0; 8];
    let mut i = 0;
    while i < 8 {
        rows[i] = 0xf1_u8.rotate_left(i as u32);
        i += 1;
    }
    Matrix(rows)
};
const AES_C: u8 = 0x63;

/// `E`, which transforms a byte.
pub(super) const TRANSFORM: Matrix = T.times(A);
/// `E⁻¹`.
pub(super) const INVERSE_TRANSFORM: Matrix = TRANSFORM.inverse();
/// The transformed round key, `E·k + T·c`.
pub(super) const KEY_TRANSFORM: Affine = Affine {
    matrix: TRANSFORM,
    constant: T.apply(C),
};

/// The map from an inverse to `E·U·S`.
pub(super) const AFTER_INVERSE_U: Affine = after_inverse(U);
/// The map from an inverse to `E·V·S`.
pub(super) const AFTER_INVERSE_V: Affine = after_inverse(V);
/// The map from an inverse to `E·W·S`.
#[cfg(target_arch = "x86_64")]
pub(super) const AFTER_INVERSE_W: Affine = Affine {
    matrix: AFTER_INVERSE_U.matrix.plus(AFTER_INVERSE_V.matrix),
    constant: AFTER_INVERSE_U.constant ^ AFTER_INVERSE_V.constant,
};
/// The maps from an inverse to `E·M·S` for the maps `M` of the key schedule.
#[cfg(clmul)]
pub(super) const AFTER_INVERSE_KEY: [Affine; 4] = {
    let [a, b, c, d] = KEY_MAPS;
    [
        after_inverse(a),
        after_inverse(b),
        after_inverse(c),
        after_inverse(d),
    ]
};
/// The map from an inverse to `S` itself.
pub(super) const AFTER_INVERSE: Affine = Affine {
    matrix: A.times(T.inverse()),
    constant: C,
};
/// The same maps, from the result of the S-box of AES.
pub(super) const AFTER_AES_U: Affine = after_aes(AFTER_INVERSE_U);
pub(super) const AFTER_AES_V: Affine = after_aes(AFTER_INVERSE_V);
#[cfg(test)]
const AFTER_AES: Affine = after_aes(AFTER_INVERSE);
#[cfg(clmul)]
pub(super) const AFTER_AES_KEY: [Affine; 4] = {
    let [a, b, c, d] = AFTER_INVERSE_KEY;
    [after_aes(a), after_aes(b), after_aes(c), after_aes(d)]
};

const fn after_inverse(within: Matrix) -> Affine {
    let out = TRANSFORM.times(within);
    Affine {
        matrix: out.times(AFTER_INVERSE.matrix),
        constant: out.apply(C),
    }
}

/// `map` after the inverse of the affine map of AES.
const fn after_aes(map: Affine) -> Affine {
    let matrix = map.matrix.times(AES_M.inverse());
    Affine {
        matrix,
        constant: map.constant ^ matrix.apply(AES_C),
    }
}

/// `T`: the matrix whose column `i` is `ρⁱ`, for the smallest root `ρ` of SM4's polynomial in the
/// field of AES.
const fn isomorphism() -> Matrix {
    let mut root = 2;
    loop {
        let (mut powers, mut value, mut i) = ([1; 8], 1, 1);
        while i < 8 {
            powers[i] = multiply(powers[i - 1], root, AES_POLYNOMIAL);
            if SM4_POLYNOMIAL >> i & 1 == 1 {
                value ^= powers[i];
            }
            i += 1;
        }
        if value == multiply(powers[7], root, AES_POLYNOMIAL) {
            return Matrix(powers).transpose();
        }
        root += 1;
    }
}

/// The S-box itself, for look-ups within registers.
#[cfg(any(test, neon))]
pub(super) static SBOX: [u8; 256] = {
    let (mut table, mut x) = ([0; 256], 0);
    while x < 256 {
        let (y, mut inverse, mut i) = (A.apply(x as u8) ^ C, 1, 0);
        // y²⁵⁴
        while i < 254 {
            inverse = multiply(inverse, y, SM4_POLYNOMIAL);
            i += 1;
        }
        table[x] = A.apply(inverse) ^ C;
        x += 1;
    }
    table
};

impl Matrix {
    /// The operand of `GF2P8AFFINEQB`: the mask of bit `i` in byte `7 − i`.
    #[cfg(any(test, target_arch = "x86_64"))]
    pub(super) const fn gfni(self) -> u64 {
        u64::from_be_bytes(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::maps::linear;
    use super::super::plain;
    use super::*;

    fn aes_inverse(x: u8) -> u8 {
        (0..254).fold(1, |power, _| multiply(power, x, AES_POLYNOMIAL))
    }

    /// `GF2P8AFFINEQB` as the manual defines it.
    fn affine_instruction(matrix: u64, x: u8, constant: u8) -> u8 {
        let rows = matrix.to_le_bytes();
        (0..8).fold(0, |y, i| {
            y | ((rows[7 - i] & x).count_ones() as u8 % 2) << i
        }) ^ constant
    }

    fn sbox_of_aes(x: u8) -> u8 {
        let inverse = aes_inverse(x);
        (0..5).fold(AES_C, |sum, i| sum ^ inverse.rotate_left(i))
    }

    /// `E·U·S` and `E·V·S`, which both kinds of instructions must give for every byte.
    fn expected(x: u8) -> [u8; 2] {
        let s = plain::sbox(x);
        [s ^ s << 2, s ^ s >> 6].map(|y| TRANSFORM.apply(y))
    }

    #[test]
    fn the_isomorphism_is_an_isomorphism() {
        for a in 0..=255 {
            assert_eq!(T.inverse().apply(T.apply(a)), a);
            for b in 0..=255 {
                assert_eq!(
                    T.apply(multiply(a, b, SM4_POLYNOMIAL)),
                    multiply(T.apply(a), T.apply(b), AES_POLYNOMIAL)
                );
            }
        }
    }

    #[test]
    fn the_table_is_the_sbox() {
        for x in 0..=255 {
            assert_eq!(SBOX[usize::from(x)], plain::sbox(x));
        }
    }

    /// The GFNI code on a byte, with a model of its two instructions.
    #[test]
    fn gfni_gives_the_sbox() {
        let inverse = |map: Affine, x: u8| {
            affine_instruction(map.matrix.gfni(), aes_inverse(x), map.constant)
        };
        for x in 0..=255 {
            // The words are zero, and the key is the byte.
            let inside = affine_instruction(TRANSFORM.gfni(), x, KEY_TRANSFORM.constant);
            assert_eq!(
                [AFTER_INVERSE_U, AFTER_INVERSE_V].map(|map| inverse(map, inside)),
                expected(x)
            );
            assert_eq!(inverse(AFTER_INVERSE, inside), plain::sbox(x));
            let transformed = affine_instruction(TRANSFORM.gfni(), x, 0);
            assert_eq!(
                affine_instruction(INVERSE_TRANSFORM.gfni(), transformed, 0),
                x
            );
        }
    }

    /// The AES code on a byte, with a model of its look-ups.
    #[test]
    fn aes_gives_the_sbox() {
        let look_up = |map: Affine, x: u8| {
            let [low, high] = map.nibbles();
            low[usize::from(x & 15)] ^ high[usize::from(x >> 4)]
        };
        for x in 0..=255 {
            let inside = sbox_of_aes(look_up(KEY_TRANSFORM, x));
            assert_eq!(
                [AFTER_AES_U, AFTER_AES_V].map(|map| look_up(map, inside)),
                expected(x)
            );
            assert_eq!(look_up(AFTER_AES, inside), plain::sbox(x));
            assert_eq!(
                look_up(linear(INVERSE_TRANSFORM), look_up(TRANSFORM.into(), x)),
                x
            );
        }
    }
}
