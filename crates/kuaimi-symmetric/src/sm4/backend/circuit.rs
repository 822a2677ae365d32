//! SM4's S-box as a circuit on bit planes: 117 operations, 34 of them multiplications (ANDs), and
//! no table.
//!
//! In a tower of fields, GF(2⁸) over GF(2⁴) over GF(2²), an inversion needs few multiplications of
//! bits. The middle of the circuit, from the sums `t` to the 18 products, is that of J. Boyar and
//! R. Peralta for the S-box of AES (“A small depth-16 circuit for the AES S-box”, 2012). The linear
//! maps before and after it are new. They were searched for: for each of the eight isomorphisms
//! between the fields, and each of the 255 factors `k` by which both the argument of an inversion
//! and its result may be multiplied, the maps were written as matrices, and common sums were found
//! greedily, the most frequent pair of terms first (C. Paar, 1997), with ties broken at random. The
//! shortest circuit is below.
//!
//! The circuit computes `A·(A·x)⁻¹`. The S-box also adds [`INPUT_CONSTANT`] to `x` and
//! [`OUTPUT_CONSTANT`] to the result. The callers add these to the round keys, where they cost
//! nothing.

#![forbid(unsafe_code)]

use core::ops::{BitAnd, BitXor};

use super::super::affine::{A, C};

/// The constant to add to the argument before the circuit: `A⁻¹·c`.
pub(super) const INPUT_CONSTANT: u8 = A.inverse().apply(C);
/// The constant to add to its result: `c`.
pub(super) const OUTPUT_CONSTANT: u8 = C;

/// `A·(A·x)⁻¹` for many bytes: plane `i` has bit `i` of all of them.
#[inline(always)]
pub(super) fn sbox_without_constants<W>(x: [W; 8]) -> [W; 8]
where
    W: Copy + BitXor<Output = W> + BitAnd<Output = W>,
{
    let [x0, x1, x2, x3, x4, x5, x6, x7] = x;
    // The sums of input bits that are the factors of products: 24 additions.
    let s0 = x5 ^ x3;
    let s1 = x7 ^ x4;
    let s2 = x0 ^ s1;
    let s3 = x0 ^ s0;
    let s4 = x6 ^ x2;
    let s5 = x5 ^ x1;
    let s6 = x3 ^ s2;
    let s7 = x4 ^ x2;
    let s8 = x1 ^ s4;
    let s9 = x7 ^ s0;
    let s10 = x2 ^ s2;
    let t14 = x2 ^ s9;
    let d = s3 ^ s7;
    let t20 = x5 ^ s1;
    let t17 = x0 ^ s5;
    let t1 = s1 ^ s5;
    let t15 = x3 ^ x1 ^ s7;
    let t4 = s3 ^ s4;
    let t27 = x7 ^ s3;
    let t2 = s6 ^ s8;
    let t10 = s5 ^ s10;
    let t24 = x6 ^ s0;
    let t25 = x1 ^ s2;

    // The inverse, up to linear maps, in the tower of fields: 45 operations.
    let m1 = s4 & s9;
    let m2 = s8 & s10;
    let m3 = t14 ^ m1;
    let m4 = x1 & d;
    let m5 = m4 ^ m1;
    let m6 = s3 & x0;
    let m7 = s6 & s5;
    let m8 = s0 ^ m6;
    let m9 = t20 & t17;
    let m10 = m9 ^ m6;
    let m11 = t1 & t15;
    let m12 = t4 & t27;
    let m13 = m12 ^ m11;
    let m14 = t2 & t10;
    let m15 = m14 ^ m11;
    let m16 = m3 ^ m2;
    let m17 = m5 ^ t24;
    let m18 = m8 ^ m7;
    let m19 = m10 ^ m15;
    let m20 = m16 ^ m13;
    let m21 = m17 ^ m15;
    let m22 = m18 ^ m13;
    let m23 = m19 ^ t25;
    let m24 = m22 ^ m23;
    let m25 = m22 & m20;
    let m26 = m21 ^ m25;
    let m27 = m20 ^ m21;
    let m28 = m23 ^ m25;
    let m29 = m28 & m27;
    let m30 = m26 & m24;
    let m31 = m20 & m23;
    let m32 = m27 & m31;
    let m33 = m27 ^ m25;
    let m34 = m21 & m22;
    let m35 = m24 & m34;
    let m36 = m24 ^ m25;
    let m37 = m21 ^ m29;
    let m38 = m32 ^ m33;
    let m39 = m23 ^ m30;
    let m40 = m35 ^ m36;
    let m41 = m38 ^ m40;
    let m42 = m37 ^ m39;
    let m43 = m37 ^ m38;
    let m44 = m39 ^ m40;
    let m45 = m42 ^ m41;

    // Its 18 products with the sums, and the 30 additions of the output map.
    let p0 = m44 & s9;
    let p1 = m40 & s10;
    let p2 = m39 & d;
    let p3 = m43 & x0;
    let p4 = m38 & s5;
    let p5 = m37 & t17;
    let p6 = m42 & t15;
    let p7 = m45 & t27;
    let p8 = m41 & t10;
    let p9 = m44 & s4;
    let p10 = m40 & s8;
    let p11 = m39 & x1;
    let p12 = m43 & s3;
    let p13 = m38 & s6;
    let p14 = m37 & t20;
    let p15 = m42 & t1;
    let p16 = m45 & t4;
    let p17 = m41 & t2;
    let q0 = p9 ^ p12;
    let q1 = p14 ^ p17;
    let q2 = p1 ^ q1;
    let q3 = p10 ^ q0;
    let q4 = p0 ^ p3;
    let q5 = p4 ^ q4;
    let q6 = p15 ^ q2;
    let q7 = q3 ^ q5;
    let q8 = p6 ^ q3;
    let q9 = p16 ^ q2;
    let q10 = p8 ^ p13;
    let q11 = p13 ^ p16;
    let q12 = p12 ^ q6;
    let q13 = p2 ^ p7;
    [
        p8 ^ q12 ^ q13,
        q7 ^ q9,
        q7 ^ q10 ^ q13,
        q1 ^ q11,
        q5 ^ q12,
        p3 ^ p5 ^ q8 ^ q10,
        p0 ^ p7 ^ q8 ^ q9,
        p11 ^ p17 ^ q0 ^ q11,
    ]
}

#[cfg(test)]
mod tests {
    use super::super::super::plain;
    use super::{INPUT_CONSTANT, OUTPUT_CONSTANT, sbox_without_constants};

    #[test]
    fn every_byte() {
        for x in 0..=255u8 {
            let bits = core::array::from_fn(|i| (x ^ INPUT_CONSTANT) >> i & 1);
            let y = sbox_without_constants(bits)
                .iter()
                .rev()
                .fold(0, |y, bit| y << 1 | bit);
            assert_eq!(y ^ OUTPUT_CONSTANT, plain::sbox(x), "{x:#04x}");
        }
    }
}
