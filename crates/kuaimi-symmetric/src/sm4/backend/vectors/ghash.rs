//! GHASH with carry-less multiplication, with one reduction for several blocks.
//!
//! In GCM, the coefficient of `Xⁱ` is bit `i`, counted from the highest bit of the first byte. If
//! the bytes of a block are reversed and read as a number, that is bit `127 − i`. The carry-less
//! product of two such numbers is the reversed product, shifted by one. In the terms of RFC 8452:
//! GHASH with the key `H` is POLYVAL of the reversed blocks with the key `X·H`, in the field
//! GF(2)\[X\]/(X¹²⁸+X¹²⁷+X¹²⁶+X¹²¹+1) with the product `a·b·X⁻¹²⁸`.
//!
//! A run of up to 16 blocks is a sum of products of blocks and powers of the key. The first block,
//! to which the sum so far is added, is multiplied by the highest power. A product is three
//! multiplications (Karatsuba), and the products are summed before the reduction. The factor
//! `X⁻¹²⁸` is two steps of `X⁻⁶⁴`: in each, the lowest 64 bits `v` are replaced by the congruent
//! `v·(X¹²⁸+X¹²⁷+X¹²⁶+X¹²¹)`, which is the sum of `v·X⁶⁴·(X⁶³+X⁶²+X⁵⁷)` and `v·X¹²⁸`.

use super::super::super::{BLOCK_LEN, Block};
use super::machine::V128;
use super::vector::Vector;

/// Powers of the key, the highest first: one for each block of a run.
pub(in super::super) type Powers = [[u8; BLOCK_LEN]; POWERS];
pub(in super::super) const POWERS: usize = 16;

/// `X⁶³+X⁶²+X⁵⁷`, in the lower half.
static FOLD: [u8; 16] = 0xc200_0000_0000_0000_u128.to_le_bytes();

static REVERSE: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// Carry-less multiplication on vectors of 128-bit numbers.
pub(super) trait Multiply: Vector {
    /// The products of the lower halves.
    fn low_product(self, other: Self) -> Self;
    /// The products of the upper halves.
    fn high_product(self, other: Self) -> Self;
    fn swap_halves(self) -> Self;
    /// The lower halves as the upper ones, above zeros.
    fn low_half_up(self) -> Self;
    /// The upper halves as the lower ones, below zeros.
    fn high_half_down(self) -> Self;
    /// The first lane in every lane.
    fn repeat_first(self) -> Self;
    /// A power of `x` in every lane, from the first power in the last lane on.
    fn first_powers(x: V128) -> Self;
    /// The sum of the lanes.
    fn sum(self) -> V128;
}

/// A sum of products before the reduction: of the lower halves, of the upper halves, and of the
/// sums of both.
struct Products<V> {
    low: V,
    high: V,
    both: V,
}

impl<V: Multiply> Products<V> {
    #[inline(always)]
    fn zero() -> Self {
        let zero = V::splat(0);
        Self {
            low: zero,
            high: zero,
            both: zero,
        }
    }

    #[inline(always)]
    fn add(&mut self, x: V, y: V) {
        self.low = self.low.xor(x.low_product(y));
        self.high = self.high.xor(x.high_product(y));
        let (x, y) = (x.xor(x.swap_halves()), y.xor(y.swap_halves()));
        self.both = self.both.xor(x.low_product(y));
    }

    #[inline(always)]
    fn sum(self) -> Products<V128> {
        Products {
            low: self.low.sum(),
            high: self.high.sum(),
            both: self.both.sum(),
        }
    }
}

impl<V: Multiply> Products<V> {
    /// The sums of the products, times `X⁻¹²⁸`.
    #[inline(always)]
    fn reduce(self) -> V {
        let middle = self.both.xor3(self.low, self.high);
        let low = self.low.xor(middle.low_half_up());
        let high = self.high.xor(middle.high_half_down());
        let fold = V::constant(&FOLD);
        let low = low.swap_halves().xor(low.low_product(fold));
        let low = low.swap_halves().xor(low.low_product(fold));
        high.xor(low)
    }
}

#[inline(always)]
pub(super) fn product<V: Multiply>(x: V, y: V) -> V {
    let mut products = Products::zero();
    products.add(x, y);
    products.reduce()
}

#[inline(always)]
fn load<V: Vector>(blocks: &[[u8; BLOCK_LEN]]) -> V {
    assert!(blocks.len() >= V::WORDS / 4);
    // SAFETY: the slice has enough bytes, as was just checked.
    unsafe { V::load(blocks.as_ptr().cast()) }
}

#[inline(always)]
fn store<V: Vector>(x: V, blocks: &mut [[u8; BLOCK_LEN]]) {
    assert!(blocks.len() >= V::WORDS / 4);
    // SAFETY: the slice has enough bytes, as was just checked.
    unsafe { x.store(blocks.as_mut_ptr().cast()) }
}

#[inline(always)]
fn to_bytes(x: V128) -> [u8; BLOCK_LEN] {
    let mut bytes = [0; BLOCK_LEN];
    store(x, core::slice::from_mut(&mut bytes));
    bytes
}

/// The powers of `X·H` from the first on, at least `count` or all of them. The others are zero.
#[inline(always)]
fn powers<V: Multiply>(h: &[u8; BLOCK_LEN], count: usize) -> Powers {
    let h = u128::from_be_bytes(*h);
    // X·H, reduced: if the top bit is shifted out, the polynomial is added.
    let carry = kuaimi_platform::value_barrier(((h >> 127) as u64).wrapping_neg());
    let key = h << 1 ^ (u128::from(0xc200_0000_0000_0000 & carry) << 64 | u128::from(1 & carry));
    let mut powers = [[0; BLOCK_LEN]; POWERS];
    let lanes = V::WORDS / 4;
    let at = |vector: usize| POWERS - lanes * (vector + 1);
    let first = V::first_powers(load(core::slice::from_ref(&key.to_le_bytes())));
    store(first, &mut powers[at(0)..]);
    // Vector `i` is the product of vector `j` and the highest power of vector `i − 1 − j`: for
    // sixteen powers, two such products after one another in the longest vectors, not three. A
    // vector is loaded as it was stored, as a load across several stores would wait for them.
    for i in 1..count.min(POWERS).div_ceil(lanes) {
        let (x, y): (V, V) = (load(&powers[at(i / 2)..]), load(&powers[at((i - 1) / 2)..]));
        store(product(x, y.repeat_first()), &mut powers[at(i)..]);
    }
    powers
}

/// Absorbs blocks, and those of `ending` after them, two at most: runs of 16 in vectors, then the
/// rest in vectors of 128 bits, with one reduction for each run.
#[inline(always)]
fn update<V: Multiply>(
    powers: &Powers,
    sum: &mut [u8; BLOCK_LEN],
    blocks: &[Block],
    ending: &[Block],
) {
    let reverse = V::constant(&REVERSE);
    let lanes = V::WORDS / 4;
    let mut state: V128 = load(core::slice::from_ref(sum));
    let (runs, rest) = Block::cast_slice_to_core(blocks).as_chunks::<POWERS>();
    for run in runs {
        let mut products = Products::zero();
        for i in (0..POWERS).step_by(lanes) {
            let x = load::<V>(&run[i..]).shuffle(reverse);
            products.add(x, load(&powers[i..]));
        }
        // The sum so far belongs to the first block. Its product comes last, alone: the others do
        // not wait for the run before.
        let mut products = products.sum();
        products.add(state, load(powers));
        state = products.reduce();
    }
    let (rest, ending) = (rest, Block::cast_slice_to_core(ending));
    if rest.len() + ending.len() <= POWERS {
        state = absorb_few(powers, state, [rest, ending]);
    } else {
        state = absorb_few(powers, state, [rest, &[]]);
        state = absorb_few(powers, state, [ending, &[]]);
    }
    *sum = to_bytes(state);
}

/// The sum after the blocks of both slices, together no more than there are powers.
#[inline(always)]
fn absorb_few(powers: &Powers, mut state: V128, parts: [&[[u8; BLOCK_LEN]]; 2]) -> V128 {
    let count = parts[0].len() + parts[1].len();
    if count == 0 {
        return state;
    }
    let reverse = V128::constant(&REVERSE);
    let mut products = Products::zero();
    let mut powers = powers[POWERS - count..].iter();
    for part in parts {
        for (block, power) in part.iter().zip(&mut powers) {
            let x = load::<V128>(core::slice::from_ref(block)).shuffle(reverse);
            products.add(x.xor(state), load(core::slice::from_ref(power)));
            state = V128::splat(0);
        }
    }
    products.reduce()
}

/// The hash of a sum, whose bytes are in reverse order.
pub(in super::super) fn hash(sum: &[u8; BLOCK_LEN]) -> [u8; BLOCK_LEN] {
    let mut hash = *sum;
    hash.reverse();
    hash
}

/// GHASH compiled with the named instructions.
macro_rules! ghash {
    ($(#[$doc:meta])* $name:ident, $vector:ident, $features:literal) => {
        $(#[$doc])*
        pub(in super::super) mod $name {
            use super::super::machine::$vector as Long;
            use super::{BLOCK_LEN, Block, Powers};

            #[target_feature(enable = $features)]
            pub(in super::super::super) fn powers(h: &[u8; BLOCK_LEN], count: usize) -> Powers {
                super::powers::<Long>(h, count)
            }

            #[target_feature(enable = $features)]
            pub(in super::super::super) fn update(powers: &Powers, sum: &mut [u8; BLOCK_LEN], blocks: &[Block], ending: &[Block]) {
                super::update::<Long>(powers, sum, blocks, ending);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
ghash!(
    /// PCLMULQDQ and SSSE3.
    clmul, V128, "pclmulqdq,ssse3"
);
#[cfg(target_arch = "x86_64")]
ghash!(
    /// VPCLMULQDQ and AVX2.
    vclmul, V256, "pclmulqdq,vpclmulqdq,avx2"
);
#[cfg(target_arch = "x86_64")]
ghash!(
    /// VPCLMULQDQ and AVX-512.
    vclmul512, V512, "pclmulqdq,vpclmulqdq,avx2,avx512f,avx512bw"
);
#[cfg(target_arch = "aarch64")]
ghash!(
    /// PMULL.
    pmull, V128, "neon,aes"
);
