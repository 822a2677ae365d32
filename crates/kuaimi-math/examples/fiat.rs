//! Every backend and every engine of lanes that this CPU can run against the backend `fiat`, modulo
//! SM2's prime and its order: `fiat [OPERATIONS [SEED]]`, so many results for each backend and
//! modulus, on all cores. Stops at the first difference. `make test-fiat` runs it. `fiat speed`
//! measures what `fiat` costs: products of points beside other backends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use kuaimi_math::arith::backend::{self, Fiat};
use kuaimi_math::arith::lanes::{self, Lanes, MAX_LANES};
use kuaimi_math::arith::{Backend, Modulus};
use kuaimi_math::sm2::curve::{N, P};
use kuaimi_math::vectorize;
use kuaimi_testing::Repeatable;

type Limbs = [u64; 4];

/// Pairs of numbers that are compared before the next are drawn: a multiple of any engine's lanes.
const PAIRS: usize = 64;

/// The names of the operations, in the order of [`Batch::results`] and of [`single`].
const SINGLE: [&str; 11] = [
    "a·b",
    "a²",
    "a·R⁻¹",
    "a + b",
    "a − b",
    "−b",
    "2a",
    "a/2",
    "a² + b² + ab",
    "1/a",
    "1/b",
];
const LANES: [&str; 7] = ["a·b", "a²", "a + b", "a − b", "a² + ab", "ab − a²", "a"];

struct Batch<M> {
    a: [Limbs; PAIRS],
    b: [Limbs; PAIRS],
    /// What `fiat` gives.
    results: Vec<Limbs>,
    modulus: std::marker::PhantomData<M>,
}

fn less(a: &Limbs, b: &Limbs) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// A number below the modulus: evenly spread, of limbs that carries run through, or near 0, the
/// modulus, its half, `2²⁵⁶ − m` or a power of two.
fn number<M: Modulus>(random: &mut Repeatable) -> Limbs {
    let m = M::MODULUS.0;
    let minus = |base: &Limbs, small: u64| {
        let (low, mut borrow) = base[0].overflowing_sub(small);
        let mut out = [low, 0, 0, 0];
        for i in 1..4 {
            (out[i], borrow) = base[i].overflowing_sub(u64::from(borrow));
        }
        out
    };
    let small = random.word() >> (random.word() % 64);
    let found = match random.word() % 16 {
        0 => [small, 0, 0, 0],
        1 => minus(&m, small),
        2 => minus(
            &std::array::from_fn(|i| m[i] >> 1 | m.get(i + 1).unwrap_or(&0) << 63),
            small,
        ),
        3 => minus(&m.map(|limb| !limb), small),
        4 => {
            let mut power = [0; 4];
            let bit = random.word() as usize % 256;
            power[bit / 64] = 1 << (bit % 64);
            minus(&power, small % 2)
        }
        _ => random.number(),
    };
    if less(&found, &m) {
        found
    } else {
        // Both moduli are over half of 2²⁵⁶.
        let (mut out, mut borrow) = ([0; 4], false);
        for i in 0..4 {
            let (difference, first) = found[i].overflowing_sub(m[i]);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            (out[i], borrow) = (difference, first || second);
        }
        out
    }
}

/// All operations on a pair; the inversions for every sixteenth.
fn single<B: Backend, M: Modulus>(i: usize, a: &Limbs, b: &Limbs, out: &mut Vec<Limbs>) {
    out.extend([
        B::mul::<M>(a, b),
        B::square::<M>(a),
        B::redc::<M>(a),
        B::add::<M>(a, b),
        B::sub::<M>(a, b),
        B::sub::<M>(&[0; 4], b),
        B::double::<M>(a),
        // Halving is not fiat-crypto's: the number whose double, by fiat-crypto's addition, is
        // compared.
        Fiat::add::<M>(&B::half::<M>(a), &B::half::<M>(a)),
        B::dot::<M>(&[[a, a], [b, b], [a, b]]),
    ]);
    if i.is_multiple_of(16) {
        out.extend([B::invert::<M>(a), B::invert_vartime::<M>(b)]);
    }
}

impl<M: Modulus> Batch<M> {
    fn new(random: &mut Repeatable) -> Self {
        let mut batch = Self {
            a: std::array::from_fn(|_| number::<M>(random)),
            b: std::array::from_fn(|_| number::<M>(random)),
            results: Vec::new(),
            modulus: std::marker::PhantomData,
        };
        // Relations between the two numbers.
        batch.b[1] = batch.a[1];
        batch.b[2] = Fiat::sub::<M>(&[0; 4], &batch.a[2]);
        batch.b[3] = Fiat::add::<M>(&batch.a[3], &[1, 0, 0, 0]);
        batch.results = batch.of::<Fiat>();
        for (i, (a, b)) in batch.a.iter().zip(&batch.b).enumerate() {
            // What fiat itself must keep: the half's double, and a number times its inverse is one.
            // Each multiplication brings R⁻¹.
            let results = &batch.results[batch.start(i)..];
            assert_eq!(results[7], *a);
            if i.is_multiple_of(16) {
                let of_a = Fiat::redc::<M>(&results[9]);
                let of_b = Fiat::mul::<M>(&results[10], &M::R2);
                for (number, inverse) in [(a, of_a), (b, of_b)] {
                    let one = [u64::from(*number != [0; 4]), 0, 0, 0];
                    assert_eq!(Fiat::mul::<M>(number, &inverse), one);
                }
            }
        }
        batch
    }

    /// Where the results of pair `i` are.
    fn start(&self, i: usize) -> usize {
        9 * i + 2 * i.div_ceil(16)
    }

    fn of<B: Backend>(&self) -> Vec<Limbs> {
        let mut out = Vec::with_capacity(10 * PAIRS);
        for (i, (a, b)) in self.a.iter().zip(&self.b).enumerate() {
            single::<B, M>(i, a, b, &mut out);
        }
        out
    }

    fn differs(&self, name: &str, operation: &str, i: usize) -> ! {
        let (a, b) = (self.a[i], self.b[i]);
        panic!(
            "{name} and fiat differ: {operation} modulo {:x?} for a = {a:x?}, b = {b:x?} in Montgomery form",
            M::MODULUS.0
        )
    }
}

impl<M: Modulus> backend::Visitor for Batch<M> {
    fn visit<B: Backend>(&mut self) {
        let found = self.of::<B>();
        if found == self.results {
            return;
        }
        for i in 0..PAIRS {
            let start = self.start(i);
            for (place, name) in SINGLE.iter().enumerate() {
                if found.get(start + place) != self.results.get(start + place) {
                    self.differs(B::NAME, name, i);
                }
            }
        }
    }
}

impl<M: Modulus> lanes::Visitor for Batch<M> {
    fn visit<L: Lanes>(&mut self) {
        for first in (0..PAIRS).step_by(L::LANES) {
            let (a, b) = (&self.a[first..][..L::LANES], &self.b[first..][..L::LANES]);
            let mut out = [[[0; 4]; MAX_LANES]; LANES.len()];
            vectorize!(L, {
                let (a, b) = (L::load::<M>(a), L::load::<M>(b));
                let results = [
                    L::mul::<M>(&a, &b),
                    L::square::<M>(&a),
                    L::add(&a, &b),
                    L::sub::<M, 2>(&a, &b),
                    L::mul_add::<M>(&a, &a, &a, &b),
                    L::mul_sub_square::<M>(&a, &b, &a),
                    a,
                ];
                for (out, result) in out.iter_mut().zip(&results) {
                    L::store::<M>(result, &mut out[..L::LANES]);
                }
            });
            for (lane, i) in (first..first + L::LANES).enumerate() {
                let fiat = &self.results[self.start(i)..];
                let expected = [
                    fiat[0],
                    fiat[1],
                    fiat[3],
                    fiat[4],
                    Fiat::add::<M>(&fiat[1], &fiat[0]),
                    Fiat::sub::<M>(&fiat[0], &fiat[1]),
                    self.a[i],
                ];
                for (k, name) in LANES.iter().enumerate() {
                    if out[k][lane] != expected[k] {
                        self.differs(L::NAME, name, i);
                    }
                }
            }
        }
    }
}

/// The names of what is compared.
#[derive(Default)]
struct Names(Vec<&'static str>);

impl backend::Visitor for Names {
    fn visit<B: Backend>(&mut self) {
        self.0.push(B::NAME);
    }
}

impl lanes::Visitor for Names {
    fn visit<L: Lanes>(&mut self) {
        self.0.push(L::NAME);
    }
}

fn compare<M: Modulus>(batches: u64, next: &AtomicU64, seed: u64) {
    loop {
        let batch = next.fetch_add(1, Ordering::Relaxed);
        if batch >= batches {
            return;
        }
        let mut random = Repeatable(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ batch << 20);
        let mut batch = Batch::<M>::new(&mut random);
        backend::for_each(&mut batch);
        lanes::for_each(&mut batch);
    }
}

/// Every thread takes the next batch.
fn on_all_cores<M: Modulus>(batches: u64, seed: u64) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |it| it.get());
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| compare::<M>(batches, &next, seed)))
            .collect();
        for worker in workers {
            if worker.join().is_err() {
                std::process::exit(1);
            }
        }
    });
}

/// Microseconds for a product of the generator, which is most of a signature, and for a sum of two
/// products, which is most of a verification: medians of rounds in turn, on one core.
fn speed() {
    use kuaimi_math::arith::U256;
    use kuaimi_math::sm2::group::{double_scalar_mul_vartime, generator_mul};

    let mut random = Repeatable(1);
    let mut scalar = || U256(number::<N>(&mut random));
    let p = generator_mul(&scalar());
    let scalars: [U256; 100] = std::array::from_fn(|_| scalar());
    let rows = ["fiat", "portable32", "portable64", "adx", "ifma"];
    let mut times = vec![[const { Vec::new() }; 2]; rows.len()];
    for _ in 0..41 {
        for (row, times) in rows.iter().zip(&mut times) {
            if kuaimi_platform::backend::select(row).is_err() {
                continue;
            }
            let start = Instant::now();
            for k in &scalars {
                std::hint::black_box(generator_mul(k));
            }
            times[0].push(start.elapsed());
            let start = Instant::now();
            for (s, t) in scalars.iter().zip(scalars.iter().rev()) {
                std::hint::black_box(double_scalar_mul_vartime(s, t, &p));
            }
            times[1].push(start.elapsed());
        }
    }
    for (row, times) in rows.iter().zip(&mut times) {
        let [product, sum] = times.each_mut().map(|times| {
            times.sort_unstable();
            times
                .get(times.len() / 2)
                .map_or(f64::NAN, |it| it.as_secs_f64() * 1e4)
        });
        println!("{row}: [k]G {product:.1} µs, [s]G + [t]P {sum:.1} µs");
    }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("speed") {
        return speed();
    }
    let argument = |i: usize, default: u64| match std::env::args().nth(i) {
        Some(text) => text.parse().unwrap_or_else(|_| {
            eprintln!("error: {text} is not a number");
            std::process::exit(2);
        }),
        None => default,
    };
    let (operations, seed) = (argument(1, 10_000_000), argument(2, 1));
    let (mut backends, mut engines) = (Names::default(), Names::default());
    backend::for_each(&mut backends);
    lanes::for_each(&mut engines);
    backends.0.retain(|name| *name != Fiat::NAME);
    // The engines have fewer results for a pair: they decide.
    let batches = operations.div_ceil((LANES.len() * PAIRS) as u64);
    let (pairs, start) = (batches * PAIRS as u64, Instant::now());
    on_all_cores::<P>(batches, seed);
    on_all_cores::<N>(batches, seed);
    for (names, results) in [
        (&backends, pairs * 9 + pairs / 16 * 2),
        (&engines, pairs * LANES.len() as u64),
    ] {
        for name in &names.0 {
            println!("{name}: {results} results modulo p and {results} modulo n agree with fiat");
        }
    }
    let inversions = pairs / 16 * 2;
    println!(
        "{pairs} pairs for each modulus, {inversions} inversions for each modulus and backend, {:.1} s",
        start.elapsed().as_secs_f64()
    );
}
