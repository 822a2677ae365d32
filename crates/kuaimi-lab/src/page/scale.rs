//! From figures to places in a chart, as percentages of its width or height.

use super::model::Tick;

/// A logarithmic scale.
pub(super) struct Logarithmic {
    least: f64,
    greatest: f64,
}

impl Logarithmic {
    /// With room for these figures and a little beside them. Figures that are not positive have no
    /// place.
    pub(super) fn new(figures: impl IntoIterator<Item = f64>) -> Self {
        let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
        for figure in figures
            .into_iter()
            .filter(|figure| figure.is_finite() && *figure > 0.0)
        {
            least = least.min(figure);
            greatest = greatest.max(figure);
        }
        if least > greatest {
            (least, greatest) = (1.0, 2.0);
        }
        // A twentieth of the scale on either side.
        let room = (greatest / least).max(1.5).powf(0.06);
        Self {
            least: least / room,
            greatest: greatest * room,
        }
    }

    pub(super) fn place(&self, figure: f64) -> f64 {
        let share = (figure / self.least).ln() / (self.greatest / self.least).ln();
        // Within the chart whatever the figure is: not a number is the beginning.
        let percent = (share * 100.0).clamp(0.0, 100.0);
        if percent.is_nan() { 0.0 } else { percent }
    }

    /// Those of the figures that are at least this many per cent apart.
    pub(super) fn ticks(
        &self,
        figures: impl IntoIterator<Item = f64>,
        apart: f64,
        label: impl Fn(f64) -> String,
    ) -> Vec<Tick> {
        let mut ticks: Vec<Tick> = Vec::new();
        for figure in figures {
            let at = self.place(figure);
            let inside = figure >= self.least && figure <= self.greatest;
            if inside && ticks.last().is_none_or(|last| at - last.at >= apart) {
                ticks.push(Tick {
                    at,
                    label: label(figure),
                });
            }
        }
        ticks
    }

    /// Round numbers.
    pub(super) fn round(&self, apart: f64, label: impl Fn(f64) -> String) -> Vec<Tick> {
        let round =
            |power| [1.0, 1.5, 2.0, 3.0, 5.0, 7.0].map(|digit: f64| digit * 10_f64.powi(power));
        self.ticks((-3..12).flat_map(round), apart, label)
    }
}

/// Ticks counted from the top, as places over an axis that goes up are.
pub(super) fn upside_down(mut ticks: Vec<Tick>) -> Vec<Tick> {
    for tick in &mut ticks {
        tick.at = 100.0 - tick.at;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::Logarithmic;

    #[test]
    fn equal_ratios_are_equal_lengths() {
        let scale = Logarithmic::new([1.0, 100.0]);
        let place = |figure| scale.place(figure);
        assert!(place(1.0) > 0.0 && place(100.0) < 100.0);
        assert!((place(10.0) - 50.0).abs() < 1e-9);
        assert!((place(2.0) - place(1.0) - (place(4.0) - place(2.0))).abs() < 1e-9);
        let labels: Vec<String> = scale
            .round(10.0, |n| n.to_string())
            .into_iter()
            .map(|t| t.label)
            .collect();
        assert_eq!(labels, ["1", "2", "5", "10", "20", "50", "100"]);
        let labels = scale.round(20.0, |n| n.to_string());
        assert!(
            labels
                .windows(2)
                .all(|pair| pair[1].at - pair[0].at >= 20.0)
        );
    }

    #[test]
    fn any_figure_has_a_place_in_the_chart() {
        for scale in [
            Logarithmic::new([]),
            Logarithmic::new([3.0]),
            Logarithmic::new([f64::NAN, -1.0, 0.0, f64::INFINITY]),
        ] {
            for figure in [0.0, -1.0, 1e-300, 3.0, 1e300, f64::NAN, f64::INFINITY] {
                assert!((0.0..=100.0).contains(&scale.place(figure)), "{figure}");
            }
        }
    }
}
