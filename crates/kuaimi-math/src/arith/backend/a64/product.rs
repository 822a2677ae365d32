//! The assembly text of products and squares, for both kinds of reduction.
//!
//! MUL and UMULH give the lower and the upper half of a product and change no flags, so they stand
//! between the additions of a chain of carries. All macros use the same names, so that a
//! multiplication modulo SM2's prime needs no more registers than a function may change without
//! saving them:
//!
//! | name | in a product | in a reduction |
//! | --- | --- | --- |
//! | `a0`–`a3` | `a` | scratch |
//! | `t0`–`t4` | the lower limbs of the product | the same |
//! | `t5`–`t7`, `b3` | `b`, each limb until its row; then limbs of the product | the same; `b3` is scratch |
//! | `l` | scratch | scratch |

/// `t₀…t₇ = a·b`, row by row. The upper limb of a row takes the register of the limb of `b` of the
/// row before.
macro_rules! product {
    () => {
        concat!(
            "mul {t0}, {a0}, {t5}
             umulh {t1}, {a0}, {t5}
             mul {l}, {a1}, {t5}
             umulh {t2}, {a1}, {t5}
             adds {t1}, {t1}, {l}
             mul {l}, {a2}, {t5}
             umulh {t3}, {a2}, {t5}
             adcs {t2}, {t2}, {l}
             mul {l}, {a3}, {t5}
             umulh {t4}, {a3}, {t5}
             adcs {t3}, {t3}, {l}
             adc {t4}, {t4}, xzr
            ",
            row!("a0", "a1", "a2", "a3", "t6", "t1", "t2", "t3", "t4", "t5"),
            row!("a0", "a1", "a2", "a3", "t7", "t2", "t3", "t4", "t5", "t6"),
            row!("a0", "a1", "a2", "a3", "b3", "t3", "t4", "t5", "t6", "t7"),
        )
    };
}

/// `(w, x, y, z, top) ← (w, x, y, z) + b·a`: first the lower halves of the four products, then the
/// upper ones.
macro_rules! row {
    (
        $a0:literal, $a1:literal, $a2:literal, $a3:literal, $b:literal,
        $w:literal, $x:literal, $y:literal, $z:literal, $top:literal
    ) => {
        concat!(
            "mul {l}, {",
            $a0,
            "}, {",
            $b,
            "}\n",
            "adds {",
            $w,
            "}, {",
            $w,
            "}, {l}\n",
            "mul {l}, {",
            $a1,
            "}, {",
            $b,
            "}\n",
            "adcs {",
            $x,
            "}, {",
            $x,
            "}, {l}\n",
            "mul {l}, {",
            $a2,
            "}, {",
            $b,
            "}\n",
            "adcs {",
            $y,
            "}, {",
            $y,
            "}, {l}\n",
            "mul {l}, {",
            $a3,
            "}, {",
            $b,
            "}\n",
            "adcs {",
            $z,
            "}, {",
            $z,
            "}, {l}\n",
            "umulh {",
            $top,
            "}, {",
            $a3,
            "}, {",
            $b,
            "}\n",
            "adc {",
            $top,
            "}, {",
            $top,
            "}, xzr\n",
            upper_row!($a0, $a1, $a2, $b, $x, $y, $z, $top),
        )
    };
}

/// Adds the upper halves of the products of `b` with the three lower limbs of `a`.
macro_rules! upper_row {
    (
        $a0:literal, $a1:literal, $a2:literal, $b:literal,
        $x:literal, $y:literal, $z:literal, $top:literal
    ) => {
        concat!(
            "umulh {l}, {",
            $a0,
            "}, {",
            $b,
            "}\n",
            "adds {",
            $x,
            "}, {",
            $x,
            "}, {l}\n",
            "umulh {l}, {",
            $a1,
            "}, {",
            $b,
            "}\n",
            "adcs {",
            $y,
            "}, {",
            $y,
            "}, {l}\n",
            "umulh {l}, {",
            $a2,
            "}, {",
            $b,
            "}\n",
            "adcs {",
            $z,
            "}, {",
            $z,
            "}, {l}\n",
            "adc {",
            $top,
            "}, {",
            $top,
            "}, xzr\n",
        )
    };
}

/// `t₀…t₇ = a²`: the six products off the diagonal, twice, and the four squares.
macro_rules! square {
    () => {
        "mul {t1}, {a0}, {a1}
         umulh {t2}, {a0}, {a1}
         mul {t3}, {a0}, {a3}
         umulh {t4}, {a0}, {a3}
         mul {l}, {a0}, {a2}
         adds {t2}, {t2}, {l}
         umulh {l}, {a0}, {a2}
         adcs {t3}, {t3}, {l}
         mul {t5}, {a2}, {a3}
         mul {l}, {a1}, {a3}
         adcs {t4}, {t4}, {l}
         umulh {l}, {a1}, {a3}
         adcs {t5}, {t5}, {l}
         umulh {t6}, {a2}, {a3}
         adc {t6}, {t6}, xzr
         mul {l}, {a1}, {a2}
         adds {t3}, {t3}, {l}
         umulh {l}, {a1}, {a2}
         adcs {t4}, {t4}, {l}
         adcs {t5}, {t5}, xzr
         adc {t6}, {t6}, xzr
         adds {t1}, {t1}, {t1}
         adcs {t2}, {t2}, {t2}
         adcs {t3}, {t3}, {t3}
         adcs {t4}, {t4}, {t4}
         adcs {t5}, {t5}, {t5}
         adcs {t6}, {t6}, {t6}
         adc {t7}, xzr, xzr
         mul {t0}, {a0}, {a0}
         umulh {l}, {a0}, {a0}
         adds {t1}, {t1}, {l}
         mul {l}, {a1}, {a1}
         adcs {t2}, {t2}, {l}
         umulh {l}, {a1}, {a1}
         adcs {t3}, {t3}, {l}
         mul {l}, {a2}, {a2}
         adcs {t4}, {t4}, {l}
         umulh {l}, {a2}, {a2}
         adcs {t5}, {t5}, {l}
         mul {l}, {a3}, {a3}
         adcs {t6}, {t6}, {l}
         umulh {l}, {a3}, {a3}
         adc {t7}, {t7}, {l}
        "
    };
}

pub(super) use {product, row, square, upper_row};
