//! Many products of points one after another, with shared inversions.
//!
//! A fixed-base product is a sum of affine points from a table. [`BatchAffineSums`] computes many
//! such sums, with 6 multiplications for each addition. Variable-base products are computed as
//! single ones, but share the inversions for their tables and their results.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::{Equation, KeyTable, Point, key_table};
use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::curve::double_scalar::{self, double_scalar_mul_table_vartime};
use crate::curve::odd_multiples::odd_multiples_many_vartime;
use crate::curve::{
    Affine, BatchAffineSums, FixedBaseTable, Jacobian, batch_affine, scalar_mul, to_affine_many,
};
use crate::sm2::curve::{Fp, N, P, Scalar, Sm2, WIDE_WINDOWS};
use crate::sm2::tables::{generator_odd_multiples, generator_table, generator_wide_table};

/// The rows of so many products fit into the second-level cache, and the cost of an inversion is
/// shared by enough of them.
pub(super) const CHUNK: usize = 32;
/// Measured: a table costs as much as about 3.5 verifications without one, and saves two thirds of
/// each.
pub(super) const WORTH_A_TABLE: usize = 6;

pub(super) fn generator_mul_many<B: Backend>(k: &[U256], out: &mut [Point]) {
    for (k, out) in k.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        fixed_base_mul_many(k, core::iter::repeat(generator_table::<B>()), out);
    }
}

pub(super) fn prepared_mul_many<B: Backend>(k: &[U256], tables: &[&KeyTable], out: &mut [Point]) {
    fixed_base_mul_many(
        k,
        tables.iter().map(|table| table.fixed_base_table::<B>()),
        out,
    );
}

pub(super) fn key_table_vartime<B: Backend>(point: &Point) -> KeyTable {
    let point = Affine::from_entry(point);
    let entries = FixedBaseTable::<Sm2<B>>::build_vartime(&point, key_table::WIDTH);
    KeyTable::from_entries(entries)
}

/// Memory for the sums of rows.
fn memory<B: Backend>(rows: usize, stride: usize) -> (Vec<Affine<Sm2<B>>>, Vec<Fp<B>>) {
    let (points, products) = batch_affine::memory(rows, stride);
    (
        vec![Affine::default(); points],
        vec![Fp::<B>::ZERO; products],
    )
}

/// `[k]P` from fixed-base tables with the same number of windows.
fn fixed_base_mul_many<'a, B: Backend>(
    k: &[U256],
    tables: impl Iterator<Item = FixedBaseTable<'a, Sm2<B>>>,
    out: &mut [Point],
) {
    let mut tables = tables.peekable();
    let Some(windows) = tables.peek().map(FixedBaseTable::windows) else {
        return;
    };
    let (mut points, mut products) = memory::<B>(k.len(), windows);
    let mut rows = BatchAffineSums::new(&mut points, &mut products, windows);
    for ((k, table), row) in k.iter().zip(tables).zip(rows.rows_mut()) {
        let mut k = Scalar::<B>::from_u256_reduced(k);
        table.multiples(&k, row);
        k.zeroize();
    }
    for (out, sum) in out.iter_mut().zip(rows.sum()) {
        *out = sum.to_entry();
    }
}

pub(super) fn point_mul_many<B: Backend>(k: &[U256], points: &[Point], out: &mut [Point]) {
    let tables: Vec<scalar_mul::Multiples<Sm2<B>>> =
        odd_multiples_many_vartime(points.iter().map(Affine::<Sm2<B>>::from_entry));
    let mut products: Vec<Jacobian<Sm2<B>>> = k
        .iter()
        .zip(&tables)
        .map(|(k, table)| {
            let mut k = Scalar::<B>::from_u256_reduced(k);
            let product = scalar_mul::mul_table(&k, table);
            k.zeroize();
            product
        })
        .collect();
    let mut sums = to_affine_many(&products, Field::invert);
    for (out, sum) in out.iter_mut().zip(&sums) {
        *out = sum.to_entry();
    }
    products.iter_mut().zeroize();
    sums.iter_mut().zeroize();
}

/// `[s]G + [t]P` in Jacobian coordinates.
fn double_scalar_products_vartime<'a, B: Backend>(
    s: impl Iterator<Item = &'a U256>,
    t: impl Iterator<Item = &'a U256>,
    points: impl Iterator<Item = &'a Point>,
) -> Vec<Jacobian<Sm2<B>>> {
    let tables: Vec<double_scalar::Multiples<Sm2<B>>> =
        odd_multiples_many_vartime(points.map(Affine::<Sm2<B>>::from_entry));
    s.zip(t)
        .zip(&tables)
        .map(|((s, t), table)| {
            double_scalar_mul_table_vartime(
                &Scalar::<B>::from_u256_reduced(s),
                &generator_odd_multiples::<B>(),
                &Scalar::<B>::from_u256_reduced(t),
                table,
            )
        })
        .collect()
}

pub(super) fn double_scalar_mul_many_vartime<B: Backend>(
    s: &[U256],
    t: &[U256],
    points: &[Point],
    out: &mut [Option<Point>],
) {
    let sums = double_scalar_products_vartime::<B>(s.iter(), t.iter(), points.iter());
    store_sums_vartime(&sums, out);
}

/// Stores the affine forms, and `None` for infinity.
fn store_sums_vartime<B: Backend>(sums: &[Jacobian<Sm2<B>>], out: &mut [Option<Point>]) {
    let affine = to_affine_many(sums, Field::invert_vartime);
    for ((out, sum), affine) in out.iter_mut().zip(sums).zip(&affine) {
        *out = (!sum.z.is_zero_vartime()).then(|| affine.to_entry());
    }
}

pub(super) fn point_mul_add_many_vartime<B: Backend>(
    k: &[U256],
    p: &[Point],
    q: &[Point],
    out: &mut [Option<Point>],
) {
    let sums: Vec<Jacobian<Sm2<B>>> = k
        .iter()
        .zip(p)
        .zip(q)
        .map(|((k, p), q)| {
            let k = Scalar::<B>::from_u256_reduced(k);
            scalar_mul::mul_vartime(&k, &Affine::from_entry(p))
                .add_affine_vartime(&Affine::from_entry(q))
        })
        .collect();
    store_sums_vartime(&sums, out);
}

pub(super) fn verify_many_vartime<B: Backend>(equations: &[Equation<Point>], out: &mut [bool]) {
    let products = double_scalar_products_vartime::<B>(
        equations.iter().map(|e| &e.s),
        equations.iter().map(|e| &e.t),
        equations.iter().map(|e| &e.p),
    );
    for ((out, product), equation) in out.iter_mut().zip(&products).zip(equations) {
        *out = x_is_vartime::<B>(&product.x, &product.z.square(), &equation.x);
    }
}

pub(super) fn verify_prepared_many_vartime<B: Backend>(
    equations: &[Equation<&KeyTable>],
    out: &mut [bool],
) {
    let stride = generator_wide_table::<B>().windows() + key_table::WINDOWS;
    for (equations, out) in equations.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let (mut points, mut products) = memory::<B>(equations.len(), stride);
        verify_in::<B>(equations, out, &mut points, &mut products);
    }
}

/// [`verify_prepared_many_vartime`] for one equation, without allocating memory.
pub(super) fn verify_prepared_vartime<B: Backend>(equation: &Equation<&KeyTable>) -> bool {
    const STRIDE: usize = WIDE_WINDOWS + key_table::WINDOWS;
    let mut points = [Affine::default(); STRIDE];
    let mut products = [Fp::<B>::ZERO; batch_affine::memory(1, STRIDE).1];
    let mut valid = [false];
    let equation = core::slice::from_ref(equation);
    verify_in::<B>(equation, &mut valid, &mut points, &mut products);
    valid[0]
}

/// [`verify_prepared_many_vartime`] with the given memory.
fn verify_in<B: Backend>(
    equations: &[Equation<&KeyTable>],
    out: &mut [bool],
    points: &mut [Affine<Sm2<B>>],
    products: &mut [Fp<B>],
) {
    let generator = generator_wide_table::<B>();
    let split = generator.windows();
    let mut rows = BatchAffineSums::new(points, products, split + key_table::WINDOWS);
    for (equation, row) in equations.iter().zip(rows.rows_mut()) {
        let (s_part, t_part) = row.split_at_mut(split);
        generator.multiples_vartime(&Scalar::<B>::from_u256_reduced(&equation.s), s_part);
        let table = equation.p.fixed_base_table::<B>();
        table.multiples_vartime(&Scalar::<B>::from_u256_reduced(&equation.t), t_part);
    }
    for ((out, sum), equation) in out.iter_mut().zip(rows.sum_vartime()).zip(equations) {
        *out = x_is_vartime::<B>(&sum.x, &sum.zz, &equation.x);
    }
}

/// Whether `Z²` is not zero and `X/Z² = x` modulo `n`. As `X/Z² < p < 2n`, it must be `x` or
/// `x + n`. There is no inversion: `X` is compared with `x·Z²` and with `(x + n)·Z²`.
pub(in crate::sm2) fn x_is_vartime<B: Backend>(big_x: &Fp<B>, zz: &Fp<B>, x: &U256) -> bool {
    if zz.is_zero_vartime() {
        return false;
    }
    if Fp::<B>::from_u256_reduced(x) * *zz == *big_x {
        return true;
    }
    let (x_plus_n, carry) = x.overflowing_add(&N::MODULUS);
    !carry
        && x_plus_n.lt_vartime(&P::MODULUS)
        && Fp::<B>::from_u256_reduced(&x_plus_n) * *zz == *big_x
}
