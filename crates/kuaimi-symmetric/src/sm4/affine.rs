//! The affine map of SM4's S-box (GB/T 32907-2016, 6.2), computed when the crate is compiled.
//!
//! The S-box is `S(x) = A·(A·x + c)⁻¹ + c`: an inversion in GF(2⁸) between two equal affine maps.
//! Bytes are polynomials over GF(2), bit `i` the coefficient of `Xⁱ`.

#![forbid(unsafe_code)]

/// A linear map of bytes: bit `i` of the image is the parity of the argument's bits in mask `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Matrix(pub(super) [u8; 8]);

/// `A` of the S-box: row `i` is row 0 rotated by `i`.
pub(super) const A: Matrix = {
    let mut rows = [0; 8];
    let mut i = 0;
    while i < 8 {
        rows[i] = 0xa7_u8.rotate_left(i as u32);
        i += 1;
    }
    Matrix(rows)
};

/// `c` of the S-box.
pub(super) const C: u8 = 0xd3;

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1, 2, 4, 8, 16, 32, 64, 128]);

    /// The image of `x`.
    pub(super) const fn apply(self, x: u8) -> u8 {
        let (mut y, mut i) = (0, 0);
        while i < 8 {
            y |= ((self.0[i] & x).count_ones() as u8 & 1) << i;
            i += 1;
        }
        y
    }

    /// The inverse, by Gauss–Jordan elimination. A singular matrix does not compile.
    pub(super) const fn inverse(self) -> Self {
        let (mut m, mut inverse, mut i) = (self.0, Self::IDENTITY.0, 0);
        while i < 8 {
            let mut pivot = i;
            while m[pivot] >> i & 1 == 0 {
                pivot += 1;
            }
            (m[i], m[pivot]) = (m[pivot], m[i]);
            (inverse[i], inverse[pivot]) = (inverse[pivot], inverse[i]);
            let mut j = 0;
            while j < 8 {
                if j != i && m[j] >> i & 1 == 1 {
                    m[j] ^= m[i];
                    inverse[j] ^= inverse[i];
                }
                j += 1;
            }
            i += 1;
        }
        Self(inverse)
    }
}
