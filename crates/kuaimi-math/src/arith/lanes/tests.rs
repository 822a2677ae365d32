//! Every engine against the scalar field, with all four moduli: edge cases of the representation,
//! and long random programs that use all that the contract allows.

use super::super::backend::Portable64;
use super::super::tests::{Sm9N, Sm9Q};
use super::super::{Fe, Field, Modulus, PrimeField, U256};
use super::called::Called;
use super::ifma::{Engine, PlainWords};
use super::quartic::Quartic;
use super::{Lanes, MAX_LANES, Pair, on_every_engine, on_every_quartic};
use crate::arith::lanes::vectorize;
use crate::arith::u256::Limbs;
use crate::sm2::curve::{N, P};
use crate::testing::{Repeatable, rounds};

type Element<M> = Fe<M, Portable64>;

/// Runs a test of one engine under the four moduli.
macro_rules! for_moduli {
    ($test:ident, $engine:ident) => {
        vectorize!($engine, $test::<$engine, P>());
        vectorize!($engine, $test::<$engine, N>());
        vectorize!($engine, $test::<$engine, Sm9Q>());
        vectorize!($engine, $test::<$engine, Sm9N>());
    };
}

fn random<M: Modulus>(rng: &mut Repeatable) -> Element<M> {
    Element::from_u256_reduced(&U256(rng.number()))
}

/// Elements whose scalar form, or whose form within an engine, is an edge case: near zero, near the
/// modulus, limbs that carry.
fn edges<M: Modulus>() -> Vec<Element<M>> {
    let near = |base: &U256, offset: u64| base.overflowing_sub(&U256([offset, 0, 0, 0])).0;
    let mut numbers: Vec<U256> = (0..3).map(|i| U256([i, 0, 0, 0])).collect();
    numbers.extend((1..4).map(|i| near(&M::MODULUS, i)));
    for bits in [
        26, 29, 51, 52, 58, 64, 103, 104, 116, 128, 156, 192, 208, 232, 255,
    ] {
        let mut power = U256::ZERO;
        power.0[bits / 64] = 1 << (bits % 64);
        numbers.extend([near(&power, 1), power]);
    }
    numbers.retain(|a| a.lt_vartime(&M::MODULUS));
    let mut all = Vec::new();
    for number in numbers {
        let mut element = Element::from_montgomery(number.0);
        // With R′ = 2^(256 + e), the engine's form of this element is the number itself.
        for _ in 0..=8 {
            all.push(element);
            element = element.half();
        }
    }
    all
}

#[inline(always)]
fn load<L: Lanes, M: Modulus>(values: &[Element<M>]) -> L::Vector {
    let limbs: Vec<Limbs> = values.iter().map(|a| a.to_montgomery()).collect();
    L::load::<M>(&limbs)
}

#[track_caller]
#[inline(always)]
fn expect<L: Lanes, M: Modulus>(v: &L::Vector, expected: &[Element<M>], what: &str) {
    let mut out = [[0; 4]; MAX_LANES];
    L::store::<M>(v, &mut out[..L::LANES]);
    for (i, (got, expected)) in out.iter().zip(expected).enumerate() {
        assert_eq!(
            *got,
            expected.to_montgomery(),
            "{what}, lane {i}, {}",
            L::NAME
        );
    }
}

/// `v + K·m`, of magnitude 2 + K.
#[inline(always)]
fn raised<L: Lanes, M: Modulus, const K: u64>(v: &L::Vector) -> L::Vector {
    L::carry(&L::sub::<M, K>(v, &L::zero()))
}

/// Single operations on edge cases, in all representations that the contract allows.
#[inline(always)]
fn edge_cases<L: Lanes, M: Modulus>() {
    let edges = edges::<M>();
    let mut rng = Repeatable(31);
    for (start, chunk) in edges.chunks(L::LANES).enumerate() {
        let a: Vec<Element<M>> = chunk.to_vec();
        let b: Vec<Element<M>> = (0..a.len())
            .map(|i| match (start + i) % 3 {
                0 => a[i],
                1 => edges[rng.word() as usize % edges.len()],
                _ => random(&mut rng),
            })
            .collect();
        let of = |f: fn(Element<M>, Element<M>) -> Element<M>| -> Vec<Element<M>> {
            a.iter().zip(&b).map(|(a, b)| f(*a, *b)).collect()
        };
        let (va, vb) = (load::<L, M>(&a), load::<L, M>(&b));
        expect::<L, M>(&va, &a, "loaded and stored");
        expect::<L, M>(&L::add(&va, &vb), &of(|a, b| a + b), "a + b");
        expect::<L, M>(&L::sub::<M, 2>(&va, &vb), &of(|a, b| a - b), "a − b");
        let product = of(|a, b| a * b);
        let raised_a = [
            L::carry(&va),
            raised::<L, M, 2>(&va),
            raised::<L, M, 6>(&va),
        ];
        let raised_b = [
            raised::<L, M, 6>(&vb),
            raised::<L, M, 2>(&vb),
            L::carry(&vb),
        ];
        for (x, y) in raised_a.iter().zip(&raised_b) {
            expect::<L, M>(&L::mul::<M>(x, y), &product, "a·b");
        }
        for x in &raised_a[..2] {
            expect::<L, M>(&L::square::<M>(x), &of(|a, _| a.square()), "a²");
        }
        expect::<L, M>(
            &L::mul_add::<M>(&raised_a[1], &vb, &vb, &raised_a[1]),
            &of(|a, b| (a * b).double()),
            "a·b + b·a",
        );
        for v in [
            L::carry(&va),
            raised::<L, M, 1>(&va),
            raised::<L, M, 7>(&va),
            raised::<L, M, 13>(&va),
            raised::<L, M, 14>(&va),
        ] {
            expect::<L, M>(&v, &a, "a, with multiples of the modulus");
            expect::<L, M>(&L::reduce::<M>(&v), &a, "reduced");
            let square = L::square::<M>(&L::reduce::<M>(&v));
            expect::<L, M>(&square, &of(|a, _| a.square()), "reduced, squared");
            let zero = L::bits(L::is_zero::<M>(&v));
            for (i, a) in a.iter().enumerate() {
                assert_eq!(zero >> i & 1 == 1, a.is_zero_vartime(), "is zero, lane {i}");
            }
        }
        let difference = L::sub::<M, 2>(&va, &vb);
        let equal = L::bits(L::is_zero::<M>(&difference));
        for (i, (a, b)) in a.iter().zip(&b).enumerate() {
            assert_eq!(equal >> i & 1 == 1, a == b, "is equal, lane {i}");
        }
    }
}

/// A register of a random program: the vector, its expected values, and its bounds by the contract.
struct Register<L: Lanes, M: Modulus> {
    vector: L::Vector,
    expected: Vec<Element<M>>,
    magnitude: u64,
    weight: u64,
}

impl<L: Lanes, M: Modulus> Clone for Register<L, M> {
    fn clone(&self) -> Self {
        Self {
            expected: self.expected.clone(),
            ..*self
        }
    }
}

impl<L: Lanes, M: Modulus> Register<L, M> {
    fn of(
        vector: L::Vector,
        magnitude: u64,
        weight: u64,
        lane: impl Fn(usize) -> Element<M>,
    ) -> Self {
        Self {
            vector,
            expected: (0..L::LANES).map(lane).collect(),
            magnitude,
            weight,
        }
    }
}

/// Long random programs that stay just within the contract.
#[inline(always)]
fn programs<L: Lanes, M: Modulus>() {
    let mut rng = Repeatable(32);
    let edges = edges::<M>();
    let fresh = |rng: &mut Repeatable| -> Register<L, M> {
        let values: Vec<Element<M>> = (0..L::LANES)
            .map(|_| match rng.word() % 4 {
                0 => edges[rng.word() as usize % edges.len()],
                _ => random(rng),
            })
            .collect();
        Register::of(load::<L, M>(&values), 2, 1, |i| values[i])
    };
    let mut registers: Vec<Register<L, M>> = (0..6).map(|_| fresh(&mut rng)).collect();
    for step in 0..rounds(6000) {
        let pick = |rng: &mut Repeatable| registers[rng.word() as usize % 6].clone();
        let (mut a, mut b) = (pick(&mut rng), pick(&mut rng));
        let result: Register<L, M> = match rng.word() % 10 {
            0 => fresh(&mut rng),
            1 | 2 => {
                for x in [&mut a, &mut b] {
                    if x.weight > 1 {
                        x.vector = L::carry(&x.vector);
                    }
                }
                if a.magnitude * b.magnitude > 16 {
                    b.vector = L::reduce::<M>(&b.vector);
                    b.magnitude = 2;
                }
                if a.magnitude * b.magnitude > 16 {
                    a.vector = L::reduce::<M>(&a.vector);
                }
                let product = L::mul::<M>(&a.vector, &b.vector);
                Register::of(product, 2, 1, |i| a.expected[i] * b.expected[i])
            }
            3 => {
                let base = if a.magnitude > 4 {
                    L::reduce::<M>(&a.vector)
                } else {
                    L::carry(&a.vector)
                };
                Register::of(L::square::<M>(&base), 2, 1, |i| a.expected[i].square())
            }
            4 => {
                let c = pick(&mut rng);
                let [x, y, z] = [&a, &b, &c].map(|v| L::reduce::<M>(&v.vector));
                Register::of(L::mul_add::<M>(&x, &y, &y, &z), 2, 1, |i| {
                    b.expected[i] * (a.expected[i] + c.expected[i])
                })
            }
            5 if a.magnitude + b.magnitude <= 16 && a.weight + b.weight <= 16 => Register::of(
                L::add(&a.vector, &b.vector),
                a.magnitude + b.magnitude,
                a.weight + b.weight,
                |i| a.expected[i] + b.expected[i],
            ),
            6 | 7 if a.weight + b.weight < 16 && a.magnitude + b.magnitude <= 16 => {
                let (v, k) = match b.magnitude {
                    0..=2 => (L::sub::<M, 2>(&a.vector, &b.vector), 2),
                    3..=4 if a.magnitude <= 12 => (L::sub::<M, 4>(&a.vector, &b.vector), 4),
                    5..=6 if a.magnitude <= 10 => (L::sub::<M, 6>(&a.vector, &b.vector), 6),
                    7..=8 if a.magnitude <= 8 => (L::sub::<M, 8>(&a.vector, &b.vector), 8),
                    _ => continue,
                };
                Register::of(v, a.magnitude + k, a.weight + b.weight + 1, |i| {
                    a.expected[i] - b.expected[i]
                })
            }
            8 if a.magnitude <= 4 && a.weight < 16 => {
                let bits = rng.word();
                let v = L::negate_where::<M, 4>(L::mask(bits), &a.vector);
                Register::of(v, 4, a.weight + 1, |i| {
                    if bits >> i & 1 == 1 {
                        -a.expected[i]
                    } else {
                        a.expected[i]
                    }
                })
            }
            9 => {
                let bits = rng.word();
                let v = L::select(L::mask(bits), &a.vector, &b.vector);
                let (magnitude, weight) = (a.magnitude.max(b.magnitude), a.weight.max(b.weight));
                Register::of(v, magnitude, weight, |i| {
                    [b.expected[i], a.expected[i]][(bits >> i & 1) as usize]
                })
            }
            _ => continue,
        };
        expect::<L, M>(&result.vector, &result.expected, &format!("step {step}"));
        registers[rng.word() as usize % 6] = result;
    }
}

/// Masks have the right bits, missing lanes are zero, and lanes do not influence each other.
#[inline(always)]
fn lanes_are_independent<L: Lanes, M: Modulus>() {
    let all = (1u64 << L::LANES) - 1;
    for bits in [0, all, 0x55, 0xAA, 1, 1 << (L::LANES - 1), u64::MAX] {
        assert_eq!(L::bits(L::mask(bits)), bits & all);
    }
    let mut rng = Repeatable(33);
    let values: Vec<Element<M>> = (0..L::LANES).map(|_| random(&mut rng)).collect();
    let one = Element::<M>::ONE.to_montgomery();
    expect::<L, M>(&L::splat::<M>(&one), &vec![Element::ONE; L::LANES], "splat");
    for present in 0..=L::LANES {
        let mut expected = values[..present].to_vec();
        expected.resize(L::LANES, Element::ZERO);
        let v = load::<L, M>(&values[..present]);
        expect::<L, M>(&v, &expected, "with lanes missing");
        let zero: u64 = L::bits(L::is_zero::<M>(&v));
        assert_eq!(zero, all & !((1 << present) - 1), "{present} lanes given");
        // A store fills the places given, and no others.
        let mut out = [[7; 4]; MAX_LANES];
        L::store::<M>(&v, &mut out[..present]);
        assert!(out[present..].iter().all(|limbs| *limbs == [7; 4]));
    }
    let v = load::<L, M>(&values);
    for i in 0..L::LANES {
        let mut others = values.clone();
        others[i] = random(&mut rng);
        let w = load::<L, M>(&others);
        let product = L::mul::<M>(&v, &w);
        let sum = L::carry(&L::sub::<M, 2>(&L::add(&product, &w), &v));
        let expected: Vec<Element<M>> = values
            .iter()
            .zip(&others)
            .map(|(v, w)| (*v * *w + *w - *v) * *w)
            .collect();
        expect::<L, M>(
            &L::mul::<M>(&L::reduce::<M>(&sum), &w),
            &expected,
            "one lane changed",
        );
    }
}

/// Every index of tables of several sizes, with different indices in the lanes.
#[inline(always)]
fn look_ups<L: Lanes, M: Modulus>() {
    let mut rng = Repeatable(34);
    for count in [1, 2, 8, 16, 32, 64] {
        let entries: Vec<[Element<M>; 2]> = (0..count)
            .map(|_| [random(&mut rng), random(&mut rng)])
            .collect();
        let coordinates: Vec<Pair> = entries
            .iter()
            .map(|entry| entry.map(|a| a.to_montgomery()))
            .collect();
        let blocks: Vec<L::Block> = coordinates
            .chunks(L::BLOCK)
            .map(|chunk| L::block::<M>(chunk))
            .collect();
        for first in 0..count {
            let indices: Vec<u32> = (0..L::LANES)
                .map(|i| ((first + 5 * i) % count) as u32)
                .collect();
            let (x, y) = L::look_up(&blocks, &indices);
            for (c, v) in [x, y].iter().enumerate() {
                let expected: Vec<Element<M>> =
                    indices.iter().map(|&i| entries[i as usize][c]).collect();
                expect::<L, M>(v, &expected, "looked up");
                let squares: Vec<Element<M>> = expected.iter().map(Field::square).collect();
                expect::<L, M>(&L::square::<M>(v), &squares, "looked up, squared");
            }
        }
    }
}

/// Points of several numbers, in lanes as they are and looked up in tables of several lengths; and
/// lanes in another order.
#[inline(always)]
fn points_in_lanes<L: Lanes, M: Modulus>() {
    let mut rng = Repeatable(35);
    for count in [1, 2, 7, 8, 9, 16, 31, 32] {
        let entries: Vec<[Element<M>; 2]> = (0..count * L::LANES)
            .map(|_| [random(&mut rng), random(&mut rng)])
            .collect();
        let coordinates: Vec<Pair> = entries
            .iter()
            .map(|entry| entry.map(|a| a.to_montgomery()))
            .collect();
        let tables: Vec<&[Pair]> = coordinates.chunks(count).collect();
        for first in 0..count {
            for present in [1, L::LANES - 1, L::LANES] {
                let index = |lane: usize| (first + 3 * lane) % count;
                let indices: Vec<u32> = (0..present).map(|lane| index(lane) as u32).collect();
                let points: Vec<&Pair> = (0..present)
                    .map(|lane| &tables[lane][index(lane)])
                    .collect();
                let (x, y) = L::look_up_each::<M>(&tables[..present], &indices);
                let (loaded_x, loaded_y) = L::load_pairs::<M>(&points);
                for (c, v) in [[x, loaded_x], [y, loaded_y]].iter().enumerate() {
                    let mut expected: Vec<Element<M>> = (0..present)
                        .map(|lane| entries[lane * count + index(lane)][c])
                        .collect();
                    expected.resize(L::LANES, Element::ZERO);
                    expect::<L, M>(&v[0], &expected, "looked up in each table");
                    expect::<L, M>(&v[1], &expected, "loaded");
                    let squares: Vec<Element<M>> = expected.iter().map(Field::square).collect();
                    expect::<L, M>(&L::square::<M>(&v[0]), &squares, "looked up, squared");
                    expect::<L, M>(&L::square::<M>(&v[1]), &squares, "loaded, squared");
                }
            }
        }
    }
    let values: Vec<Element<M>> = (0..L::LANES).map(|_| random(&mut rng)).collect();
    let v = load::<L, M>(&values);
    for _ in 0..20 {
        // Positions past the last lane are ignored.
        let mut from = [7; MAX_LANES];
        for from in &mut from[..L::LANES] {
            *from = rng.word() % L::LANES as u64;
        }
        let expected: Vec<Element<M>> = from[..L::LANES]
            .iter()
            .map(|&from| values[from as usize])
            .collect();
        expect::<L, M>(&L::permute(&v, &from), &expected, "permuted");
    }
}

/// All tests of one engine.
pub(crate) fn check<L: Lanes>() {
    assert!(L::LANES <= MAX_LANES);
    for_moduli!(edge_cases, L);
    for_moduli!(programs, L);
    for_moduli!(lanes_are_independent, L);
    for_moduli!(look_ups, L);
    for_moduli!(points_in_lanes, L);
}

#[test]
fn engines_keep_the_contract() {
    on_every_engine!(check);
    check::<Called<Engine<PlainWords<8>>>>();
}

/// `Σ aᵢ·xᵢ` of random and extreme elements against the scalar field, with factors of magnitude 2
/// and vectors of magnitude 4, the maximum for twelve products.
#[inline(always)]
fn sums_of_products<L: Quartic, M: Modulus, const K: usize>() {
    let mut rng = Repeatable(K as u64 + 77);
    let edges = edges::<M>();
    let top = Element::<M>::from_u256_reduced(&M::MODULUS.overflowing_sub(&U256([1, 0, 0, 0])).0);
    for round in 0..rounds(40) {
        let mut element = |_: usize| match round % 4 {
            0 => random::<M>(&mut rng),
            1 => edges[U256(rng.number()).0[0] as usize % edges.len()],
            2 => top,
            _ => edges[(round + 1) % edges.len()],
        };
        let a: [[Element<M>; 4]; K] = core::array::from_fn(|_| core::array::from_fn(&mut element));
        let x: [[Element<M>; 4]; K] = core::array::from_fn(|_| core::array::from_fn(&mut element));
        let lanes: [usize; K] = core::array::from_fn(|_| U256(rng.number()).0[0] as usize % 4);
        let a_lanes: [L::Vector; K] = core::array::from_fn(|k| load::<L, M>(&a[k]));
        // −x as 4m − x.
        let x_lanes: [L::Vector; K] =
            core::array::from_fn(|k| L::carry(&L::sub::<M, 2>(&L::zero(), &load::<L, M>(&x[k]))));
        let sum = L::dot::<M, K>(
            &core::array::from_fn(|k| (&a_lanes[k], lanes[k])),
            &core::array::from_fn(|k| &x_lanes[k]),
        );
        let expected: [Element<M>; 4] = core::array::from_fn(|i| {
            (0..K).fold(Element::ZERO, |sum, k| sum - a[k][lanes[k]] * x[k][i])
        });
        expect::<L, M>(&sum, &expected, "a sum of products");
        expect::<L, M>(
            &L::reduce::<M>(&sum),
            &expected,
            "a sum of products, reduced",
        );
    }
}

#[inline(always)]
fn multiples_by_powers_of_v<L: Quartic, M: Modulus>() {
    let mut rng = Repeatable(78);
    let x: [Element<M>; 4] = core::array::from_fn(|_| random::<M>(&mut rng));
    let v: L::Vector = load::<L, M>(&x);
    let mut expected = x;
    let multiples = L::v_multiples::<M>(&v);
    for exponent in 0..=4 {
        expect::<L, M>(&multiples[exponent], &expected, "times a power of v");
        let [a, b, c, d] = expected;
        expected = [-d.double(), a, b, c];
    }
}

fn quartic<L: Quartic>() {
    macro_rules! check {
        ($test:ident $(, $count:literal)?) => {
            vectorize!(L, $test::<L, P $(, $count)?>());
            vectorize!(L, $test::<L, N $(, $count)?>());
            vectorize!(L, $test::<L, Sm9Q $(, $count)?>());
            vectorize!(L, $test::<L, Sm9N $(, $count)?>());
        };
    }
    check!(sums_of_products, 1);
    check!(sums_of_products, 4);
    check!(sums_of_products, 6);
    check!(sums_of_products, 12);
    check!(multiples_by_powers_of_v);
}

#[test]
fn quartic_extension() {
    on_every_quartic!(quartic);
    quartic::<Called<Engine<PlainWords<4>>>>();
}
