//! Powers of a fixed element of `GT` from a kept table, in constant time, without a square.
//!
//! The exponent is cut into windows of `W` signs, as scalars are for points ([`recode`](crate::curve::recode)); the table has
//! for window `i` the powers `1, 3, …, 2^W − 1` of `g^(2^(W·i))`, and the power is the product of one of them, or of its
//! inverse, for each window.
//!
//! **On the torus.** An element `α = x + y·w` of norm `x² − s·y² = 1` other than 1 is `(c + w)/(c − w)` with
//! `c = (1 + x)/y` in `Fq6` (Rubin and Silverberg, *Torus-Based Cryptography*, CRYPTO 2003). So the table holds `c` alone, half of
//! an element; the product of numerators `n = Π (±cᵢ + w)` costs two products in `Fq6` a window where a product in `Fq12` takes
//! three, as `(A + Bw)(c + w) = (Ac + sB) + (A + Bc)w`; and at the end the power is `n/n̄`. The inverse of `α` is `−c`, up to
//! a factor −1 of the numerator, which goes away in the quotient.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use super::scan;
use crate::arith::{Backend, Field, Modulus};
use crate::curve::recode::{OddWindows, window_count};
use crate::sm9::curve::{Fn, N};
use crate::sm9::tower::{Fq2, Fq6, Fq12};

/// Signs a window.
pub const WIDTH: usize = 5;
/// Windows: the products of a power, and one more.
pub const WINDOWS: usize = window_count(256, WIDTH);
/// Entries a window.
pub const PER_WINDOW: usize = 1 << (WIDTH - 1);

/// `c`, by the coefficients of `1, s, s²`.
pub type GtEntry = [u64; 24];

/// The table of a fixed element, which may be secret: wiped when dropped.
pub struct GtComb {
    entries: Box<[GtEntry]>,
}

impl Drop for GtComb {
    fn drop(&mut self) {
        self.entries.zeroize();
    }
}

impl GtComb {
    /// The table of an element of `GT` other than 1. Constant time.
    pub fn new<B: Backend>(g: &Fq12<B>) -> Self {
        debug_assert!(N::MODULUS.bit_length_vartime() == 256);
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

    /// `g^k` for a secret `k`. Constant time.
    pub fn pow<B: Backend>(&self, k: &Fn<B>) -> Fq12<B> {
        let windows = OddWindows::new(k, WIDTH);
        self.product(|i, table| {
            let (index, negative) = windows.digit(i);
            conditional_neg(&from_entry(&scan(table, index)), negative)
        })
    }

    /// `g^k` for a public `k`.
    pub fn pow_vartime<B: Backend>(&self, k: &Fn<B>) -> Fq12<B> {
        let windows = OddWindows::new(k, WIDTH);
        self.product(|i, table| {
            let (index, negative) = windows.digit(i);
            let c = from_entry(&table[index as usize]);
            if bool::from(negative) { -c } else { c }
        })
    }

    /// The quotient of the product of all windows' numerators and its conjugate.
    fn product<B: Backend>(&self, c: impl core::ops::Fn(usize, &[GtEntry]) -> Fq6<B>) -> Fq12<B> {
        let mut n = Fq12::<B>::ONE;
        for (i, table) in self.entries.chunks_exact(PER_WINDOW).enumerate() {
            let c = c(i, table);
            n = if i == 0 {
                Fq12 { a: c, b: Fq6::ONE }
            } else {
                Fq12 {
                    a: n.a * c + n.b.mul_s(),
                    b: n.a + n.b * c,
                }
            };
        }
        quotient_with_conjugate(&n)
    }
}

/// `n/n̄ = n²/(n·n̄)`.
fn quotient_with_conjugate<B: Backend>(n: &Fq12<B>) -> Fq12<B> {
    n.conjugate().invert() * *n
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

fn conditional_neg<B: Backend>(c: &Fq6<B>, negative: Choice) -> Fq6<B> {
    Fq6::conditional_select(c, &-*c, negative)
}
