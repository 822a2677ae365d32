//! How long an operation takes: calibrated repetitions, slices, and their median, so that one
//! disturbance of a slice leaves the result alone.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use super::operations::{Operation, Work};

/// Slices of one measurement.
const SLICES: usize = 9;

/// How much is measured.
pub struct Plan {
    /// For one measurement, all slices together.
    pub seconds: f64,
    pub threads: usize,
}

/// A measured speed.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Of all threads together.
    pub ops_per_second: f64,
    /// Of one operation on its thread; where several are computed at once, one's share.
    pub ns_per_op: f64,
}

pub fn run(plan: &Plan, operation: &Operation) -> Speed {
    let slice = Duration::from_secs_f64(plan.seconds / SLICES as f64);
    let repeats = calibrate((operation.start)(), slice);
    // A batch spreads over the threads by itself; anything else runs once on each.
    let copies = if operation.spreads { 1 } else { plan.threads };
    let barrier = Barrier::new(copies);
    let rates: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..copies)
            .map(|_| scope.spawn(|| slices((operation.start)(), repeats, slice, &barrier)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_default())
            .collect()
    });
    // The threads' slices run side by side: the first slice of all together, the second, and so on.
    let mut sums: Vec<f64> = (0..SLICES)
        .map(|i| rates.iter().filter_map(|rates| rates.get(i)).sum())
        .collect();
    sums.sort_by(f64::total_cmp);
    let ops_per_second = sums[SLICES / 2] * operation.batch as f64;
    Speed {
        ops_per_second,
        ns_per_op: 1e9 * plan.threads as f64 / ops_per_second,
    }
}

/// How many repetitions take about a tenth of a slice, so that reading the clock costs nothing;
/// runs them warm, too.
fn calibrate(mut work: Work, slice: Duration) -> u64 {
    let enough = slice / 10;
    let mut repeats = 1;
    loop {
        let took = time(&mut work, repeats);
        if took >= enough || repeats >= 1 << 40 {
            return repeats;
        }
        // At most eightfold at a time: the first runs are cold and slow, and would mislead.
        let factor = enough.as_secs_f64() / took.as_secs_f64().max(1e-9);
        repeats = (repeats as f64 * factor.clamp(1.5, 8.0)).ceil() as u64;
    }
}

/// Operations per second, slice by slice.
fn slices(mut work: Work, repeats: u64, slice: Duration, barrier: &Barrier) -> Vec<f64> {
    (0..SLICES)
        .map(|_| {
            barrier.wait();
            let start = Instant::now();
            let mut done = 0;
            loop {
                done += repeats;
                time(&mut work, repeats);
                let took = start.elapsed();
                if took >= slice {
                    return done as f64 / took.as_secs_f64();
                }
            }
        })
        .collect()
}

fn time(work: &mut Work, repeats: u64) -> Duration {
    let start = Instant::now();
    for _ in 0..repeats {
        work();
    }
    start.elapsed()
}
