//! Products of limbs, column by column, as text for assembly.
//!
//! Compiled from intrinsics, a product has twice as many loads and stores as it needs: the compiler
//! sums columns early and has no registers for them. Here nine limbs of one factor stay in
//! registers, those of the other are operands in memory, and a column is complete before the next
//! one begins.
//!
//! | name | what it holds |
//! | --- | --- |
//! | `ymm0`–`ymm8` | the limbs of one factor |
//! | `ymm10` | the column |
//! | `ymm9` | scratch |
//! | `[{b}]` | the limbs of the other factor |
//! | `[{s}]` | scratch of [`SCRATCH`] vectors |
//!
//! | place in the scratch | what it holds |
//! | --- | --- |
//! | 0–9 | for the reduction |
//! | 10–18 | [`twice!`] |
//! | 19–35 | [`keep!`] |

/// Vectors in the scratch.
pub const SCRATCH: usize = 36;

/// Loads the limbs of the factor that stays in registers.
macro_rules! load {
    ($p:literal) => {
        concat!(
            load!(@ $p 0), load!(@ $p 1), load!(@ $p 2), load!(@ $p 3), load!(@ $p 4),
            load!(@ $p 5), load!(@ $p 6), load!(@ $p 7), load!(@ $p 8),
        )
    };
    (@ $p:literal $i:literal) => {
        concat!("vmovdqu ymm", $i, ", [", $p, " + 32*", $i, "]\n")
    };
}

/// A column: the first product `aᵢ·bⱼ`, and the others.
macro_rules! products {
    ($($pairs:tt)*) => {
        products_at!("{b}"; $($pairs)*)
    };
}

/// As [`products!`], with the other factor at `[{e}]`.
macro_rules! other_products {
    ($($pairs:tt)*) => {
        products_at!("{e}"; $($pairs)*)
    };
}

macro_rules! products_at {
    ($b:literal; $i:literal $j:literal $(, $is:literal $js:literal)*) => {
        concat!(
            "vpmuludq ymm10, ymm", $i, ", [", $b, " + 32*", $j, "]\n",
            $(
                "vpmuludq ymm9, ymm", $is, ", [", $b, " + 32*", $js, "]\n",
                "vpaddq ymm10, ymm10, ymm9\n",
            )*
        )
    };
}

/// Stores the doubled limbs 1 to 8.
macro_rules! twice {
    () => {
        concat!(
            twice!(1),
            twice!(2),
            twice!(3),
            twice!(4),
            twice!(5),
            twice!(6),
            twice!(7),
            twice!(8),
        )
    };
    ($i:literal) => {
        concat!(
            "vpaddq ymm9, ymm",
            $i,
            ", ymm",
            $i,
            "\n",
            "vmovdqa [{s} + 32*10 + 32*",
            $i,
            "], ymm9\n",
        )
    };
}

/// A column of a square: `aᵢ·2aⱼ`, and `aᵢ²`.
macro_rules! square_products {
    ($i:literal $j:literal $(, $others:literal $other:literal)* $(; $middle:literal)?) => {
        concat!(
            "vpmuludq ymm10, ymm", $i, ", [{s} + 32*10 + 32*", $j, "]\n",
            $(
                "vpmuludq ymm9, ymm", $others, ", [{s} + 32*10 + 32*", $other, "]\n",
                "vpaddq ymm10, ymm10, ymm9\n",
            )*
            $(
                "vpmuludq ymm9, ymm", $middle, ", ymm", $middle, "\n",
                "vpaddq ymm10, ymm10, ymm9\n",
            )?
        )
    };
    (; $middle:literal) => {
        concat!("vpmuludq ymm10, ymm", $middle, ", ymm", $middle, "\n")
    };
}

/// All columns of a product, in order, with `$step` after each. `$products` sums one.
macro_rules! all_columns {
    ($products:ident, $step:ident) => {
        concat!(
            $products!(0 0),
            $step!(0),
            $products!(0 1, 1 0),
            $step!(1),
            $products!(0 2, 1 1, 2 0),
            $step!(2),
            $products!(0 3, 1 2, 2 1, 3 0),
            $step!(3),
            $products!(0 4, 1 3, 2 2, 3 1, 4 0),
            $step!(4),
            $products!(0 5, 1 4, 2 3, 3 2, 4 1, 5 0),
            $step!(5),
            $products!(0 6, 1 5, 2 4, 3 3, 4 2, 5 1, 6 0),
            $step!(6),
            $products!(0 7, 1 6, 2 5, 3 4, 4 3, 5 2, 6 1, 7 0),
            $step!(7),
            $products!(0 8, 1 7, 2 6, 3 5, 4 4, 5 3, 6 2, 7 1, 8 0),
            $step!(8),
            $products!(1 8, 2 7, 3 6, 4 5, 5 4, 6 3, 7 2, 8 1),
            $step!(9),
            $products!(2 8, 3 7, 4 6, 5 5, 6 4, 7 3, 8 2),
            $step!(10),
            $products!(3 8, 4 7, 5 6, 6 5, 7 4, 8 3),
            $step!(11),
            $products!(4 8, 5 7, 6 6, 7 5, 8 4),
            $step!(12),
            $products!(5 8, 6 7, 7 6, 8 5),
            $step!(13),
            $products!(6 8, 7 7, 8 6),
            $step!(14),
            $products!(7 8, 8 7),
            $step!(15),
            $products!(8 8),
            $step!(16),
        )
    };
}

/// As [`all_columns!`], of a square.
macro_rules! all_square_columns {
    ($step:ident) => {
        concat!(
            square_products!(; 0),
            $step!(0),
            square_products!(0 1),
            $step!(1),
            square_products!(0 2; 1),
            $step!(2),
            square_products!(0 3, 1 2),
            $step!(3),
            square_products!(0 4, 1 3; 2),
            $step!(4),
            square_products!(0 5, 1 4, 2 3),
            $step!(5),
            square_products!(0 6, 1 5, 2 4; 3),
            $step!(6),
            square_products!(0 7, 1 6, 2 5, 3 4),
            $step!(7),
            square_products!(0 8, 1 7, 2 6, 3 5; 4),
            $step!(8),
            square_products!(1 8, 2 7, 3 6, 4 5),
            $step!(9),
            square_products!(2 8, 3 7, 4 6; 5),
            $step!(10),
            square_products!(3 8, 4 7, 5 6),
            $step!(11),
            square_products!(4 8, 5 7; 6),
            $step!(12),
            square_products!(5 8, 6 7),
            $step!(13),
            square_products!(6 8; 7),
            $step!(14),
            square_products!(7 8),
            $step!(15),
            square_products!(; 8),
            $step!(16),
        )
    };
}

/// Keeps a column.
macro_rules! keep {
    ($k:literal) => {
        concat!("vmovdqa [{s} + 32*19 + 32*", $k, "], ymm10\n")
    };
}
