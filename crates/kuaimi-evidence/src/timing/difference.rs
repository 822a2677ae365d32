//! Two distributions of times, compared by a t-test.
//!
//! dudect compares all times of both classes by Welch's test, which takes them to be independent.
//! They are not: the tables of an input, and where it lies in memory, make all its times a little
//! longer or shorter, and a test of a million times then finds a difference between two classes
//! that are the same. So the times of a pass, in which each input is used several times, give one
//! number: the difference `d` of the means of both classes. Which input is of which class is drawn
//! for each pass, so without a leak `d` is 0 on average, and
//! `t = mean(d) / √(variance(d) / passes)` hardly ever is above 4.5 in size. With a leak it grows
//! with the number of passes.
//!
//! Times have a long tail of interrupts and cache misses, which hides small differences. So, as in
//! dudect, the test is made for all times, and for those below each of 100 thresholds, which are
//! percentiles of the first samples.

/// Samples from which the thresholds come. They are not in the tests.
const FIRST: usize = 10_000;
const CROPS: usize = 100;
/// Passes below which a test says nothing.
const ENOUGH: f64 = 30.0;

/// Count, mean, and sum of the squares of the differences from the mean, one value after the other
/// (Welford, 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn push(&mut self, value: f64) {
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    /// The variance of the mean.
    fn spread(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }

    /// `t` of the hypothesis that the mean is 0, if there are enough values.
    fn t(&self) -> Option<f64> {
        let spread = self.spread();
        (self.count >= ENOUGH && spread > 0.0).then(|| self.mean / spread.sqrt())
    }
}

/// Times below a threshold.
struct Test {
    longest: f64,
    /// Of this pass: sum and number for each class.
    sums: [(f64, f64); 2],
    differences: Moments,
}

/// The times of both classes so far.
#[derive(Default)]
pub(crate) struct Times {
    first: Vec<f64>,
    count: usize,
    tests: Vec<Test>,
}

impl Times {
    /// A time in any unit, of class 0 or 1.
    pub(crate) fn push(&mut self, class: usize, time: f64) {
        if self.tests.is_empty() {
            self.first.push(time);
            return;
        }
        self.count += 1;
        for test in &mut self.tests {
            if time <= test.longest {
                test.sums[class].0 += time;
                test.sums[class].1 += 1.0;
            }
        }
    }

    /// After each pass.
    pub(crate) fn end_pass(&mut self) {
        if self.tests.is_empty() && self.first.len() >= FIRST {
            self.choose_thresholds();
        }
        for test in &mut self.tests {
            let [(fixed, fixed_count), (random, random_count)] = core::mem::take(&mut test.sums);
            if fixed_count > 0.0 && random_count > 0.0 {
                test.differences
                    .push(fixed / fixed_count - random / random_count);
            }
        }
    }

    /// Dense where most times are: the percentile of crop `i` is `1 − 2^(−10 (i + 1) / 100)`.
    fn choose_thresholds(&mut self) {
        self.first.sort_by(f64::total_cmp);
        let last = self.first.len() - 1;
        let percentile = |part: f64| self.first[(last as f64 * part) as usize];
        let crops = (1..=CROPS).map(|i| percentile(1.0 - (-10.0 * i as f64 / CROPS as f64).exp2()));
        let test = |longest| Test {
            longest,
            sums: Default::default(),
            differences: Moments::default(),
        };
        self.tests = crops.chain([f64::INFINITY]).map(test).collect();
    }

    /// How many times are in the tests.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether some test finds a difference of at least so many units with at least this `|t|`.
    pub(crate) fn differ(&self, t: f64, least: f64) -> bool {
        self.tests.iter().any(|test| {
            let found = test.differences.t().is_some_and(|own| own.abs() > t);
            found && test.differences.mean.abs() >= least
        })
    }

    /// The largest `|t|` of all tests, and the mean difference in that test; none before there are
    /// enough passes.
    pub(crate) fn largest(&self) -> Option<(f64, f64)> {
        let tests = self.tests.iter();
        let found =
            tests.filter_map(|test| Some((test.differences.t()?.abs(), test.differences.mean)));
        found.max_by(|left, right| left.0.total_cmp(&right.0))
    }
}

#[cfg(test)]
mod tests {
    use kuaimi_testing::Repeatable;

    use super::*;

    /// Times with a long tail; those of class 0 are longer by `more`, and each of the 64 inputs of
    /// a pass has a time of its own.
    fn times(passes: usize, more: f64) -> Times {
        let mut rng = Repeatable(3);
        let mut times = Times::default();
        for _ in 0..passes {
            let inputs: [(usize, f64); 64] =
                core::array::from_fn(|_| ((rng.word() & 1) as usize, (rng.word() % 8) as f64));
            for _ in 0..640 {
                let (class, own) = inputs[(rng.word() % 64) as usize];
                let noise: f64 = (0..12).map(|_| rng.word() as f64 / u64::MAX as f64).sum();
                let tail = if rng.word().is_multiple_of(100) {
                    5000.0
                } else {
                    0.0
                };
                let leak = if class == 0 { more } else { 0.0 };
                times.push(class, 1000.0 + 20.0 * noise + own + tail + leak);
            }
            times.end_pass();
        }
        times
    }

    #[test]
    fn one_distribution_passes_and_two_do_not() {
        let (t, _) = times(400, 0.0).largest().expect("enough passes");
        assert!(t < 4.5, "{t}");
        // One part in a thousand, under a tail of many times the width.
        let (t, difference) = times(400, 1.0).largest().expect("enough passes");
        assert!(t > 10.0, "{t}");
        assert!((0.5..1.5).contains(&difference), "{difference}");
    }

    #[test]
    fn small_differences_are_found_and_told_apart() {
        let times = times(4000, 0.3);
        let (t, difference) = times.largest().expect("enough passes");
        assert!(t > 10.0, "{t}");
        assert!((0.2..0.4).contains(&difference), "{difference}");
        assert!(times.differ(10.0, 0.2) && !times.differ(10.0, 0.5));
        assert!(!times.differ(1000.0, 0.0));
    }

    #[test]
    fn few_passes_say_nothing() {
        let few = times(20, 1.0);
        assert!(few.largest().is_none());
        // The thresholds came from the first sixteen passes.
        assert_eq!(few.count(), 4 * 640);
    }

    #[test]
    fn the_formula() {
        let mut moments = Moments::default();
        for value in [1.0, 2.0, 3.0, 4.0] {
            moments.push(value);
        }
        assert!((moments.mean - 2.5).abs() < 1e-12);
        // The variance is 5/3.
        assert!((moments.spread() - 5.0 / 12.0).abs() < 1e-12);
    }
}
