//! `Fq2 = Fq[u]/(u² + 2)`, an element in each lane.
//!
//! A product is three products in `Fq` (Karatsuba), a square two:
//! `(a + bu)² = ((a + b)(a − 2b) + ab) + 2abu`. Neither is reduced. What is added up of them is a
//! [`Wide2`], whose two numbers are reduced once.
//!
//! **Magnitudes.** The numbers of an element that is stored have magnitude 2. An operand may be a
//! sum of two elements, of magnitude 4, or of four, of magnitude 8; all are tight. In units of
//! `m²`, for operands of magnitudes `j` and `k`:
//!
//! | | at most | at least |
//! | --- | ---: | ---: |
//! | constant term of a product | `jk` | `−2jk` |
//! | coefficient of `u` of a product | `2jk` | 0 |
//! | constant term of a square of an element | 28 | 0 |
//! | coefficient of `u` of a square of an element | 8 | 0 |

use zeroize::Zeroize;

use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, vectorize, wipe};
use crate::arith::u256::Limbs;
use crate::sm9::curve::Q;

/// `c0 + c1·u` in each lane: tight.
#[derive(Clone, Copy)]
pub(super) struct Fq2s<L: Wide> {
    pub(super) c0: L::Vector,
    pub(super) c1: L::Vector,
}

/// A sum of products, which is not reduced.
#[derive(Clone, Copy)]
pub(super) struct Wide2<L: Wide> {
    c0: L::Wide,
    c1: L::Wide,
}

/// `a + b`, tight.
#[inline(always)]
pub(super) fn sum<L: Wide>(a: &L::Vector, b: &L::Vector) -> L::Vector {
    L::carry(&L::add(a, b))
}

impl<L: Wide> Fq2s<L> {
    /// Elements in the form of [`Field::to_limbs`](crate::arith::Field::to_limbs), one a lane.
    #[inline(always)]
    pub(super) fn load(elements: &[[u64; 8]; MAX_LANES]) -> Self {
        let (mut c0, mut c1) = ([[0; 4]; MAX_LANES], [[0; 4]; MAX_LANES]);
        for lane in 0..L::LANES {
            c0[lane].copy_from_slice(&elements[lane][..4]);
            c1[lane].copy_from_slice(&elements[lane][4..]);
        }
        Self {
            c0: L::load::<Q>(&c0[..L::LANES]),
            c1: L::load::<Q>(&c1[..L::LANES]),
        }
    }

    /// The limbs of each lane's element.
    #[inline(always)]
    pub(super) fn store(&self) -> [[u64; 8]; MAX_LANES] {
        let (mut c0, mut c1) = ([[0; 4]; MAX_LANES], [[0; 4]; MAX_LANES]);
        L::store::<Q>(&self.c0, &mut c0[..L::LANES]);
        L::store::<Q>(&self.c1, &mut c1[..L::LANES]);
        let mut elements = [[0; 8]; MAX_LANES];
        for lane in 0..L::LANES {
            elements[lane][..4].copy_from_slice(&c0[lane]);
            elements[lane][4..].copy_from_slice(&c1[lane]);
        }
        elements
    }

    /// Zero in all lanes.
    #[inline(always)]
    pub(super) fn zero() -> Self {
        Self {
            c0: L::zero(),
            c1: L::zero(),
        }
    }

    /// An element of `Fq` in all lanes.
    #[inline(always)]
    pub(super) fn constant(limbs: &Limbs) -> Self {
        Self {
            c0: L::splat::<Q>(limbs),
            c1: L::zero(),
        }
    }

    /// `c0 + c1`, tight.
    #[inline(always)]
    fn both(&self) -> L::Vector {
        sum::<L>(&self.c0, &self.c1)
    }

    /// `c0 − 2·c1` of an element, tight.
    #[inline(always)]
    fn minus_twice(&self) -> L::Vector {
        L::carry(&L::sub::<Q, 4>(&self.c0, &L::add(&self.c1, &self.c1)))
    }

    /// `self + other`, of the sum of the magnitudes.
    #[inline(always)]
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            c0: sum::<L>(&self.c0, &other.c0),
            c1: sum::<L>(&self.c1, &other.c1),
        }
    }

    /// `self + other`, reduced.
    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        Self {
            c0: L::reduce::<Q>(&L::add(&self.c0, &other.c0)),
            c1: L::reduce::<Q>(&L::add(&self.c1, &other.c1)),
        }
    }

    /// `self − other`, reduced, for `other` of magnitude at most 4.
    #[inline(always)]
    pub(super) fn sub(&self, other: &Self) -> Self {
        Self {
            c0: L::reduce::<Q>(&L::sub::<Q, 4>(&self.c0, &other.c0)),
            c1: L::reduce::<Q>(&L::sub::<Q, 4>(&self.c1, &other.c1)),
        }
    }

    /// `−self − other`, for elements: loose, of magnitude 4.
    #[inline(always)]
    pub(super) fn minus_sum(&self, other: &Self) -> Self {
        let zero = L::zero();
        Self {
            c0: L::sub::<Q, 4>(&zero, &L::add(&self.c0, &other.c0)),
            c1: L::sub::<Q, 4>(&zero, &L::add(&self.c1, &other.c1)),
        }
    }

    /// `−self`, reduced, for `self` of magnitude at most 4.
    #[inline(always)]
    pub(super) fn neg(&self) -> Self {
        Self::zero().sub(self)
    }

    /// `c0 − c1·u`, reduced.
    #[inline(always)]
    pub(super) fn conjugate(&self) -> Self {
        Self {
            c0: self.c0,
            c1: L::reduce::<Q>(&L::sub::<Q, 4>(&L::zero(), &self.c1)),
        }
    }

    /// `u·self`, reduced.
    #[inline(always)]
    pub(super) fn mul_u(&self) -> Self {
        let twice = L::add(&self.c1, &self.c1);
        Self {
            c0: L::reduce::<Q>(&L::sub::<Q, 8>(&L::zero(), &twice)),
            c1: self.c0,
        }
    }

    /// The product with an element of `Fq` in each lane, of magnitude at most 4.
    #[inline(always)]
    pub(super) fn scale(&self, factor: &L::Vector) -> Self {
        Self {
            c0: L::mul::<Q>(&self.c0, factor),
            c1: L::mul::<Q>(&self.c1, factor),
        }
    }

    /// `self·other`, reduced, for operands whose magnitudes have a product of at most 16.
    #[inline(always)]
    pub(super) fn mul(&self, other: &Self) -> Self {
        product(self, other).reduced::<2, 0>()
    }

    /// `self²` of an element, reduced.
    #[inline(always)]
    pub(super) fn square(&self) -> Self {
        square(self).reduced::<0, 0>()
    }

    /// Lane `from[i]` in lane `i`.
    #[inline(always)]
    pub(super) fn permute(&self, from: &[u64; MAX_LANES]) -> Self {
        Self {
            c0: L::permute(&self.c0, from),
            c1: L::permute(&self.c1, from),
        }
    }

    /// `a` where the mask is set, else `b`.
    #[inline(always)]
    pub(super) fn select(mask: L::Mask, a: &Self, b: &Self) -> Self {
        Self {
            c0: L::select(mask, &a.c0, &b.c0),
            c1: L::select(mask, &a.c1, &b.c1),
        }
    }
}

/// `a·b`, for operands of magnitudes up to 8.
#[inline(never)]
pub(super) fn product<L: Wide>(a: &Fq2s<L>, b: &Fq2s<L>) -> Wide2<L> {
    vectorize!(L, inlined_product(a, b))
}

/// As [`product`], within a function that uses the result once.
#[inline(always)]
pub(super) fn inlined_product<L: Wide>(a: &Fq2s<L>, b: &Fq2s<L>) -> Wide2<L> {
    let [ac, bd] = products_of_terms(a, b);
    let both = L::wide_product(&a.both(), &b.both());
    Wide2 {
        c0: L::wide_sub(&L::wide_sub(&ac, &bd), &bd),
        c1: L::wide_sub(&L::wide_sub(&both, &ac), &bd),
    }
}

/// `ac` and `bd` of `(a + bu)(c + du) = ac − 2bd + ((a + b)(c + d) − ac − bd)u`.
#[inline(always)]
fn products_of_terms<L: Wide>(a: &Fq2s<L>, b: &Fq2s<L>) -> [L::Wide; 2] {
    [L::wide_product(&a.c0, &b.c0), L::wide_product(&a.c1, &b.c1)]
}

/// `base + ac − 2bd`.
#[inline(always)]
fn plus_constant_term<L: Wide>(base: &L::Wide, ac: &L::Wide, bd: &L::Wide) -> L::Wide {
    L::wide_sub(&L::wide_sub(&L::wide_add(base, ac), bd), bd)
}

/// `base + a·b + d`, reduced, where `base + a·b` is at least `−16·K0` and `−16·K1`.
#[inline(always)]
pub(super) fn add_product<L: Wide, const K0: u64, const K1: u64>(
    base: &Wide2<L>,
    a: &Fq2s<L>,
    b: &Fq2s<L>,
    d: &Fq2s<L>,
) -> Fq2s<L> {
    let [ac, bd] = products_of_terms(a, b);
    let c0 = plus_constant_term::<L>(&base.c0, &ac, &bd);
    let mut c1 = L::wide_sub(&L::wide_sub(&base.c1, &ac), &bd);
    let c0 = reduced_with::<L, K0>(&c0, &d.c0);
    L::wide_accumulate(&mut c1, &a.both(), &b.both());
    let c1 = reduced_with::<L, K1>(&c1, &d.c1);
    Fq2s { c0, c1 }
}

/// `base + u·a·b + d`, as [`add_product`].
#[inline(always)]
pub(super) fn add_product_u<L: Wide, const K0: u64, const K1: u64>(
    base: &Wide2<L>,
    a: &Fq2s<L>,
    b: &Fq2s<L>,
    d: &Fq2s<L>,
) -> Fq2s<L> {
    let [ac, bd] = products_of_terms(a, b);
    let c1 = plus_constant_term::<L>(&base.c1, &ac, &bd);
    let c1 = reduced_with::<L, K1>(&c1, &d.c1);
    let both = L::wide_product(&a.both(), &b.both());
    let minus_cross = L::wide_sub(&L::wide_add(&ac, &bd), &both);
    let c0 = L::wide_add(&L::wide_add(&base.c0, &minus_cross), &minus_cross);
    let c0 = reduced_with::<L, K0>(&c0, &d.c0);
    Fq2s { c0, c1 }
}

/// The reduction of `a + d`, for `a` of at least `−16·K`.
#[inline(always)]
fn reduced_with<L: Wide, const K: u64>(a: &L::Wide, d: &L::Vector) -> L::Vector {
    L::reduce::<Q>(&L::add(&L::wide_reduce::<Q, K>(a), d))
}

/// `a²` of an element, of magnitude 2.
#[inline(never)]
pub(super) fn square<L: Wide>(a: &Fq2s<L>) -> Wide2<L> {
    vectorize!(L, {
        let ab = L::wide_product(&a.c0, &a.c1);
        let product = L::wide_product(&a.both(), &a.minus_twice());
        Wide2 {
            c0: L::wide_add(&product, &ab),
            c1: L::wide_add(&ab, &ab),
        }
    })
}

/// `a² + u·b²` of elements, loose.
#[inline(always)]
pub(super) fn square_plus_u_square<L: Wide>(a: &Fq2s<L>, b: &Fq2s<L>) -> Fq2s<L> {
    let (p, q) = (L::wide_product(&a.c0, &a.c1), L::wide_product(&b.c0, &b.c1));
    let twice = L::wide_add(&q, &q);
    let mut c0 = L::wide_sub(&L::wide_sub(&p, &twice), &twice);
    let mut c1 = L::wide_add(&L::wide_add(&p, &p), &q);
    L::wide_accumulate(&mut c0, &a.both(), &a.minus_twice());
    let c0 = L::wide_reduce::<Q, 1>(&c0);
    L::wide_accumulate(&mut c1, &b.both(), &b.minus_twice());
    let c1 = L::wide_reduce::<Q, 0>(&c1);
    Fq2s { c0, c1 }
}

impl<L: Wide> Wide2<L> {
    #[inline(always)]
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            c0: L::wide_add(&self.c0, &other.c0),
            c1: L::wide_add(&self.c1, &other.c1),
        }
    }

    #[inline(always)]
    pub(super) fn minus(&self, other: &Self) -> Self {
        Self {
            c0: L::wide_sub(&self.c0, &other.c0),
            c1: L::wide_sub(&self.c1, &other.c1),
        }
    }

    /// `−self`.
    #[inline(always)]
    pub(super) fn negative(&self) -> Self {
        let zero = self.minus(self);
        zero.minus(self)
    }

    #[inline(always)]
    pub(super) fn double(&self) -> Self {
        self.plus(self)
    }

    /// `self + u·other`.
    #[inline(always)]
    pub(super) fn plus_u(&self, other: &Self) -> Self {
        let c0 = L::wide_sub(&self.c0, &other.c1);
        Self {
            c0: L::wide_sub(&c0, &other.c1),
            c1: L::wide_add(&self.c1, &other.c0),
        }
    }

    /// `u·self`.
    #[inline(always)]
    pub(super) fn times_u(&self) -> Self {
        let zero = L::wide_sub(&self.c1, &self.c1);
        Self { c0: zero, c1: zero }.plus_u(self)
    }

    /// `self − u·other`.
    #[inline(always)]
    pub(super) fn minus_u(&self, other: &Self) -> Self {
        let c0 = L::wide_add(&self.c0, &other.c1);
        Self {
            c0: L::wide_add(&c0, &other.c1),
            c1: L::wide_sub(&self.c1, &other.c0),
        }
    }

    /// The reductions of both numbers, loose: see [`Wide::wide_reduce`].
    #[inline(always)]
    pub(super) fn loose<const K0: u64, const K1: u64>(&self) -> Fq2s<L> {
        Fq2s {
            c0: L::wide_reduce::<Q, K0>(&self.c0),
            c1: L::wide_reduce::<Q, K1>(&self.c1),
        }
    }

    /// The element, where the two numbers are at least `−16·K0` and `−16·K1`.
    #[inline(always)]
    pub(super) fn reduced<const K0: u64, const K1: u64>(&self) -> Fq2s<L> {
        let Fq2s { c0, c1 } = self.loose::<K0, K1>();
        Fq2s {
            c0: L::reduce::<Q>(&c0),
            c1: L::reduce::<Q>(&c1),
        }
    }

    /// As [`reduced`](Self::reduced), of the sum with an element.
    #[inline(always)]
    pub(super) fn reduced_with<const K0: u64, const K1: u64>(&self, other: &Fq2s<L>) -> Fq2s<L> {
        Fq2s {
            c0: reduced_with::<L, K0>(&self.c0, &other.c0),
            c1: reduced_with::<L, K1>(&self.c1, &other.c1),
        }
    }
}

impl<L: Wide> Zeroize for Fq2s<L> {
    fn zeroize(&mut self) {
        wipe::<L>(core::slice::from_mut(&mut self.c0));
        wipe::<L>(core::slice::from_mut(&mut self.c1));
    }
}
