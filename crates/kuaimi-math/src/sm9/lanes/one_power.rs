//! One power from a fixed-base table in `GT`, in all eight lanes.
//!
//! The method is that of [`fixed_base`](crate::sm9::gt::fixed_base): `g^k` is `n/n̄` for the
//! product `n` of 44 numerators `c + w`, 11 for each of the four parts of `k`. The numerators are
//! independent. So lane `j + 4h` multiplies those of part `j` for the windows `2i + h`:
//!
//! | step | products in `Fq6` of all lanes |
//! | --- | ---: |
//! | windows 0 to 3: `(c + w)(d + w) = (cd + s) + (c + d)w` | 1 |
//! | windows 4 to 9, two in a step | 6 |
//! | window 10: the halves of the lanes compute the two products of one numerator | 1 |
//! | Frobenius maps, a different one in each lane | |
//! | products of two lanes, until one lane is left: 4, then 2, then 1 | 2 + 1 + 1 |
//!
//! A product in `Fq12` is four products in `Fq6`. Karatsuba's method would need three, but there
//! are lanes for four. The division by the conjugate is two products in `Fq6`, three in `Fq2` and
//! an inversion in `Fq`, where the lanes have different products of the formulas.

use zeroize::Zeroize;

use super::fq2::Fq2s;
use super::fq6::{Fq6s, mul};
use super::fq12::{Fq12s, product_of_numerators, repeated};
use super::power::SharedGtTable;
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, inlined_array, vectorize, wipe};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Field, U256};
use crate::curve::lanes::Digits;
use crate::curve::recode::OddWindows;
use crate::sm9::curve::{Fq, Q};
use crate::sm9::glv::DIMENSION_4_FIXED_BASE;
use crate::sm9::group::Gt;
use crate::sm9::gt::fixed_base::WINDOWS;
use crate::sm9::tower::fq12::beta;

/// The parts of an exponent.
const PARTS: usize = 4;
/// The lanes of the first half.
const FIRST_HALF: u64 = 0b1111;
/// The lanes whose part has an odd number.
const ODD_PARTS: u64 = 0b1010_1010;

/// `g^k` for a secret `k` below `N`. Constant time.
pub(in crate::sm9) fn pow<L: Wide, B: Backend>(table: &SharedGtTable<L>, k: &U256) -> Gt {
    const { assert!(L::LANES == 2 * PARTS && WINDOWS % 2 == 1) };
    let parts = DIMENSION_4_FIXED_BASE.decompose(k);
    let first = product_of_numerators(&row(table, &parts, 0), &row(table, &parts, 2));
    let mut n = repeated(&first, (4..WINDOWS - 1).step_by(2), |i, n, out| {
        n.times_numerator(&row(table, &parts, i), out);
    });
    times_numerator_in_first_half(&mut n, &row(table, &parts, WINDOWS - 1));
    frobenius_powers::<L, B>(&mut n);
    fold_halves(&mut n);
    fold(&mut n, 2);
    fold(&mut n, 1);
    let power = over_conjugate::<L, B>(&n);
    n.zeroize();
    power
}

/// `±c` of the digits of all parts: of the window `first` in the first half of the lanes, and of
/// the next window, if there is one, in the second half. Constant time: the windows are read whole.
#[inline(never)]
fn row<L: Wide>(table: &SharedGtTable<L>, parts: &[OddWindows; PARTS], first: usize) -> Fq6s<L> {
    let second = (first + 1).min(WINDOWS - 1);
    let mut digits = Digits {
        indices: [0; MAX_LANES],
        negative: 0,
    };
    for (lane, index) in digits.indices.iter_mut().enumerate() {
        let window = if lane < PARTS { first } else { second };
        let negative;
        (*index, negative) = parts[lane % PARTS].digit(window);
        digits.negative |= u64::from(negative.unwrap_u8()) << lane;
    }
    vectorize!(L, {
        let (half, negative) = (L::mask(FIRST_HALF), L::mask(digits.negative));
        inlined_array!(3, |i| {
            let (c0, c1) = table.look_up(first, i, &digits.indices);
            let (d0, d1) = table.look_up(second, i, &digits.indices);
            let c = Fq2s {
                c0: L::select(half, &c0, &d0),
                c1: L::select(half, &c1, &d1),
            };
            Fq2s::select(negative, &c.neg(), &c)
        })
    })
}

/// `n·(c + w)` in the first half of the lanes, for `c` that is the same in both halves: the first
/// half computes `ac`, the second half `bc`, of `n = a + bw`.
#[inline(never)]
fn times_numerator_in_first_half<L: Wide>(n: &mut Fq12s<L>, c: &Fq6s<L>) {
    const EXCHANGED: [u64; MAX_LANES] = [4, 5, 6, 7, 0, 1, 2, 3];
    vectorize!(L, {
        let first = L::mask(FIRST_HALF);
        let Fq12s { a, b } = *n;
        let halves = inlined_array!(3, |i| Fq2s::select(first, &a[i], &b[i].permute(&EXCHANGED)));
        let products = mul(&halves, c);
        let sb = [b[2].mul_u(), b[0], b[1]];
        n.a = inlined_array!(3, |i| Fq2s::select(first, &products[i].add(&sb[i]), &a[i]));
        n.b = inlined_array!(3, |i| Fq2s::select(
            first,
            &products[i].permute(&EXCHANGED).add(&a[i]),
            &b[i]
        ));
    });
}

/// The `qʲ`-th power in the lanes of part `j`.
#[inline(never)]
fn frobenius_powers<L: Wide, B: Backend>(n: &mut Fq12s<L>) {
    let powers = const { beta::<B>() };
    // β⁶ = −1
    let factor = |k: usize, lane: usize| {
        let exponent = lane % PARTS * k % 12;
        let power = match exponent % 6 {
            0 => Fq::<B>::ONE,
            i => powers[i - 1],
        };
        if exponent < 6 { power } else { -power }.to_limbs()
    };
    let factors: [[Limbs; MAX_LANES]; 6] =
        core::array::from_fn(|k| core::array::from_fn(|lane| factor(k, lane)));
    vectorize!(L, {
        let odd = L::mask(ODD_PARTS);
        for i in 0..3 {
            for (place, k) in [(&mut n.a[i], 2 * i), (&mut n.b[i], 2 * i + 1)] {
                let mut c = Fq2s::select(odd, &place.conjugate(), place);
                if k != 0 {
                    c = c.scale(&L::load::<Q>(&factors[k]));
                }
                *place = c;
            }
        }
    });
}

/// Lane `i` becomes the product of the lanes `i` and `i + 4`, for `i` below 4. What the other lanes
/// have afterwards does not matter.
#[inline(never)]
fn fold_halves<L: Wide>(n: &mut Fq12s<L>) {
    const FIRST_TWICE: [u64; MAX_LANES] = [0, 1, 2, 3, 0, 1, 2, 3];
    const SECOND_TWICE: [u64; MAX_LANES] = [4, 5, 6, 7, 4, 5, 6, 7];
    vectorize!(L, {
        let first = L::mask(FIRST_HALF);
        let Fq12s { a, b } = &*n;
        // a, b of the first factors; a, b and b, a of the second.
        let x = spread::<L>(first, a, b, &FIRST_TWICE);
        let same = mul(&x, &spread::<L>(first, a, b, &SECOND_TWICE));
        let cross = mul(&x, &spread::<L>(first, b, a, &SECOND_TWICE));
        *n = sums::<L>(&same, 4, &cross, [0, 4]);
    });
}

/// Lane `i` becomes the product of the lanes `i` and `i + half`, for `i` below `half`, which is 1
/// or 2. What the other lanes have afterwards does not matter.
#[inline(never)]
fn fold<L: Wide>(n: &mut Fq12s<L>, half: usize) {
    // In groups of `half` lanes: a, b, a, b of the first factors, and a, b, b, a of the second.
    let (first, second, a_of_first, a_of_second) = match half {
        2 => (
            [0, 1, 0, 1, 0, 1, 0, 1],
            [2, 3, 2, 3, 2, 3, 2, 3],
            0b0011_0011,
            0b1100_0011,
        ),
        _ => ([0; MAX_LANES], [1; MAX_LANES], 0b0101, 0b1001),
    };
    vectorize!(L, {
        let Fq12s { a, b } = &*n;
        let x = spread::<L>(L::mask(a_of_first), a, b, &first);
        let products = mul(&x, &spread::<L>(L::mask(a_of_second), a, b, &second));
        *n = sums::<L>(&products, half, &products, [2 * half, 3 * half]);
    });
}

/// `a` in the lanes of the mask and `b` in the others, of the lanes `from`.
#[inline(always)]
fn spread<L: Wide>(mask: L::Mask, a: &Fq6s<L>, b: &Fq6s<L>, from: &[u64; MAX_LANES]) -> Fq6s<L> {
    inlined_array!(3, |i| Fq2s::select(
        mask,
        &a[i].permute(from),
        &b[i].permute(from)
    ))
}

/// The products of two factors each, `aa + s·bb + (ab + ba)w`: in a lane `i` are `aa` of `same`, in
/// lane `i + bb` is its `bb`, and in the lanes `i + ab` and `i + ba` of `cross` the other two.
#[inline(always)]
fn sums<L: Wide>(same: &Fq6s<L>, bb: usize, cross: &Fq6s<L>, [ab, ba]: [usize; 2]) -> Fq12s<L> {
    let (bb, ab, ba) = (from_lane(bb), from_lane(ab), from_lane(ba));
    let sbb = [
        same[2].permute(&bb).mul_u(),
        same[0].permute(&bb),
        same[1].permute(&bb),
    ];
    Fq12s {
        a: inlined_array!(3, |i| same[i].add(&sbb[i])),
        b: inlined_array!(3, |i| cross[i].permute(&ab).add(&cross[i].permute(&ba))),
    }
}

/// Lane `i + first` for lane `i`.
#[inline(always)]
fn from_lane(first: usize) -> [u64; MAX_LANES] {
    let mut from = [0; MAX_LANES];
    for (lane, place) in from.iter_mut().enumerate() {
        *place = ((lane + first) % MAX_LANES) as u64;
    }
    from
}

/// `n/n̄` of the first lane: see [`Fq12::over_conjugate`](crate::sm9::tower::Fq12::over_conjugate).
fn over_conjugate<L: Wide, B: Backend>(n: &Fq12s<L>) -> Gt {
    let (mut numerators, mut cofactors, mut norm, mut norm_in_fq) = norm(n);
    let mut limbs = [[0; 4]; 1];
    vectorize!(L, L::store::<Q>(&norm_in_fq, &mut limbs));
    let mut inverse = Fq::<B>::from_montgomery(limbs[0]).invert();
    limbs[0] = inverse.to_limbs();
    let mut coefficients = [[[0; 4]; 2]; 6];
    vectorize!(L, {
        let inverse = norm.conjugate().scale(&L::splat::<Q>(&limbs[0]));
        let inverses = cofactors.mul(&inverse);
        // The first lane has a, and the second one b.
        let inverse = inlined_array!(3, |i| inverses.permute(&[i as u64; MAX_LANES]));
        let quotients = mul(&numerators, &inverse);
        for (i, c) in quotients.iter().enumerate() {
            L::store::<Q>(&c.c0, &mut coefficients[2 * i]);
            L::store::<Q>(&c.c1, &mut coefficients[2 * i + 1]);
        }
    });
    let mut quotient = [[0; 4]; 12];
    for (i, [a, b]) in coefficients.iter().enumerate() {
        // Each pair of coefficients of a comes before one of b.
        let place = 4 * (i / 2) + i % 2;
        quotient[place] = *a;
        quotient[place + 2] = *b;
    }
    numerators.iter_mut().zeroize();
    cofactors.zeroize();
    norm.zeroize();
    wipe::<L>(core::slice::from_mut(&mut norm_in_fq));
    inverse.zeroize();
    limbs.as_flattened_mut().zeroize();
    coefficients.as_flattened_mut().as_flattened_mut().zeroize();
    quotient
}

/// For `n = a + bw` of the first lane, with `d = a² − sb² = n·n̄` in `Fq6`:
/// - `a² + sb²` in the first lane and `2ab` in the second, of which `n²` consists,
/// - the coefficients of `d̂` in the first three lanes, where `d·d̂` is in `Fq2`,
/// - `d·d̂`, and its norm in `Fq`, in all lanes.
#[inline(never)]
fn norm<L: Wide>(n: &Fq12s<L>) -> (Fq6s<L>, Fq2s<L>, Fq2s<L>, L::Vector) {
    const fn all(lane: u64) -> [u64; MAX_LANES] {
        [lane; MAX_LANES]
    }
    vectorize!(L, {
        let Fq12s { a, b } = n;
        let x = spread::<L>(L::mask(0b101), a, b, &all(0));
        let y = spread::<L>(L::mask(0b001), a, b, &all(0));
        let products = mul(&x, &y);
        let aa = inlined_array!(3, |i| products[i].permute(&all(0)));
        let bb = inlined_array!(3, |i| products[i].permute(&all(1)));
        let ab = inlined_array!(3, |i| products[i].permute(&all(2)));
        let sbb = [bb[2].mul_u(), bb[0], bb[1]];
        let first = L::mask(0b001);
        let numerators: Fq6s<L> = inlined_array!(3, |i| {
            Fq2s::select(first, &aa[i].add(&sbb[i]), &ab[i].add(&ab[i]))
        });

        let [d0, d1, d2] = inlined_array!(3, |i| aa[i].sub(&sbb[i]));
        let second = L::mask(0b010);
        // d₀², d₂², d₁²; d₁d₂, d₀d₁, d₀d₂
        let x = Fq2s::select(second, &d2, &Fq2s::select(L::mask(0b11_0001), &d0, &d1));
        let y = Fq2s::select(first, &d0, &Fq2s::select(L::mask(0b01_0100), &d1, &d2));
        let products = x.mul(&y);
        let others = products.permute(&[3, 4, 5, 0, 0, 0, 0, 0]);
        // d₀² − ud₁d₂, ud₂² − d₀d₁, d₁² − d₀d₂
        let minuend = Fq2s::select(second, &products.mul_u(), &products);
        let cofactors = minuend.sub(&Fq2s::select(first, &others.mul_u(), &others));
        // The lanes of x begin with d₀, d₂, d₁: the sum is (d₀d̂₀) + u(d₂d̂₁ + d₁d̂₂).
        let terms = x.mul(&cofactors);
        let rest = terms.permute(&all(1)).add(&terms.permute(&all(2)));
        let norm = terms.permute(&all(0)).add(&rest.mul_u());
        // c₀² + 2c₁²
        let twice = L::carry(&L::add(&norm.c1, &norm.c1));
        let norm_in_fq = L::mul_add::<Q>(&norm.c0, &norm.c0, &twice, &norm.c1);
        (numerators, cofactors, norm, norm_in_fq)
    })
}
