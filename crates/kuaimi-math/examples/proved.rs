//! The routines of the arithmetic as functions that are not inlined: `make prove` reads their
//! compiled instructions out of this program (docs/proofs.md). The program itself computes: a line
//! `NAME HEX …` of standard input is answered with the result, so that the prover compares its idea
//! of the instructions with the processor.

use std::io::{BufRead, stdin};

use kuaimi_math::arith::backend::{Backend, Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Modulus, U256};
use kuaimi_math::sm2::curve as sm2;
use kuaimi_math::sm9::curve as sm9;

/// Defines functions with the calling convention of C, which the prover knows, for operations of
/// the backend.
macro_rules! routines {
    ($($name:ident = $op:ident($($operand:ident),+);)+) => {
        $(
            #[inline(never)]
            extern "C" fn $name<M: Modulus, B: Backend>(out: &mut Limbs, $($operand: &Limbs),+) {
                *out = B::$op::<M>($($operand),+);
            }
        )+

        fn unary_or_binary<M: Modulus, B: Backend>(name: &str, numbers: &[Limbs]) -> Option<Limbs> {
            let mut out = [0; 4];
            match (name, numbers) {
                $((stringify!($name), [$($operand),+]) => $name::<M, B>(&mut out, $($operand),+),)+
                _ => return None,
            }
            Some(out)
        }
    };
}
routines! {
    mul = mul(a, b);
    square = square(a);
    redc = redc(a);
    add = add(a, b);
    double = double(a);
    minus_twice = minus_twice(a);
    sub = sub(a, b);
    half = half(a);
}

/// Defines sums of so many products.
macro_rules! sums {
    ($($name:ident($($a:ident, $b:ident);+);)+) => {
        $(
            #[inline(never)]
            extern "C" fn $name<M: Modulus, B: Backend>(out: &mut Limbs, factors: &[[Limbs; 2]; [$(stringify!($a)),+].len()]) {
                let [$([$a, $b]),+] = factors;
                *out = B::dot::<M>(&[$([$a, $b]),+]);
            }
        )+

        fn sum_of_products<M: Modulus, B: Backend>(name: &str, numbers: &[Limbs]) -> Option<Limbs> {
            let mut out = [0; 4];
            let (pairs, _) = numbers.as_chunks::<2>();
            match name {
                $(stringify!($name) => $name::<M, B>(&mut out, pairs.try_into().ok()?),)+
                _ => return None,
            }
            Some(out)
        }
    };
}
sums! {
    dot1(a0, b0);
    dot2(a0, b0; a1, b1);
    dot3(a0, b0; a1, b1; a2, b2);
    dot4(a0, b0; a1, b1; a2, b2; a3, b3);
    dot5(a0, b0; a1, b1; a2, b2; a3, b3; a4, b4);
    dot6(a0, b0; a1, b1; a2, b2; a3, b3; a4, b4; a5, b5);
}

/// The lower and the upper half of a product.
#[inline(never)]
extern "C" fn product<B: Backend>(out: &mut [Limbs; 2], a: &Limbs, b: &Limbs) {
    *out = B::product(a, b);
}

/// The inverse, which contains the division steps.
#[inline(never)]
extern "C" fn invert<M: Modulus, B: Backend>(out: &mut Limbs, a: &Limbs) {
    *out = B::invert::<M>(a);
}

/// The results of a routine, by its name.
fn results<M: Modulus, B: Backend>(name: &str, numbers: &[Limbs]) -> Option<Vec<Limbs>> {
    if let Some(out) =
        unary_or_binary::<M, B>(name, numbers).or_else(|| sum_of_products::<M, B>(name, numbers))
    {
        return Some(vec![out]);
    }
    match (name, numbers) {
        ("product", [a, b]) => {
            let mut out = [[0; 4]; 2];
            product::<B>(&mut out, a, b);
            Some(out.to_vec())
        }
        ("invert", [a]) => {
            let mut out = [0; 4];
            invert::<M, B>(&mut out, a);
            Some(vec![out])
        }
        _ => None,
    }
}

type Routines = fn(&str, &str, &[Limbs]) -> Option<Vec<Limbs>>;

/// The last backend, which is the one that this CPU prefers.
struct Last(Routines, &'static str);

impl Visitor for Last {
    fn visit<B: Backend>(&mut self) {
        let routines: Routines = |modulus, name, numbers| match modulus {
            "sm2p" => results::<sm2::P, B>(name, numbers),
            "sm2n" => results::<sm2::N, B>(name, numbers),
            "sm9q" => results::<sm9::Q, B>(name, numbers),
            "sm9n" => results::<sm9::N, B>(name, numbers),
            _ => None,
        };
        *self = Self(routines, B::NAME);
    }
}

fn main() {
    let mut last = Last(|_, _, _| None, "");
    for_each(&mut last);
    println!("{}", last.1);
    for line in stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let mut words = line.split_whitespace();
        let (modulus, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let numbers: Vec<Limbs> = words.map(|hex| U256::from_hex(hex).0).collect();
        match last.0(modulus, name, &numbers) {
            Some(results) => {
                let hex = |[a, b, c, d]: Limbs| format!("{d:016x}{c:016x}{b:016x}{a:016x}");
                println!(
                    "{}",
                    results.into_iter().map(hex).collect::<Vec<_>>().join(" ")
                );
            }
            None => println!("none"),
        }
    }
}
