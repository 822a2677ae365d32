//! Miller's loop, for one pair `(P, Q)` or many.
//!
//! Each doubling step squares `f`, once for all pairs. Each step multiplies `f` by the line of each
//! pair.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::precomputed_lines::{Evaluator, Lines};
use super::steps::{Coefficients, RunningPoint, Step, for_each_step};
use super::walk::Walk;
use crate::arith::Backend;
use crate::curve::Affine;
use crate::sm9::curve::{Sm9G1, Sm9G2};
use crate::sm9::tower::Fq12;

/// The arguments of a pairing, `P` and `Q`.
pub type Arguments<B> = (Affine<Sm9G1<B>>, Affine<Sm9G2<B>>);

/// Calls `line` with each line of `Q` in order.
pub fn lines<B: Backend>(q: &Affine<Sm9G2<B>>, mut line: impl FnMut(Coefficients<B>)) {
    let mut t = RunningPoint::new(q);
    for_each_step(|step| line(t.step(q, step)));
    t.zeroize();
}

/// The product of Miller's functions of all pairs, before the final exponentiation.
pub fn miller<B: Backend>(pairs: &[Arguments<B>]) -> Fq12<B> {
    miller_mixed(pairs, &[])
}

/// [`miller`], where some `Q` are given as points and others as precomputed lines.
pub fn miller_mixed<B: Backend, F: Walk<B>>(
    pairs: &[Arguments<B>],
    precomputed: &[(Affine<Sm9G1<B>>, &Lines)],
) -> F {
    let mut states: Vec<F::State> = pairs.iter().map(|(p, q)| F::start(p, q)).collect();
    let evaluators: Vec<Evaluator<'_, B>> = precomputed
        .iter()
        .map(|(p, lines)| Evaluator::new(p, lines))
        .collect();
    let mut f = F::from_limbs(&Fq12::<B>::ONE.to_limbs());
    let mut index = 0;
    for_each_step(|step| {
        if step == Step::Double && index != 0 {
            f = f.squared();
        }
        for state in &mut states {
            f = f.times_next_line(state, step);
        }
        for evaluator in &evaluators {
            f = evaluator.times_line(&f, index);
        }
        index += 1;
    });
    f
}
