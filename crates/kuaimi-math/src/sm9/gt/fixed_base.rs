//! Powers of a fixed element of `GT` from a precomputed table, in constant time, without a square.
//!
//! With `k = Σ kⱼ(6t²)ʲ`, four short `kⱼ` ([`glv`](crate::sm9::glv)), the power is `Π (g^kⱼ)^(qʲ)`: the powers of
//! one table, and three Frobenius maps of whole products. The `kⱼ` are cut into windows of `W` bits; the table has for window `i`
//! the powers `1, 3, …, 2^W − 1` of `g^(2^(W·i))`, and `g^kⱼ` is the product of one of them, or of its inverse, for each window.
//! As `kⱼ` has 66 signs in place of 256, so much smaller is the table.
//!
//! **On the torus.** An element `α = x + y·w` of norm `x² − s·y² = 1` other than 1 is `(c + w)/(c − w)` with
//! `c = (1 + x)/y` in `Fq6` (Rubin and Silverberg, *Torus-Based Cryptography*, CRYPTO 2003). So the table holds `c` alone, half of
//! an element; the product of numerators `n = Π (±cᵢ + w)` costs two products in `Fq6` a window where a product in `Fq12` takes
//! three, as `(A + Bw)(c + w) = (Ac + sB) + (A + Bc)w`; and at the end the power is `n/n̄`, a map that Frobenius maps pass
//! through. The inverse of `α` is `−c`, up to a factor −1 of the numerator, which goes away in the quotient.
//!
//! A power takes 40 such products, 3 products in `Fq12` and one inversion.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use crate::arith::{Backend, Field, U256};
use crate::sm9::glv::FOUR_FIXED;
use crate::sm9::tower::{Fq2, Fq6, Fq12, Fq12Operations};

/// Bits of a window.
const WIDTH: usize = FOUR_FIXED.width;
/// Windows.
pub const WINDOWS: usize = FOUR_FIXED.windows;
/// Entries a window.
pub const PER_WINDOW: usize = 1 << (WIDTH - 1);

/// `c`, by the coefficients of `1, s, s²`.
pub type GtEntry = [u64; 24];

/// The table of a fixed element, which may be secret: wiped when dropped.
pub struct GtFixedBaseTable {
    entries: Box<[GtEntry]>,
}

impl Drop for GtFixedBaseTable {
    fn drop(&mut self) {
        self.entries.zeroize();
    }
}

impl GtFixedBaseTable {
    /// The table of an element of `GT` other than 1. Constant time.
    pub fn new<B: Backend>(g: &Fq12<B>) -> Self {
        let mut powers: Vec<Fq12<B>> = Vec::with_capacity(WINDOWS * PER_WINDOW);
        let mut base = *g;
        for _ in 0..WINDOWS {
            let square = base.cyclotomic_square();
            let mut power = base;
            powers.push(power);
            for _ in 1..PER_WINDOW {
                power = power * square;
                powers.push(power);
            }
            // power = base^(2^W − 1)
            base = power * base;
        }
        let entries = compress(&powers);
        powers.iter_mut().zeroize();
        Self { entries }
    }

    /// A table to be filled.
    pub(crate) fn empty() -> Self {
        Self {
            entries: vec![[0; 24]; WINDOWS * PER_WINDOW].into_boxed_slice(),
        }
    }

    /// All entries, to be filled as [`as_slice`](Self::as_slice) gave them.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [GtEntry] {
        &mut self.entries
    }

    /// All entries, window after window.
    pub fn as_slice(&self) -> &[GtEntry] {
        &self.entries
    }

    /// `g^k` for a secret `k` below `N`. Constant time.
    pub fn pow<B: Backend, F: Fq12Operations<B>>(&self, k: &U256) -> F {
        self.product(k, |table, (index, negative)| {
            let c = from_entry::<B>(&F::look_up(table, index));
            Fq6::conditional_select(&c, &-c, negative)
        })
    }

    /// `g^k` for a public `k` below `N`.
    pub fn pow_vartime<B: Backend, F: Fq12Operations<B>>(&self, k: &U256) -> F {
        self.product(k, |table, (index, negative)| {
            let c = from_entry::<B>(&table[index as usize]);
            if bool::from(negative) { -c } else { c }
        })
    }

    /// The quotient of the product of all numerators and its conjugate; `c` looks a digit up.
    fn product<B: Backend, F: Fq12Operations<B>>(
        &self,
        k: &U256,
        c: impl Fn(&[GtEntry], (u32, Choice)) -> Fq6<B>,
    ) -> F {
        let [n0, n1, n2, n3] = FOUR_FIXED.decompose(k).map(|digits| {
            let mut windows = self.entries.chunks_exact(PER_WINDOW).enumerate();
            let first = windows
                .next()
                .map_or(Fq6::ZERO, |(i, table)| c(table, digits.digit(i)));
            let first = Fq12 {
                a: first,
                b: Fq6::ONE,
            };
            windows.fold(F::from_limbs(&first.to_limbs()), |n, (i, table)| {
                n.times_numerator(&c(table, digits.digit(i)))
            })
        });
        let [n1, n2, n3] = [
            n1.frobenius_power::<1>(),
            n2.frobenius_power::<2>(),
            n3.frobenius_power::<3>(),
        ];
        let n = n0.times(&n1).times(&n2.times(&n3));
        let inverse = Fq12::<B>::from_limbs(&n.to_limbs()).conjugate().invert();
        n.times(&F::from_limbs(&inverse.to_limbs()))
    }
}

/// `c = (1 + x)/y` of each element, with one inversion.
fn compress<B: Backend>(elements: &[Fq12<B>]) -> Box<[GtEntry]> {
    // Prefix products of all y; y is zero for 1 alone.
    let mut prefix = vec![Fq6::<B>::ONE; elements.len()];
    let mut product = Fq6::ONE;
    for (element, prefix) in elements.iter().zip(&mut prefix) {
        *prefix = product;
        product = product * element.b;
    }
    let mut inverse = product.invert_with(Fq2::invert);
    let mut entries = vec![[0; 24]; elements.len()];
    for ((element, prefix), entry) in elements.iter().zip(&prefix).zip(&mut entries).rev() {
        let c = (element.a + Fq6::ONE) * (inverse * *prefix);
        entry.copy_from_slice(c.c.map(|c| c.to_limbs()).as_flattened());
        inverse = inverse * element.b;
    }
    prefix.iter_mut().zeroize();
    entries.into_boxed_slice()
}

fn from_entry<B: Backend>(entry: &GtEntry) -> Fq6<B> {
    let (coefficients, _) = entry.as_chunks::<8>();
    Fq6 {
        c: core::array::from_fn(|i| Fq2::from_limbs(coefficients[i])),
    }
}
