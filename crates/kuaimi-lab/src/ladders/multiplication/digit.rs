//! A digit of a long number: a machine word of 32 or 64 bits, and the operations that multiplication needs.

/// A word without a sign.
pub(crate) trait Digit: Copy + Default + 'static {
    /// Two digits.
    type Double: Copy + Default;

    /// `self·b + c + d`, which fits into two digits: the low one and the high one.
    fn multiply_add(self, b: Self, c: Self, d: Self) -> [Self; 2];

    /// `sum + a·b`, for a sum of three digits: the two lower ones and the highest.
    fn accumulate(sum: (Self::Double, Self), a: Self, b: Self) -> (Self::Double, Self);

    /// The lowest of three digits, and the others moved down by a place.
    fn shift(sum: (Self::Double, Self)) -> (Self, (Self::Double, Self));

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
    ($digit:ident, $double:ident) => {
        impl Digit for $digit {
            type Double = $double;

            #[inline(always)]
            fn multiply_add(self, b: Self, c: Self, d: Self) -> [Self; 2] {
                let product =
                    $double::from(self) * $double::from(b) + $double::from(c) + $double::from(d);
                [product as Self, (product >> Self::BITS) as Self]
            }

            #[inline(always)]
            fn accumulate((low, high): ($double, Self), a: Self, b: Self) -> ($double, Self) {
                let (low, carry) = low.overflowing_add($double::from(a) * $double::from(b));
                (low, high + Self::from(carry))
            }

            #[inline(always)]
            fn shift((low, high): ($double, Self)) -> (Self, ($double, Self)) {
                let upper = (low >> Self::BITS) | ($double::from(high) << Self::BITS);
                (low as Self, (upper, 0))
            }

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

digit!(u32, u64);
digit!(u64, u128);
