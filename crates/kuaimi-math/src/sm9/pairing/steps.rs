//! The lines of Miller's loop. Their coefficients depend only on `Q`.
//!
//! The untwist is `(x, y) ↦ (x·w⁻², y·w⁻³)`. A line on the twist with the slope `λ` has at
//! `P = (xP, yP)` the value `yP − λ·xP·w⁻¹ + (λx − y)·w⁻³`. Multiplied by the denominator of `λ`
//! and by `u = w⁶`, it is `l₀ + l₃w³ + l₅w⁵`. The final exponentiation maps these factors to 1, as
//! they are in a proper subfield.
//!
//! Points are homogeneous: `(X/Z, Y/Z)`. The tangent is `l₀ = uH·yP`, `l₃ = B − E`, `l₅ = −3X²·xP`
//! with `b′ = 5u`, `B = Y²`, `E = 3b′Z²` and `H = 2YZ` (Costello, Lange and Naehrig, PKC 2010). The
//! chord through `T` and `(x, y)` is `l₀ = uλ·yP`, `l₃ = θx − λy`, `l₅ = −θ·xP` with `θ = Y − yZ`
//! and `λ = X − xZ`.

use zeroize::Zeroize;

use crate::arith::{Backend, Field};
use crate::curve::Affine;
use crate::sm9::curve::{Fq, Sm9G1, Sm9G2, T, fq};
use crate::sm9::tower::fq12::Line;
use crate::sm9::tower::{Factor, Fq2};

/// The number of digits of `6t + 2`.
pub const LENGTH: usize = 66;

/// The non-adjacent form of `6t + 2`, most significant digit first.
pub const DIGITS: [i8; LENGTH] = {
    let mut digits = [0; LENGTH];
    let mut k = 6 * T as u128 + 2;
    let mut i = LENGTH;
    while k != 0 {
        i -= 1;
        if k % 2 == 1 {
            digits[i] = 2 - (k % 4) as i8;
            k = if digits[i] == 1 { k - 1 } else { k + 1 };
        }
        k /= 2;
    }
    assert!(i == 0 && digits[0] == 1);
    digits
};

/// The number of lines: one for each digit after the first, another one for each of them that is
/// not zero, and two at the end.
pub const LINES: usize = {
    let (mut count, mut i) = (LENGTH - 1 + 2, 1);
    while i < LENGTH {
        count += DIGITS[i].unsigned_abs() as usize;
        i += 1;
    }
    count
};

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

/// The coefficients of a line that do not depend on `P`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coefficients<B: Backend> {
    /// `l₀/yP`.
    pub y: Fq2<B>,
    /// `l₃`.
    pub one: Fq2<B>,
    /// `l₅/xP`.
    pub x: Fq2<B>,
}

impl<B: Backend> Coefficients<B> {
    /// The value of the line at `P`.
    #[inline]
    pub fn at(&self, p: &Affine<Sm9G1<B>>) -> Line<B> {
        Line {
            l0: self.y.scale(&p.y),
            l3: self.one,
            l5: self.x.scale(&p.x),
        }
    }
}

impl<B: Backend> Zeroize for Coefficients<B> {
    fn zeroize(&mut self) {
        self.y.zeroize();
        self.one.zeroize();
        self.x.zeroize();
    }
}

/// The point `T` of Miller's loop, a multiple of `Q` in homogeneous coordinates.
#[derive(Clone, Copy, Debug)]
pub struct RunningPoint<B: Backend> {
    x: Fq2<B>,
    y: Fq2<B>,
    z: Fq2<B>,
}

impl<B: Backend> RunningPoint<B> {
    /// `T = Q`.
    pub fn new(q: &Affine<Sm9G2<B>>) -> Self {
        Self {
            x: q.x,
            y: q.y,
            z: Fq2::ONE,
        }
    }

    /// Takes a step of the loop for `Q`. Returns its line.
    pub fn step(&mut self, q: &Affine<Sm9G2<B>>, step: Step) -> Coefficients<B> {
        match step {
            Step::Double => self.double(),
            Step::Add => self.add(q),
            Step::Subtract => self.add(&q.neg()),
            Step::Frobenius => self.add(&frobenius(q)),
            Step::Frobenius2 => self.add(&minus_frobenius2(q)),
        }
    }

    /// Doubles `T`. Returns the tangent at the old `T`.
    pub fn double(&mut self) -> Coefficients<B> {
        let b = self.y.square();
        let c = self.z.square();
        // E = 3b′Z² = 15u·Z².
        let c15 = c.double().double().double().double() - c;
        let e = c15.mul_u();
        let f = e.double() + e;
        let h = (self.y * self.z).double();
        let xx = self.x.square();
        let a = (self.x * self.y).half();
        let g = (b + f).half();
        let ee = e.square();
        self.x = a * (b - f);
        self.y = g.square() - (ee.double() + ee);
        self.z = b * h;
        Coefficients {
            y: h.mul_u(),
            one: b - e,
            x: -(xx.double() + xx),
        }
    }

    /// Adds `q`, which must not be `±T`, to `T`. Returns the chord through `q` and the old `T`.
    pub fn add(&mut self, q: &Affine<Sm9G2<B>>) -> Coefficients<B> {
        let theta = self.y - q.y * self.z;
        let lambda = self.x - q.x * self.z;
        let one = {
            let (theta, minus_lambda) = (Factor::new(&theta), Factor::new(&-lambda));
            Fq2::dot([&q.x, &q.y], [&theta, &minus_lambda])
        };
        let d = lambda.square();
        let e = lambda * d;
        let f = self.z * theta.square();
        let g = self.x * d;
        let h = e + f - g.double();
        self.x = lambda * h;
        self.y = theta * (g - h) - e * self.y;
        self.z = self.z * e;
        Coefficients {
            y: lambda.mul_u(),
            one,
            x: -theta,
        }
    }
}

impl<B: Backend> Zeroize for RunningPoint<B> {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
        self.z.zeroize();
    }
}

/// `β⁻² = −β⁴`, `β⁻³ = −β³` and `β⁻⁴ = −β²`, where `β = u^((q−1)/6)` and `β⁶ = −1`.
const fn untwists<B: Backend>() -> [Fq<B>; 3] {
    [
        fq("B640000002A3A6F0E303AB4FF2EB2052A9F02115CAEF75E70F738991676AF24A"),
        fq("49DB721A269967C4E0A8DEBC0783182F82555233139E9D63EFBD7B54092C756C"),
        fq("B640000002A3A6F0E303AB4FF2EB2052A9F02115CAEF75E70F738991676AF249"),
    ]
}

/// The Frobenius map on the twist: `π(x, y) = (x̄·β⁻², ȳ·β⁻³)`.
pub fn frobenius<B: Backend>(q: &Affine<Sm9G2<B>>) -> Affine<Sm9G2<B>> {
    let [x, y, _] = const { untwists::<B>() };
    Affine {
        x: q.x.conjugate().scale(&x),
        y: q.y.conjugate().scale(&y),
    }
}

/// `−π²(x, y) = (x·β⁻⁴, y)`.
pub fn minus_frobenius2<B: Backend>(q: &Affine<Sm9G2<B>>) -> Affine<Sm9G2<B>> {
    let [_, _, x] = const { untwists::<B>() };
    Affine {
        x: q.x.scale(&x),
        y: q.y,
    }
}
