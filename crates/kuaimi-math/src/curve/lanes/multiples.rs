//! `P, 3P, 5P, …` of a different public point in each lane, in affine form, and their look-up with
//! secret indices.
//!
//! The multiples are computed with the co-Z additions of
//! [`odd_multiples`](crate::curve::odd_multiples). Each costs 4M + 2S and a product for the common
//! `Z`, and its conversion to affine form 4M + 1S. All lanes of all tables share one inversion.

use crate::arith::lanes::vectorize;
use alloc::vec;
use alloc::vec::Vec;

use super::Affine;
use super::inverses::invert;
use crate::arith::lanes::Lanes;
use crate::arith::{Backend, Fe, Field, Modulus};

/// Bits of a window.
pub const WIDTH: usize = 5;
/// Entries of a table.
pub const COUNT: usize = 1 << (WIDTH - 1);

/// The odd multiples of a point in each lane.
pub type Multiples<L> = [Affine<L>; COUNT];

/// The multiples in Jacobian coordinates, before the inversion of the last `Z`.
struct CoZMultiples<L: Lanes> {
    /// `X` and `Y` of each multiple.
    points: Multiples<L>,
    /// The quotients of successive `Z`.
    factors: [L::Vector; COUNT],
}

/// The tables of all `points`, whose order must be above `2^(WIDTH + 1)`.
pub fn tables_vartime<L: Lanes, M: Modulus, B: Backend>(points: &[Affine<L>]) -> Vec<Multiples<L>> {
    let mut denominators = vec![vectorize!(L, L::zero()); points.len()];
    let mut tables: Vec<CoZMultiples<L>> = points
        .iter()
        .zip(&mut denominators)
        .map(|(p, z)| vectorize!(L, co_z_multiples::<L, M>(p, z)))
        .collect();
    invert::<L, M, B>(&mut denominators, Fe::invert_vartime);
    tables
        .iter_mut()
        .zip(&denominators)
        .map(|(table, inverse)| {
            vectorize!(L, to_affine::<L, M>(table, inverse));
            table.points
        })
        .collect()
}

/// The multiples in Jacobian coordinates. Writes the last `Z` to `denominator`.
#[inline(always)]
fn co_z_multiples<L: Lanes, M: Modulus>(
    p: &Affine<L>,
    denominator: &mut L::Vector,
) -> CoZMultiples<L> {
    let mut table = CoZMultiples {
        points: [*p; COUNT],
        factors: [L::zero(); COUNT],
    };
    // 2P and P with the common Z = 2y: with S = 4xy², X = M² − 2S and Y = M·(S − X) − 8y⁴.
    let xx = L::sub::<M, 2>(&L::square::<M>(&p.x), &L::splat::<M>(&M::R));
    let m = L::reduce::<M>(&L::add(&L::add(&xx, &xx), &xx));
    let mut z = L::reduce::<M>(&L::add(&p.y, &p.y));
    let zz = L::square::<M>(&z);
    let s = L::mul::<M>(&p.x, &zz);
    // 8y⁴ = (2y)²·2y²
    let yy = L::square::<M>(&p.y);
    let yyyy8 = L::mul::<M>(&zz, &L::carry(&L::add(&yy, &yy)));
    let x = L::sub::<M, 4>(&L::square::<M>(&m), &L::add(&s, &s));
    let x = L::reduce::<M>(&x);
    let y = L::mul::<M>(&m, &L::carry(&L::sub::<M, 2>(&s, &x)));
    let y = L::reduce::<M>(&L::sub::<M, 2>(&y, &yyyy8));
    let mut twice = Affine::<L> { x, y };
    let mut last = Affine::<L> { x: s, y: yyyy8 };
    for i in 1..COUNT {
        let d = L::reduce::<M>(&L::sub::<M, 2>(&twice.x, &last.x));
        let c = L::square::<M>(&d);
        let w1 = L::mul::<M>(&twice.x, &c);
        let w2 = L::mul::<M>(&last.x, &c);
        let r = L::reduce::<M>(&L::sub::<M, 2>(&twice.y, &last.y));
        let a1 = L::mul::<M>(&twice.y, &L::carry(&L::sub::<M, 2>(&w1, &w2)));
        let x = L::sub::<M, 4>(&L::square::<M>(&r), &L::add(&w1, &w2));
        let x = L::reduce::<M>(&x);
        let y = L::mul::<M>(&r, &L::carry(&L::sub::<M, 2>(&w1, &x)));
        let y = L::reduce::<M>(&L::sub::<M, 2>(&y, &a1));
        last = Affine { x, y };
        twice = Affine { x: w1, y: a1 };
        z = L::mul::<M>(&z, &d);
        table.points[i] = last;
        table.factors[i] = d;
    }
    *denominator = z;
    table
}

/// Converts all multiples to affine form, from the last to the first, given the inverse of the last
/// `Z`.
#[inline(always)]
fn to_affine<L: Lanes, M: Modulus>(table: &mut CoZMultiples<L>, inverse: &L::Vector) {
    let mut inverse = *inverse;
    for i in (1..COUNT).rev() {
        let zz = L::square::<M>(&inverse);
        let zzz = L::mul::<M>(&zz, &inverse);
        let point = &mut table.points[i];
        point.x = L::mul::<M>(&point.x, &zz);
        point.y = L::mul::<M>(&point.y, &zzz);
        inverse = L::mul::<M>(&inverse, &table.factors[i]);
    }
}

/// The multiple with index `indices[i]` in lane `i`. Constant time: all entries are read.
pub fn look_up<L: Lanes>(table: &Multiples<L>, indices: &[u32]) -> Affine<L> {
    // The lanes whose index has a one at this position.
    let ones = |position: usize| {
        let bits = indices.iter().enumerate();
        bits.fold(0, |bits, (lane, index)| {
            bits | u64::from(index >> position & 1) << lane
        })
    };
    let ones: [u64; WIDTH - 1] = core::array::from_fn(ones);
    vectorize!(L, {
        let mut chosen = table[0];
        for (index, entry) in table.iter().enumerate().skip(1) {
            let equal = ones.iter().enumerate();
            let equal = equal.fold(u64::MAX, |equal, (position, &ones)| {
                equal
                    & if index >> position & 1 == 1 {
                        ones
                    } else {
                        !ones
                    }
            });
            let equal = L::mask(equal);
            chosen = Affine {
                x: L::select(equal, &entry.x, &chosen.x),
                y: L::select(equal, &entry.y, &chosen.y),
            };
        }
        chosen
    })
}
