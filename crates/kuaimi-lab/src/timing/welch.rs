//! Two distributions of times, compared by Welch's t-test.
//!
//! For samples with means `m`, variances `v` and counts `n`, `t = (m₁ − m₂) / √(v₁/n₁ + v₂/n₂)`. Where both come from one
//! distribution, `|t|` hardly ever is above 4.5, however many samples there are; where they do not, it grows with their number.
//!
//! Times have a long tail of interrupts and cache misses, which hides small differences. So the test is made for all times, and for
//! those below each of 100 thresholds, which are percentiles of the first samples.

/// Samples from which the thresholds come. They are not in the tests.
const FIRST: usize = 10_000;
const CROPS: usize = 100;
/// Samples of each class below which a test says nothing.
const ENOUGH: f64 = 5_000.0;

/// Count, mean, and sum of the squares of the differences from the mean, one sample after the other (Welford, 1962).
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
}

/// `t` of two classes, if both have enough samples.
fn welch([fixed, random]: &[Moments; 2]) -> Option<f64> {
    let spread = fixed.spread() + random.spread();
    let enough = fixed.count >= ENOUGH && random.count >= ENOUGH;
    (enough && spread > 0.0).then(|| (fixed.mean - random.mean) / spread.sqrt())
}

/// The times of both classes so far.
#[derive(Default)]
pub(crate) struct Times {
    first: Vec<f64>,
    /// The longest time that each test counts, and its samples.
    tests: Vec<(f64, [Moments; 2])>,
}

impl Times {
    /// A time in any unit, of class 0 or 1.
    pub(crate) fn push(&mut self, class: usize, time: f64) {
        if self.tests.is_empty() {
            self.first.push(time);
            if self.first.len() == FIRST {
                self.choose_thresholds();
            }
            return;
        }
        for (longest, classes) in &mut self.tests {
            if time <= *longest {
                classes[class].push(time);
            }
        }
    }

    /// Dense where most times are: the percentile of crop `i` is `1 − 2^(−10 (i + 1) / 100)`.
    fn choose_thresholds(&mut self) {
        self.first.sort_by(f64::total_cmp);
        let percentile = |part: f64| self.first[((FIRST - 1) as f64 * part) as usize];
        let crops = (1..=CROPS).map(|i| percentile(1.0 - (-10.0 * i as f64 / CROPS as f64).exp2()));
        let thresholds = crops.chain([f64::INFINITY]);
        self.tests = thresholds
            .map(|longest| (longest, Default::default()))
            .collect();
    }

    /// How many times are in the test of all.
    pub(crate) fn count(&self) -> usize {
        let all = self.tests.last();
        all.map_or(0, |(_, [fixed, random])| {
            (fixed.count + random.count) as usize
        })
    }

    /// The largest `|t|` of all tests, and the difference of the means in that test; none before there are enough samples.
    pub(crate) fn largest(&self) -> Option<(f64, f64)> {
        let tests = self.tests.iter().filter_map(|(_, classes)| {
            let [fixed, random] = classes;
            Some((welch(classes)?.abs(), fixed.mean - random.mean))
        });
        tests.max_by(|left, right| left.0.total_cmp(&right.0))
    }
}

#[cfg(test)]
mod tests {
    use kuaimi_testing::Repeatable;

    use super::*;

    /// Times with a long tail; those of class 0 are longer by `more`.
    fn times(count: usize, more: f64) -> Times {
        let mut rng = Repeatable(3);
        let mut times = Times::default();
        for _ in 0..count {
            let class = (rng.word() & 1) as usize;
            let sum: f64 = (0..12).map(|_| rng.word() as f64 / u64::MAX as f64).sum();
            let tail = if rng.word().is_multiple_of(100) {
                5000.0
            } else {
                0.0
            };
            times.push(
                class,
                1000.0 + 20.0 * sum + tail + if class == 0 { more } else { 0.0 },
            );
        }
        times
    }

    #[test]
    fn one_distribution_passes_and_two_do_not() {
        let (t, _) = times(200_000, 0.0).largest().expect("enough samples");
        assert!(t < 4.5, "{t}");
        // One part in a thousand, under a tail of fifty times the width.
        let (t, difference) = times(200_000, 1.0).largest().expect("enough samples");
        assert!(t > 10.0, "{t}");
        assert!((0.5..1.5).contains(&difference), "{difference}");
    }

    #[test]
    fn few_samples_say_nothing() {
        assert!(times(FIRST + 2, 1.0).largest().is_none());
        assert_eq!(times(FIRST + 2, 1.0).count(), 2);
    }

    #[test]
    fn the_formula() {
        let moments = |values: &[f64]| {
            let mut moments = Moments::default();
            values.iter().for_each(|&value| moments.push(value));
            moments
        };
        let one = moments(&[1.0, 2.0, 3.0, 4.0]);
        assert!((one.mean - 2.5).abs() < 1e-12);
        // The variance is 5/3.
        assert!((one.spread() - 5.0 / 12.0).abs() < 1e-12);
    }
}
