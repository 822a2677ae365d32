//! Words that are only known to be in an interval: with them instead of words, a kernel proves its
//! bounds for all values.

use super::{FourWords, Fused, Simd};
use crate::arith::lanes::MAX_LANES;
use crate::arith::radix52::{BITS, MASK};

/// All values that a signed word may have: at least `.0`, at most `.1`. The operations panic if a
/// word could overflow, if a word that could be negative is shifted as an unsigned one, or if a
/// left shift could lose bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval(pub i128, pub i128);

/// The range of a signed word.
const MIN: i128 = -(1 << 63);
const MAX: i128 = (1 << 63) - 1;

impl Interval {
    #[track_caller]
    fn checked(self) -> Self {
        assert!(MIN <= self.0 && self.1 <= MAX, "a word overflows: {self:?}");
        self
    }

    /// The low bits, which are the factor of a multiplication.
    fn low(self, bits: u32) -> Self {
        let mask = (1 << bits) - 1;
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
    fn mul32(self, b: Self) -> Self {
        let (a, b) = (self.low(32), b.low(32));
        // Beyond the range of a signed word only if both factors are nearly 2³².
        Self(a.0 * b.0, a.1 * b.1).checked()
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
        let (a, b) = (a.low(BITS), b.low(BITS));
        let product = if a.1 * b.1 <= i128::from(MASK) {
            Self(a.0 * b.0, a.1 * b.1)
        } else {
            Self(0, MASK.into())
        };
        self.add(product)
    }
    fn madd_hi(self, a: Self, b: Self) -> Self {
        let (a, b) = (a.low(BITS), b.low(BITS));
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
