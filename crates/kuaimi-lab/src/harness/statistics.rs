//! What is told of many figures.

/// The middle and the ends of some figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) least: f64,
    pub(crate) median: f64,
    pub(crate) greatest: f64,
}

impl Spread {
    pub(crate) fn of(figures: &[f64]) -> Option<Self> {
        (!figures.is_empty()).then(|| Self {
            least: quantile(figures, 0.0),
            median: quantile(figures, 0.5),
            greatest: quantile(figures, 1.0),
        })
    }

    /// How many times as fast the first contender is as another: formed in each round, of figures
    /// that are neighbours in time.
    pub(crate) fn of_ratios(first: &[f64], other: &[f64]) -> Option<Self> {
        let rounds = first.iter().zip(other);
        let ratios: Vec<f64> = rounds.map(|(first, other)| first / other).collect();
        Self::of(&ratios)
    }

    pub(crate) fn times(&self) -> String {
        format!(
            "{:.2} [{:.2} – {:.2}]",
            self.median, self.least, self.greatest
        )
    }
}

/// The figure below which this share of the figures is, between two of them where it falls between
/// them.
pub(crate) fn quantile(figures: &[f64], share: f64) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = share * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

/// A whole number with a comma before every three digits.
pub(crate) fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Spread, quantile, thousands};

    #[test]
    fn medians() {
        let spread = |figures: &[f64]| {
            Spread::of(figures).map(|spread| (spread.least, spread.median, spread.greatest))
        };
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[3.0]), Some((3.0, 3.0, 3.0)));
        assert_eq!(spread(&[9.0, 1.0, 2.0]), Some((1.0, 2.0, 9.0)));
        assert_eq!(spread(&[4.0, 9.0, 1.0, 2.0]), Some((1.0, 3.0, 9.0)));
    }

    #[test]
    fn quantiles() {
        assert_eq!(quantile(&[3.0], 0.25), 3.0);
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0], 0.5), 2.5);
        assert_eq!(quantile(&[5.0, 1.0, 2.0, 3.0, 4.0], 0.25), 2.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    /// A contender that took part in fewer rounds is compared within those.
    #[test]
    fn ratios_of_rounds() {
        let ratio = Spread::of_ratios(&[40.0, 30.0, 20.0], &[10.0, 10.0]).unwrap();
        assert_eq!((ratio.least, ratio.median, ratio.greatest), (3.0, 3.5, 4.0));
        assert_eq!(Spread::of_ratios(&[1.0], &[]), None);
    }

    #[test]
    fn numbers_for_people() {
        assert_eq!(thousands(7.0), "7");
        assert_eq!(thousands(999.6), "1,000");
        assert_eq!(thousands(123_456.2), "123,456");
        assert_eq!(thousands(1_234_567.0), "1,234,567");
    }
}
