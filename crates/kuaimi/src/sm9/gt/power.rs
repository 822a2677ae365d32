//! Powers of an element of `GT` met once.

use subtle::ConditionallySelectable;
use zeroize::Zeroize;

use crate::arith::{Backend, Modulus, PrimeField, U256};
use crate::curve::recode::{OddWindows, window_count, wnaf_vartime};
use crate::sm9::curve::{Fn, N};
use crate::sm9::tower::Fq12;

/// Signs a window of the constant-time power.
const WINDOW: usize = 5;

/// `f^k` for a secret `k` and an element that may be secret. Constant time.
pub fn pow<B: Backend>(f: &Fq12<B>, k: &Fn<B>) -> Fq12<B> {
    let mut powers = [*f; 1 << (WINDOW - 1)];
    let square = f.cyclotomic_square();
    for i in 1..powers.len() {
        powers[i] = powers[i - 1] * square;
    }
    let windows = OddWindows::new(k, WINDOW);
    let digit = |i: usize| {
        let (index, negative) = windows.digit(i);
        let mut found = powers[0];
        for (j, power) in powers.iter().enumerate().skip(1) {
            let here = subtle::ConstantTimeEq::ct_eq(&(j as u32), &index);
            found.conditional_assign(power, here);
        }
        Fq12::conditional_select(&found, &found.conjugate(), negative)
    };
    let top = window_count(N::MODULUS.bit_length_vartime(), WINDOW) - 1;
    let mut power = digit(top);
    for i in (0..top).rev() {
        for _ in 0..WINDOW {
            power = power.cyclotomic_square();
        }
        power = power * digit(i);
    }
    powers.iter_mut().zeroize();
    power
}

/// `f^k` for public values, by wNAF of width 4.
pub fn pow_vartime<B: Backend>(f: &Fq12<B>, k: &U256) -> Fq12<B> {
    let (digits, length) = wnaf_vartime(k, 4);
    let mut powers = [*f; 4];
    let square = f.cyclotomic_square();
    for i in 1..powers.len() {
        powers[i] = powers[i - 1] * square;
    }
    let mut power = Fq12::ONE;
    for (i, &digit) in digits[..length].iter().enumerate().rev() {
        if i + 1 != length {
            power = power.cyclotomic_square();
        }
        if digit != 0 {
            let factor = powers[usize::from(digit.unsigned_abs() >> 1)];
            power = power
                * if digit < 0 {
                    factor.conjugate()
                } else {
                    factor
                };
        }
    }
    power
}

/// `f^k` for public values, by the non-adjacent form.
pub fn pow_naf_vartime<B: Backend>(f: &Fq12<B>, k: &U256) -> Fq12<B> {
    let (digits, length) = wnaf_vartime(k, 2);
    let inverse = f.conjugate();
    let mut power = Fq12::ONE;
    for &digit in digits[..length].iter().rev() {
        power = power.cyclotomic_square();
        match digit {
            0 => {}
            1.. => power = power * *f,
            _ => power = power * inverse,
        }
    }
    power
}

/// `f^k` for public values, bit by bit, in all of `Fq12`: the plainest way.
pub fn pow_binary_vartime<B: Backend>(f: &Fq12<B>, k: &U256) -> Fq12<B> {
    let mut power = Fq12::ONE;
    for i in (0..k.bit_length_vartime()).rev() {
        power = power.square();
        if k.bits(i, 1) == 1 {
            power = power * *f;
        }
    }
    power
}

/// As [`pow_vartime`], for a short exponent.
pub fn pow_u64_vartime<B: Backend>(f: &Fq12<B>, k: u64) -> Fq12<B> {
    pow_vartime(f, &U256([k, 0, 0, 0]))
}

/// The exponent as it was given.
pub(crate) fn exponent<B: Backend>(k: &U256) -> Fn<B> {
    Fn::<B>::from_u256_reduced(k)
}
