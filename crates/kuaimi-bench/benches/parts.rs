//! The parts that SM2's operations are made of, with each backend that this CPU can run:
//! `cargo bench -p kuaimi-bench --bench parts`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, Field, PrimeField, U256};
use kuaimi_math::curve::{Curve, Jacobian, Xyzz, double_scalar_mul_vartime, scalar_mul};
use kuaimi_math::sm2::curve::{Fp, Scalar, Sm2};
use kuaimi_math::sm2::tables::{generator_odd_multiples, generator_table};

/// Operations in a chain, each waiting for the last, as in the formulas.
const CHAIN: usize = 100;

fn parts<B: Backend>(c: &mut Criterion) {
    let mut group = c.benchmark_group(B::NAME);
    let g = Sm2::<B>::GENERATOR;
    let scalar = Scalar::<B>::from_u256_reduced(&U256([1, 2, 3, u64::MAX]));
    let (mut x, y) = (g.x, g.y);
    let mut s = scalar;

    group.bench_function("100 multiplications mod p", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| x = x * y));
    });
    group.bench_function("100 squarings mod p", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| x = x.square()));
    });
    group.bench_function("100 additions mod p", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| x = x + y));
    });
    group.bench_function("100 multiplications mod n", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| s = s * scalar));
    });
    group.bench_function("inversion mod p", |b| b.iter(|| x = x.invert()));
    group.bench_function("inversion mod p, variable time", |b| {
        b.iter(|| x = (x + y).invert_vartime());
    });

    let mut point = Jacobian::from(g).double();
    group.bench_function("100 doublings", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| point.double_in_place()));
    });
    group.bench_function("100 mixed additions", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| point.add_affine_in_place(&g)));
    });
    let mut sum = Xyzz::from(g).add_affine_complete(&g);
    group.bench_function("100 mixed additions without doublings", |b| {
        b.iter(|| (0..CHAIN).for_each(|_| sum.add_affine_in_place(&g)));
    });
    black_box((&x, &s, &point, &sum));

    group.bench_function("[k]G", |b| {
        b.iter(|| generator_table::<B>().mul(black_box(&scalar)));
    });
    group.bench_function("[k]P", |b| {
        b.iter(|| scalar_mul::mul(black_box(&scalar), &g));
    });
    group.bench_function("[s]G + [t]P, variable time", |b| {
        b.iter(|| {
            double_scalar_mul_vartime(
                black_box(&scalar),
                &generator_odd_multiples::<B>(),
                &scalar,
                &g,
            )
        });
    });
    group.bench_function("square root mod p", |b| {
        b.iter(|| black_box(Fp::<B>::ONE.double().double()).sqrt_vartime());
    });
    group.finish();
}

struct Parts<'a>(&'a mut Criterion);

impl Visitor for Parts<'_> {
    fn visit<B: Backend>(&mut self) {
        parts::<B>(self.0);
    }
}

fn every_backend(c: &mut Criterion) {
    for_each(&mut Parts(c));
}

criterion_group!(benches, every_backend);
criterion_main!(benches);
