//! Slices: how many operations are one, and in which order contenders take their turns.

use std::time::{Duration, Instant};

use anyhow::Result;

/// The contenders' places, in the order of a round: odd rounds go backwards, so that nobody always
/// follows the same one.
pub(crate) fn turns(round: usize, contenders: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..contenders).collect();
    if round % 2 == 1 {
        places.reverse();
    }
    places
}

/// How many operations take about as long as a slice, and how long such a slice takes. Runs for as
/// long as `warm_up` asks; the first run is of one operation.
pub(crate) fn fill(
    slice: Duration,
    warm_up: Duration,
    mut run: impl FnMut(u64) -> Result<Duration>,
) -> Result<(u64, Duration)> {
    let begun = Instant::now();
    let mut count: u64 = 1;
    loop {
        let took = run(count)?.max(Duration::from_nanos(1));
        let each = took.as_secs_f64() / count as f64;
        let wanted = ((slice.as_secs_f64() / each).round() as u64).max(1);
        let enough = took >= slice / 4 || count >= 1 << 40;
        if enough && begun.elapsed() >= warm_up {
            return Ok((wanted, Duration::from_secs_f64(each * wanted as f64)));
        }
        count = if enough { wanted } else { count * 2 };
    }
}

/// The time that this process was on a processor: what others do there in the meantime does not
/// count.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time() -> Duration {
    time_of(rustix::time::ClockId::ProcessCPUTime)
}

/// The same of this thread.
#[cfg(target_os = "linux")]
pub(crate) fn thread_time() -> Duration {
    time_of(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(target_os = "linux")]
fn time_of(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

/// Elsewhere the clock on the wall has to do.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time() -> Duration {
    use std::sync::OnceLock;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn thread_time() -> Duration {
    processor_time()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{fill, turns};

    #[test]
    fn odd_rounds_go_backwards() {
        assert_eq!(turns(0, 3), [0, 1, 2]);
        assert_eq!(turns(1, 3), [2, 1, 0]);
        assert_eq!(turns(2, 0), [0; 0]);
    }

    #[test]
    fn slices_are_filled() {
        let slice = Duration::from_millis(50);
        let filled = |nanoseconds: u64| {
            fill(slice, Duration::ZERO, |count| {
                Ok(Duration::from_nanos(nanoseconds * count))
            })
            .unwrap()
        };
        assert_eq!(filled(1000).0, 50_000);
        // At least one operation, which may take much longer than a slice.
        assert_eq!(filled(700_000_000), (1, Duration::from_millis(700)));
        // What takes no time at all comes to an end, too.
        assert!(filled(0).0 > 1 << 40);
        assert!(fill(slice, Duration::ZERO, |_| anyhow::bail!("no")).is_err());
    }
}
