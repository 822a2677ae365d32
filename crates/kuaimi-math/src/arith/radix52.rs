//! Numbers below `2²⁶⁰` in five limbs of 52 bits, the least significant first: what AVX-512 IFMA
//! multiplies.

use super::u256::Limbs;

/// The bits of a limb.
pub const BITS: u32 = 52;

/// The largest limb.
pub const MASK: u64 = (1 << BITS) - 1;

/// Five limbs.
pub type Limbs52 = [u64; 5];

/// A number in limbs of 64 bits as limbs of 52 bits.
#[inline(always)]
pub const fn split(a: &Limbs) -> Limbs52 {
    [
        a[0] & MASK,
        (a[0] >> 52 | a[1] << 12) & MASK,
        (a[1] >> 40 | a[2] << 24) & MASK,
        (a[2] >> 28 | a[3] << 36) & MASK,
        a[3] >> 16,
    ]
}

/// A number below `2²⁵⁶` in limbs of 64 bits.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
pub const fn join([r0, r1, r2, r3, r4]: Limbs52) -> Limbs {
    [
        r0 | r1 << 52,
        r1 >> 12 | r2 << 40,
        r2 >> 24 | r3 << 28,
        r3 >> 36 | r4 << 16,
    ]
}
