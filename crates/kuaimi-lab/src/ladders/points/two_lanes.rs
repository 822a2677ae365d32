//! Two lanes inside one operation: two products of the same formula side by side in a vector
//! register (as Faz-Hernández and López, *Fast implementation of Curve25519 using AVX2*, LATINCRYPT
//! 2015, and the published SM2 in Go).
//!
//! In the comments `[a | b]` is a vector with `a` in lane 0 and `b` in lane 1; lanes above, where
//! an engine has them, compute with zeros. The products of a formula are put into pairs that do not
//! wait for each other. A doubling in Jacobian coordinates has 8 products in 4 pairs, a mixed
//! addition in XYZZ coordinates 10 in 5:
//!
//! | doubling (`dbl-2001-b`) | mixed addition (`madd-2008-s`) |
//! | --- | --- |
//! | `δ = Z²`, `γ = Y²` | `U = x₂·ZZ`, `S = y₂·ZZZ` |
//! | `(X − δ)(X + δ)`, `β = X·γ` | `P²`, `R²` with `P = U − X`, `R = S − Y` |
//! | `α²` with `α = 3(X − δ)(X + δ)`, `Y·Z` | `P³`, `Q = X·P²` |
//! | `α·(4β − X′)`, `γ²` | `ZZ·P²`, `ZZZ·P³` |
//! | | `R·(Q − X′)`, `Y·P³` |
//!
//! The bounds (magnitudes and tight values) are those of `kuaimi_math::arith::lanes`.

use kuaimi_math::arith::lanes::{Lanes, MAX_LANES, vectorize};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::sm2::curve::P;

/// Lanes 0 and 1 exchanged, and lane 0 in both.
const SWAP: [u64; MAX_LANES] = [1, 0, 2, 3, 4, 5, 6, 7];
const FIRST: [u64; MAX_LANES] = [0; MAX_LANES];

/// A Jacobian point.
#[derive(Clone, Copy)]
pub(crate) struct Jacobian<L: Lanes> {
    /// `[X | X]`, tight, magnitude 2.
    x: L::Vector,
    /// `[Z | Y]`, tight, magnitude at most 4.
    zy: L::Vector,
}

impl<L: Lanes> Jacobian<L> {
    /// From coordinates in Montgomery form.
    pub(crate) fn new([x, y, z]: &[Limbs; 3]) -> Self {
        vectorize!(
            L,
            Self {
                x: L::load::<P>(&[*x, *x]),
                zy: L::load::<P>(&[*z, *y]),
            }
        )
    }

    #[cfg(test)]
    pub(crate) fn coordinates(&self) -> [Limbs; 3] {
        let (mut x, mut zy) = ([[0; 4]; 1], [[0; 4]; 2]);
        vectorize!(L, {
            L::store::<P>(&self.x, &mut x);
            L::store::<P>(&self.zy, &mut zy);
        });
        [x[0], zy[1], zy[0]]
    }

    /// `2·self`.
    #[inline]
    pub(crate) fn double(&self) -> Self {
        vectorize!(L, {
            let Self { x, zy } = self;
            let lower = L::mask(1);
            // [δ | γ]
            let squares = L::square::<P>(zy);
            // [(X − δ)(X + δ) | β]
            let minus = L::carry(&L::sub::<P, 2>(x, &squares));
            let plus = L::carry(&L::add(x, &squares));
            let products = L::mul::<P>(
                &L::select(lower, &minus, x),
                &L::select(lower, &plus, &squares),
            );
            // [α² | Y·Z]
            let alpha = L::reduce::<P>(&L::add(&L::add(&products, &products), &products));
            let yz = L::permute(zy, &SWAP);
            let both = L::mul::<P>(
                &L::select(lower, &alpha, zy),
                &L::select(lower, &alpha, &yz),
            );
            // [4β | ], [X′ | ]
            let beta = L::permute(&products, &SWAP);
            let beta2 = L::add(&beta, &beta);
            let beta4 = L::reduce::<P>(&L::add(&beta2, &beta2));
            let x = L::reduce::<P>(&L::sub::<P, 4>(&both, &L::add(&beta4, &beta4)));
            // [α·(4β − X′) | γ²]
            let difference = L::carry(&L::sub::<P, 2>(&beta4, &x));
            let last = L::mul::<P>(
                &L::select(lower, &alpha, &squares),
                &L::select(lower, &difference, &squares),
            );
            // [Y′ | ], with 8γ²
            let square = L::permute(&last, &SWAP);
            let square2 = L::add(&square, &square);
            let square4 = L::reduce::<P>(&L::add(&square2, &square2));
            let y = L::reduce::<P>(&L::sub::<P, 4>(&last, &L::add(&square4, &square4)));
            let z = L::carry(&L::add(&both, &both));
            Self {
                x: L::permute(&x, &FIRST),
                zy: L::permute(&L::select(lower, &y, &z), &SWAP),
            }
        })
    }
}

/// A point in XYZZ coordinates.
#[derive(Clone, Copy)]
pub(crate) struct Xyzz<L: Lanes> {
    /// `[X | Y]`, tight, magnitude 2.
    xy: L::Vector,
    /// `[ZZ | ZZZ]`, tight, magnitude 2.
    zz: L::Vector,
}

/// An affine point: `[x | y]`, tight, magnitude 2.
#[derive(Clone, Copy)]
pub(crate) struct Affine<L: Lanes>(L::Vector);

impl<L: Lanes> Affine<L> {
    pub(crate) fn new(coordinates: &[Limbs; 2]) -> Self {
        vectorize!(L, Self(L::load::<P>(coordinates)))
    }
}

impl<L: Lanes> Xyzz<L> {
    /// From coordinates in Montgomery form.
    pub(crate) fn new([x, y, zz, zzz]: &[Limbs; 4]) -> Self {
        vectorize!(
            L,
            Self {
                xy: L::load::<P>(&[*x, *y]),
                zz: L::load::<P>(&[*zz, *zzz]),
            }
        )
    }

    #[cfg(test)]
    pub(crate) fn coordinates(&self) -> [Limbs; 4] {
        let (mut xy, mut zz) = ([[0; 4]; 2], [[0; 4]; 2]);
        vectorize!(L, {
            L::store::<P>(&self.xy, &mut xy);
            L::store::<P>(&self.zz, &mut zz);
        });
        [xy[0], xy[1], zz[0], zz[1]]
    }

    /// `self + other`, for different points, neither at infinity.
    #[inline]
    pub(crate) fn add(&self, other: &Affine<L>) -> Self {
        vectorize!(L, {
            let Self { xy, zz } = self;
            let lower = L::mask(1);
            // [P | R] and [P² | R²]
            let numerators = L::mul::<P>(&other.0, zz);
            let slope = L::carry(&L::sub::<P, 2>(&numerators, xy));
            let squares = L::square::<P>(&slope);
            // [P³ | Q]
            let cubes = L::mul::<P>(
                &L::select(lower, &slope, &L::permute(xy, &SWAP)),
                &L::permute(&squares, &FIRST),
            );
            // [Q | P³] and [ZZ·P² | ZZZ·P³]
            let swapped = L::permute(&cubes, &SWAP);
            let zz = L::mul::<P>(zz, &L::select(lower, &squares, &swapped));
            // [X′ | ], X′ = R² − P³ − 2Q
            let without_q = L::sub::<P, 2>(&L::permute(&squares, &SWAP), &cubes);
            let x = L::reduce::<P>(&L::sub::<P, 4>(&without_q, &L::add(&swapped, &swapped)));
            // [R·(Q − X′) | Y·P³]
            let difference = L::carry(&L::sub::<P, 2>(&swapped, &x));
            let last = L::mul::<P>(
                &L::select(lower, &L::permute(&slope, &SWAP), xy),
                &L::select(lower, &difference, &swapped),
            );
            let y = L::reduce::<P>(&L::sub::<P, 2>(&L::permute(&last, &SWAP), &last));
            Self {
                xy: L::select(lower, &x, &y),
                zz,
            }
        })
    }
}
