//! The parts that SM9's operations are made of: `cargo bench -p kuaimi-bench --bench sm9`, with the
//! fastest backend of single numbers, or with those named after `--`. With `-- lanes`, every form
//! of Fq12 beside the others: scalar and in lanes.
//!
//! Each figure is the least of many runs of some milliseconds, in nanoseconds: compare within one
//! run.

use std::hint::black_box;
use std::time::Duration;

use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, Field, PrimeField, U256};
use kuaimi_math::curve::{Curve, Jacobian, scalar_mul};
use kuaimi_math::sm9::curve::{Scalar, Sm9G1, Sm9G2};
use kuaimi_math::sm9::group;
use kuaimi_math::sm9::gt;
use kuaimi_math::sm9::pairing::forms::{Fq12Visitor, for_each_form};
use kuaimi_math::sm9::pairing::walk::Walk;
use kuaimi_math::sm9::pairing::{LineTable, final_exponentiation as fe, miller};
use kuaimi_math::sm9::plain_table::PlainTable;
use kuaimi_math::sm9::tower::Fq12;
use kuaimi_math::sm9::tower::fq12::{Line, ScaledLine};
use rustix::time::{ClockId, clock_gettime};

/// The time that this thread was on a processor: what others do there in the meantime does not
/// count.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// How often to run: less often what is slow.
fn runs(count: u32) -> u32 {
    if count < 5 { 5 } else { 60 }
}

/// Prints the least time of `f`, called `count` times a run.
fn time<T>(name: &str, count: u32, mut f: impl FnMut() -> T) {
    let mut least = Duration::MAX;
    for _ in 0..runs(count) {
        let start = thread_time();
        for _ in 0..count {
            black_box(f());
        }
        least = least.min(thread_time() - start);
    }
    println!(
        "{name:42} {:>12.1} ns",
        least.as_nanos() as f64 / f64::from(count)
    );
}

fn parts<B: Backend>() {
    println!("{}", B::NAME);
    let (p, q) = (Sm9G1::<B>::GENERATOR, Sm9G2::<B>::GENERATOR);
    let (mut x, y) = (p.x, p.y);
    let (mut x2, y2) = (q.x, q.y);
    time("Fq product", 2000, || {
        x = x * y;
        x
    });
    time("Fq square", 2000, || {
        x = x.square();
        x
    });
    time("Fq sum", 2000, || {
        x = x + y;
        x
    });
    time("Fq2 product", 1000, || x2 = x2 * y2);
    time("Fq2 square", 1000, || x2 = x2.square());
    let k = Scalar::<B>::from_u256_reduced(&U256([1, 2, 3, u64::MAX]));
    let (mut p3, mut q3) = (Jacobian::from(p).double(), Jacobian::from(q).double());
    time("G1 doubling", 500, || p3 = p3.double());
    time("G1 mixed addition", 500, || {
        p3 = p3.add_affine_incomplete(&p)
    });
    time("G2 doubling", 500, || q3 = q3.double());
    time("G2 mixed addition", 500, || {
        q3 = q3.add_affine_incomplete(&q)
    });
    let mut f = miller::miller(&[(p, q)]);
    let other = f;
    time("Fq12 product", 100, || f = f * other);
    time("Fq12 square", 100, || f = f.square());
    time("Fq12 inversion", 100, || f = f.invert());
    let mut f = fe::easy_part(&f);
    time("Fq12 cyclotomic square", 100, || f = f.cyclotomic_square());
    let line = Line {
        l0: q.x,
        l3: q.y,
        l5: q.x,
    };
    time("Fq12 times line", 100, || f = f.mul_line(&line));
    let line = ScaledLine { l3: q.y, l5: q.x };
    time("Fq12 times scaled line", 100, || {
        f = f.mul_scaled_line(&line)
    });
    time("lines of Q alone", 10, || {
        miller::lines(&q, |line| {
            black_box(&line);
        })
    });
    time("Miller loop", 10, || miller::miller(&[(p, q)]));
    let table = LineTable::new(&q);
    time("Miller loop, precomputed lines", 10, || {
        miller::miller_mixed::<B, Fq12<B>>(&[], &[(p, table.lines())])
    });
    let f = miller::miller(&[(p, q)]);
    time("final exponentiation, easy part", 10, || fe::easy_part(&f));
    let g = fe::easy_part(&f);
    time("final exponentiation, hard part", 10, || fe::hard_part(&g));
    let g: Fq12<B> = fe::hard_part(&g);
    time("hard part, published chain", 10, || {
        fe::published_hard_part(&g)
    });
    time("hard part, plain power", 2, || fe::plain_hard_part(&g));
    let k256 = k.to_u256();
    time("GT power", 10, || gt::power::pow(&g, &k256));
    time("GT power, windows", 10, || gt::power::pow_windows(&g, &k));
    time("GT power, NAF, public", 10, || {
        gt::power::pow_naf_vartime(&g, &k256)
    });
    time("GT power, binary, public", 10, || {
        gt::power::pow_binary_vartime(&g, &k256)
    });
    type G1Plain<B> = PlainTable<Sm9G1<B>>;
    type G2Plain<B> = PlainTable<Sm9G2<B>>;
    time("G1 plain table made naively", 1, || {
        G1Plain::generate_naively_vartime(&p)
    });
    time("G1 plain table made", 1, || G1Plain::generate_vartime(&p));
    time("G2 plain table made naively", 1, || {
        G2Plain::generate_naively_vartime(&q)
    });
    time("G2 plain table made", 1, || G2Plain::generate_vartime(&q));
    let (t1, t2) = (G1Plain::generate_vartime(&p), G2Plain::generate_vartime(&q));
    time("[k]P1, plain table", 10, || {
        t1.mul_vartime(&k256).to_affine()
    });
    time("[k]P2, plain table", 10, || {
        t2.mul_vartime(&k256).to_affine()
    });
    time("[k]P1, no table", 10, || {
        scalar_mul::mul_vartime(&k, &p).to_affine()
    });
    time("[k]P2, no table", 10, || {
        scalar_mul::mul_vartime(&k, &q).to_affine()
    });
    let table = gt::fixed_base::GtFixedBaseTable::new(&g);
    time("GT power, fixed base", 10, || {
        table.pow::<B, Fq12<B>>(&k256)
    });
    time("GT fixed-base table made", 2, || {
        gt::fixed_base::GtFixedBaseTable::new(&g)
    });
}

/// One form of Fq12.
fn form<B: Backend, F: Walk<B>>(name: &str) {
    println!("\nFq12: {name}");
    let (p, q) = (Sm9G1::<B>::GENERATOR, Sm9G2::<B>::GENERATOR);
    let k = U256([1, 2, 3, 0x1234_5678_9ABC_DEF0]);
    let f: Fq12<B> = miller::miller(&[(p, q)]);
    let (mut f, other) = (F::from_limbs(&f.to_limbs()), F::from_limbs(&f.to_limbs()));
    let line = Line {
        l0: q.x,
        l3: q.y,
        l5: q.x,
    };
    let table = LineTable::new(&q);
    time("Fq12 from words", 200, || F::from_limbs(&[[1; 4]; 12]));
    time("Fq12 to words", 200, || f.to_limbs());
    time("Fq12 product", 100, || f = f.times(&other));
    time("Fq12 square", 100, || f = f.squared());
    time("Fq12 times line", 100, || f = f.times_line(&line));
    time("Fq12 times precomputed line", 100, || {
        f = f.times_precomputed_line(&table.lines()[0], &p.x, &p.y)
    });
    let mut f = fe::easy_part(&f);
    time("Fq12 cyclotomic square", 100, || f = f.cyclotomic_squared());
    time("Fq12 cyclotomic square, A left out", 10, || {
        f = f.compressed_squared(10)
    });
    time("Fq12 Frobenius map", 100, || f = f.frobenius_power::<1>());
    time("Miller loop", 10, || {
        miller::miller_mixed::<B, F>(&[(p, q)], &[])
    });
    time("Miller loop, precomputed lines", 10, || {
        miller::miller_mixed::<B, F>(&[], &[(p, table.lines())])
    });
    let f: F = miller::miller_mixed(&[(p, q)], &[]);
    time("final exponentiation, easy part", 10, || fe::easy_part(&f));
    let g = fe::easy_part(&f);
    time("final exponentiation, hard part", 10, || fe::hard_part(&g));
    let g = fe::hard_part(&g);
    time("GT power", 10, || gt::power::pow(&g, &k));
    let g = Fq12::<B>::from_limbs(&g.to_limbs());
    let table = gt::fixed_base::GtFixedBaseTable::new(&g);
    time("GT power, fixed base", 10, || table.pow::<B, F>(&k));
}

struct Forms;

impl Fq12Visitor for Forms {
    fn visit<B: Backend, F: Walk<B>>(&mut self, name: &'static str) {
        // Its place is on machines without 64-bit registers.
        if B::NAME != "portable32" {
            form::<B, F>(name);
        }
    }
}

/// The names of all backends of single numbers.
struct Names(Vec<&'static str>);

impl Visitor for Names {
    fn visit<B: Backend>(&mut self) {
        self.0.push(B::NAME);
    }
}

/// The parts, with the backends named.
struct Parts(Vec<&'static str>);

impl Visitor for Parts {
    fn visit<B: Backend>(&mut self) {
        if self.0.contains(&B::NAME) {
            parts::<B>();
        }
    }
}

fn main() {
    let mut names = Names(Vec::new());
    for_each(&mut names);
    // Cargo adds `--bench`.
    let arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let mut chosen = Vec::new();
    for argument in arguments {
        if argument == "lanes" {
            return for_each_form(&mut Forms);
        }
        match names.0.iter().find(|name| **name == argument) {
            Some(name) => chosen.push(*name),
            None => {
                eprintln!(
                    "error: {argument:?} is neither `lanes` nor among {:?}",
                    names.0
                );
                std::process::exit(2);
            }
        }
    }
    if chosen.is_empty() {
        chosen.extend(names.0.last());
    }
    for_each(&mut Parts(chosen));
    println!("\nthe selected backend: {}", kuaimi::backend());
    let k = U256([1, 2, 3, 0x1234_5678_9ABC_DEF0]);
    let (p, q) = (group::g1_generator_mul(&k), group::g2_generator_mul(&k));
    time("[k]P1", 20, || group::g1_generator_mul(&k));
    time("[k]P, G1", 20, || group::g1_mul(&k, &p));
    time("[k]P2", 20, || group::g2_generator_mul(&k));
    time("[k]Q, G2", 20, || group::g2_mul(&k, &q));
    time("Q in G2?", 20, || {
        group::g2_from_bytes(&group::g2_to_bytes(&q))
    });
    time("lines precomputed", 10, || group::G2Lines::new(&q));
    let lines = group::G2Lines::new(&q);
    time("pairing", 10, || group::pairing(&p, &q));
    time("pairing, precomputed lines", 10, || {
        group::pairing_with(&p, lines.lines())
    });
    let g = group::pairing(&p, &q);
    time("GT power", 10, || group::gt_pow(&g, &k));
    let table = group::GtTable::new(&g);
    time("GT power, table", 10, || table.pow(&k));
    time("G1 table made", 5, || group::G1Table::new(&p));
    time("G2 table made", 5, || group::G2Table::new(&q));
}
