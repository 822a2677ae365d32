//! Slices of all rungs in turn, so that a machine whose speed drifts hits all of them alike.

use std::time::Duration;

use indicatif::ProgressBar;

use super::rung::{Ladder, Work};

/// A rung's nanoseconds an operation, one figure a round.
pub(super) type Figures = Vec<f64>;

/// The figures of each rung.
pub(super) fn ladder(
    ladder: &mut Ladder,
    slice: Duration,
    rounds: usize,
    progress: &ProgressBar,
) -> Vec<Figures> {
    let counts: Vec<u64> = ladder
        .rungs
        .iter_mut()
        .map(|rung| operations_in(&mut rung.work, slice))
        .collect();
    let mut figures = vec![Vec::with_capacity(rounds); ladder.rungs.len()];
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..counts.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for rung in order {
            progress.set_message(format!("{}: {}", ladder.name, ladder.rungs[rung].name));
            let time = time(&mut ladder.rungs[rung].work, counts[rung]);
            figures[rung].push(time.as_nanos() as f64 / counts[rung] as f64);
            progress.inc(1);
        }
    }
    figures
}

/// How many operations take about as long as a slice.
fn operations_in(work: &mut Work, slice: Duration) -> u64 {
    let mut count: u64 = 1;
    loop {
        let took = time(work, count);
        if took >= slice / 4 || count >= 1 << 40 {
            let wanted = count as f64 * slice.as_secs_f64() / took.as_secs_f64().max(1e-9);
            return (wanted.round() as u64).max(1);
        }
        count *= 2;
    }
}

fn time(work: &mut Work, count: u64) -> Duration {
    let start = processor_time();
    work(count);
    processor_time().saturating_sub(start)
}

/// The time that this process was on a processor: what others do there in the meantime does not count.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// Elsewhere the clock on the wall has to do.
#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
