//! Precomputed tables that a caller keeps.
//!
//! | table | of | for |
//! | --- | --- | --- |
//! | [`G1Table`], [`G2Table`] | a point | its multiples |
//! | [`G2Lines`] | a point of `G2` | pairings with it |
//! | [`GtTable`] | an element of `GT` | its powers |
//!
//! A table may come from a secret: the point of a signing key, the lines of a decryption key. So it
//! is wiped on drop, each look-up reads all entries of a window, and `Debug` shows nothing of it.
//!
//! **As bytes.** A table is written as its 64-bit words in Montgomery form, least significant byte
//! first. Reading checks the length, and that every element is below `q`, as the bounds of the
//! arithmetic require. Reading does not check that the bytes are a table of the right point. The
//! caller must authenticate them, under a key that only the owner has.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::many::has_lanes;
use super::{G1, G2, Gt, g1, g2, with_g2_product};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::backend::Adx;
use crate::arith::backend::{declassify, with_backend};
use crate::arith::integers::with_element;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::lanes::ifma::Ifma;
use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::curve::summation::{Summation, with_summation};
use crate::curve::{
    Affine, BatchAffineSums, Curve, Entry, FixedBaseTable, batch_affine, wiped_after_entry,
};
use crate::sm9::curve::{N, Q, Sm9G1, Sm9G2};
use crate::sm9::gt::fixed_base::{self, GtFixedBaseTable};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::sm9::lanes::{one_power, power, power::SharedGtTable};
use crate::sm9::pairing::precomputed_lines::PrecomputedLine;
use crate::sm9::pairing::steps::LINES;
use crate::sm9::pairing::{LineTable, Lines};
use crate::sm9::tower::fq12_operations::with_fq12;
use crate::sm9::tower::{Fq12, Fq12Operations};

/// Bits of a window of a [`G1Table`] and of a [`G2Table`].
const WIDTH: usize = 5;
/// Entries of such a window.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) const PER_WINDOW: usize = 1 << (WIDTH - 1);
/// Entries of such a table.
const ENTRIES: usize = 256usize.div_ceil(WIDTH) << (WIDTH - 1);

/// Why bytes were refused as a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InvalidTable {
    /// The length is wrong.
    Length {
        /// The bytes of a table of this kind.
        expected: usize,
        /// The bytes found.
        found: usize,
    },
    /// An element is not below the prime `q`.
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

/// Reads bytes into a table's words. Constant time apart from the result, as the table may be
/// secret.
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

/// `[k]P` for each `k`, from the fixed-base tables that `table` gives, all with windows of the same
/// width.
pub(super) fn fixed_base_mul_many<'a, C: Curve>(
    k: &[U256],
    table: impl Fn(usize) -> FixedBaseTable<'a, C>,
    out: &mut [Entry<C>],
) where
    C::Field: Zeroize,
    C::Scalar: Zeroize,
{
    if k.is_empty() {
        return;
    }
    let windows = table(0).windows();
    let (points, products) = batch_affine::memory(k.len(), windows);
    let mut points = vec![Affine::<C>::default(); points];
    let mut products = vec![C::Field::ZERO; products];
    let mut rows = BatchAffineSums::new(&mut points, &mut products, windows);
    for (i, (k, row)) in k.iter().zip(rows.rows_mut()).enumerate() {
        let mut k = C::Scalar::from_u256_reduced(k);
        table(i).multiples(&k, row);
        k.zeroize();
    }
    for (out, sum) in out.iter_mut().zip(rows.sum()) {
        *out = sum.to_entry();
    }
}

/// `[k]P`, in lanes where they are faster. They have integers modulo `q`.
macro_rules! product_in_lanes {
    ($table:ident, $k:ident) => {
        with_summation!(B, S => with_element::<N, B, _>($k, |k| {
            wiped_after_entry!(S::product(&$table.fixed_base_table::<B>(), k))
        }))
    };
}

/// The same for those that have elements of `Fq2`.
macro_rules! product_in_g2 {
    ($table:ident, $k:ident) => {
        with_g2_product!(B, product => with_element::<N, B, _>($k, |k| {
            wiped_after_entry!(product(&$table.fixed_base_table::<B>(), k))
        }))
    };
}

/// Defines [`G1Table`] or [`G2Table`].
macro_rules! point_table {
    ($(#[$doc:meta])* $table:ident, $point:ident, $curve:ident, $decode:ident, $product:ident) => {
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
            /// The bytes of a table, in memory and written.
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
                $product!(self, k)
            }

            /// `[k]P` for each `k`, with shared inversions.
            pub fn mul_many(&self, k: &[U256], out: &mut [$point]) {
                with_backend!(B => fixed_base_mul_many::<$curve<B>>(k, |_| self.fixed_base_table(), out))
            }

            /// The table in the form that the curve code takes.
            pub(super) fn fixed_base_table<B: Backend>(&self) -> FixedBaseTable<'_, $curve<B>> {
                FixedBaseTable::new(WIDTH, &self.entries)
            }

            /// The table as bytes.
            pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
                write(self.entries.as_flattened().as_flattened())
            }

            /// From bytes that the caller has authenticated. Constant time apart from the result.
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
    G1Table, G1, Sm9G1, g1, product_in_lanes
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl G1Table {
    pub(super) fn entries(&self) -> &[G1] {
        &self.entries
    }
}

point_table! {
    /// The fixed-base table of a point of `G2`: 104 KiB.
    G2Table, G2, Sm9G2, g2, product_in_g2
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
    /// The bytes of a table, in memory and written.
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

    /// From bytes that the caller has authenticated. Constant time apart from the result.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidTable> {
        let mut lines = LineTable::empty();
        let words = lines.lines_mut().as_flattened_mut().as_flattened_mut();
        read(bytes, words)?;
        Ok(Self { lines })
    }
}

/// The fixed-base table of an element of `GT`: 66 KiB, and 83 KiB more where lanes share it.
pub struct GtTable {
    table: GtFixedBaseTable,
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    shared: Option<SharedGtTable<Ifma>>,
}

impl fmt::Debug for GtTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GtTable(..)")
    }
}

impl GtTable {
    /// The bytes that a table takes in memory, with what lanes share.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub const MEMORY: usize = Self::BYTES + SharedGtTable::<Ifma>::bytes(fixed_base::WINDOWS);
    /// The bytes that a table takes in memory.
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    pub const MEMORY: usize = Self::BYTES;

    /// The bytes of a table that is written.
    pub const BYTES: usize =
        fixed_base::WINDOWS * fixed_base::PER_WINDOW * size_of::<fixed_base::GtEntry>();

    /// The table of an element of `GT` other than 1. Constant time.
    pub fn new(g: &Gt) -> Self {
        Self::from_table(with_backend!(B => GtFixedBaseTable::new(&Fq12::<B>::from_limbs(g))))
    }

    fn from_table(table: GtFixedBaseTable) -> Self {
        Self {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            shared: has_lanes().then(|| power::shared(&table)),
            table,
        }
    }

    /// The table that all lanes share, where there are lanes.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(super) fn shared(&self) -> Option<&SharedGtTable<Ifma>> {
        self.shared.as_ref()
    }

    /// The table in the form that powers take.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(super) fn table(&self) -> &GtFixedBaseTable {
        &self.table
    }

    /// `g^k`.
    pub fn pow(&self, k: &U256) -> Gt {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(shared) = &self.shared {
            return one_power::pow::<Ifma, Adx>(shared, k);
        }
        with_fq12!(B, F => Fq12Operations::<B>::to_limbs(&self.table.pow::<B, F>(k)))
    }

    /// `g^k` for a public `k`.
    pub fn pow_vartime(&self, k: &U256) -> Gt {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if let Some(shared) = &self.shared {
            return one_power::pow::<Ifma, Adx>(shared, k);
        }
        with_fq12!(B, F => Fq12Operations::<B>::to_limbs(&self.table.pow_vartime::<B, F>(k)))
    }

    /// The table as bytes.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        write(self.table.as_slice().as_flattened())
    }

    /// From bytes that the caller has authenticated. Constant time apart from the result.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidTable> {
        let mut table = GtFixedBaseTable::empty();
        let words = table.as_mut_slice().as_flattened_mut();
        read(bytes, words)?;
        Ok(Self::from_table(table))
    }
}
