//! The assembly of SM2's prime against integers of any size: edge cases, at the largest magnitudes
//! that the contract allows.

use core::arch::x86_64::__m256i;

use num_bigint::BigUint;

use super::constants::{BITS, LIMBS, MASK};
use super::{Avx2, Limbs29, mul};
use crate::arith::modulus::Modulus;
use crate::sm2::curve::P;
use crate::testing::{Repeatable, rounds};

fn prime() -> BigUint {
    integer(&P::MODULUS.0)
}

fn integer(words: &[u64]) -> BigUint {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

/// One number a lane.
fn lanes(numbers: &[BigUint; 4]) -> Limbs29 {
    let mut words = [[0_u64; 4]; LIMBS];
    for (lane, number) in numbers.iter().enumerate() {
        let mut rest = number.clone();
        for (i, word) in words.iter_mut().enumerate() {
            let limb = match i + 1 < LIMBS {
                true => &rest % (1_u64 << BITS),
                false => rest.clone(),
            };
            word[lane] = u64::try_from(limb).expect("a limb");
            rest >>= BITS;
        }
    }
    // SAFETY: a vector is four words.
    words.map(|word| unsafe { core::mem::transmute::<[u64; 4], __m256i>(word) })
}

/// The number in each lane, whose limbs must be tight.
fn numbers(limbs: &Limbs29) -> [BigUint; 4] {
    // SAFETY: a vector is four words.
    let words = limbs.map(|limb| unsafe { core::mem::transmute::<__m256i, [u64; 4]>(limb) });
    core::array::from_fn(|lane| {
        let mut number = BigUint::ZERO;
        for (i, word) in words.iter().enumerate().rev() {
            let limit = if i + 1 < LIMBS { MASK } else { 1 << 32 };
            assert!(word[lane] <= limit, "limb {i} is not tight");
            number = (number << BITS) + word[lane];
        }
        number
    })
}

/// Numbers of at most `most·p`: the least and the greatest, limbs of ones and of zeros, others.
fn cases(most: u64, seed: u64) -> Vec<BigUint> {
    let limit = prime() * most;
    let ones: BigUint = (BigUint::from(1_u8) << 256) - 1_u8;
    let mut all = vec![
        BigUint::ZERO,
        BigUint::from(1_u8),
        prime() - 1_u8,
        prime(),
        limit.clone(),
        &limit - 1_u8,
        ones.clone(),
    ];
    for i in 0..LIMBS {
        let limb = BigUint::from(MASK) << (BITS as usize * i);
        all.push(&limb % &limit);
        all.push(&limit - (&limb % &limit));
    }
    let mut rng = Repeatable(seed);
    for _ in 0..rounds(40) {
        all.push(integer(&[rng.number(), rng.number()].concat()) % (&limit + 1_u8));
    }
    all.retain(|number| *number <= limit);
    all
}

/// Four numbers from a place on.
fn four(all: &[BigUint], place: usize) -> [BigUint; 4] {
    core::array::from_fn(|lane| all[(place + lane * 7) % all.len()].clone())
}

/// The result is congruent to `number/2²⁶¹`, and at most `limit` halves of `p`.
fn expect(found: &BigUint, number: &BigUint, limit: u32, what: &str) {
    assert!(
        *found < prime() * limit / 2_u8,
        "{what}: {found} is too large"
    );
    let expected = number % prime();
    assert_eq!(
        (found << (BITS as usize * LIMBS)) % prime(),
        expected,
        "{what}"
    );
}

#[test]
fn sm2s_prime_in_assembly() {
    if !Avx2::available() {
        eprintln!("note: nothing was tested with AVX2, which this CPU lacks");
        return;
    }
    for (left, right) in [(4, 4), (1, 16), (16, 1), (2, 2)] {
        let (xs, ys) = (cases(left, 1), cases(right, 2));
        // Half of that each, where two products are summed.
        let (us, vs) = match left {
            1 => (cases(1, 3), cases(right / 2, 4)),
            _ => (cases(left / 2, 3), cases(right, 4)),
        };
        let squared = cases(left.min(right), 5);
        for i in 0..xs.len() {
            for j in (0..ys.len()).step_by(5) {
                let ([x, y], [u, v], s) = (
                    [four(&xs, i), four(&ys, i + j)],
                    [four(&us, i), four(&vs, i + j)],
                    four(&squared, i + 2 * j),
                );
                let of = [&x, &y, &u, &v, &s].map(lanes);
                // SAFETY: the CPU has AVX2.
                let results = unsafe {
                    [
                        mul::mul::<P>(&of[0], &of[1]),
                        mul::square::<P>(&of[4]),
                        mul::mul_add::<P>(&[&of[2], &of[2]], &[&of[3], &of[3]]),
                        mul::mul_sub_square::<P>(&of[0], &of[1], &of[4]),
                    ]
                };
                let results = results.map(|result| numbers(&result));
                for lane in 0..4 {
                    expect(&results[0][lane], &(&x[lane] * &y[lane]), 3, "a·b");
                    expect(&results[1][lane], &(&s[lane] * &s[lane]), 3, "a²");
                    let sum = &u[lane] * &v[lane] * 2_u8;
                    expect(&results[2][lane], &sum, 3, "a·b + c·d");
                    // 16p² is more than the square, and congruent to 0.
                    let difference =
                        &x[lane] * &y[lane] + prime() * prime() * 16_u8 - &s[lane] * &s[lane];
                    expect(&results[3][lane], &difference, 5, "a·b − c²");
                }
            }
        }
    }
    // The result may be where a factor is.
    let all = cases(2, 6);
    let (x, y) = (four(&all, 0), four(&all, 3));
    let (mut a, mut b) = (lanes(&x), lanes(&y));
    let mut apart = lanes(&x);
    // SAFETY: the CPU has AVX2, and all operands have nine vectors.
    unsafe {
        super::sm2p::mul(&raw mut apart, &raw const a, &raw const b);
        super::sm2p::mul(&raw mut b, &raw const a, &raw const b);
        let factor = lanes(&y);
        super::sm2p::mul(&raw mut a, &raw const a, &raw const factor);
    }
    assert_eq!(numbers(&b), numbers(&apart));
    assert_eq!(numbers(&a), numbers(&apart));
}
