//! Modular inversion by division steps.
//!
//! Daniel J. Bernstein and Bo-Yin Yang, *Fast constant-time gcd computation and modular inversion*,
//! TCHES 2019(3). The constant-time code uses Pieter Wuille's variant, which starts from `δ = 1/2`:
//! 590 steps are enough for every input below `2²⁵⁶`.
//!
//! A division step maps `(δ, f, g)`, with `f` odd, to
//!
//! ```text
//! (1 − δ, g, (g − f) / 2)                 when δ > 0 and g is odd,
//! (1 + δ, f, (g + (g mod 2)·f) / 2)       otherwise.
//! ```
//!
//! Starting from `f = m`, `g = a`, after enough steps `g = 0` and `f = ±gcd(m, a) = ±1`. Each step
//! also keeps `d·a ≡ f` and `e·a ≡ g (mod m)`, starting from `d = 0`, `e = 1`. At the end `±d` is
//! the inverse.
//!
//! Which of the two lines a step takes depends only on `δ` and the low bit of `g`. So the low words
//! of `f` and `g` decide a run of `BITS` steps. A run is a matrix `(u v; q r)` with
//! `2^BITS·f' = u·f + v·g` and `2^BITS·g' = q·f + r·g`, which is then applied to the long numbers.
//! Long numbers are signed: all limbs are in `[0, 2^BITS)` except the last, which has the sign.
//!
//! **Fewer products.** Until `d` and `e` are about as long as `m`, they are not divided by
//! `2^BITS`: after `k ≤ GROWING` rounds they are `2^(BITS·k)` times what they would be, and an
//! entry of a product of `k` matrices, so at most `2^(BITS·k)`. The last product, which makes the
//! Montgomery form, takes the power off again.
//!
//! When `j` rounds are left, let `T` be the matrix of their steps. Its determinant is
//! `2^(STEPS·j)`, since that of each step is 2, and it takes `(f, g)` to `2^(STEPS·j)·(±1, 0)`. So
//! `f` and `g` are the entries `r` and `q` of `T` up to signs, and at most `2^(STEPS·j)`: they fit
//! into `j` limbs. This is so for every `a` but zero, as `m` is prime. For `a = 0`, `g` stays zero,
//! so the steps do not look at `f`, which loses its upper limbs; `d` and the result stay zero.
//!
//! There are two instances: [`d62`] with 64-bit words and products of 128 bits, [`d30`] with 32-bit
//! words and products of 64.

use super::backend::{Backend, value_barrier};
use super::modulus::{Modulus, shift_left_mod};
use super::u256::Limbs;

macro_rules! divsteps {
    (
        $(#[$doc:meta])* $name:ident: word $i:ident / $u:ident, product $w:ident,
        bits $bits:literal, limbs $limbs:literal, steps $steps:literal, rounds $rounds:literal,
        growing [$($growing:literal)+], shrinking [$($shrinking:literal)+], $(#[$sharing:meta])*
    ) => {
        $(#[$doc])*
        pub mod $name {
            use super::*;

            const BITS: u32 = $bits;
            const LIMBS: usize = $limbs;
            /// Steps in a round of the constant-time algorithm: fewer than `BITS`, if the total is
            /// still enough.
            const STEPS: u32 = $steps;
            const ROUNDS: usize = $rounds;
            const LOW: $i = (1 << BITS) - 1;

            /// The rounds after which `d` and `e` have so many limbs, and are reduced from then on.
            const GROWING: usize = [1, $($growing),+].len();

            // 590 steps are enough for 256-bit inputs when δ starts at 1/2.
            const _: () = assert!(STEPS as usize * ROUNDS >= 590 && STEPS <= BITS);
            // After GROWING rounds d and e are at most 2^(BITS·GROWING), so below a modulus above
            // 2²⁵⁵: in the range that `modular` takes. One more limb has their sign.
            const _: () = assert!(BITS as usize * GROWING < 255 && GROWING + 1 == LIMBS);
            // f and g lose a limb in each of the last rounds.
            const _: () = assert!([$($shrinking),+].len() + 1 == LIMBS && LIMBS < ROUNDS);

            type Long = [$i; LIMBS];

            /// `2^BITS·(f', g') = (u·f + v·g, q·f + r·g)`; `|u| + |v|` and `|q| + |r|` are at most
            /// `2^BITS`.
            pub struct Matrix {
                /// The coefficient of `f` in `f'`.
                pub u: $i,
                /// The coefficient of `g` in `f'`.
                pub v: $i,
                /// The coefficient of `f` in `g'`.
                pub q: $i,
                /// The coefficient of `g` in `g'`.
                pub r: $i,
            }

            #[inline(always)]
            fn barrier(mask: $i) -> $i {
                value_barrier(mask as u64) as $i
            }

            /// All ones for a negative number, else zero.
            #[inline(always)]
            fn sign_mask(x: $i) -> $i {
                barrier(x >> ($i::BITS - 1))
            }

            /// What the steps need of a modulus.
            struct Constants {
                m: Long,
                /// `m⁻¹ mod 2^BITS`.
                low_inverse: $i,
                /// Smaller moduli, which are only in tests, divide `d` and `e` from the beginning.
                grows: bool,
            }

            impl Constants {
                const fn of<M: Modulus>() -> Self {
                    Self {
                        m: split(&M::MODULUS.0),
                        low_inverse: M::M0_NEG_INV.wrapping_neg() as $i & LOW,
                        grows: M::MODULUS.0[3] >> 63 == 1,
                    }
                }
            }

            /// A number in 64-bit limbs as a long number.
            const fn split(a: &Limbs) -> Long {
                let mut out = [0; LIMBS];
                let mut i = 0;
                while i < LIMBS {
                    let position = i * BITS as usize;
                    let (limb, shift) = (position / 64, position % 64);
                    if limb < 4 {
                        let mut word = a[limb] >> shift;
                        if shift != 0 && limb + 1 < 4 {
                            word |= a[limb + 1] << (64 - shift);
                        }
                        out[i] = (word & LOW as u64) as $i;
                    }
                    i += 1;
                }
                out
            }

            /// A long number in `[0, 2²⁵⁶)` in 64-bit limbs.
            fn join(a: &Long) -> Limbs {
                let mut out = [0u64; 4];
                for (i, &word) in a.iter().enumerate() {
                    let position = i * BITS as usize;
                    let (limb, shift) = (position / 64, position % 64);
                    if limb < 4 {
                        out[limb] |= (word as u64) << shift;
                        if shift != 0 && limb + 1 < 4 {
                            out[limb + 1] |= (word as u64) >> (64 - shift);
                        }
                    }
                }
                out
            }

            /// `STEPS` division steps on the low words, in constant time. `e` is `δ − 1/2`.
            #[inline]
            fn run(e: $i, f: $i, g: $i) -> ($i, Matrix) {
                let mut zeta = !e; // −(δ + 1/2), which is negative if δ is positive
                let (mut f, mut g) = (f as $u, g as $u);
                // If there are fewer than BITS steps, the matrix starts from a multiple of the
                // identity instead.
                let one: $u = 1 << (BITS - STEPS);
                let (mut u, mut v, mut q, mut r) = (one, 0 as $u, 0 as $u, one);
                for _ in 0..STEPS {
                    let positive = barrier(zeta >> ($i::BITS - 1)) as $u; // δ > 0
                    let odd = barrier((g & 1).wrapping_neg() as $i) as $u;
                    // If g is odd, add ±(f, u, v) to (g, q, r), with the minus sign if δ > 0.
                    g = g.wrapping_add((f ^ positive).wrapping_sub(positive) & odd);
                    q = q.wrapping_add((u ^ positive).wrapping_sub(positive) & odd);
                    r = r.wrapping_add((v ^ positive).wrapping_sub(positive) & odd);
                    // If both hold, (f, u, v) becomes the old (g, q, r), which is the new one plus
                    // the old (f, u, v).
                    let swap = positive & odd;
                    zeta = (zeta ^ swap as $i).wrapping_sub(1);
                    f = f.wrapping_add(g & swap);
                    u = u.wrapping_add(q & swap);
                    v = v.wrapping_add(r & swap);
                    g >>= 1;
                    u <<= 1;
                    v <<= 1;
                }
                (!zeta, Matrix { u: u as $i, v: v as $i, q: q as $i, r: r as $i })
            }

            /// `BITS` division steps on the low words, with runs of zero bits of `g` in one step.
            /// `eta` is `−δ`.
            #[inline]
            fn run_vartime(mut eta: $i, f: $i, g: $i) -> ($i, Matrix) {
                let (mut f, mut g) = (f as $u, g as $u);
                let (mut u, mut v, mut q, mut r) = (1 as $u, 0 as $u, 0 as $u, 1 as $u);
                let mut left = BITS;
                loop {
                    let zeros = (g | ($u::MAX << left)).trailing_zeros();
                    g >>= zeros;
                    u <<= zeros;
                    v <<= zeros;
                    eta -= zeros as $i;
                    left -= zeros;
                    if left == 0 {
                        break;
                    }
                    if eta < 0 {
                        eta = -eta;
                        (f, g) = (g, f.wrapping_neg());
                        (u, q) = (q, u.wrapping_neg());
                        (v, r) = (r, v.wrapping_neg());
                    }
                    // Until δ changes its sign, each step adds f or nothing. These are at most eta
                    // + 1 steps, and up to six of them are done at once: w·f clears as many low
                    // bits of g. f·(2 − f²) is 1/f modulo 2⁶.
                    let count = (eta + 1).min(left as $i).min(6);
                    let inverse = f.wrapping_mul((2 as $u).wrapping_sub(f.wrapping_mul(f)));
                    let w = g.wrapping_mul(inverse).wrapping_neg() & ((1 << count) - 1);
                    g = g.wrapping_add(f.wrapping_mul(w));
                    q = q.wrapping_add(u.wrapping_mul(w));
                    r = r.wrapping_add(v.wrapping_mul(w));
                }
                (eta, Matrix { u: u as $i, v: v as $i, q: q as $i, r: r as $i })
            }

            /// `(x·a + y·b) / 2^BITS`, which is exact. The operands have `from` limbs, and the
            /// result has `to`: as many, or one fewer. With no limb, only its sign remains.
            #[inline(always)]
            fn exact([x, y]: [$i; 2], a: &Long, b: &Long, from: usize, to: usize) -> Long {
                let (x, y) = (x as $w, y as $w);
                let mut out = [0; LIMBS];
                let mut c = x * a[0] as $w + y * b[0] as $w;
                c >>= BITS;
                for i in 1..from {
                    c += x * a[i] as $w + y * b[i] as $w;
                    if i == to {
                        out[i - 1] = c as $i;
                        return out;
                    }
                    out[i - 1] = c as $i & LOW;
                    c >>= BITS;
                }
                out[from - 1] = c as $i;
                out
            }

            /// `x·a + y·b`, where the operands have `length` limbs. The last limb but one of
            /// `GROWING + 1` may carry into the last.
            #[inline(always)]
            fn growing([x, y]: [$i; 2], a: &Long, b: &Long, length: usize) -> Long {
                let (x, y) = (x as $w, y as $w);
                let mut out = [0; LIMBS];
                let mut c = 0;
                for i in 0..length {
                    c += x * a[i] as $w + y * b[i] as $w;
                    out[i] = c as $i & LOW;
                    c >>= BITS;
                }
                out[length] = c as $i;
                if length + 1 == GROWING {
                    out[length] &= LOW;
                    out[length + 1] = (c >> BITS) as $i;
                }
                out
            }

            /// `(x·d + y·e) / 2^BITS mod m`, from and to the range `(−2m, m)`; `signs` are the
            /// masks of `d` and `e`.
            #[inline(always)]
            fn modular(
                Constants { m, low_inverse, .. }: &Constants,
                [x, y]: [$i; 2],
                [d, e]: [&Long; 2],
                signs: [$i; 2],
            ) -> Long {
                // The multiples of m to add: one for each negative operand, and one that makes the
                // low BITS bits zero.
                let mut k = (x & signs[0]) + (y & signs[1]);
                let (x, y) = (x as $w, y as $w);
                let mut out = [0; LIMBS];
                let mut c = x * d[0] as $w + y * e[0] as $w;
                k -= low_inverse.wrapping_mul(c as $i).wrapping_add(k) & LOW;
                c += m[0] as $w * k as $w;
                c >>= BITS;
                for i in 1..LIMBS {
                    c += x * d[i] as $w + y * e[i] as $w + m[i] as $w * k as $w;
                    out[i - 1] = c as $i & LOW;
                    c >>= BITS;
                }
                out[LIMBS - 1] = c as $i;
                out
            }

            /// `±d mod m` in `[0, m)`, with the sign of `f`, for `d` in `(−2m, m)`.
            fn normalize(mut d: Long, f_sign: $i, m: &Long) -> Long {
                let add = sign_mask(d[LIMBS - 1]);
                let negate = sign_mask(f_sign);
                for i in 0..LIMBS {
                    d[i] += m[i] & add;
                    d[i] = (d[i] ^ negate) - negate;
                }
                propagate(&mut d);
                let add = sign_mask(d[LIMBS - 1]);
                for i in 0..LIMBS {
                    d[i] += m[i] & add;
                }
                propagate(&mut d);
                d
            }

            /// Carries between the limbs.
            #[inline(always)]
            fn propagate(d: &mut Long) {
                for i in 0..LIMBS - 1 {
                    d[i + 1] += d[i] >> BITS;
                    d[i] &= LOW;
                }
            }

            /// From `a·R` below `m` to `a⁻¹·R mod m`, and from 0 to 0, in constant time.
            pub fn invert<M: Modulus, B: Backend>(a: &Limbs) -> Limbs {
                invert_with::<M, B>(a, run)
            }

            /// As [`invert`], with another function for the steps on the low words: `run` takes
            /// `δ − 1/2` and the low words of `f` and `g`, and returns the new `δ − 1/2` and the
            /// matrix of the steps of a round.
            #[inline(always)]
            pub fn invert_with<M: Modulus, B: Backend>(
                a: &Limbs,
                run: impl Fn($i, $i, $i) -> ($i, Matrix),
            ) -> Limbs {
                let inverse = all_rounds(const { &Constants::of::<M>() }, a, run);
                // This is (a·R)⁻¹·2^(BITS·GROWING), and the factor R³ / 2^(BITS·GROWING) makes
                // a⁻¹·R of it.
                let factor = if const { Constants::of::<M>().grows } {
                    &const { shift_left_mod(M::R2, 256 - BITS as usize * GROWING, &M::MODULUS.0) }
                } else {
                    &M::R3
                };
                B::mul::<M>(&inverse, factor)
            }

            /// All division steps. The code is the same for every modulus, so that small programs
            /// have it once.
            $(#[$sharing])*
            fn all_rounds(
                constants: &Constants,
                a: &Limbs,
                run: impl Fn($i, $i, $i) -> ($i, Matrix),
            ) -> Limbs {
                let (mut f, mut g) = (constants.m, split(a));
                let (mut d, mut e) = ([0; LIMBS], [0; LIMBS]);
                e[0] = 1;
                let grows = constants.grows;
                let mut delta = 0; // δ − 1/2
                for round in 0..ROUNDS {
                    let t;
                    (delta, t) = run(delta, f[0], g[0]);
                    let (first, second) = ([t.u, t.v], [t.q, t.r]);
                    match round {
                        // From d = 0 and e = 1.
                        0 if grows => (d[0], e[0]) = (t.v, t.r),
                        $($growing if grows => (d, e) = (
                            growing(first, &d, &e, $growing),
                            growing(second, &d, &e, $growing),
                        ),)+
                        _ => {
                            let signs = [sign_mask(d[LIMBS - 1]), sign_mask(e[LIMBS - 1])];
                            let next = modular(constants, first, [&d, &e], signs);
                            // The result is d alone.
                            if round + 1 < ROUNDS {
                                e = modular(constants, second, [&d, &e], signs);
                            }
                            d = next;
                        }
                    }
                    match ROUNDS - 1 - round {
                        0 => f = exact(first, &f, &g, 1, 0),
                        $($shrinking => (f, g) = (
                            exact(first, &f, &g, $shrinking + 1, $shrinking),
                            exact(second, &f, &g, $shrinking + 1, $shrinking),
                        ),)+
                        _ => (f, g) = (
                            exact(first, &f, &g, LIMBS, LIMBS),
                            exact(second, &f, &g, LIMBS, LIMBS),
                        ),
                    }
                }
                join(&normalize(d, f[0], &constants.m))
            }

            /// `a⁻¹ mod m` for `a < m`, and 0 for 0, in variable time: it stops when `g` is zero,
            /// and drops limbs that are only sign.
            pub fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
                all_rounds_vartime(const { &Constants::of::<M>() }, a)
            }

            $(#[$sharing])*
            fn all_rounds_vartime(constants: &Constants, a: &Limbs) -> Limbs {
                let (mut f, mut g) = (constants.m, split(a));
                let (mut d, mut e) = ([0; LIMBS], [0; LIMBS]);
                e[0] = 1;
                let mut eta = -1; // δ = 1
                let mut length = LIMBS;
                loop {
                    let t;
                    (eta, t) = run_vartime(eta, f[0], g[0]);
                    let (first, second) = ([t.u, t.v], [t.q, t.r]);
                    let signs = [sign_mask(d[LIMBS - 1]), sign_mask(e[LIMBS - 1])];
                    (d, e) = (
                        modular(constants, first, [&d, &e], signs),
                        modular(constants, second, [&d, &e], signs),
                    );
                    (f, g) = (
                        exact(first, &f, &g, length, length),
                        exact(second, &f, &g, length, length),
                    );
                    if g[..length].iter().all(|&limb| limb == 0) {
                        break;
                    }
                    // If both top limbs are only sign, the limbs below take the sign.
                    let (ft, gt) = (f[length - 1], g[length - 1]);
                    if length > 1 && (ft == 0 || ft == -1) && (gt == 0 || gt == -1) {
                        f[length - 2] |= ft << BITS;
                        g[length - 2] |= gt << BITS;
                        length -= 1;
                    }
                }
                join(&normalize(d, f[length - 1], &constants.m))
            }
        }
    };
}

divsteps! {
    /// 62 bits a limb on 64-bit words.
    d62: word i64 / u64, product i128, bits 62, limbs 5, steps 59, rounds 10,
    growing [1 2 3], shrinking [4 3 2 1],
    #[inline(always)]
}

divsteps! {
    /// 30 bits a limb on 32-bit words.
    d30: word i32 / u32, product i64, bits 30, limbs 9, steps 30, rounds 20,
    growing [1 2 3 4 5 6 7], shrinking [8 7 6 5 4 3 2 1],
    #[inline(never)]
}
