//! Miller's loop, for one pair `(P, Q)` or many.
//!
//! Each doubling step squares `f`, once for all pairs. Each step multiplies `f` by the line of each pair.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::precomputed_lines::{Evaluator, Lines};
use super::steps::{Coefficients, DIGITS, RunningPoint, frobenius, minus_frobenius2};
use crate::arith::Backend;
use crate::curve::Affine;
use crate::sm9::curve::{Sm9G1, Sm9G2};
use crate::sm9::tower::{Fq12, Fq12Operations};

/// A step of the loop, which has one line for each pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// `T` is doubled; the line is the tangent.
    Double,
    /// `Q` is added; the line is the chord.
    Add,
    /// `−Q` is added.
    Subtract,
    /// `π(Q)` is added.
    Frobenius,
    /// `−π²(Q)` is added.
    Frobenius2,
}

/// Calls `step` with each step in order.
pub fn for_each_step(mut step: impl FnMut(Step)) {
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

/// The state of the loop for one `Q`: the point `T`. Wiped on drop.
struct LoopState<B: Backend> {
    q: Affine<Sm9G2<B>>,
    t: RunningPoint<B>,
}

impl<B: Backend> LoopState<B> {
    fn new(q: &Affine<Sm9G2<B>>) -> Self {
        Self {
            q: *q,
            t: RunningPoint::new(q),
        }
    }

    fn next_line(&mut self, step: Step) -> Coefficients<B> {
        match step {
            Step::Double => self.t.double(),
            Step::Add => self.t.add(&self.q),
            Step::Subtract => self.t.add(&self.q.neg()),
            Step::Frobenius => self.t.add(&frobenius(&self.q)),
            Step::Frobenius2 => self.t.add(&minus_frobenius2(&self.q)),
        }
    }
}

impl<B: Backend> Drop for LoopState<B> {
    fn drop(&mut self) {
        self.q.zeroize();
        self.t.zeroize();
    }
}

/// Calls `line` with each line of `Q` in order.
pub fn lines<B: Backend>(q: &Affine<Sm9G2<B>>, mut line: impl FnMut(Coefficients<B>)) {
    let mut state = LoopState::new(q);
    for_each_step(|step| line(state.next_line(step)));
}

/// The product of Miller's functions of all pairs, before the final exponentiation.
pub fn miller<B: Backend>(pairs: &[Arguments<B>]) -> Fq12<B> {
    miller_mixed(pairs, &[])
}

/// [`miller`], where some `Q` are given as points and others as precomputed lines.
pub fn miller_mixed<B: Backend, F: Fq12Operations<B>>(
    pairs: &[Arguments<B>],
    precomputed: &[(Affine<Sm9G1<B>>, &Lines)],
) -> F {
    let mut states: Vec<LoopState<B>> = pairs.iter().map(|(_, q)| LoopState::new(q)).collect();
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
        for ((p, _), state) in pairs.iter().zip(&mut states) {
            f = f.times_line(&state.next_line(step).at(p));
        }
        for evaluator in &evaluators {
            f = evaluator.times_line(&f, index);
        }
        index += 1;
    });
    f
}
