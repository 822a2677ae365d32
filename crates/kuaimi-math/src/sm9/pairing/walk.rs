//! The walk of `T` in Miller's loop for one pair, with the line of each step.

use zeroize::Zeroize;

use super::steps::{RunningPoint, Step};
use crate::arith::Backend;
use crate::curve::Affine;
use crate::sm9::curve::{Sm9G1, Sm9G2};
use crate::sm9::tower::{Fq12, Fq12Operations};

/// A form of `Fq12` with the walk that suits it.
pub trait Walk<B: Backend>: Fq12Operations<B> {
    /// The point `T`, and what its steps need of `P` and `Q`. Wiped on drop.
    type State;

    /// The state for `(P, Q)`, with `T = Q`.
    fn start(p: &Affine<Sm9G1<B>>, q: &Affine<Sm9G2<B>>) -> Self::State;

    /// `self`, multiplied by the value at `P` of the line of this step, which `T` takes. The value
    /// may have a factor in a proper subfield, which the final exponentiation maps to 1.
    fn times_next_line(&self, state: &mut Self::State, step: Step) -> Self;
}

/// One number after another. Wiped on drop.
pub struct State<B: Backend> {
    p: Affine<Sm9G1<B>>,
    q: Affine<Sm9G2<B>>,
    t: RunningPoint<B>,
}

impl<B: Backend> Walk<B> for Fq12<B> {
    type State = State<B>;

    fn start(p: &Affine<Sm9G1<B>>, q: &Affine<Sm9G2<B>>) -> State<B> {
        let (p, q, t) = (*p, *q, RunningPoint::new(q));
        State { p, q, t }
    }

    fn times_next_line(&self, State { p, q, t }: &mut State<B>, step: Step) -> Self {
        self.times_line(&t.step(q, step).at(p))
    }
}

impl<B: Backend> Drop for State<B> {
    fn drop(&mut self) {
        self.p.zeroize();
        self.q.zeroize();
        self.t.zeroize();
    }
}
