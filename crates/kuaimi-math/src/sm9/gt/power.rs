//! Powers of any element of `GT`. Protocols call [`pow`]; the other functions are for measurements
//! and tests.

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use crate::arith::{Backend, Modulus, U256};
use crate::curve::recode::{OddWindows, window_count, wnaf_vartime};
use crate::sm9::curve::{N, Scalar};
use crate::sm9::glv::DIMENSION_4;
use crate::sm9::tower::{Fq12, Fq12Operations};

/// `f^k` for a secret `k` below `N`, where `f` may be secret. Constant time.
///
/// `k = Σ kᵢ(6t²)ⁱ` with four short odd `kᵢ` (see [`glv`](crate::sm9::glv)), and `f^(6t²) = f^q` is
/// a Frobenius map. The cost is 68 squares and 75 products. A power with windows of five bits costs
/// 256 squares and 68 products.
pub fn pow<B: Backend, F: Fq12Operations<B>>(f: &F, k: &U256) -> F {
    let mut tables = [odd_powers(f), [[0; 48]; 8], [[0; 48]; 8], [[0; 48]; 8]];
    for i in 1..4 {
        tables[i] =
            tables[i - 1].map(|entry| to_entry(&from_entry::<B, F>(&entry).frobenius_power::<1>()));
    }
    let digits = DIMENSION_4.decompose(k);
    let factor = |i: usize, j: usize| signed::<B, F, 8>(&tables[j], digits[j].digit(i));
    let top = DIMENSION_4.windows - 1;
    let mut power = (1..4).fold(factor(top, 0), |power, j| power.times(&factor(top, j)));
    for i in (0..top).rev() {
        for _ in 0..DIMENSION_4.width {
            power = power.cyclotomic_squared();
        }
        for j in 0..4 {
            power = power.times(&factor(i, j));
        }
    }
    tables.zeroize();
    power
}

/// For measurements and tests: `f^k` with windows of five bits, without Frobenius maps. Constant
/// time.
pub fn pow_windows<B: Backend>(f: &Fq12<B>, k: &Scalar<B>) -> Fq12<B> {
    const WIDTH: usize = 5;
    let mut table: [Entry; 1 << (WIDTH - 1)] = odd_powers(f);
    let windows = OddWindows::new(k, WIDTH);
    let top = window_count(N::MODULUS.bit_length_vartime(), WIDTH) - 1;
    let factor = |i: usize| signed::<B, Fq12<B>, _>(&table, windows.digit(i));
    let mut power = factor(top);
    for i in (0..top).rev() {
        for _ in 0..WIDTH {
            power = power.cyclotomic_square();
        }
        power = power * factor(i);
    }
    table.zeroize();
    power
}

/// An element of `Fq12` in a table, as words.
type Entry = [u64; 48];

fn to_entry<B: Backend, F: Fq12Operations<B>>(f: &F) -> Entry {
    let mut entry = [0; 48];
    entry.copy_from_slice(f.to_limbs().as_flattened());
    entry
}

fn from_entry<B: Backend, F: Fq12Operations<B>>(entry: &Entry) -> F {
    let mut limbs = [[0; 4]; 12];
    limbs.as_flattened_mut().copy_from_slice(entry);
    F::from_limbs(&limbs)
}

/// `f, f³, f⁵, …`
fn odd_powers<B: Backend, F: Fq12Operations<B>, const M: usize>(f: &F) -> [Entry; M] {
    let square = f.cyclotomic_squared();
    let mut power = *f;
    let mut table = [[0; 48]; M];
    for (i, entry) in table.iter_mut().enumerate() {
        if i != 0 {
            power = power.times(&square);
        }
        *entry = to_entry(&power);
    }
    table
}

/// The power for a digit, which is given as an index and a sign. Constant time.
fn signed<B: Backend, F: Fq12Operations<B>, const M: usize>(
    table: &[Entry; M],
    (index, negative): (u32, Choice),
) -> F {
    let found = from_entry::<B, Fq12<B>>(&F::look_up(table, index));
    let found = Fq12::conditional_select(&found, &found.conjugate(), negative);
    F::from_limbs(&found.to_limbs())
}

/// For measurements and tests: `f^k` for public values, with the non-adjacent form of `k`.
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

/// For measurements and tests: `f^k` for public values, by squaring and multiplying, for any `f` in
/// `Fq12`.
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
