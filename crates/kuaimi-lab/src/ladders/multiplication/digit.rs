//! A digit of a long number: a machine word of 32 or 64 bits, and the operations that
//! multiplication needs.

/// A word without a sign.
pub(crate) trait Digit: Copy + Default + 'static {
    /// A sum of three digits.
    type Sum: Copy + Default;

    /// `self·b + c + d`, which fits into two digits: the low one and the high one.
    fn multiply_add(self, b: Self, c: Self, d: Self) -> [Self; 2];

    /// `sum + a·b`.
    fn accumulate(sum: Self::Sum, a: Self, b: Self) -> Self::Sum;

    /// The lowest digit of a sum, and the others moved down by a place.
    fn shift(sum: Self::Sum) -> (Self, Self::Sum);

    /// `self + b + carry`, and the carry.
    fn add(self, b: Self, carry: bool) -> (Self, bool);

    /// `self − b − borrow`, and the borrow.
    fn subtract(self, b: Self, borrow: bool) -> (Self, bool);

    /// All ones if the flag is set, else zero.
    fn mask(flag: bool) -> Self;

    /// `self ⊕ b`.
    fn xor(self, b: Self) -> Self;
}

macro_rules! digit {
    ($digit:ident, $double:ident, { $($sum:tt)* }) => {
        impl Digit for $digit {
            #[inline(always)]
            fn multiply_add(self, b: Self, c: Self, d: Self) -> [Self; 2] {
                let product =
                    $double::from(self) * $double::from(b) + $double::from(c) + $double::from(d);
                [product as Self, (product >> Self::BITS) as Self]
            }

            $($sum)*

            #[inline(always)]
            fn add(self, b: Self, carry: bool) -> (Self, bool) {
                let (sum, first) = self.overflowing_add(b);
                let (sum, second) = sum.overflowing_add(Self::from(carry));
                (sum, first | second)
            }

            #[inline(always)]
            fn subtract(self, b: Self, borrow: bool) -> (Self, bool) {
                let (difference, first) = self.overflowing_sub(b);
                let (difference, second) = difference.overflowing_sub(Self::from(borrow));
                (difference, first | second)
            }

            #[inline(always)]
            fn mask(flag: bool) -> Self {
                Self::from(flag).wrapping_neg()
            }

            #[inline(always)]
            fn xor(self, b: Self) -> Self {
                self ^ b
            }
        }
    };
}

digit!(u32, u64, {
    type Sum = (u64, u32);

    #[inline(always)]
    fn accumulate((low, high): Self::Sum, a: u32, b: u32) -> Self::Sum {
        let (low, carry) = low.overflowing_add(u64::from(a) * u64::from(b));
        (low, high + u32::from(carry))
    }

    #[inline(always)]
    fn shift((low, high): Self::Sum) -> (u32, Self::Sum) {
        (low as u32, ((low >> 32) | (u64::from(high) << 32), 0))
    }
});

digit!(u64, u128, {
    type Sum = [u64; 3];

    // In three registers: of a sum in 128 bits and one, the compiler makes slower code.
    #[inline(always)]
    fn accumulate([low, middle, high]: Self::Sum, a: u64, b: u64) -> Self::Sum {
        let [l, h] = a.multiply_add(b, 0, 0);
        let (low, carry) = low.add(l, false);
        let (middle, carry) = middle.add(h, carry);
        [low, middle, high + u64::from(carry)]
    }

    #[inline(always)]
    fn shift([low, middle, high]: Self::Sum) -> (u64, Self::Sum) {
        (low, [middle, high, 0])
    }
});
