//! `Fq6 = Fq2[s]/(s³ − u)`, an element in each lane: products by Karatsuba's method, six products
//! in `Fq2`.
//!
//! Of the six, the products `tᵢ = aᵢbᵢ` are used in all three coefficients of `a·b`, and are
//! stored. Each of the other three is used in one of them, so one function computes it and reduces
//! the coefficient:
//!
//! | coefficient of | is |
//! | --- | --- |
//! | `1` | `t₀ − u(t₁ + t₂) + u(a₁ + a₂)(b₁ + b₂)` |
//! | `s` | `ut₂ − (t₀ + t₁) + (a₀ + a₁)(b₀ + b₁)` |
//! | `s²` | `t₁ − (t₀ + t₂) + (a₀ + a₂)(b₀ + b₂)` |
//!
//! **Magnitudes.** The operands of products have magnitudes 2 or 4. For a product `k` of the two, a
//! coefficient is in units of `m²`:
//!
//! | coefficient of | constant term, at least | at most | of `u`, at least | at most |
//! | --- | ---: | ---: | ---: | ---: |
//! | `1` | `−10k` | `k` | `−4k` | `4k` |
//! | `s` | `−8k` | `2k` | `−2k` | `5k` |
//! | `s²` | `−6k` | `3k` | 0 | `6k` |

use super::fq2::{self, Fq2s, Wide2, add_product, add_product_u};
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{inlined_array, vectorize};

/// `c[0] + c[1]·s + c[2]·s²` in each lane.
pub(super) type Fq6s<L> = [Fq2s<L>; 3];

/// `a + b`, of the sum of the magnitudes.
#[inline(always)]
pub(super) fn plus<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>) -> Fq6s<L> {
    inlined_array!(3, |i| a[i].plus(&b[i]))
}

/// The coefficient of `s^I` of `a·b`, plus `d`, reduced, given the products `t` of the
/// coefficients.
#[inline(never)]
fn coefficient<L: Wide, const I: usize>(
    out: &mut Fq2s<L>,
    [t0, t1, t2]: &[Wide2<L>; 3],
    a: &Fq6s<L>,
    b: &Fq6s<L>,
    d: &Fq2s<L>,
) {
    vectorize!(L, {
        let (i, j) = match I {
            0 => (1, 2),
            1 => (0, 1),
            _ => (0, 2),
        };
        let (a, b) = (a[i].plus(&a[j]), b[i].plus(&b[j]));
        *out = match I {
            0 => add_product_u::<L, 10, 4>(&t0.minus_u(&t1.plus(t2)), &a, &b, d),
            1 => add_product::<L, 8, 2>(&t2.times_u().minus(&t0.plus(t1)), &a, &b, d),
            _ => add_product::<L, 6, 0>(&t1.minus(&t0.plus(t2)), &a, &b, d),
        };
    });
}

/// `out = a·b + d`, reduced, for operands whose magnitudes have a product of at most 16, and `d` of
/// magnitude at most 4, which may be loose. So the numbers that are reduced have magnitudes up to
/// `1 + 1 + 10 + 4`, for which see the table.
#[inline(always)]
pub(super) fn mul_add<L: Wide>(out: &mut Fq6s<L>, a: &Fq6s<L>, b: &Fq6s<L>, d: [&Fq2s<L>; 3]) {
    let t = inlined_array!(3, |i| fq2::product(&a[i], &b[i]));
    coefficient::<L, 0>(&mut out[0], &t, a, b, d[0]);
    coefficient::<L, 1>(&mut out[1], &t, a, b, d[1]);
    coefficient::<L, 2>(&mut out[2], &t, a, b, d[2]);
}

/// `a·b`, reduced, for elements.
#[inline(always)]
pub(super) fn mul<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>) -> Fq6s<L> {
    let zero = Fq2s::zero();
    // One by one: for an array of copies the compiler calls functions that copy memory.
    let mut product = [Fq2s::zero(), Fq2s::zero(), Fq2s::zero()];
    mul_add(&mut product, a, b, [&zero, &zero, &zero]);
    product
}

/// `l₁s + l₂s²` in each lane, and `l₁ + l₂`.
#[derive(Clone, Copy)]
pub(super) struct Sparse<L: Wide> {
    l1: Fq2s<L>,
    l2: Fq2s<L>,
    both: Fq2s<L>,
}

impl<L: Wide> Sparse<L> {
    #[inline(always)]
    pub(super) fn new(l1: &Fq2s<L>, l2: &Fq2s<L>) -> Self {
        let both = l1.plus(l2);
        Self {
            l1: *l1,
            l2: *l2,
            both,
        }
    }
}

/// The products of an element `a` and `l` that are used in several coefficients: `a₀l₁` and `a₁l₂`.
#[inline(always)]
pub(super) fn sparse_products<L: Wide>(a: &Fq6s<L>, l: &Sparse<L>) -> [Wide2<L>; 2] {
    [fq2::product(&a[0], &l.l1), fq2::product(&a[1], &l.l2)]
}

/// The coefficient of `s^I` of `a·l`, given [`sparse_products`], for `I` from 0 to 3: 3 is that of
/// `s²` as a multiple of `s³ = u`. With `d·l₀` added where there is an `l₀`, else `d`. Reduced; for
/// elements.
#[inline(always)]
pub(super) fn sparse_coefficient<L: Wide, const I: usize>(
    out: &mut Fq2s<L>,
    p: &[Wide2<L>; 2],
    a: &Fq6s<L>,
    l: &Sparse<L>,
    d: &Fq2s<L>,
    l0: Option<&Fq2s<L>>,
) {
    #[inline(never)]
    fn alone<L: Wide, const I: usize>(
        out: &mut Fq2s<L>,
        p: &[Wide2<L>; 2],
        a: &Fq6s<L>,
        l: &Sparse<L>,
        d: &Fq2s<L>,
    ) {
        // At least −32 and −16, in units of m².
        vectorize!(L, *out = sparse_sum::<L, I, 2>(p, a, l, None, d));
    }
    #[inline(never)]
    fn with_l0<L: Wide, const I: usize>(
        out: &mut Fq2s<L>,
        p: &[Wide2<L>; 2],
        a: &Fq6s<L>,
        l: &Sparse<L>,
        d: &Fq2s<L>,
        l0: &Fq2s<L>,
    ) {
        vectorize!(L, {
            let product = fq2::inlined_product(d, l0);
            // At least −40 and −16.
            *out = sparse_sum::<L, I, 3>(p, a, l, Some(&product), &Fq2s::zero());
        });
    }
    match l0 {
        None => alone::<L, I>(out, p, a, l, d),
        Some(l0) => with_l0::<L, I>(out, p, a, l, d, l0),
    }
}

/// The coefficient, with a product and an element added.
#[inline(always)]
fn sparse_sum<L: Wide, const I: usize, const K0: u64>(
    [p01, p12]: &[Wide2<L>; 2],
    a: &Fq6s<L>,
    l: &Sparse<L>,
    product: Option<&Wide2<L>>,
    d: &Fq2s<L>,
) -> Fq2s<L> {
    let base = match I {
        0 => p12.times_u(),
        1 => *p01,
        2 => p01.plus(p12).negative(),
        _ => p01.plus(p12).times_u().negative(),
    };
    let base = match product {
        None => base,
        Some(product) => base.plus(product),
    };
    match I {
        0 => add_product_u::<L, K0, 1>(&base, &a[2], &l.l1, d),
        1 => add_product_u::<L, K0, 1>(&base, &a[2], &l.l2, d),
        2 => add_product::<L, K0, 1>(&base, &a[0].plus(&a[1]), &l.both, d),
        _ => add_product_u::<L, K0, 1>(&base, &a[0].plus(&a[1]), &l.both, d),
    }
}
