//! Decomposition of scalars into two or four short ones, for the endomorphisms of `G1`, `G2` and
//! `GT`.
//!
//! On `G1` the map `φ(x, y) = (β⁴x, y)` is the multiplication by `λ = 36t³ + 18t² + 6t + 1`, a cube
//! root of 1 modulo `N` (Gallant, Lambert and Vanstone, CRYPTO 2001). On `G2` and `GT` the `q`-th
//! power Frobenius map is the multiplication by (or the power of) `λ = 6t² ≡ q`, which has order 12
//! modulo `N` (Galbraith, Lin and Scott, EUROCRYPT 2009; Galbraith and Scott, Pairing 2008).
//!
//! The integer vectors `(k₀, k₁, …)` with `Σ kᵢλⁱ ≡ 0 (mod N)` are a lattice. Let `Bⱼ` be a basis
//! of short vectors. Choose `αⱼ` with `Σ αⱼBⱼ = (N, 0, …)`, and let `cⱼ = round(k·αⱼ/N)`. Then the
//! elements of the vector `(k, 0, …) − Σ cⱼBⱼ` are a short decomposition of `k`.
//!
//! The elements are then made odd, so that each is a number of `L` signed bits, without a carry and
//! without a special case (see [`recode`](crate::curve::recode)). The determinant of the basis is
//! odd, as `N` is. So for each vector of parities there is exactly one set of basis vectors whose
//! sum has these parities, and that sum is added.
//!
//! *Bounds.* The rounded `cⱼ` differ from the quotients by little more than ½, and each basis
//! vector is added at most once. So an element is at most little more than 1.5 times the sum of the
//! absolute values in its column: below `2^66` for four elements, and below `2^129` for two.
//!
//! Constant time.

use zeroize::Zeroize;

use crate::arith::U256;
use crate::arith::u256::{adc, mask, mask_limbs};
use crate::curve::recode::OddWindows;

/// A basis of short vectors, and the windows of the decomposed scalars.
pub struct Lattice<const D: usize> {
    /// `round(2³²⁰·αⱼ/N)`.
    quotients: [U256; D],
    /// `Bⱼ`, modulo `2²⁵⁶`.
    basis: [[U256; D]; D],
    /// Row `i` has a 1 for each basis vector that is added if `kᵢ` is even (modulo 2, over all
    /// rows).
    parity: [[u8; D]; D],
    /// Bits of a window.
    pub width: usize,
    /// The number of windows.
    pub windows: usize,
}

/// The lattice of `λ = 6t²`, for `G2` and `GT`. The elements of its basis are `±t`, `±(t + 1)`,
/// `±2t` and `±(2t + 1)`.
pub const DIMENSION_4: Lattice<4> = Lattice {
    quotients: [
        U256::from_hex("71C71C71C6B2FE2BDA135840D3281D93820C3662FC2E483DBFAB2DEDE6ED506B"),
        U256::from_hex("71C71C71C6B2FE2D097BA41AE3EC39C47EE62E24005A094E72EDBC8E210396A3"),
        U256::from_hex("71C71C71C6B2FE2D097BA41AE3EC39C58C9838ACF1D5821FBE7357823AE529B3"),
        U256::from_hex("71C71C71C6B2FE2D097BA41AE3EC39C3F80D28DF879C4CE680F6F61A09BE79EE"),
    ],
    basis: [
        [
            U256::from_hex("000000000000000000000000000000000000000000000000C000000000B1F314"),
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98B"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF9FFFFFFFFFA70676"),
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98A"),
        ],
        [
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98A"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF9FFFFFFFFFA70676"),
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98A"),
            U256::from_hex("000000000000000000000000000000000000000000000000C000000000B1F315"),
        ],
        [
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98B"),
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98A"),
            U256::from_hex("000000000000000000000000000000000000000000000000600000000058F98A"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF3FFFFFFFFF4E0CEC"),
        ],
        [
            U256::from_hex("000000000000000000000000000000000000000000000000C000000000B1F315"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF9FFFFFFFFFA70676"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF9FFFFFFFFFA70675"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF9FFFFFFFFFA70676"),
        ],
    ],
    parity: [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 0]],
    width: 4,
    windows: 17,
};

/// The same lattice with wider windows, for the tables of fixed elements.
pub const DIMENSION_4_FIXED_BASE: Lattice<4> = Lattice {
    width: 6,
    windows: 11,
    ..DIMENSION_4
};

/// The lattice of `λ = 36t³ + 18t² + 6t + 1`, for `G1`. The basis is `(6t² + 4t + 1, 2t + 1)` and
/// `(2t + 1, −6t² − 2t)`.
pub const DIMENSION_2: Lattice<2> = Lattice {
    quotients: [
        U256::from_hex("00000000000000012F684BDA10C41C307600F27C8B6E04A8C14BC82C22D12982"),
        U256::from_hex("000000000000000000000000000000010DB20A88F17B78D14B859AF419E19310"),
    ],
    basis: [
        [
            U256::from_hex("00000000000000000000000000000000D8000000019062EE8000B98B0E165C81"),
            U256::from_hex("000000000000000000000000000000000000000000000000C000000000B1F315"),
        ],
        [
            U256::from_hex("000000000000000000000000000000000000000000000000C000000000B1F315"),
            U256::from_hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF27FFFFFFFE6F9D123FFF4674F29B9694"),
        ],
    ],
    parity: [[0, 1], [1, 1]],
    width: 5,
    windows: 26,
};

impl<const D: usize> Lattice<D> {
    /// The windows of odd `kᵢ` with `Σ kᵢλⁱ ≡ k (mod N)`.
    pub fn decompose(&self, k: &U256) -> [OddWindows; D] {
        let mut parts = [U256::ZERO; D];
        parts[0] = *k;
        for (quotient, vector) in self.quotients.iter().zip(&self.basis) {
            let c = mul_shift(k, quotient);
            for (part, element) in parts.iter_mut().zip(vector) {
                *part = part.overflowing_sub(&wrapping_mul(&c, element)).0;
            }
        }
        let mut add = [0u8; D];
        for (part, row) in parts.iter().zip(&self.parity) {
            let even = (part.0[0] & 1) as u8 ^ 1;
            for (add, bit) in add.iter_mut().zip(row) {
                *add ^= even & bit;
            }
        }
        for (add, vector) in add.iter().zip(&self.basis) {
            let mask = mask(*add == 1);
            for (part, element) in parts.iter_mut().zip(vector) {
                *part = part.overflowing_add(&U256(mask_limbs(&element.0, mask))).0;
            }
        }
        // The signed bits of kᵢ are the bits of (kᵢ + 2^L − 1)/2.
        let length = self.width * self.windows;
        let mut ones = U256::ZERO;
        ones.0[length / 64] = 1 << (length % 64);
        let ones = ones.overflowing_sub(&U256::ONE).0;
        let digits = parts.map(|part| {
            let shifted = part.overflowing_add(&ones).0;
            OddWindows::from_signs(shifted.shr1(false), self.width)
        });
        parts.zeroize();
        digits
    }
}

/// The eight limbs of `a·b`.
fn mul_wide(a: &U256, b: &U256) -> [u64; 8] {
    let mut product = [0u64; 8];
    for (i, &a) in a.0.iter().enumerate() {
        let mut carry = 0u64;
        for (j, &b) in b.0.iter().enumerate() {
            let wide =
                u128::from(a) * u128::from(b) + u128::from(product[i + j]) + u128::from(carry);
            product[i + j] = wide as u64;
            carry = (wide >> 64) as u64;
        }
        product[i + 4] = carry;
    }
    product
}

/// `round(a·b / 2³²⁰)`.
fn mul_shift(a: &U256, b: &U256) -> U256 {
    let [_, _, _, _, p4, p5, p6, p7] = mul_wide(a, b);
    let (_, c) = adc(p4, 1 << 63, false);
    let (p5, c) = adc(p5, 0, c);
    let (p6, c) = adc(p6, 0, c);
    let (p7, _) = adc(p7, 0, c);
    U256([p5, p6, p7, 0])
}

/// `a·b mod 2²⁵⁶`.
fn wrapping_mul(a: &U256, b: &U256) -> U256 {
    let [p0, p1, p2, p3, ..] = mul_wide(a, b);
    U256([p0, p1, p2, p3])
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::arith::Modulus;
    use crate::sm9::curve::{N, T};
    use crate::testing::{Repeatable, big, from_big, rounds};

    /// Checks that the digits sum up to `k` modulo `N`.
    fn check<const D: usize>(lattice: &Lattice<D>, lambda: &BigUint, k: &BigUint) {
        let n = big(&N::MODULUS);
        let mut sum = BigUint::ZERO;
        for (i, part) in lattice.decompose(&from_big(k)).iter().enumerate() {
            let mut value = BigUint::ZERO;
            for window in (0..lattice.windows).rev() {
                let (index, negative) = part.digit(window);
                let digit = BigUint::from(2 * index + 1);
                value = (value << lattice.width) % &n;
                value = if bool::from(negative) {
                    value + &n - digit
                } else {
                    value + digit
                };
            }
            sum += value * lambda.modpow(&BigUint::from(i), &n);
        }
        assert_eq!(sum % &n, k % &n, "{k}");
    }

    #[test]
    fn parts_sum_up() {
        let n = big(&N::MODULUS);
        let t = BigUint::from(T);
        let frobenius = &t * &t * 6u32;
        let lambda = &t * &t * &t * 36u32 + &t * &t * 18u32 + &t * 6u32 + 1u32;
        let mut rng = Repeatable(93);
        let mut scalars: Vec<BigUint> = (0u32..200).map(BigUint::from).collect();
        scalars.extend((1u32..200).map(|i| &n - i));
        scalars.extend((0u32..256).map(|i| (BigUint::from(1u32) << i) % &n));
        scalars.extend((1u32..20).flat_map(|i| [&frobenius * i % &n, &lambda * i % &n]));
        scalars.extend((0..rounds(20_000)).map(|_| big(&U256(rng.number())) % &n));
        for k in &scalars {
            check(&DIMENSION_4, &frobenius, k);
            check(&DIMENSION_4_FIXED_BASE, &frobenius, k);
            check(&DIMENSION_2, &lambda, k);
        }
    }
}
