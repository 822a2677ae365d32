//! A digit of a long number: a machine word of 32 or 64 bits, and the operations that multiplication needs.

/// A word without a sign.
pub(crate) trait Digit: Copy + Default + 'static {
    /// `self·b + c + d`, which fits into two digits: the low one and the high one.
    fn multiply_add(self, b: Self, c: Self, d: Self) -> [Self; 2];

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
            #[inline(always)]
            fn multiply_add(self, b: Self, c: Self, d: Self) -> [Self; 2] {
                let product =
                    $double::from(self) * $double::from(b) + $double::from(c) + $double::from(d);
                [product as Self, (product >> Self::BITS) as Self]
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
