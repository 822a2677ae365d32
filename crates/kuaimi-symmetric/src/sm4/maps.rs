//! Affine maps of bytes and products of polynomials, from which the constants of the vectors' code
//! are computed when the crate is compiled.

#![forbid(unsafe_code)]

use super::affine::Matrix;

/// SM4's polynomial.
pub(super) const SM4_POLYNOMIAL: u16 = 0x1f5;

/// An affine map of bytes, `x ↦ M·x + c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Affine {
    pub(super) matrix: Matrix,
    pub(super) constant: u8,
}

/// `1 + P` and `1 + Q` of [`field`](super::field).
pub(super) const U: Matrix = Matrix([0x01, 0x02, 0x05, 0x0a, 0x14, 0x28, 0x50, 0xa0]);
pub(super) const V: Matrix = Matrix([0x41, 0x82, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]);

/// The maps of bytes of the key schedule. `L'(B) = B + (B<<<13) + (B<<<23)` (7.3) is the sum of
/// these four of each byte, moved by none to three places: a rotation by 13 shifts bits up by five,
/// one place up, and down by three, two places up; one by 23 up by seven, two places up, and down
/// by one, three places up.
#[cfg(clmul)]
pub(super) const KEY_MAPS: [Matrix; 4] = [
    Matrix::IDENTITY,
    Matrix([0, 0, 0, 0, 0, 1, 2, 4]),
    Matrix([8, 16, 32, 64, 128, 0, 0, 1]),
    Matrix([2, 4, 8, 16, 32, 64, 128, 0]),
];

/// The product of two polynomials modulo a polynomial of degree 8.
pub(super) const fn multiply(a: u8, b: u8, polynomial: u16) -> u8 {
    let (mut a, mut product, mut i) = (a as u16, 0, 0);
    while i < 8 {
        if b >> i & 1 == 1 {
            product ^= a;
        }
        a <<= 1;
        if a >> 8 == 1 {
            a ^= polynomial;
        }
        i += 1;
    }
    product as u8
}

impl Matrix {
    pub(super) const fn transpose(self) -> Self {
        let (mut columns, mut i) = ([0; 8], 0);
        while i < 64 {
            columns[i % 8] |= (self.0[i / 8] >> (i % 8) & 1) << (i / 8);
            i += 1;
        }
        Self(columns)
    }

    /// The sum.
    #[cfg(target_arch = "x86_64")]
    pub(super) const fn plus(self, other: Self) -> Self {
        let (mut sum, mut i) = (self.0, 0);
        while i < 8 {
            sum[i] ^= other.0[i];
            i += 1;
        }
        Self(sum)
    }

    /// The matrix product: `self` after `other`.
    pub(super) const fn times(self, other: Self) -> Self {
        let columns = other.transpose();
        let (mut product, mut i) = ([0; 8], 0);
        while i < 8 {
            product[i] = self.apply(columns.0[i]);
            i += 1;
        }
        Self(product).transpose()
    }
}

impl Affine {
    pub(super) const fn apply(self, x: u8) -> u8 {
        self.matrix.apply(x) ^ self.constant
    }

    /// The map as the sum of two look-ups: of the low four bits, with the constant in it, and of
    /// the high four.
    pub(super) const fn nibbles(self) -> [[u8; 16]; 2] {
        let (mut tables, mut i) = ([[0; 16]; 2], 0);
        while i < 16 {
            tables[0][i] = self.apply(i as u8);
            tables[1][i] = self.matrix.apply((i as u8) << 4);
            i += 1;
        }
        tables
    }
}

impl From<Matrix> for Affine {
    fn from(matrix: Matrix) -> Self {
        linear(matrix)
    }
}

/// The affine map without a constant.
pub(super) const fn linear(matrix: Matrix) -> Affine {
    Affine {
        matrix,
        constant: 0,
    }
}
