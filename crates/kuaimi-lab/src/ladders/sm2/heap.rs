//! Leaks: an addition for each digit of the scalar that is not zero.
//!
//! wNAF of width 5 with every intermediate point on the heap, as implementations in languages with
//! a garbage collector have them: what an allocation a step costs, and how many there are.

use std::hint::black_box;

use kuaimi_math::arith::PrimeField;
use kuaimi_math::curve::odd_multiples::odd_multiples_vartime;
use kuaimi_math::curve::recode::wnaf_vartime;
use kuaimi_math::curve::{Affine, Curve, Entry, Jacobian};

/// A point on the heap, and how many allocations led to it.
pub(crate) struct Boxed<C: Curve> {
    pub(crate) point: Box<Jacobian<C>>,
    pub(crate) allocations: usize,
}

impl<C: Curve> Boxed<C> {
    fn new(point: Jacobian<C>, before: usize) -> Self {
        Self {
            // The compiler is not to do without it.
            point: black_box(Box::new(point)),
            allocations: before + 1,
        }
    }

    /// The sum of two.
    pub(crate) fn add(&self, other: &Self) -> Self {
        Self::new(
            self.point.add_vartime(&other.point),
            self.allocations + other.allocations,
        )
    }
}

/// `[k]P`.
pub(crate) fn mul<C: Curve>(k: &C::Scalar, p: &Affine<C>) -> Boxed<C> {
    let entries: [Entry<C>; 8] = odd_multiples_vartime(p);
    let table: Vec<Box<Affine<C>>> = entries
        .iter()
        .map(|entry| black_box(Box::new(Affine::from_entry(entry))))
        .collect();
    let (digits, length) = wnaf_vartime(&k.to_u256(), 5);
    let mut sum = Boxed::new(Jacobian::INFINITY, table.len() + 1);
    for digit in digits[..length].iter().rev() {
        sum = Boxed::new(sum.point.double(), sum.allocations);
        if *digit != 0 {
            let multiple = &table[usize::from(digit.unsigned_abs() >> 1)];
            let addend = if *digit < 0 {
                multiple.neg()
            } else {
                **multiple
            };
            sum = Boxed::new(sum.point.add_affine_vartime(&addend), sum.allocations);
        }
    }
    sum
}
