//! Many products of points by every way that this CPU can go, the ways taking turns:
//! `cargo bench -p kuaimi --features internals --bench ways`.
//!
//! For each way the median of the microseconds an operation takes, and the median of the ratios to the first way of the table that
//! were formed of neighbours in time: the clock of a shared machine moves, and ratios of neighbours do not.

use std::hint::black_box;
use std::time::{Duration, Instant};

use kuaimi::arith::U256;
use kuaimi::sm2::points::{Equation, KeyTable, Point, Way, ways};

const ROUNDS: usize = 15;
const SLICE: Duration = Duration::from_millis(12);

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

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn measure(name: &str, ways: &[&Way], work: impl Fn(&Way, usize)) {
    let time = |way: &Way| {
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed() < SLICE {
            work(way, way.chunk);
            count += way.chunk;
        }
        start.elapsed().as_secs_f64() * 1e6 / count as f64
    };
    let rounds: Vec<Vec<f64>> = (0..ROUNDS)
        .map(|_| ways.iter().map(|way| time(way)).collect())
        .collect();
    for (i, way) in ways.iter().enumerate() {
        let mut times: Vec<f64> = rounds.iter().map(|round| round[i]).collect();
        let mut ratios: Vec<f64> = rounds.iter().map(|round| round[0] / round[i]).collect();
        println!(
            "{name:<24} {:>8} on {:<11} {:8.2} µs {:6.2} ×",
            way.name[0],
            way.name[1],
            median(&mut times),
            median(&mut ratios),
        );
    }
}

fn main() {
    let count = 64;
    let (s, t) = (numbers(count, 1), numbers(count, 2));
    let ways: Vec<&Way> = ways().filter(|way| way.name[1] != "portable32").collect();
    let mut points = vec![Point::default(); count];
    if let Some(way) = ways.first() {
        (way.generator_mul_many)(&numbers(count, 3), &mut points);
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

    measure("[k]G", &ways, |way, count| {
        let mut out = [Point::default(); 64];
        (way.generator_mul_many)(&s[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("[k]P, prepared", &ways, |way, count| {
        let mut out = [Point::default(); 64];
        (way.prepared_mul_many)(&s[..count], &tables[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("[k]P", &ways, |way, count| {
        let mut out = [Point::default(); 64];
        (way.point_mul_many)(&s[..count], &points[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("verify", &ways, |way, count| {
        let mut out = [false; 64];
        (way.verify_many_vartime)(&equations[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("verify, prepared", &ways, |way, count| {
        let mut out = [false; 64];
        (way.verify_prepared_many_vartime)(&prepared[..count], &mut out[..count]);
        black_box(&out);
    });
    measure("[s]G + [t]P", &ways, |way, count| {
        let mut out = [None; 64];
        (way.double_scalar_mul_many_vartime)(
            &s[..count],
            &t[..count],
            &points[..count],
            &mut out[..count],
        );
        black_box(&out);
    });
    measure("a table", &ways[..1], |_, count| {
        for point in &points[..count] {
            black_box(KeyTable::build_vartime(point));
        }
    });
}
