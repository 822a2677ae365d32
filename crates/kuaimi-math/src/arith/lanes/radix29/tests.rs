//! Products modulo SM2's prime against integers of any size: edge cases, at the largest magnitudes
//! that the contract allows.

use num_bigint::BigUint;

use super::constants::{BITS, LIMBS, MASK};
use super::sm2p::Sm2Products;
use super::{Limbs29, PlainWords, carry, mul};
use crate::arith::lanes::MAX_LANES;
use crate::arith::lanes::words::interval::Interval;
use crate::arith::modulus::Modulus;
use crate::arith::tests::{Sm9N, Sm9Q};
use crate::sm2::curve::{N, P};
use crate::testing::{Repeatable, rounds};

impl Sm2Products for Interval {}

fn prime() -> BigUint {
    integer(&P::MODULUS.0)
}

fn integer(words: &[u64]) -> BigUint {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

/// One number a lane.
fn lanes<S: Sm2Products>(numbers: &[BigUint; MAX_LANES]) -> Limbs29<S> {
    let mut words = [[0_u64; MAX_LANES]; LIMBS];
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
    words.map(|word| S::load(&word))
}

/// The number in each lane, whose limbs must be tight.
fn numbers<S: Sm2Products>(limbs: &Limbs29<S>) -> Vec<BigUint> {
    let words = limbs.map(|limb| {
        let mut words = [0; MAX_LANES];
        limb.store(&mut words);
        words
    });
    (0..S::LANES)
        .map(|lane| {
            let mut number = BigUint::ZERO;
            for (i, word) in words.iter().enumerate().rev() {
                let limit = if i + 1 < LIMBS { MASK } else { 1 << 32 };
                assert!(word[lane] <= limit, "limb {i} is not tight");
                number = (number << BITS) + word[lane];
            }
            number
        })
        .collect()
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

/// Numbers from a place on.
fn some(all: &[BigUint], place: usize) -> [BigUint; MAX_LANES] {
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

/// The kernels in vectors of signed words, for all tight factors: no word overflows, and the limbs
/// of the results are tight. The magnitude bounds the top limb.
#[test]
fn bounds_hold_for_all_values() {
    fn check<M: Modulus>() {
        let a = &[Interval(0, MASK.into()); LIMBS];
        let difference = mul::mul_sub_square::<Interval, P>(a, a, a);
        let results = [
            mul::mul::<_, M>(a, a),
            mul::square::<_, M>(a),
            mul::mul_add::<_, M>(&[a, a], &[a, a]),
            difference,
            carry::carry(&carry::add(&difference, &carry::negate::<_, M, 16>(a))),
        ];
        for result in results {
            for limb in &result[..LIMBS - 1] {
                assert!(limb.0 >= 0 && limb.1 <= MASK.into(), "{result:?}");
            }
        }
    }
    check::<P>();
    check::<N>();
    check::<Sm9Q>();
    check::<Sm9N>();
}

fn products_modulo_sm2s_prime<S: Sm2Products>() {
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
                    [some(&xs, i), some(&ys, i + j)],
                    [some(&us, i), some(&vs, i + j)],
                    some(&squared, i + 2 * j),
                );
                let [a, b, c, d, e] = [&x, &y, &u, &v, &s].map(lanes::<S>);
                let results = [
                    mul::mul::<S, P>(&a, &b),
                    mul::square::<S, P>(&e),
                    mul::mul_add::<S, P>(&[&c, &c], &[&d, &d]),
                    mul::mul_sub_square::<S, P>(&a, &b, &e),
                ];
                let results = results.map(|result| numbers(&result));
                for lane in 0..S::LANES {
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
}

#[test]
fn products_in_plain_words() {
    products_modulo_sm2s_prime::<PlainWords<2>>();
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn products_in_vectors() {
    use super::super::words::x86::{Ymm, Zmm};
    use super::{Avx2, Avx512};

    if Avx2::available() {
        products_modulo_sm2s_prime::<Ymm>();
        the_result_may_be_where_a_factor_is();
    } else {
        eprintln!("note: nothing was tested with AVX2, which this CPU lacks");
    }
    if Avx512::available() {
        products_modulo_sm2s_prime::<Zmm>();
    } else {
        eprintln!("note: nothing was tested with AVX-512, which this CPU lacks");
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[allow(unsafe_code, reason = "assembly")]
fn the_result_may_be_where_a_factor_is() {
    use super::super::words::x86::Ymm;
    use super::avx2;

    let all = cases(2, 6);
    let (x, y) = (some(&all, 0), some(&all, 3));
    let (mut a, mut b) = (lanes::<Ymm>(&x), lanes(&y));
    let mut apart = lanes(&x);
    // SAFETY: the CPU has AVX2, and all operands have nine vectors.
    unsafe {
        avx2::mul(&raw mut apart, &raw const a, &raw const b);
        avx2::mul(&raw mut b, &raw const a, &raw const b);
        let factor = lanes(&y);
        avx2::mul(&raw mut a, &raw const a, &raw const factor);
    }
    assert_eq!(numbers(&b), numbers(&apart));
    assert_eq!(numbers(&a), numbers(&apart));
}
