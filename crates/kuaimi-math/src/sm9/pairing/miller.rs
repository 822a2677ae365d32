//! Miller's loop.
//!
//! Each step squares `f`, once for all pairs, and multiplies it by each pair's line.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::precomputed_lines::{Evaluator, Lines};
use super::steps::{Coefficients, DIGITS, Walk, frobenius, minus_frobenius2};
use crate::arith::Backend;
use crate::curve::Affine;
use crate::sm9::curve::{Sm9G1, Sm9G2};
use crate::sm9::tower::{Fq12, Fq12Operations};

/// What the loop asks for, step after step: to multiply by the lines of the next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The tangent at the point reached, which is doubled.
    Double,
    /// The chord to `Q`, which is added.
    Add,
    /// The chord to `−Q`.
    Subtract,
    /// The chord to `π(Q)`.
    Frobenius,
    /// The chord to `−π²(Q)`.
    Frobenius2,
}

/// The steps in order, and whether `f` is squared before each.
pub fn walk_steps(mut step: impl FnMut(Step)) {
    for &digit in &DIGITS[1..] {
        step(Step::Double);
        match digit {
            1 => step(Step::Add),
            -1 => step(Step::Subtract),
            _ => {}
        }
    }
    step(Step::Frobenius);
    step(Step::Frobenius2);
}

/// The arguments of a pairing, `P` and `Q`.
pub type Arguments<B> = (Affine<Sm9G1<B>>, Affine<Sm9G2<B>>);

/// A point `Q` on its walk.
struct Pair<B: Backend> {
    q: Affine<Sm9G2<B>>,
    walk: Walk<B>,
}

impl<B: Backend> Pair<B> {
    fn new(q: &Affine<Sm9G2<B>>) -> Self {
        Self {
            q: *q,
            walk: Walk::new(q),
        }
    }

    fn line(&mut self, step: Step) -> Coefficients<B> {
        match step {
            Step::Double => self.walk.double(),
            Step::Add => self.walk.add(&self.q),
            Step::Subtract => self.walk.add(&self.q.neg()),
            Step::Frobenius => self.walk.add(&frobenius(&self.q)),
            Step::Frobenius2 => self.walk.add(&minus_frobenius2(&self.q)),
        }
    }
}

impl<B: Backend> Drop for Pair<B> {
    fn drop(&mut self) {
        self.q.zeroize();
        self.walk.zeroize();
    }
}

/// All lines of `Q` in order.
pub fn lines<B: Backend>(q: &Affine<Sm9G2<B>>, mut line: impl FnMut(Coefficients<B>)) {
    let mut pair = Pair::new(q);
    walk_steps(|step| line(pair.line(step)));
}

/// The product of Miller's functions of pairs, before the final exponentiation.
pub fn miller<B: Backend>(pairs: &[Arguments<B>]) -> Fq12<B> {
    miller_mixed(pairs, &[])
}

/// As [`miller`], with pairs whose `Q` is given by its precomputed lines.
pub fn miller_mixed<B: Backend, F: Fq12Operations<B>>(
    pairs: &[Arguments<B>],
    kept: &[(Affine<Sm9G1<B>>, &Lines)],
) -> F {
    let mut walks: Vec<Pair<B>> = pairs.iter().map(|(_, q)| Pair::new(q)).collect();
    let evaluators: Vec<Evaluator<'_, B>> = kept
        .iter()
        .map(|(p, lines)| Evaluator::new(p, lines))
        .collect();
    let mut f = F::from_limbs(&Fq12::<B>::ONE.to_limbs());
    let mut index = 0;
    walk_steps(|step| {
        if step == Step::Double && index != 0 {
            f = f.squared();
        }
        for ((p, _), walk) in pairs.iter().zip(&mut walks) {
            f = f.times_line(&walk.line(step).at(p));
        }
        for evaluator in &evaluators {
            f = evaluator.times_line(&f, index);
        }
        index += 1;
    });
    f
}
