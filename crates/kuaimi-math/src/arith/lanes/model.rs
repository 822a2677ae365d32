//! The portable model of an engine: plain integers, one after another. It checks every rule of the
//! contract.
//!
//! It uses the arithmetic of the scalar field, which other tests compare with big integers. Where
//! the contract allows several representatives of an element, the model chooses one depending on
//! bits of the value. So code that relies on more than the contract fails in tests.

use super::super::backend::Portable64;
use super::super::modulus::Modulus;
use super::super::u256::{Limbs, U256, add_limbs, sub_limbs};
use super::super::{Fe, Field};
use super::quartic::Quartic;
use super::{Lanes, MAX_LANES, Pair};

/// `R′ = 2^(256 + EXTRA)`.
const EXTRA: usize = 4;
/// The maximum of weights and magnitudes.
const MAX: u64 = 16;

/// An engine of `N` lanes.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Model<const N: usize>;

/// A number below `2³²⁰`.
type Wide = [u64; 5];

/// The values in the lanes, and their bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<const N: usize> {
    lanes: [Wide; N],
    /// All lanes are at most this many times the modulus.
    pub(crate) magnitude: u64,
    /// 1 for tight values.
    pub(crate) weight: u64,
}

fn wide_add(a: &Wide, b: &Wide) -> Wide {
    let (low, carry) = add_limbs(&[a[0], a[1], a[2], a[3]], &[b[0], b[1], b[2], b[3]]);
    let [l0, l1, l2, l3] = low;
    [l0, l1, l2, l3, a[4] + b[4] + u64::from(carry)]
}

/// `a − b`, which must not be negative.
fn wide_sub(a: &Wide, b: &Wide) -> Wide {
    let (low, borrow) = sub_limbs(&[a[0], a[1], a[2], a[3]], &[b[0], b[1], b[2], b[3]]);
    let [l0, l1, l2, l3] = low;
    let top = a[4].checked_sub(b[4] + u64::from(borrow));
    [l0, l1, l2, l3, top.expect("differences are not negative")]
}

fn wide_lt(a: &Wide, b: &Wide) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// `k·m`.
fn multiple<M: Modulus>(k: u64) -> Wide {
    let [m0, m1, m2, m3] = M::MODULUS.0;
    (0..k).fold([0; 5], |sum, _| wide_add(&sum, &[m0, m1, m2, m3, 0]))
}

/// The element that a number represents, as if it had the Montgomery factor of the scalar field.
fn element<M: Modulus>(a: &Wide) -> Fe<M, Portable64> {
    let mut rest = *a;
    for k in [16, 8, 4, 2, 1] {
        let km = multiple::<M>(k);
        if !wide_lt(&rest, &km) {
            rest = wide_sub(&rest, &km);
        }
    }
    let [l0, l1, l2, l3, top] = rest;
    assert_eq!(top, 0, "no value reaches 16 times the modulus");
    Fe::from_montgomery([l0, l1, l2, l3])
}

/// One of the two numbers below `2m` that represent an element; the choice depends on its bits.
fn either<M: Modulus>(a: Fe<M, Portable64>) -> Wide {
    let [l0, l1, l2, l3] = a.to_montgomery();
    let reduced = [l0, l1, l2, l3, 0];
    if (l0 ^ l1 ^ l3).count_ones() % 2 == 0 {
        wide_add(&reduced, &multiple::<M>(1))
    } else {
        reduced
    }
}

/// `a·b/R′`, where the scalar product divides by `2²⁵⁶`.
fn product<M: Modulus>(a: &Wide, b: &Wide) -> Fe<M, Portable64> {
    (0..EXTRA).fold(element::<M>(a) * element::<M>(b), |c, _| c.half())
}

impl<const N: usize> Vector<N> {
    fn tight<M: Modulus>(lane: impl Fn(usize) -> Fe<M, Portable64>) -> Self {
        Self {
            lanes: core::array::from_fn(|i| either(lane(i))),
            magnitude: 2,
            weight: 1,
        }
    }

    /// Checks the declared magnitude and weight.
    fn checked<M: Modulus>(self) -> Self {
        assert!(
            self.magnitude <= MAX,
            "a magnitude of {} is over {MAX}",
            self.magnitude
        );
        assert!(
            self.weight <= MAX,
            "a weight of {} is over {MAX}",
            self.weight
        );
        let bound = multiple::<M>(self.magnitude);
        assert!(
            self.lanes.iter().all(|lane| !wide_lt(&bound, lane)),
            "a value exceeds its magnitude {}",
            self.magnitude
        );
        self
    }

    fn assert_tight(&self) {
        assert_eq!(self.weight, 1, "factors must be tight");
    }
}

impl<const N: usize> Lanes for Model<N> {
    const NAME: &'static str = "model";
    const LANES: usize = N;
    const BLOCK: usize = 4;

    type Vector = Vector<N>;
    type Mask = [bool; N];
    type Block = [Pair; 4];

    #[inline(always)]
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        // A function of its own, as with the engines.
        #[inline(never)]
        fn compiled<T>(f: impl FnOnce() -> T) -> T {
            f()
        }
        compiled(f)
    }

    fn zero() -> Vector<N> {
        Vector {
            lanes: [[0; 5]; N],
            magnitude: 0,
            weight: 1,
        }
    }

    fn load<M: Modulus>(values: &[Limbs]) -> Vector<N> {
        assert!(values.len() <= N, "there are {N} lanes");
        let lane = |i| {
            let value: Limbs = values.get(i).copied().unwrap_or_default();
            assert!(
                U256(value).lt_vartime(&M::MODULUS),
                "loaded values are reduced"
            );
            (0..EXTRA).fold(Fe::<M, _>::from_montgomery(value), |a, _| a.double())
        };
        Vector::tight(lane)
    }

    fn store<M: Modulus>(v: &Vector<N>, out: &mut [Limbs]) {
        assert!(out.len() <= N, "there are {N} lanes");
        for (out, lane) in out.iter_mut().zip(&v.lanes) {
            *out = (0..EXTRA)
                .fold(element::<M>(lane), |a, _| a.half())
                .to_montgomery();
        }
    }

    fn splat<M: Modulus>(value: &Limbs) -> Vector<N> {
        Self::load::<M>(&[*value; N])
    }

    fn mul<M: Modulus>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
        a.assert_tight();
        b.assert_tight();
        let (a, b) = (a.checked::<M>(), b.checked::<M>());
        assert!(
            a.magnitude * b.magnitude <= 16,
            "magnitudes {} · {}",
            a.magnitude,
            b.magnitude
        );
        Vector::tight(|i| product::<M>(&a.lanes[i], &b.lanes[i]))
    }

    fn square<M: Modulus>(a: &Vector<N>) -> Vector<N> {
        Self::mul::<M>(a, a)
    }

    fn mul_add<M: Modulus>(
        a: &Vector<N>,
        b: &Vector<N>,
        c: &Vector<N>,
        d: &Vector<N>,
    ) -> Vector<N> {
        for factor in [a, b, c, d] {
            factor.assert_tight();
            factor.checked::<M>();
        }
        assert!(
            a.magnitude * b.magnitude + c.magnitude * d.magnitude <= 16,
            "magnitudes {} · {} + {} · {}",
            a.magnitude,
            b.magnitude,
            c.magnitude,
            d.magnitude
        );
        Vector::tight(|i| {
            product::<M>(&a.lanes[i], &b.lanes[i]) + product::<M>(&c.lanes[i], &d.lanes[i])
        })
    }

    fn add(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
        let sum = Vector {
            lanes: core::array::from_fn(|i| wide_add(&a.lanes[i], &b.lanes[i])),
            magnitude: a.magnitude + b.magnitude,
            weight: a.weight + b.weight,
        };
        assert!(sum.magnitude <= MAX && sum.weight <= MAX, "{sum:?}");
        sum
    }

    fn sub<M: Modulus, const K: u64>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
        let (a, b) = (a.checked::<M>(), b.checked::<M>());
        assert!(
            b.magnitude <= K,
            "subtracting a magnitude of {}",
            b.magnitude
        );
        let raised = multiple::<M>(K);
        Vector {
            lanes: core::array::from_fn(|i| wide_sub(&wide_add(&a.lanes[i], &raised), &b.lanes[i])),
            magnitude: a.magnitude + K,
            weight: a.weight + b.weight + 1,
        }
        .checked::<M>()
    }

    fn negate_where<M: Modulus, const K: u64>(mask: [bool; N], a: &Vector<N>) -> Vector<N> {
        let a = a.checked::<M>();
        assert!(a.magnitude <= K, "negating a magnitude of {}", a.magnitude);
        let raised = multiple::<M>(K);
        Vector {
            lanes: core::array::from_fn(|i| {
                if mask[i] {
                    wide_sub(&raised, &a.lanes[i])
                } else {
                    a.lanes[i]
                }
            }),
            magnitude: K,
            weight: a.weight + 1,
        }
    }

    fn carry(a: &Vector<N>) -> Vector<N> {
        Vector { weight: 1, ..*a }
    }

    fn reduce<M: Modulus>(a: &Vector<N>) -> Vector<N> {
        let a = a.checked::<M>();
        Vector::tight(|i| element::<M>(&a.lanes[i]))
    }

    fn is_zero<M: Modulus>(a: &Vector<N>) -> [bool; N] {
        a.lanes.map(|lane| element::<M>(&lane).is_zero_vartime())
    }

    fn select(mask: [bool; N], a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
        Vector {
            lanes: core::array::from_fn(|i| if mask[i] { a.lanes[i] } else { b.lanes[i] }),
            magnitude: a.magnitude.max(b.magnitude),
            weight: a.weight.max(b.weight),
        }
    }

    fn mask(bits: u64) -> [bool; N] {
        core::array::from_fn(|i| bits >> i & 1 == 1)
    }

    fn bits(mask: [bool; N]) -> u64 {
        mask.iter()
            .rev()
            .fold(0, |bits, &set| bits << 1 | u64::from(set))
    }

    fn permute(a: &Vector<N>, from: &[u64; MAX_LANES]) -> Vector<N> {
        Vector {
            lanes: core::array::from_fn(|i| a.lanes[from[i] as usize]),
            ..*a
        }
    }

    fn block<M: Modulus>(entries: &[Pair]) -> [Pair; 4] {
        assert!(entries.len() <= Self::BLOCK);
        core::array::from_fn(|j| {
            let entry: Pair = entries.get(j).copied().unwrap_or_default();
            entry.map(|value| {
                (0..EXTRA)
                    .fold(Fe::<M, Portable64>::from_montgomery(value), |a, _| {
                        a.double()
                    })
                    .to_montgomery()
            })
        })
    }

    fn look_up(blocks: &[[Pair; 4]], indices: &[u32]) -> (Vector<N>, Vector<N>) {
        assert!(indices.len() <= N, "there are {N} lanes");
        let number = |c: usize| Vector {
            lanes: core::array::from_fn(|i| {
                let index = indices.get(i).map_or(0, |&index| index as usize);
                let [l0, l1, l2, l3] = blocks[index / 4][index % 4][c];
                [l0, l1, l2, l3, 0]
            }),
            magnitude: 2,
            weight: 1,
        };
        (number(0), number(1))
    }
}

impl Quartic for Model<4> {
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&Vector<4>, usize); K],
        vectors: &[&Vector<4>; K],
    ) -> Vector<4> {
        assert!(K <= 12, "at most twelve products");
        let mut magnitudes = 0;
        let mut sums = [Fe::<M, Portable64>::ZERO; 4];
        for ((a, lane), x) in factors.iter().zip(vectors) {
            a.assert_tight();
            x.assert_tight();
            let (a, x) = (a.checked::<M>(), x.checked::<M>());
            magnitudes += a.magnitude * x.magnitude;
            for (sum, x) in sums.iter_mut().zip(&x.lanes) {
                *sum = *sum + product::<M>(&a.lanes[*lane], x);
            }
        }
        assert!(magnitudes <= 96, "magnitudes {magnitudes}");
        Vector {
            magnitude: magnitudes.div_ceil(16) + 1,
            weight: 4,
            ..Vector::tight(|i| sums[i])
        }
    }

    fn mul_v<const I: usize>(x: &Vector<4>, minus_twice: &Vector<4>) -> Vector<4> {
        Vector {
            lanes: core::array::from_fn(|i| {
                if i < I {
                    minus_twice.lanes[i + 4 - I]
                } else {
                    x.lanes[i - I]
                }
            }),
            magnitude: x.magnitude.max(minus_twice.magnitude),
            weight: x.weight.max(minus_twice.weight),
        }
    }
}
