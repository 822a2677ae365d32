//! Runs the arithmetic on secrets, each operation with several secrets, for `make trace-aarch64`:
//! an emulator writes down every instruction between the entry of a function `traced_…` and the
//! return to the function that called it, `drive_…`. The argument chooses the operations: `parts`,
//! or `products` of points, whose traces are long.

use std::hint::black_box;

use kuaimi_math::arith::backend::{Backend, Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Fe, Field, Modulus, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, Jacobian};
use kuaimi_math::sm2::curve::{N, P, Sm2};
use kuaimi_math::sm2::group;
use kuaimi_math::sm9::curve::Q;

/// Each operation is run with so many secrets.
const SECRETS: usize = 6;

/// Secret numbers: the smallest, the largest, and others.
fn secrets<M: Modulus>() -> [U256; SECRETS] {
    let below = |difference| M::MODULUS.overflowing_sub(&U256([difference, 0, 0, 0])).0;
    [
        U256::ZERO,
        U256::ONE,
        below(1),
        below(2),
        U256([0x0123_4567_89AB_CDEF, u64::MAX, 0, 0x7654_3210_0123_4567]),
        U256([0xFEDC_BA98_7654_3210, 0, u64::MAX, 0x1]),
    ]
}

/// Defines functions that are not inlined.
macro_rules! traced {
    ($($name:ident = $op:ident($($operand:ident),+);)+) => {
        $(
            #[inline(never)]
            fn $name<M: Modulus, B: Backend>(out: &mut Limbs, $($operand: &Limbs),+) {
                *out = B::$op::<M>($($operand),+);
            }
        )+
    };
}
traced! {
    traced_multiplication = mul(a, b);
    traced_square = square(a);
    traced_sum = add(a, b);
    traced_double = double(a);
    traced_difference = sub(a, b);
    traced_half = half(a);
    traced_reduction = redc(a);
}

/// The inverse of an element, to and from Montgomery form.
#[inline(never)]
fn traced_inversion<M: Modulus, B: Backend>(out: &mut Fe<M, B>, a: &Fe<M, B>) {
    *out = a.invert();
}

#[inline(never)]
fn traced_four_products<M: Modulus, B: Backend>(out: &mut Limbs, a: &Limbs, b: &Limbs) {
    *out = B::dot::<M>(&[[a, b], [b, a], [a, a], [b, b]]);
}

#[inline(never)]
fn traced_look_up<B: Backend>(out: &mut [Limbs; 2], table: &[[Limbs; 2]; 16], index: u32) {
    *out = B::look_up(table, index);
}

#[inline(never)]
fn traced_point_doubling<B: Backend>(point: &mut Jacobian<Sm2<B>>) {
    point.double_in_place();
}

#[inline(never)]
fn traced_mixed_addition<B: Backend>(point: &mut Jacobian<Sm2<B>>, other: &Affine<Sm2<B>>) {
    *point = point.add_affine_incomplete(other);
}

#[inline(never)]
fn traced_generator_product(k: &U256) -> group::Point {
    group::generator_mul(k)
}

#[inline(never)]
fn traced_point_product(k: &U256, point: &group::Point) -> group::Point {
    group::point_mul(k, point)
}

/// What the check must find: a branch that depends on a secret.
#[inline(never)]
fn traced_leaking_branch(secret: u64) -> u64 {
    if secret & 1 == 1 {
        black_box(secret).wrapping_mul(3)
    } else {
        black_box(secret)
    }
}

/// What the check must find: an address that depends on a secret.
#[inline(never)]
fn traced_leaking_index(table: &[u64; 16], secret: u64) -> u64 {
    black_box(table)[(secret % 16) as usize]
}

/// What the check must find: a division of a secret.
#[inline(never)]
fn traced_leaking_division(secret: u64) -> u64 {
    secret / black_box(3)
}

#[inline(never)]
fn drive_field<M: Modulus, B: Backend>(a: &U256, b: &U256) {
    let (a, b) = (
        Fe::<M, B>::from_u256_reduced(a),
        Fe::<M, B>::from_u256_reduced(b),
    );
    let mut out = black_box([0; 4]);
    macro_rules! each {
        ($($name:ident($($operand:ident),+);)+) => {
            $(
                $name::<M, B>(&mut out, $(black_box($operand.limbs())),+);
                black_box(&out);
            )+
        };
    }
    each! {
        traced_multiplication(a, b);
        traced_square(a);
        traced_sum(a, b);
        traced_double(a);
        traced_difference(a, b);
        traced_half(a);
        traced_reduction(a);
        traced_four_products(a, b);
    }
    let mut inverse = a;
    traced_inversion(&mut inverse, black_box(&a));
    black_box(&inverse);
}

/// Calls every part of a product with the secret of a number. The trace tells functions of one name
/// apart by the order of their calls.
#[inline(never)]
fn drive_parts<B: Backend>(i: usize) {
    let j = (i + 1) % SECRETS;
    drive_field::<P, B>(&secrets::<P>()[i], &secrets::<P>()[j]);
    drive_field::<N, B>(&secrets::<N>()[i], &secrets::<N>()[j]);
    drive_field::<Q, B>(&secrets::<Q>()[i], &secrets::<Q>()[j]);

    let mut table = [[[0; 4]; 2]; 16];
    for (number, entry) in table.iter_mut().enumerate() {
        entry[0][0] = number as u64;
    }
    let mut found = black_box([[0; 4]; 2]);
    let index = black_box(3 * i as u32 % 16);
    traced_look_up::<B>(&mut found, black_box(&table), index);
    assert_eq!(black_box(found)[0][0], u64::from(index));

    let generator = Sm2::<B>::GENERATOR;
    let mut point = Jacobian::from(generator);
    let scale = Fe::<P, B>::from_u256_reduced(&secrets::<P>()[i]);
    (point.x, point.y, point.z) = (point.x * scale, point.y * scale, point.z + scale);
    traced_point_doubling(black_box(&mut point));
    traced_mixed_addition(black_box(&mut point), black_box(&generator));
    black_box(&point);

    black_box(traced_leaking_branch(black_box(i as u64)));
    black_box(traced_leaking_index(&[1; 16], black_box(i as u64)));
    black_box(traced_leaking_division(black_box(i as u64)));
}

/// Calls the products with the private key of a number, and a public point.
#[inline(never)]
fn drive_products(i: usize) {
    let keys = [U256::ONE, secrets::<N>()[4], secrets::<N>()[3]];
    let point = black_box(group::generator_mul(&secrets::<N>()[5]));
    // At the same address in each call.
    let key = black_box(keys[i]);
    black_box(traced_generator_product(&key));
    black_box(traced_point_product(&key, &point));
    black_box(traced_leaking_branch(black_box(i as u64)));
}

/// Keeps the last backend, which is the one that this CPU prefers.
struct Last(fn(usize), &'static str);

impl Visitor for Last {
    fn visit<B: Backend>(&mut self) {
        *self = Self(drive_parts::<B>, B::NAME);
    }
}

fn main() {
    let (drive, count): (fn(usize), _) = match std::env::args().nth(1).as_deref() {
        Some("parts") => {
            let mut last = Last(|_| {}, "");
            for_each(&mut last);
            println!("backend: {}", last.1);
            (last.0, SECRETS)
        }
        Some("products") => (drive_products, 3),
        _ => panic!("usage: traced parts|products"),
    };
    // The first run chooses the implementations.
    for i in [0].into_iter().chain(0..count) {
        drive(i);
    }
}
