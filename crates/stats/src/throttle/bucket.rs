//! Arithmetic of a token bucket with known parameters.

use serde::{Deserialize, Serialize};

/// Unit that a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreditUnit {
    /// I/Os.
    Ios,
    /// Bytes.
    Bytes,
}

/// Parameters of a token bucket. A credit permits one unit (an I/O or a byte); credits return at the base rate and
/// are spent by every unit transferred.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreditBucket {
    /// Unit of one credit.
    pub unit: CreditUnit,
    /// Largest number of credits.
    pub capacity: f64,
    /// Credits that return per second, which is also the rate of an empty bucket.
    pub refill: f64,
    /// Largest rate while credits are left, units per second.
    pub burst: f64,
}

/// Load on a token bucket: a rate that holds for some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CreditDraw {
    /// Requested rate, units per second; 0 while the device is idle.
    pub per_second: f64,
    /// Duration, seconds.
    pub seconds: f64,
}

/// State of a token bucket after a load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreditBalance {
    /// Remaining credits.
    pub left: f64,
    /// Time for which the credits last at the largest rate, seconds; `None` if they never run out.
    pub lasts_s: Option<f64>,
    /// Time until the bucket of an idle device is full, seconds; `None` without refill.
    pub full_after_s: Option<f64>,
}

impl CreditBucket {
    /// Returns the time for which `left` credits permit a load of `per_second` units, seconds; `None` if they never
    /// run out. A load above the burst rate draws at the burst rate.
    pub fn lasts_s(&self, left: f64, per_second: f64) -> Option<f64> {
        let drain = per_second.min(self.burst) - self.refill;
        (drain > 0.0).then(|| left.clamp(0.0, self.capacity) / drain)
    }

    /// Returns the time until a bucket with `left` credits is full under a load of `per_second` units, seconds; `None`
    /// if it never fills.
    pub fn full_after_s(&self, left: f64, per_second: f64) -> Option<f64> {
        let missing = (self.capacity - left).max(0.0);
        let gain = self.refill - per_second;
        (gain > 0.0).then(|| missing / gain).or((missing == 0.0 && gain == 0.0).then_some(0.0))
    }

    /// Returns the credits left of `left` after a load.
    pub fn after(&self, left: f64, draw: CreditDraw) -> f64 {
        let change = (self.refill - draw.per_second.min(self.burst)) * draw.seconds;
        (left + change).clamp(0.0, self.capacity)
    }

    /// Returns the state of a bucket that was full before these loads, in order of time.
    pub fn balance(&self, draws: &[CreditDraw]) -> CreditBalance {
        let left = draws.iter().fold(self.capacity, |left, draw| self.after(left, *draw));
        CreditBalance {
            left,
            lasts_s: self.lasts_s(left, self.burst),
            full_after_s: self.full_after_s(left, 0.0),
        }
    }

    /// Returns the shortest run that shows the base rate, seconds: as long as a full bucket lasts at the burst rate.
    /// `None` for a bucket that never runs out.
    pub fn shortest_run_s(&self) -> Option<f64> {
        self.lasts_s(self.capacity, self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: f64 = 1_048_576.0;

    fn gp2(gib: f64) -> CreditBucket {
        let refill = (3.0 * gib).max(100.0);
        CreditBucket { unit: CreditUnit::Ios, capacity: 5.4e6, refill, burst: 3000.0 }
    }

    /// Azure P10: full burst for 30 minutes from a full bucket.
    fn p10() -> CreditBucket {
        let (refill, burst) = (500.0, 3500.0);
        CreditBucket { unit: CreditUnit::Ios, capacity: (burst - refill) * 1800.0, refill, burst }
    }

    fn st1(tib: f64) -> CreditBucket {
        let (refill, burst) = (40.0 * MIB * tib, 250.0 * MIB * tib);
        CreditBucket { unit: CreditUnit::Bytes, capacity: tib * MIB * MIB, refill, burst }
    }

    /// Durations that the providers state for a full bucket at the burst rate.
    #[test]
    fn full_buckets_of_providers_last_as_stated() {
        let of = [
            (gp2(30.0), 1862.0),
            (gp2(100.0), 2000.0),
            (gp2(334.0), 2703.0),
            (gp2(750.0), 7200.0),
            (p10(), 1800.0),
            (st1(1.0), 4993.0),
        ];
        for (bucket, seconds) in of {
            let lasts = bucket.shortest_run_s().unwrap_or(0.0);
            assert!((lasts - seconds).abs() < 0.5, "{bucket:?}: {lasts} s for {seconds} s");
        }
        assert_eq!(gp2(1000.0).shortest_run_s(), None, "base and burst rate are equal");
    }

    #[test]
    fn balance_follows_draws_and_stays_within_the_bucket() {
        let bucket = gp2(100.0);
        let draw = |per_second, seconds| CreditDraw { per_second, seconds };
        let half = bucket.balance(&[draw(3000.0, 1000.0)]);
        assert_eq!((half.left, half.lasts_s, half.full_after_s), (2.7e6, Some(1000.0), Some(9000.0)));
        // A load above the burst rate draws no more than the burst rate.
        assert_eq!(bucket.balance(&[draw(9000.0, 1000.0)]).left, 2.7e6);
        assert_eq!(bucket.balance(&[draw(3000.0, 5000.0)]).left, 0.0);
        assert_eq!(bucket.balance(&[draw(3000.0, 5000.0), draw(0.0, 600.0)]).left, 180_000.0);
        assert_eq!(bucket.balance(&[draw(0.0, 600.0)]).left, 5.4e6);
        assert_eq!(bucket.lasts_s(2.7e6, 300.0), None, "the base rate costs no credits");
        assert_eq!(bucket.full_after_s(2.7e6, 300.0), None);
        assert_eq!(bucket.full_after_s(5.4e6, 300.0), Some(0.0));
    }
}
