//! Figures of a measurement window that a report shows and the decision does not need.

use super::window::{PtsWindow, WINDOW_ROUNDS};

impl PtsWindow {
    /// Returns the smallest value.
    pub fn minimum(&self) -> f64 {
        self.values.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns the largest value.
    pub fn maximum(&self) -> f64 {
        self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the coefficient of correlation between value and round (Pearson); `None` if all values are equal.
    pub fn correlation(&self) -> Option<f64> {
        let middle = (WINDOW_ROUNDS - 1) as f64 / 2.0;
        let rounds: f64 = (0..WINDOW_ROUNDS).map(|n| (n as f64 - middle).powi(2)).sum();
        let values: f64 = self.values.iter().map(|value| (value - self.average).powi(2)).sum();
        (values > 0.0).then(|| (self.slope * (rounds / values).sqrt()).clamp(-1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlation_is_one_on_a_line_and_zero_beside_it() {
        let of = |values| PtsWindow::of(3, values);
        let rising = of([1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!((rising.minimum(), rising.maximum()), (1.0, 5.0));
        assert!((rising.correlation().unwrap() - 1.0).abs() < 1e-12);
        assert!((of([9.0, 8.0, 7.0, 6.0, 5.0]).correlation().unwrap() + 1.0).abs() < 1e-12);
        assert!(of([1.0, 2.0, 1.0, 2.0, 1.0]).correlation().unwrap().abs() < 1e-12);
        assert_eq!(of([4.0; 5]).correlation(), None);
        // Anscombe's definition by sums, for values in no order.
        let odd = of([3.0, 1.0, 4.0, 1.0, 5.0]);
        let expected = 4.0 / (10.0_f64 * 12.8).sqrt();
        assert!((odd.correlation().unwrap() - expected).abs() < 1e-12, "{:?}", odd.correlation());
    }
}
