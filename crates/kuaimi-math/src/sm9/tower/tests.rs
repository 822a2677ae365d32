//! The tower, compared with polynomials. As `w⁶ = u` and `u² = −2`, `Fq12` is `Fq[w]/(w¹² + 2)`. So
//! a product is that of two polynomials of degree 11 modulo `w¹² + 2`.

use num_bigint::BigUint;

use super::fq12::{Line, ScaledLine};
use super::{Fq2, Fq6, Fq12, Fq12Arithmetic, Fq12Operations, Fq12x4};
use crate::arith::backend::Portable;
use crate::arith::lanes::model::Model as LanesModel;
use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::curve::Curve;
use crate::sm9::curve::{Fq, Q};
use crate::sm9::curve::{Sm9G1, Sm9G2};
use crate::sm9::gt;
use crate::sm9::pairing::final_exponentiation::easy_part;
use crate::sm9::pairing::forms::{Fq12Visitor, for_each_form};
use crate::sm9::pairing::walk::Walk;
use crate::sm9::pairing::{
    LineTable, final_exponentiation::final_exponentiation, miller, tests::pairing,
};
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

/// An element with random coefficients, with the largest ones, or with zeros.
fn element<B: Backend>(rng: &mut Repeatable) -> Fq12<B> {
    let q = q();
    let shape = rng.word() % 6;
    let coefficients = (0..12)
        .map(|_| match shape {
            0 => &q - 1u32,
            1 if rng.word().is_multiple_of(2) => BigUint::ZERO,
            _ => big(&U256(rng.number())) % &q,
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
            let compressed = a.compressed_squares(count).decompress();
            assert!(compressed == square, "{count} squares");
            square = square.square();
        }
    }
    assert!(Fq12::<B>::ONE.compressed_squares(5).decompress() == Fq12::ONE);
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
        // Exactly one of a and u·a has a root, as u has none.
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

/// All operations of [`Fq12Operations`] in one form of `Fq12`, compared with the scalar one.
fn same<B: Backend, F: Walk<B>>() {
    let mut rng = Repeatable(105);
    let to = |a: &Fq12<B>| F::from_limbs(&a.to_limbs());
    let from = |a: F| Fq12::<B>::from_limbs(&a.to_limbs());
    // Edge cases: all coefficients 0, 1 or −1.
    let constant = |c: Fq<B>| Fq12::from_coefficients([Fq2::new(c, c); 6]);
    let mut elements = vec![constant(Fq::ZERO), constant(Fq::ONE), constant(-Fq::ONE)];
    elements.extend((0..rounds(20)).map(|_| element::<B>(&mut rng)));
    for pair in elements.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let (x, y) = (to(&a), to(&b));
        assert!(from(x) == a, "conversions");
        assert!(from(x.times(&y)) == a * b, "a product");
        assert!(from(x.squared()) == a.square(), "a square");
        assert!(from(x.conjugated()) == a.conjugate(), "a conjugate");
        assert!(from(x.frobenius_power::<1>()) == a.frobenius());
        assert!(from(x.frobenius_power::<2>()) == a.frobenius2());
        assert!(from(x.frobenius_power::<3>()) == a.frobenius3());
        let [l0, l3, l5, ..] = b.coefficients();
        let line = Line { l0, l3, l5 };
        assert!(from(x.times_line(&line)) == a.mul_line(&line), "a line");
        let (precomputed, s, t) = ([l3.to_limbs(), l5.to_limbs()], l0.c0, l0.c1);
        assert!(
            from(x.times_precomputed_line(&precomputed, &s, &t))
                == a.times_precomputed_line(&precomputed, &s, &t),
            "a precomputed line"
        );
        assert!(
            from(x.times_numerator(&b.b))
                == a * Fq12 {
                    a: b.b,
                    b: Fq6::ONE
                },
            "a numerator"
        );
        // Results as operands again, so that a magnitude that grows is found.
        let (mut long, mut expected) = (x, a);
        for _ in 0..5 {
            long = long.times(&y).squared().times_line(&line).conjugated();
            expected = (expected * b).square().mul_line(&line).conjugate();
        }
        assert!(from(long) == expected, "a chain");
        if a != Fq12::ZERO {
            let a = easy_part::<B, Fq12<B>>(&a);
            let x = to(&a);
            assert!(from(easy_part(&to(&pair[0]))) == a, "the easy part");
            assert!(from(x.cyclotomic_squared()) == a.square(), "cyclotomic");
            let mut square = a;
            for count in [1, 4, 25] {
                square = (0..count).fold(square, |square, _| square.square());
            }
            let x = x.cyclotomic_squares(1).cyclotomic_squares(4);
            assert!(from(x.cyclotomic_squares(25)) == square, "a long run");
        }
    }
    let (p, q) = (Sm9G1::<B>::GENERATOR, Sm9G2::<B>::GENERATOR);
    let g: Fq12<B> = pairing(&p, &q);
    assert!(from(pairing(&p, &q)) == g, "a pairing");
    let lines = LineTable::new(&q);
    let f: F = miller::miller_mixed(&[(p, q)], &[(p.neg(), lines.lines()), (p, lines.lines())]);
    assert!(from(final_exponentiation(&f)) == g, "a product of pairings");
    let table = gt::fixed_base::GtFixedBaseTable::new(&g);
    for k in [
        U256([1, 0, 0, 0]),
        U256(rng.number()).shr1(false),
        U256(rng.number()).shr1(false),
    ] {
        let power = gt::power::pow_binary_vartime(&g, &k);
        assert!(from(gt::power::pow(&to(&g), &k)) == power, "a power");
        assert!(from(table.pow(&k)) == power, "a power from a table");
        assert!(
            from(table.pow_vartime(&k)) == power,
            "a public power from a table"
        );
    }
}

struct Same;

impl Fq12Visitor for Same {
    fn visit<B: Backend, F: Walk<B>>(&mut self, name: &'static str) {
        println!("Fq12: {name}");
        same::<B, F>();
    }
}

#[test]
fn all_forms_agree() {
    for_each_form(&mut Same);
}

#[test]
fn lanes_of_the_model_agree() {
    same::<Portable, Fq12x4<LanesModel<4>>>();
}
