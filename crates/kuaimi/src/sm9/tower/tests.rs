//! The tower against polynomials over the integers: as `w⁶ = u` and `u² = −2`, `Fq12` is `Fq[w]/(w¹² + 2)`, and so a product is
//! that of two polynomials of degree 11 modulo `w¹² + 2`, whatever the tower.

use num_bigint::BigUint;

use super::fq12::{Line, ScaledLine};
use super::{Fq2, Fq6, Fq12};
use crate::arith::{Backend, Field, Modulus, PrimeField};
use crate::sm9::curve::{Fq, Q};
use crate::sm9::pairing::final_exponentiation::easy_part;
use crate::testing::{Repeatable, big, from_big, on_every_backend, rounds};

/// The coefficients of `1, w, …, w¹¹`.
type Model = Vec<BigUint>;

fn q() -> BigUint {
    big(&Q::MODULUS)
}

fn model<B: Backend>(a: &Fq12<B>) -> Model {
    let c = a.coefficients();
    let constants = c.iter().map(|c| big(&c.c0.to_u256()));
    constants
        .chain(c.iter().map(|c| big(&c.c1.to_u256())))
        .collect()
}

fn from_model<B: Backend>(a: &Model) -> Fq12<B> {
    let element = |i: usize| Fq::<B>::from_u256_reduced(&from_big(&a[i]));
    Fq12::from_coefficients(core::array::from_fn(|i| {
        Fq2::new(element(i), element(i + 6))
    }))
}

fn model_mul(a: &Model, b: &Model) -> Model {
    let q = q();
    let mut product = vec![BigUint::ZERO; 23];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            product[i + j] += a * b;
        }
    }
    (0..12)
        .map(|i| {
            let upper = product.get(i + 12).cloned().unwrap_or_default() % &q;
            (&product[i] + (&q - upper) * 2u32) % &q
        })
        .collect()
}

fn model_pow(a: &Model, k: &BigUint) -> Model {
    let mut one = vec![BigUint::ZERO; 12];
    one[0] = BigUint::from(1u32);
    (0..k.bits()).rev().fold(one, |power, i| {
        let square = model_mul(&power, &power);
        if k.bit(i) {
            model_mul(&square, a)
        } else {
            square
        }
    })
}

/// Any element: of coefficients anywhere, of the largest, of zeros.
fn element<B: Backend>(rng: &mut Repeatable) -> Fq12<B> {
    let q = q();
    let shape = rng.word() % 6;
    let coefficients = (0..12)
        .map(|_| match shape {
            0 => &q - 1u32,
            1 if rng.word().is_multiple_of(2) => BigUint::ZERO,
            _ => big(&rng.number()) % &q,
        })
        .collect();
    from_model(&coefficients)
}

fn products<B: Backend>() {
    let mut rng = Repeatable(101);
    for _ in 0..rounds(100) {
        let (a, b) = (element::<B>(&mut rng), element::<B>(&mut rng));
        let (x, y) = (model(&a), model(&b));
        assert_eq!(model(&(a * b)), model_mul(&x, &y), "a product");
        assert_eq!(model(&a.square()), model_mul(&x, &x), "a square");
        assert_eq!(from_model::<B>(&x), a);
        assert!(
            a.invert() * a == if a == Fq12::ZERO { a } else { Fq12::ONE },
            "an inverse"
        );
        assert!(a.invert() == a.invert_vartime());
        assert_eq!((a + b) - b, a);

        let [l0, _, _, l3, _, l5] = b.coefficients();
        let zero = Fq2::ZERO;
        let line = Fq12::from_coefficients([l0, zero, zero, l3, zero, l5]);
        let found = a.mul_line(&Line { l0, l3, l5 });
        assert_eq!(model(&found), model_mul(&x, &model(&line)), "a line");
        let line = Fq12::from_coefficients([Fq2::ONE, zero, zero, l3, zero, l5]);
        let found = a.mul_scaled_line(&ScaledLine { l3, l5 });
        assert_eq!(model(&found), model_mul(&x, &model(&line)), "a scaled line");
        assert!(Fq12::from_limbs(&a.to_limbs()) == a);
    }
}

#[test]
fn products_agree_with_the_model() {
    on_every_backend!(B => products::<B>());
}

fn frobenius_maps<B: Backend>() {
    let mut rng = Repeatable(102);
    for _ in 0..rounds(2) {
        let a = element::<B>(&mut rng);
        let one = model_pow(&model(&a), &q());
        assert_eq!(model(&a.frobenius()), one);
        let two = model_pow(&one, &q());
        assert_eq!(model(&a.frobenius2()), two);
        let three = model_pow(&two, &q());
        assert_eq!(model(&a.frobenius3()), three);
        let six = model_pow(&model_pow(&model_pow(&three, &q()), &q()), &q());
        assert_eq!(model(&a.conjugate()), six);
    }
}

#[test]
fn frobenius_maps_are_powers() {
    on_every_backend!(B => frobenius_maps::<B>());
}

fn cyclotomic<B: Backend>() {
    let mut rng = Repeatable(103);
    for _ in 0..rounds(50) {
        let a = element::<B>(&mut rng);
        if a == Fq12::ZERO {
            continue;
        }
        let a = easy_part(&a);
        assert!(a.cyclotomic_square() == a.square());
        assert!(a * a.conjugate() == Fq12::ONE);
        let mut square = a;
        for count in 0..=6 {
            assert!(a.cyclotomic_squares(count) == square, "{count} squares");
            assert!(a.compressed_squares(count) == square, "{count} squares");
            square = square.square();
        }
    }
    assert!(Fq12::<B>::ONE.compressed_squares(5) == Fq12::ONE);
}

#[test]
fn cyclotomic_squares_are_squares() {
    on_every_backend!(B => cyclotomic::<B>());
}

fn quadratic<B: Backend>() {
    let mut rng = Repeatable(104);
    let mut squares = 0;
    for round in 0..rounds(200) {
        let [mut a, b, ..] = element::<B>(&mut rng).coefficients();
        match round % 8 {
            0 => a.c1 = Fq::ZERO,
            1 => a.c0 = Fq::ZERO,
            _ => {}
        }
        assert!(a.square() == a * a);
        assert!(a.half().double() == a);
        assert!(a.mul_u() == a * Fq2::new(Fq::ZERO, Fq::ONE));
        assert!(a.scale(&b.c0) == a * Fq2::new(b.c0, Fq::ZERO));
        assert!(a.conjugate() * a == Fq2::new((a * a.conjugate()).c0, Fq::ZERO));
        if a != Fq2::ZERO {
            assert!(a * a.invert() == Fq2::ONE && a.invert() == a.invert_vartime());
        }
        let square = a.square();
        let root = square.sqrt_vartime().expect("a square has a root");
        assert!(root == a || root == -a);
        // Either a or u·a has a root, as u has none.
        let roots = [a, a.mul_u()].map(|a| a.sqrt_vartime());
        for (a, root) in [a, a.mul_u()].iter().zip(roots) {
            squares += u32::from(root.is_some());
            assert!(root.is_none_or(|root| root.square() == *a));
        }
        assert!(a == Fq2::ZERO || roots.iter().flatten().count() == 1);
        let six = Fq6 { c: [a, b, a + b] };
        if a != Fq2::ZERO {
            assert!(six * six.invert_with(Fq2::invert) == Fq6::ONE);
        }
        assert!(
            six.mul_s()
                == six
                    * Fq6 {
                        c: [Fq2::ZERO, Fq2::ONE, Fq2::ZERO]
                    }
        );
    }
    assert!(squares > 0);
}

#[test]
fn the_quadratic_extension() {
    on_every_backend!(B => quadratic::<B>());
}
