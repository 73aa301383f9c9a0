//! Quantiles of the distributions used for intervals and tests.

/// Returns the quantile of Student's t for `p` above one half (Abramowitz and Stegun 26.7.5; exact for one and two
/// degrees of freedom).
pub fn student_t(p: f64, freedom: f64) -> f64 {
    let freedom = freedom.max(1.0);
    if freedom < 1.5 {
        return (std::f64::consts::PI * (p - 0.5)).tan();
    }
    if freedom < 2.5 {
        let a = 2.0 * p - 1.0;
        return a * (2.0 / (1.0 - a * a)).sqrt();
    }
    let x = normal(p);
    let (x3, x5, x7, x9) = (x.powi(3), x.powi(5), x.powi(7), x.powi(9));
    let terms = [
        (x3 + x) / 4.0,
        (5.0 * x5 + 16.0 * x3 + 3.0 * x) / 96.0,
        (3.0 * x7 + 19.0 * x5 + 17.0 * x3 - 15.0 * x) / 384.0,
        (79.0 * x9 + 776.0 * x7 + 1482.0 * x5 - 1920.0 * x3 - 945.0 * x) / 92160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + x
}

/// Returns the quantile of the normal distribution for `p` above one half (Abramowitz and Stegun 26.2.23, error below
/// 4.5e-4).
pub(crate) fn normal(p: f64) -> f64 {
    let t = (-2.0 * (1.0 - p).ln()).sqrt();
    t - (2.515517 + 0.802853 * t + 0.010328 * t * t)
        / (1.0 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
}

/// Returns the probability that a standard normal variable is below `z` (Abramowitz and Stegun 26.2.17, error below
/// 7.5e-8).
pub(crate) fn below_normal(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.2316419 * z.abs());
    let tail = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
        * t
        * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    if z > 0.0 { 1.0 - tail } else { tail }
}

/// Returns the quantile of chi square with the probability of `z` in the standard normal distribution (Wilson and
/// Hilferty 1931; tabulated for two degrees of freedom at 1.96 and 2.576, where the formula is poor).
pub(crate) fn chi_square(z: f64, freedom: f64) -> f64 {
    if freedom < 2.5 {
        return match (z > 0.0, z.abs() > 2.0) {
            (true, false) => 7.378,
            (false, false) => 0.0506,
            (true, true) => 10.597,
            (false, true) => 0.0100,
        };
    }
    let a = 2.0 / (9.0 * freedom);
    freedom * (1.0 - a + z * a.sqrt()).max(0.0).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_t_are_the_tables() {
        for (p, freedom, table) in [
            (0.975, 1.0, 12.706),
            (0.975, 2.0, 4.303),
            (0.975, 3.0, 3.182),
            (0.975, 9.0, 2.262),
            (0.995, 4.0, 4.604),
            (0.995, 19.0, 2.861),
            (0.975, 1e6, 1.960),
        ] {
            let t = student_t(p, freedom);
            assert!((t / table - 1.0).abs() < 0.02, "{p} {freedom}: {t} for {table}");
        }
    }
}
