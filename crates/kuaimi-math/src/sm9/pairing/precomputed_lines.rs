//! The precomputed lines of a fixed `Q`.
//!
//! A line of [`steps`](super::steps), divided by `l₀`, is `1 + l₃w³ + l₅w⁵` with `l₃ = c₃/yP` and
//! `l₅ = c₅·xP/yP`. The table has `c₃` and `c₅`, which depend only on `Q`: 128 bytes for each line.
//! The denominators of all lines are inverted together. A pairing computes `1/yP` and `xP/yP` once.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::miller;
use super::steps::{Coefficients, LINES};
use crate::arith::{Backend, Field, batch_invert};
use crate::curve::Affine;
use crate::sm9::curve::{Fq, Sm9G1, Sm9G2};
use crate::sm9::tower::{Fq2, Fq12Operations};

/// `c₃` and `c₅`, each with the constant term before the coefficient of `u`.
pub type PrecomputedLine = [[u64; 8]; 2];

/// The 77 lines of a `Q` in the order of Miller's loop.
pub type Lines = [PrecomputedLine; LINES];

/// The 77 lines of a fixed `Q`, which may be secret. Wiped on drop.
pub struct LineTable {
    lines: Box<Lines>,
}

impl LineTable {
    /// The lines of `Q`. Constant time.
    pub fn new<B: Backend>(q: &Affine<Sm9G2<B>>) -> Self {
        let mut coefficients: Vec<Coefficients<B>> = Vec::with_capacity(LINES);
        miller::lines(q, |line| coefficients.push(line));
        let mut inverses: Vec<Fq2<B>> = coefficients.iter().map(|c| c.y).collect();
        let mut scratch = vec![Fq2::ZERO; inverses.len()];
        batch_invert(&mut inverses, &mut scratch, Fq2::invert);
        let mut table = Self::empty();
        let places = table.lines.iter_mut();
        for (line, (c, inverse)) in places.zip(coefficients.iter().zip(&inverses)) {
            *line = [(c.one * *inverse).to_limbs(), (c.x * *inverse).to_limbs()];
        }
        coefficients.iter_mut().zeroize();
        inverses.iter_mut().zeroize();
        scratch.iter_mut().zeroize();
        table
    }

    /// A table to be filled.
    pub(crate) fn empty() -> Self {
        Self {
            lines: Box::new([PrecomputedLine::default(); LINES]),
        }
    }

    /// The lines, for filling the table with those of another one.
    pub(crate) fn lines_mut(&mut self) -> &mut Lines {
        &mut self.lines
    }

    /// The lines.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }
}

impl Drop for LineTable {
    fn drop(&mut self) {
        self.lines.zeroize();
    }
}

/// The precomputed lines of `Q`, and `1/yP` and `xP/yP` of a point `P`. Wiped on drop, as `P` may
/// be secret.
pub(super) struct Evaluator<'a, B: Backend> {
    lines: &'a Lines,
    x_over_y: Fq<B>,
    one_over_y: Fq<B>,
}

impl<B: Backend> Drop for Evaluator<'_, B> {
    fn drop(&mut self) {
        self.x_over_y.zeroize();
        self.one_over_y.zeroize();
    }
}

impl<'a, B: Backend> Evaluator<'a, B> {
    pub(super) fn new(p: &Affine<Sm9G1<B>>, lines: &'a Lines) -> Self {
        let one_over_y = p.y.invert();
        Self {
            lines,
            x_over_y: p.x * one_over_y,
            one_over_y,
        }
    }

    /// `f` multiplied by the value at `P` of the line with this index.
    #[inline]
    pub(super) fn times_line<F: Fq12Operations<B>>(&self, f: &F, index: usize) -> F {
        f.times_precomputed_line(&self.lines[index], &self.one_over_y, &self.x_over_y)
    }
}
