//! Powers in `GT`, one in each lane: the methods are those of
//! [`fixed_base`](crate::sm9::gt::fixed_base) and [`power`](crate::sm9::gt::power).

use zeroize::Zeroize;

use super::fq2::Fq2s;
use super::fq6::Fq6s;
use super::fq12::{Fq12s, product_of_numerators, repeated};
use crate::arith::lanes::shared_table::SharedTable;
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, inlined_array, vectorize};
use crate::arith::{Backend, U256};
use crate::curve::lanes::Digits;
use crate::curve::recode::OddWindows;
use crate::sm9::curve::Q;
use crate::sm9::glv::DIMENSION_4_FIXED_BASE;
use crate::sm9::gt::fixed_base::{GtEntry, GtFixedBaseTable, PER_WINDOW, WINDOWS};
use crate::sm9::tower::Fq12Arithmetic;

/// The entries of one window, one a lane, with their signs.
struct Numerators {
    entries: [GtEntry; MAX_LANES],
    negative: u64,
}

impl Numerators {
    /// For the digits of window `i` of secret numbers. Constant time: each window is read whole.
    #[inline(never)]
    fn look_up<L: Wide>(
        tables: &[&GtFixedBaseTable; MAX_LANES],
        digits: &[OddWindows; MAX_LANES],
        i: usize,
    ) -> Self {
        let mut found = Self {
            entries: [[0; 24]; MAX_LANES],
            negative: 0,
        };
        for lane in 0..L::LANES {
            let (index, negative) = digits[lane].digit(i);
            let window = &tables[lane].as_slice()[i * PER_WINDOW..][..PER_WINDOW];
            found.entries[lane] =
                vectorize!(L, crate::arith::backend::look_up_words(window, index));
            found.negative |= u64::from(negative.unwrap_u8()) << lane;
        }
        found
    }

    /// `±c`.
    #[inline(always)]
    fn load<L: Wide>(&self) -> Fq6s<L> {
        let mask = L::mask(self.negative);
        inlined_array!(3, |i| {
            let mut coefficient = [[0; 8]; MAX_LANES];
            for (c, entry) in coefficient.iter_mut().zip(&self.entries).take(L::LANES) {
                c.copy_from_slice(&entry[8 * i..8 * i + 8]);
            }
            let c = Fq2s::load(&coefficient);
            Fq2s::select(mask, &c.neg(), &c)
        })
    }
}

impl Drop for Numerators {
    fn drop(&mut self) {
        self.entries.as_flattened_mut().zeroize();
    }
}

/// A table that all lanes share: 83 KiB. The coefficients of an entry are pairs of numbers.
pub(in crate::sm9) type SharedGtTable<L> = SharedTable<L, 3, PER_WINDOW>;

/// This takes a fifth as long as the powers of all lanes.
pub(in crate::sm9) fn shared<L: Wide>(table: &GtFixedBaseTable) -> SharedGtTable<L> {
    SharedTable::new::<Q>(table.as_slice().as_flattened())
}

/// `±c` of window `i`, one a lane. Constant time: the window is read whole.
#[inline(never)]
fn look_up_shared<L: Wide>(
    table: &SharedGtTable<L>,
    digits: &[OddWindows; MAX_LANES],
    i: usize,
) -> Fq6s<L> {
    let digits = Digits::of_window(digits, i);
    vectorize!(L, {
        let mask = L::mask(digits.negative);
        inlined_array!(3, |coefficient| {
            let (c0, c1) = table.look_up(i, coefficient, &digits.indices);
            let c = Fq2s { c0, c1 };
            Fq2s::select(mask, &c.neg(), &c)
        })
    })
}

/// `g^k` for secret `k` below `N`, each from a table. Constant time.
pub(super) fn pow<L: Wide, B: Backend>(
    tables: &[&GtFixedBaseTable; MAX_LANES],
    k: &[U256; MAX_LANES],
) -> Fq12s<L> {
    product::<L, B>(k, |digits, i| {
        let found = Numerators::look_up::<L>(tables, digits, i);
        vectorize!(L, found.load::<L>())
    })
}

/// The same from a table that all lanes share.
pub(super) fn pow_shared<L: Wide, B: Backend>(
    table: &SharedGtTable<L>,
    k: &[U256; MAX_LANES],
) -> Fq12s<L> {
    product::<L, B>(k, |digits, i| look_up_shared(table, digits, i))
}

/// The product of all numerators, divided by its conjugate. `c` looks up the entries of the digits
/// of a window.
fn product<L: Wide, B: Backend>(
    k: &[U256; MAX_LANES],
    c: impl Fn(&[OddWindows; MAX_LANES], usize) -> Fq6s<L>,
) -> Fq12s<L> {
    let digits = k.each_ref().map(|k| DIMENSION_4_FIXED_BASE.decompose(k));
    let [d0, d1, d2, d3] = transpose(digits);
    let product = |digits: &[OddWindows; MAX_LANES]| {
        let first = product_of_numerators(&c(digits, 0), &c(digits, 1));
        repeated(&first, 2..WINDOWS, |i, product, out| {
            product.times_numerator(&c(digits, i), out);
        })
    };
    let (n0, n1) = (product(&d0), product(&d1));
    let n01 = times::<L, B>(&n0, &Fq12Arithmetic::<B>::frobenius_power::<1>(&n1));
    let (n2, n3) = (product(&d2), product(&d3));
    let n2 = Fq12Arithmetic::<B>::frobenius_power::<2>(&n2);
    let n3 = Fq12Arithmetic::<B>::frobenius_power::<3>(&n3);
    let n = times::<L, B>(&n01, &times::<L, B>(&n2, &n3));
    Fq12Arithmetic::<B>::over_conjugate(&n)
}

fn times<L: Wide, B: Backend>(a: &Fq12s<L>, b: &Fq12s<L>) -> Fq12s<L> {
    Fq12Arithmetic::<B>::times(a, b)
}

/// The digits of each part of the numbers, one number a lane.
fn transpose(digits: [[OddWindows; 4]; MAX_LANES]) -> [[OddWindows; MAX_LANES]; 4] {
    let mut lanes = digits.map(|parts| parts.into_iter());
    core::array::from_fn(|_| {
        lanes.each_mut().map(|parts| {
            parts
                .next()
                .unwrap_or(OddWindows::from_signs(U256::ZERO, 1))
        })
    })
}
