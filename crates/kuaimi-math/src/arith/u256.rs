//! 256-bit unsigned integers: four 64-bit limbs, least significant first.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::backend::value_barrier;

/// Four 64-bit limbs, least significant first.
pub type Limbs = [u64; 4];

/// An integer in `[0, 2²⁵⁶)`. All methods are constant time unless their name ends in `_vartime`.
/// (`==` is not: use `ct_eq` for secrets.)
///
/// It has no `Debug` outside tests, as a number may be a secret.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub struct U256(pub Limbs);

/// `a + b + carry`, with `carry` 0 or 1; returns the low word and the carry out.
#[inline(always)]
pub const fn adc(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (s, c1) = a.overflowing_add(b);
    let (s, c2) = s.overflowing_add(carry as u64);
    (s, c1 | c2)
}

/// `a − b − borrow`, with `borrow` 0 or 1; returns the low word and the borrow out.
#[inline(always)]
pub const fn sbb(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (d, b1) = a.overflowing_sub(b);
    let (d, b2) = d.overflowing_sub(borrow as u64);
    (d, b1 | b2)
}

/// `a + b`, and the carry out of the top limb.
#[inline(always)]
pub const fn add_limbs(a: &Limbs, b: &Limbs) -> (Limbs, bool) {
    let (r0, c) = adc(a[0], b[0], false);
    let (r1, c) = adc(a[1], b[1], c);
    let (r2, c) = adc(a[2], b[2], c);
    let (r3, c) = adc(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `a − b`, and the borrow out of the top limb.
#[inline(always)]
pub const fn sub_limbs(a: &Limbs, b: &Limbs) -> (Limbs, bool) {
    let (r0, c) = sbb(a[0], b[0], false);
    let (r1, c) = sbb(a[1], b[1], c);
    let (r2, c) = sbb(a[2], b[2], c);
    let (r3, c) = sbb(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `a & mask` limb by limb: `a` where `mask` is all ones, zero where it is zero.
#[inline(always)]
pub fn mask_limbs(a: &Limbs, mask: u64) -> Limbs {
    [a[0] & mask, a[1] & mask, a[2] & mask, a[3] & mask]
}

/// All ones where `flag` is set, else zero. The optimiser cannot turn it back into a branch.
#[inline(always)]
pub fn mask(flag: bool) -> u64 {
    value_barrier((flag as u64).wrapping_neg())
}

impl U256 {
    /// 0.
    pub const ZERO: Self = Self([0; 4]);
    /// 1.
    pub const ONE: Self = Self([1, 0, 0, 0]);

    /// The integer in 32 bytes, the most significant first.
    #[inline]
    pub const fn from_be_bytes(bytes: &[u8; 32]) -> Self {
        let mut limbs = [0u64; 4];
        let mut i = 0;
        while i < 32 {
            limbs[3 - i / 8] = (limbs[3 - i / 8] << 8) | bytes[i] as u64;
            i += 1;
        }
        Self(limbs)
    }

    /// The integer as 32 bytes, the most significant first.
    #[inline]
    pub fn to_be_bytes(self) -> [u8; 32] {
        let mut out = [0u8; 32];
        for (chunk, limb) in out.chunks_exact_mut(8).zip(self.0.iter().rev()) {
            chunk.copy_from_slice(&limb.to_be_bytes());
        }
        out
    }

    /// The integer with these 64 hexadecimal digits. For constants: another string does not
    /// compile.
    pub const fn from_hex(hex: &str) -> Self {
        let digits = hex.as_bytes();
        assert!(
            digits.len() == 64,
            "a 256-bit constant has 64 hexadecimal digits"
        );
        let mut limbs = [0u64; 4];
        let mut i = 0;
        while i < 64 {
            let value = match digits[i] {
                c @ b'0'..=b'9' => c - b'0',
                c @ b'A'..=b'F' => c - b'A' + 10,
                c @ b'a'..=b'f' => c - b'a' + 10,
                _ => panic!("not a hexadecimal digit"),
            };
            limbs[3 - i / 16] = (limbs[3 - i / 16] << 4) | value as u64;
            i += 1;
        }
        Self(limbs)
    }

    /// `self < other`.
    #[inline]
    pub fn ct_lt(&self, other: &Self) -> Choice {
        let (_, borrow) = sub_limbs(&self.0, &other.0);
        Choice::from(mask(borrow) as u8 & 1)
    }

    /// `self == 0`.
    #[inline]
    pub fn ct_is_zero(&self) -> Choice {
        self.ct_eq(&Self::ZERO)
    }

    /// `self + other` and the carry.
    #[inline]
    pub const fn overflowing_add(&self, other: &Self) -> (Self, bool) {
        let (limbs, carry) = add_limbs(&self.0, &other.0);
        (Self(limbs), carry)
    }

    /// `self − other` and the borrow.
    #[inline]
    pub const fn overflowing_sub(&self, other: &Self) -> (Self, bool) {
        let (limbs, borrow) = sub_limbs(&self.0, &other.0);
        (Self(limbs), borrow)
    }

    /// `(carry·2²⁵⁶ + self) / 2`, rounded down.
    #[inline]
    pub const fn shr1(&self, carry: bool) -> Self {
        let a = &self.0;
        Self([
            (a[0] >> 1) | (a[1] << 63),
            (a[1] >> 1) | (a[2] << 63),
            (a[2] >> 1) | (a[3] << 63),
            (a[3] >> 1) | ((carry as u64) << 63),
        ])
    }

    /// The `width ≤ 32` bits from bit `position` on; bits past the top are zero. The integer may be
    /// secret, the position and the width are public.
    #[inline]
    pub const fn bits(&self, position: usize, width: usize) -> u32 {
        let (limb, shift) = (position / 64, position % 64);
        if limb >= 4 {
            return 0;
        }
        let mut word = self.0[limb] >> shift;
        if shift + width > 64 && limb + 1 < 4 {
            word |= self.0[limb + 1] << (64 - shift);
        }
        (word & ((1u64 << width) - 1)) as u32
    }

    /// The number of significant bits. For public values.
    pub const fn bit_length_vartime(&self) -> usize {
        let mut i = 4;
        while i > 0 {
            if self.0[i - 1] != 0 {
                return 64 * i - self.0[i - 1].leading_zeros() as usize;
            }
            i -= 1;
        }
        0
    }

    /// `self < other`, for public values and constants.
    pub const fn lt_vartime(&self, other: &Self) -> bool {
        sub_limbs(&self.0, &other.0).1
    }
}

impl From<Limbs> for U256 {
    #[inline]
    fn from(limbs: Limbs) -> Self {
        Self(limbs)
    }
}

impl ConstantTimeEq for U256 {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        let (a, b) = (&self.0, &other.0);
        let difference = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
        difference.ct_eq(&0)
    }
}

impl ConditionallySelectable for U256 {
    #[inline(always)]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let m = mask(choice.unwrap_u8() == 1);
        let (a, b) = (&a.0, &b.0);
        Self([
            a[0] ^ (m & (a[0] ^ b[0])),
            a[1] ^ (m & (a[1] ^ b[1])),
            a[2] ^ (m & (a[2] ^ b[2])),
            a[3] ^ (m & (a[3] ^ b[3])),
        ])
    }
}

impl Zeroize for U256 {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
