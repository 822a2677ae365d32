//! Many products of points with every implementation that this CPU can run, the implementations
//! taking turns: `cargo bench -p kuaimi-bench --bench many`.
//!
//! For each implementation the least and the median of the microseconds of a processor that an
//! operation takes, and how many times as fast it is as the first implementation and as the last
//! serial one: medians of ratios of neighbours in time, as the clock of a shared machine moves.

use std::hint::black_box;

use kuaimi::Threads;
use kuaimi::sm2::batch::{VerifyItem, verify_batch};
use kuaimi::sm2::{PrivateKey, Signature, SigningKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{Equation, Implementation, KeyTable, Point, implementations};
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 41;
/// Microseconds.
const SLICE: f64 = 8000.0;

/// Numbers below `n`, not random at all.
fn numbers(count: usize, seed: u64) -> Vec<U256> {
    let mut state = seed;
    let mut word = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state ^ (state >> 29)
    };
    (0..count)
        .map(|_| U256([word(), word(), word(), word() >> 1]))
        .collect()
}

/// For how many microseconds this thread has been on a processor.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn measure(name: &str, all: &[&Implementation], work: impl Fn(&Implementation, usize)) {
    measure_calls(name, all, usize::MAX, work);
}

/// With so many operations a call, or with an implementation's chunk of them where that is less.
fn measure_calls(
    name: &str,
    all: &[&Implementation],
    most: usize,
    work: impl Fn(&Implementation, usize),
) {
    let time = |implementation: &Implementation| {
        let (start, mut count) = (now(), 0);
        let call = implementation.chunk.min(most);
        while now() - start < SLICE {
            work(implementation, call);
            count += call;
        }
        (now() - start) / count as f64
    };
    let rounds: Vec<Vec<f64>> = (0..ROUNDS)
        .map(|_| all.iter().map(|one| time(one)).collect())
        .collect();
    let best = all.iter().rposition(|one| one.name[0] == "serial");
    for (i, implementation) in all.iter().enumerate() {
        let mut times: Vec<f64> = rounds.iter().map(|round| round[i]).collect();
        let ratio = |to: usize| {
            let mut ratios: Vec<f64> = rounds.iter().map(|round| round[to] / round[i]).collect();
            median(&mut ratios)
        };
        let (to_first, to_best) = (ratio(0), ratio(best.unwrap_or(0)));
        let middle = median(&mut times);
        println!(
            "{name:<18} {:>9} on {:<10} {:8.2} {middle:8.2} µs {to_first:6.2} {to_best:6.2} ×",
            implementation.name[0],
            implementation.name[1],
            times.first().copied().unwrap_or(f64::NAN),
        );
    }
}

/// A batch of few signatures, of as many keys, beside the same one by one, with the selected
/// backend.
fn small_batches(most: usize) {
    let keys: Vec<SigningKey> = (1..=most)
        .map(|i| {
            let key = PrivateKey::from_bytes(&[i as u8; 32]).expect("a number below n - 1");
            SigningKey::new(key)
        })
        .collect();
    let signatures: Vec<Signature> = keys
        .iter()
        .map(|key| key.sign(b"a message").expect("random numbers"))
        .collect();
    for count in 1..=most {
        let items: Vec<VerifyItem<'_>> = keys[..count]
            .iter()
            .zip(&signatures)
            .map(|(key, signature)| VerifyItem::new(key.verifying_key(), b"a message", signature))
            .collect();
        let batch = || drop(black_box(verify_batch(black_box(&items), Threads::One)));
        let one_by_one = || {
            for (key, signature) in keys[..count].iter().zip(&signatures) {
                black_box(key.verifying_key().verify(b"a message", signature)).expect("ours");
            }
        };
        let time = |work: &dyn Fn()| {
            let (start, mut calls) = (now(), 0);
            while now() - start < SLICE {
                work();
                calls += 1;
            }
            (now() - start) / f64::from(calls) / count as f64
        };
        let (mut together, mut alone): (Vec<f64>, Vec<f64>) = (0..ROUNDS)
            .map(|_| (time(&batch), time(&one_by_one)))
            .unzip();
        let mut ratios: Vec<f64> = together.iter().zip(&alone).map(|(a, b)| b / a).collect();
        let ratio = median(&mut ratios);
        median(&mut together);
        median(&mut alone);
        println!(
            "verify_batch of {count}: {:8.2} µs, one by one {:8.2} µs, {ratio:6.2} ×",
            together[0], alone[0]
        );
    }
}

fn main() {
    let count = 64;
    let (s, t) = (numbers(count, 1), numbers(count, 2));
    let all: Vec<&Implementation> = implementations()
        .filter(|implementation| implementation.name[1] != "portable32")
        .collect();
    let mut points = vec![Point::default(); count];
    if let Some(first) = all.first() {
        (first.generator_mul_many)(&numbers(count, 3), &mut points);
    }
    let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
    let tables: Vec<&KeyTable> = tables.iter().collect();
    let equations: Vec<Equation<Point>> = (0..count)
        .map(|i| Equation {
            s: s[i],
            t: t[i],
            x: t[i],
            p: points[i],
        })
        .collect();
    let prepared: Vec<Equation<&KeyTable>> = (0..count)
        .map(|i| Equation {
            s: s[i],
            t: t[i],
            x: t[i],
            p: tables[i],
        })
        .collect();

    measure("[k]G", &all, |implementation, count| {
        let mut out = [Point::default(); 64];
        (implementation.generator_mul_many)(&s[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("[k]P, prepared", &all, |implementation, count| {
        let mut out = [Point::default(); 64];
        (implementation.prepared_mul_many)(&s[..count], &tables[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("[k]P", &all, |implementation, count| {
        let mut out = [Point::default(); 64];
        (implementation.point_mul_many)(&s[..count], &points[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("verify", &all, |implementation, count| {
        let mut out = [false; 64];
        (implementation.verify_many_vartime)(&equations[..count], &mut out[..count]);
        black_box(&out);
    });
    for call in [1, 4, 8] {
        measure_calls(
            &format!("verify {call} a call"),
            &all,
            call,
            |implementation, count| {
                let mut out = [false; 64];
                (implementation.verify_many_vartime)(&equations[..count], &mut out[..count]);
                black_box(&out);
            },
        );
    }
    measure("verify, prepared", &all, |implementation, count| {
        let mut out = [false; 64];
        (implementation.verify_prepared_many_vartime)(&prepared[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("[s]G + [t]P", &all, |implementation, count| {
        let mut out = [None; 64];
        (implementation.double_scalar_mul_many_vartime)(
            &s[..count],
            &t[..count],
            &points[..count],
            &mut out[..count],
        );
        black_box(&out);
    });
    small_batches(8);
    measure("a table", &all, |implementation, count| {
        for point in &points[..count] {
            black_box((implementation.key_table_vartime)(point));
        }
    });
}
