//! One product from a fixed-base table in `G2`, in all lanes.
//!
//! The method, and why only the last addition must be complete, are those of
//! [`curve::lanes::fixed_base`](crate::curve::lanes::fixed_base): the lanes sum a part of the
//! windows' multiples each, and then half of the lanes are added to the other half until one is
//! left. There are eight lanes or four.

use zeroize::Zeroize;

use super::fq2::Fq2s;
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, vectorize, wipe};
use crate::arith::{Backend, Field, Modulus};
use crate::curve::lanes::Digits;
use crate::curve::recode::OddWindows;
use crate::curve::{Affine, FixedBaseTable, Xyzz};
use crate::sm9::curve::{Q, Scalar, Sm9G2};
use crate::sm9::tower::Fq2;

/// A point in each lane, in extended Jacobian coordinates.
struct Points<L: Wide> {
    x: Fq2s<L>,
    y: Fq2s<L>,
    zz: Fq2s<L>,
    zzz: Fq2s<L>,
}

/// `[k]P` for a secret `k` other than zero. (Zero gives infinity.) Constant time.
pub(in crate::sm9) fn mul<L: Wide, B: Backend>(
    table: &FixedBaseTable<'_, Sm9G2<B>>,
    k: &Scalar<B>,
) -> Xyzz<Sm9G2<B>> {
    let windows = OddWindows::new(k, table.width());
    let last = table.windows() - 1;
    debug_assert!(last >= L::LANES, "each lane has a point");
    let mut sum = Points::<L>::of_windows(table, &windows, 0, L::LANES);
    for first in (L::LANES..last).step_by(L::LANES) {
        let count = L::LANES.min(last - first);
        let row = Points::<L>::of_windows(table, &windows, first, count);
        sum.add(&row, first == L::LANES, (1 << count) - 1);
        row.wiped();
    }
    let mut half = L::LANES / 2;
    while half > 0 {
        sum.fold(half);
        half /= 2;
    }
    let mut sum = sum.first_lane::<B>();
    let (index, negative) = windows.digit(last);
    let multiple = Affine::from_table(table.window(last), index);
    let product = sum.add_affine_complete(&multiple.conditional_neg(negative));
    sum.zeroize();
    product
}

impl<L: Wide> Points<L> {
    /// The multiples of `count` windows from `first` on, one a lane; what the other lanes have does
    /// not matter.
    fn of_windows<B: Backend>(
        table: &FixedBaseTable<'_, Sm9G2<B>>,
        windows: &OddWindows,
        first: usize,
        count: usize,
    ) -> Self {
        let digits = Digits::of_scalar(windows, first, count);
        let (mut x, mut y) = ([[0; 8]; MAX_LANES], [[0; 8]; MAX_LANES]);
        let places = x.iter_mut().zip(y.iter_mut()).zip(digits.indices);
        for (lane, ((x, y), index)) in places.enumerate().take(count) {
            [*x, *y] = B::look_up(table.window(first + lane), index);
        }
        let points = vectorize!(L, {
            let (x, y) = (Fq2s::load(&x), Fq2s::load(&y));
            let one = Fq2s::constant(&<Q as Modulus>::R);
            Self {
                x,
                y: Fq2s::select(L::mask(digits.negative), &y.neg(), &y),
                zz: one,
                zzz: one,
            }
        });
        x.as_flattened_mut().zeroize();
        y.as_flattened_mut().zeroize();
        points
    }

    /// Adds affine points, in the lanes whose bits are set. `affine`: the denominators of `self`
    /// are 1.
    #[inline(never)]
    fn add(&mut self, other: &Self, affine: bool, lanes: u64) {
        vectorize!(L, {
            let Self { x, y, zz, zzz } = &*self;
            let (u, s) = if affine {
                (other.x, other.y)
            } else {
                (other.x.mul(zz), other.y.mul(zzz))
            };
            let (p, r) = (u.sub(x), s.sub(y));
            let pp = p.square();
            let ppp = p.mul(&pp);
            let q = x.mul(&pp);
            let x = r.square().sub(&ppp).sub(&q.plus(&q));
            let y = r.mul(&q.sub(&x)).sub(&y.mul(&ppp));
            let (zz, zzz) = if affine {
                (pp, ppp)
            } else {
                (zz.mul(&pp), zzz.mul(&ppp))
            };
            let lanes = L::mask(lanes);
            *self = Self {
                x: Fq2s::select(lanes, &x, &self.x),
                y: Fq2s::select(lanes, &y, &self.y),
                zz: Fq2s::select(lanes, &zz, &self.zz),
                zzz: Fq2s::select(lanes, &zzz, &self.zzz),
            };
        });
    }

    /// Adds lane `i + half` to lane `i`, for `i` below `half`. What the other lanes have afterwards
    /// does not matter.
    ///
    /// The lower lanes have one of two products of an addition, the upper ones the other. In the
    /// comments `[a | b]` is a vector with `a` in the lanes of the first operands, the lower ones,
    /// and `b` in those of the second operands.
    #[inline(never)]
    fn fold(&mut self, half: usize) {
        let partner: [u64; MAX_LANES] =
            core::array::from_fn(|lane| ((lane + half) % (2 * half)) as u64);
        vectorize!(L, {
            let Self { x, y, zz, zzz } = &*self;
            let lower = L::mask((1 << half) - 1);
            let (zz_swapped, zzz_swapped) = (zz.permute(&partner), zzz.permute(&partner));
            // [U₁ | U₂], [S₁ | S₂] and [ZZ₁·ZZ₂ | ZZZ₁·ZZZ₂]
            let u = x.mul(&zz_swapped);
            let s = y.mul(&zzz_swapped);
            let z =
                Fq2s::select(lower, zz, zzz).mul(&Fq2s::select(lower, &zz_swapped, &zzz_swapped));
            let (u_swapped, s_swapped) = (u.permute(&partner), s.permute(&partner));
            // [P | −P], [R | −R] and [P² | R²]
            let (p, r) = (u_swapped.sub(&u), s_swapped.sub(&s));
            let squares = Fq2s::select(lower, &p, &r).square();
            let squares_swapped = squares.permute(&partner);
            // [P·P² | U₁·P²], that is [P³ | Q]
            let cube = Fq2s::select(lower, &p, &u_swapped).mul(&Fq2s::select(
                lower,
                &squares,
                &squares_swapped,
            ));
            let cube_swapped = cube.permute(&partner);
            // In the lower lanes X₃ = R² − P³ − 2Q
            let twice = cube_swapped.plus(&cube_swapped);
            let x = squares_swapped.sub(&cube).sub(&twice);
            // [R·(Q − X₃) | S₁·P³], whose difference is Y₃
            let y = Fq2s::select(lower, &r, &s_swapped).mul(&Fq2s::select(
                lower,
                &cube_swapped.sub(&x),
                &cube_swapped,
            ));
            let y = y.sub(&y.permute(&partner));
            // [ZZ₁·ZZ₂·P² | ZZZ₁·ZZZ₂·P³]
            let zz = z.mul(&Fq2s::select(lower, &squares, &cube_swapped));
            let zzz = zz.permute(&partner);
            *self = Self { x, y, zz, zzz };
        });
    }

    /// The point of the first lane.
    fn first_lane<B: Backend>(self) -> Xyzz<Sm9G2<B>> {
        let (mut values, mut out) = ([[0; 4]; MAX_LANES], [[0; 8]; 4]);
        vectorize!(L, {
            let Self { x, y, zz, zzz } = &self;
            let all = [&x.c0, &x.c1, &y.c0, &y.c1, &zz.c0, &zz.c1, &zzz.c0, &zzz.c1];
            // Several numbers in the lanes of one vector, as a conversion costs the same for all
            // lanes.
            for (numbers, values) in all.chunks(L::LANES).zip(values.chunks_mut(L::LANES)) {
                let mut together = L::zero();
                for (lane, number) in numbers.iter().enumerate() {
                    let number = L::permute(number, &[0; MAX_LANES]);
                    together = L::select(L::mask(1 << lane), &number, &together);
                }
                L::store::<Q>(&together, values);
            }
        });
        for (out, pair) in out.iter_mut().zip(values.chunks_exact(2)) {
            out.copy_from_slice(pair.as_flattened());
        }
        let [x, y, zz, zzz] = out.map(Fq2::from_limbs);
        values.zeroize();
        out.zeroize();
        self.wiped();
        Xyzz { x, y, zz, zzz }
    }

    /// Overwrites the coordinates.
    fn wiped(mut self) {
        for coordinate in [&mut self.x, &mut self.y, &mut self.zz, &mut self.zzz] {
            wipe::<L>(core::slice::from_mut(&mut coordinate.c0));
            wipe::<L>(core::slice::from_mut(&mut coordinate.c1));
        }
    }
}
