//! Powers of a fixed element of `GT` from a precomputed table, in constant time, without squares.
//!
//! Let `k = Σ kⱼ(6t²)ʲ` with four short `kⱼ` (see [`glv`](crate::sm9::glv)). Then
//! `g^k = Π (g^kⱼ)^(qʲ)`, where the powers `qʲ` are Frobenius maps. All `g^kⱼ` are computed from
//! one table. The `kⱼ` are recoded as odd signed windows of `W` bits. For window `i` the table has
//! the powers `1, 3, …, 2^W − 1` of `g^(2^(W·i))`, and `g^kⱼ` is the product of one of them, or of
//! its inverse, from each window. The table is for exponents of 66 bits and not of 256, so it is
//! smaller by that factor.
//!
//! **Compression on the torus.** An element `α = x + y·w` with the norm `x² − s·y² = 1`, other than
//! 1, is `(c + w)/(c − w)` with `c = (1 + x)/y` in `Fq6` (Rubin and Silverberg, *Torus-Based
//! Cryptography*, CRYPTO 2003). So the table stores only `c`, half of an element. The inverse of
//! `α` has `−c`. The product of the numerators, `n = Π (±cᵢ + w)`, costs two products in `Fq6` for
//! each window, as `(A + Bw)(c + w) = (Ac + sB) + (A + Bc)w`; a product in `Fq12` costs three.
//! Frobenius maps are applied to `n`. At the end the power is `n/n̄`.
//!
//! A power costs 40 products with a numerator, 3 products in `Fq12` and one division by a
//! conjugate.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use crate::arith::{Backend, Field, U256};
use crate::sm9::glv::DIMENSION_4_FIXED_BASE;
use crate::sm9::tower::{Fq2, Fq6, Fq12, Fq12Operations};

/// Bits of a window.
const WIDTH: usize = DIMENSION_4_FIXED_BASE.width;
/// The number of windows.
pub const WINDOWS: usize = DIMENSION_4_FIXED_BASE.windows;
/// The entries of a window.
pub const PER_WINDOW: usize = 1 << (WIDTH - 1);

/// `c`: the coefficients of `1, s, s²`, each with the constant term before the coefficient of `u`.
pub type GtEntry = [u64; 24];

/// The table of a fixed element, which may be secret. Wiped on drop.
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

    /// All entries, for filling the table with those of another one.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [GtEntry] {
        &mut self.entries
    }

    /// All entries, from the lowest window.
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

    /// The product of all numerators, divided by its conjugate. `c` looks up the entry of a digit.
    fn product<B: Backend, F: Fq12Operations<B>>(
        &self,
        k: &U256,
        c: impl Fn(&[GtEntry], (u32, Choice)) -> Fq6<B>,
    ) -> F {
        let [n0, n1, n2, n3] = DIMENSION_4_FIXED_BASE.decompose(k).map(|digits| {
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
        n.over_conjugate()
    }
}

/// `c = (1 + x)/y` of each element, with one inversion.
fn compress<B: Backend>(elements: &[Fq12<B>]) -> Box<[GtEntry]> {
    // The products of all earlier y. Only the element 1 has y = 0.
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
