//! Proof of the bounds: the kernels are run with intervals.

use super::super::super::modulus::Modulus;
use super::super::super::radix52::{BITS, MASK};
use super::super::MAX_LANES;
use super::super::words::{FourWords, Fused, Simd};
use super::constants::Radix52;
use super::field::{self, Limb5};
use crate::arith::tests::{Sm9N, Sm9Q};
use crate::sm2::curve::{N, P};

/// All values that a signed word may have: at least `.0`, at most `.1`. The operations panic if a
/// word could overflow, if a word that could be negative is shifted as an unsigned one, or if a
/// left shift could lose bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval(i128, i128);

/// The range of a signed word.
const MIN: i128 = -(1 << 63);
const MAX: i128 = (1 << 63) - 1;

impl Interval {
    #[track_caller]
    fn checked(self) -> Self {
        assert!(MIN <= self.0 && self.1 <= MAX, "a word overflows: {self:?}");
        self
    }

    /// The low 52 bits, which are the factor of a multiplication.
    fn factor(self) -> Self {
        let mask = i128::from(MASK);
        match self {
            Self(0.., high) if high <= mask => self,
            _ => Self(0, mask),
        }
    }
}

impl Simd for Interval {
    const NAME: &'static str = "intervals";
    const LANES: usize = 1;
    const SHIFTS_SIGNED: bool = true;
    type Mask = ();

    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        f()
    }
    fn call<T>(f: impl FnOnce() -> T) -> T {
        f()
    }
    fn splat(value: u64) -> Self {
        // The only negative constant is the start of column 9.
        Self((value as i64).into(), (value as i64).into())
    }
    fn load(_: &[u64]) -> Self {
        unreachable!("the kernels do not access memory")
    }
    fn store(self, _: &mut [u64]) {
        unreachable!("the kernels do not access memory")
    }
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1).checked()
    }
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.1, self.1 - b.0).checked()
    }
    fn and(self, b: Self) -> Self {
        assert!(
            b.0 == b.1 && (b.1 as u64 + 1).is_power_of_two(),
            "a mask of low bits"
        );
        match self {
            Self(0.., high) if high <= b.1 => self,
            _ => Self(0, b.1),
        }
    }
    fn or(self, _: Self) -> Self {
        unreachable!("no kernel needs it for a result")
    }
    fn xor(self, _: Self) -> Self {
        unreachable!("no kernel needs it for a result")
    }
    fn shl<const K: u32>(self) -> Self {
        Self(self.0 << K, self.1 << K).checked()
    }
    fn shr<const K: u32>(self) -> Self {
        assert!(self.0 >= 0, "negative: {self:?}");
        Self(self.0 >> K, self.1 >> K)
    }
    fn shr_signed<const K: u32>(self) -> Self {
        Self(self.0 >> K, self.1 >> K)
    }
    fn mul32(self, _: Self) -> Self {
        unreachable!("no kernel needs it")
    }
    fn eq(self, _: Self) {}
    fn blend((): (), a: Self, b: Self) -> Self {
        Self(a.0.min(b.0), a.1.max(b.1))
    }
    fn permute16(_: &[u64; 16], _: Self) -> Self {
        unreachable!("the kernels do not access memory")
    }
    fn permute(self, _: &[u64; MAX_LANES]) -> Self {
        // The interval is that of all lanes.
        self
    }
    fn mask_or((): (), (): ()) {}
    fn mask(_: u64) {}
    fn bits((): ()) -> u64 {
        0
    }
}

impl Fused for Interval {
    fn madd_lo(self, a: Self, b: Self) -> Self {
        let (a, b) = (a.factor(), b.factor());
        let product = if a.1 * b.1 <= i128::from(MASK) {
            Self(a.0 * b.0, a.1 * b.1)
        } else {
            Self(0, MASK.into())
        };
        self.add(product)
    }
    fn madd_hi(self, a: Self, b: Self) -> Self {
        let (a, b) = (a.factor(), b.factor());
        self.add(Self((a.0 * b.0) >> BITS, (a.1 * b.1) >> BITS))
    }
}

/// The interval is that of all lanes.
impl FourWords for Interval {
    fn spread(words: &Self, _: usize) -> Self {
        *words
    }
    fn rotate_lanes<const R: usize>(self, _: Self) -> Self {
        unreachable!("the kernels do not rotate lanes")
    }
}

/// All numbers with carried limbs.
const CARRIED: Limb5<Interval> = [Interval(0, MASK as i128); 5];

/// All limbs but the top one are carried. The magnitude bounds the top limb.
#[track_caller]
fn assert_carried(r: &Limb5<Interval>) {
    for limb in &r[..4] {
        assert!(limb.0 >= 0 && limb.1 <= MASK.into(), "{r:?}");
    }
}

fn no_word_overflows<M: Modulus>() {
    let a = &CARRIED;
    assert_carried(&field::mul::<_, M>(a, a));
    assert_carried(&field::square::<_, M>(a));
    assert_carried(&field::mul_add::<_, M>(a, a, a, a));
    let sum = field::dot::<_, M, 12>(&[(a, 0); 12], &[a; 12]);
    assert_carried(&field::carry(&sum));
    assert_carried(&field::reduce::<_, M>(&sum));
    assert_carried(&field::carry(&field::mul_sub_square_loose::<_, M>(a, a, a)));
    assert_carried(&field::reduce::<_, M>(a));
    assert_carried(&field::reduce_once::<_, M>(a));
    // Loose numbers of more weight than the contract allows, with negative limbs.
    let product = field::mul_loose::<_, M>(a, a);
    let mut loose = field::square_loose::<_, M>(a);
    for _ in 0..8 {
        loose = field::sub::<_, M, 16>(&field::add(&loose, &product), &product);
    }
    assert_carried(&field::carry(&loose));
    assert_carried(&field::reduce::<_, M>(&loose));
    assert!(loose[0].0 < 0 && loose[0].1 > MASK.into(), "it is loose");
}

/// As many wide products as may be added up, and fewer where three times the reduction of their sum
/// is needed.
fn no_column_overflows<M: Modulus>() {
    let product = field::product(&CARRIED, &CARRIED);
    let reduced = |count: usize| {
        let mut sum = [Interval(0, 0); 10];
        for i in 0..count {
            for (sum, column) in sum.iter_mut().zip(product) {
                *sum = if i % 2 == 0 {
                    sum.add(column)
                } else {
                    sum.sub(column)
                };
            }
        }
        field::redc_signed::<_, M, 16>(&sum)
    };
    assert_carried(&field::reduce::<_, M>(&reduced(80)));
    let few = reduced(20);
    assert_carried(&field::reduce::<_, M>(&field::add(
        &field::add(&few, &few),
        &few,
    )));
}

#[test]
fn bounds_hold_for_all_values() {
    no_column_overflows::<Sm9Q>();
    no_word_overflows::<P>();
    no_word_overflows::<N>();
    no_word_overflows::<Sm9Q>();
    no_word_overflows::<Sm9N>();
}

#[test]
fn constants_are_right() {
    fn check<M: Modulus>() {
        let mut carry = 0;
        let sum = core::array::from_fn(|i| {
            let limb = M::M[i] + M::NEGATED[i] + carry;
            carry = limb >> BITS;
            limb & MASK
        });
        assert_eq!((sum, carry), ([0; 5], 1), "m + (2^260 − m)");
        assert_eq!(M::M[0].wrapping_mul(M::NEG_INVERSE) & MASK, MASK);
        // 2³⁵ > ⌊2²⁹⁰/m⌋ ≥ 2³⁴, as m is between 2²⁵⁵ and 2²⁵⁶.
        assert_eq!(M::RECIPROCAL >> 34, 1);
    }
    check::<P>();
    check::<N>();
    check::<Sm9Q>();
    check::<Sm9N>();
}
