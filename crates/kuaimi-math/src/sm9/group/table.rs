//! Tables that a caller keeps: fixed-base tables of points of `G1` and `G2`, lines of a point of `G2`, fixed-base tables of an element of `GT`.
//!
//! A table may be made of a secret (a signing key's point, a decryption key's lines): it is wiped when dropped, read whole at
//! every look-up, and shows nothing in `Debug`.
//!
//! **As bytes.** The entries as 64-bit words, least significant byte first, in Montgomery form. Reading checks the length and
//! that every element is below `q`, without which the arithmetic's bounds would not hold. It does not check that the bytes are
//! a table of anything: the caller authenticates them, under a key that only the holder of the table has.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

use super::{G1, G2, Gt, g1, g2, with_scalar};
use crate::arith::backend::{declassify, with_backend};
use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::curve::{Affine, BatchAffineSums, Curve, Entry, FixedBaseTable, batch_affine};
use crate::sm9::curve::{Q, Sm9G1, Sm9G2};
use crate::sm9::gt::fixed_base::{self, GtFixedBaseTable};
use crate::sm9::pairing::precomputed_lines::PrecomputedLine;
use crate::sm9::pairing::steps::LINES;
use crate::sm9::pairing::{LineTable, Lines};
use crate::sm9::tower::fq12_operations::with_fq12;
use crate::sm9::tower::{Fq12, Fq12Operations};

/// Bits of a window of a caller's table of a point.
const WIDTH: usize = 5;
/// Entries of such a table.
const ENTRIES: usize = 256usize.div_ceil(WIDTH) << (WIDTH - 1);

/// Why bytes are no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InvalidTable {
    /// Not as many bytes as a table of this kind has.
    Length {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An element of the field is not below `q`.
    Element,
}

impl fmt::Display for InvalidTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => write!(
                f,
                "a table of this kind has {expected} bytes, but there are {found}"
            ),
            Self::Element => f.write_str("an element of the table is not below the field's prime"),
        }
    }
}

impl core::error::Error for InvalidTable {}

/// A table's words as bytes.
fn write(words: &[u64]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(8 * words.len()));
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Reads bytes into a table's words. Constant time but for the result, as the table may be a secret.
fn read(bytes: &[u8], words: &mut [u64]) -> Result<(), InvalidTable> {
    let expected = 8 * words.len();
    if bytes.len() != expected {
        return Err(InvalidTable::Length {
            expected,
            found: bytes.len(),
        });
    }
    let (chunks, _) = bytes.as_chunks::<8>();
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*chunk);
    }
    let (elements, _) = words.as_chunks::<4>();
    let below = elements.iter().fold(Choice::from(1), |below, e| {
        below & U256(*e).ct_lt(&Q::MODULUS)
    });
    if declassify(below) {
        Ok(())
    } else {
        words.zeroize();
        Err(InvalidTable::Element)
    }
}

/// `[k]P` for each `k`, from one fixed-base table.
pub(super) fn fixed_base_mul_many<C: Curve>(
    k: &[U256],
    fixed_base: FixedBaseTable<'_, C>,
    out: &mut [Entry<C>],
) where
    C::Field: Zeroize,
    C::Scalar: Zeroize,
{
    let (points, products) = batch_affine::memory(k.len(), fixed_base.windows());
    let mut points = vec![Affine::<C>::default(); points];
    let mut products = vec![C::Field::ZERO; products];
    let mut rows = BatchAffineSums::new(&mut points, &mut products, fixed_base.windows());
    for (k, row) in k.iter().zip(rows.rows_mut()) {
        let mut k = C::Scalar::from_u256_reduced(k);
        fixed_base.multiples(&k, row);
        k.zeroize();
    }
    for (out, sum) in out.iter_mut().zip(rows.sum()) {
        *out = sum.to_entry();
    }
}

/// What the two tables of points have in common.
macro_rules! point_table {
    ($(#[$doc:meta])* $table:ident, $point:ident, $curve:ident, $decode:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $table {
            entries: Box<[$point]>,
        }

        impl Drop for $table {
            fn drop(&mut self) {
                self.entries.zeroize();
            }
        }

        impl fmt::Debug for $table {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($table), "(..)"))
            }
        }

        impl $table {
            /// Bytes of a table, in memory and written down.
            pub const BYTES: usize = ENTRIES * size_of::<$point>();

            /// The table of a point, which may be secret. Constant time.
            pub fn new(point: &$point) -> Self {
                let entries = with_backend!(B => {
                    FixedBaseTable::<$curve<B>>::build(&$decode(point), WIDTH)
                });
                Self { entries: entries.into_boxed_slice() }
            }

            /// `[k]P`.
            pub fn mul(&self, k: &U256) -> $point {
                with_backend!(B => with_scalar::<B, _>(k, |k| {
                    self.fixed_base::<B>().mul(k).to_affine().to_entry()
                }))
            }

            /// `[k]P` for each `k`, with shared inversions.
            pub fn mul_many(&self, k: &[U256], out: &mut [$point]) {
                with_backend!(B => fixed_base_mul_many::<$curve<B>>(k, self.fixed_base(), out))
            }

            /// The table as a fixed-base table.
            pub(super) fn fixed_base<B: Backend>(&self) -> FixedBaseTable<'_, $curve<B>> {
                FixedBaseTable::new(WIDTH, &self.entries)
            }

            /// The table as bytes.
            pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
                write(self.entries.as_flattened().as_flattened())
            }

            /// From bytes that were authenticated. Constant time.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidTable> {
                let mut table = Self {
                    entries: vec![$point::default(); ENTRIES].into_boxed_slice(),
                };
                read(bytes, table.entries.as_flattened_mut().as_flattened_mut())?;
                Ok(table)
            }
        }
    };
}

point_table! {
    /// The fixed-base table of a point of `G1`: 52 KiB.
    G1Table, G1, Sm9G1, g1
}

point_table! {
    /// The fixed-base table of a point of `G2`: 104 KiB.
    G2Table, G2, Sm9G2, g2
}

/// The lines of a fixed point of `G2`, for pairings with it: 9.6 KiB.
pub struct G2Lines {
    lines: LineTable,
}

impl fmt::Debug for G2Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("G2Lines(..)")
    }
}

impl G2Lines {
    /// Bytes of a table, in memory and written down.
    pub const BYTES: usize = LINES * size_of::<PrecomputedLine>();

    /// The lines of a point, which may be secret. Constant time.
    pub fn new(q: &G2) -> Self {
        Self {
            lines: with_backend!(B => LineTable::new::<B>(&g2(q))),
        }
    }

    /// The lines, for [`pairing_with`](super::pairing_with).
    pub fn lines(&self) -> &Lines {
        self.lines.lines()
    }

    /// The table as bytes.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        write(self.lines.lines().as_flattened().as_flattened())
    }

    /// From bytes that were authenticated. Constant time.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidTable> {
        let mut lines = LineTable::empty();
        let words = lines.lines_mut().as_flattened_mut().as_flattened_mut();
        read(bytes, words)?;
        Ok(Self { lines })
    }
}

/// The fixed-base table of an element of `GT`: 66 KiB.
pub struct GtTable {
    fixed_base: GtFixedBaseTable,
}

impl fmt::Debug for GtTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GtTable(..)")
    }
}

impl GtTable {
    /// Bytes of a table, in memory and written down.
    pub const BYTES: usize =
        fixed_base::WINDOWS * fixed_base::PER_WINDOW * size_of::<fixed_base::GtEntry>();

    /// The table of an element of `GT` other than 1. Constant time.
    pub fn new(g: &Gt) -> Self {
        Self {
            fixed_base: with_backend!(B => GtFixedBaseTable::new(&Fq12::<B>::from_limbs(g))),
        }
    }

    /// `g^k`.
    pub fn pow(&self, k: &U256) -> Gt {
        with_fq12!(B, F => Fq12Operations::<B>::to_limbs(&self.fixed_base.pow::<B, F>(k)))
    }

    /// `g^k` for a public `k`.
    pub fn pow_vartime(&self, k: &U256) -> Gt {
        with_fq12!(B, F => Fq12Operations::<B>::to_limbs(&self.fixed_base.pow_vartime::<B, F>(k)))
    }

    /// The table as bytes.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        write(self.fixed_base.as_slice().as_flattened())
    }

    /// From bytes that were authenticated. Constant time.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidTable> {
        let mut fixed_base = GtFixedBaseTable::empty();
        let words = fixed_base.as_mut_slice().as_flattened_mut();
        read(bytes, words)?;
        Ok(Self { fixed_base })
    }
}
