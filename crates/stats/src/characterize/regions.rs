//! Read latency by region, and of written and discarded data.

use super::sample;
use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// Read latency of one region.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Offset of the region in bytes.
    pub offset: u64,
    /// Median latency in nanoseconds.
    pub median: Estimate,
}

/// Read latency by region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regions {
    /// Regions of equal size in order.
    pub regions: Vec<Region>,
    /// Median latency of all reads in nanoseconds.
    pub all: Estimate,
    /// Whether some region's interval does not overlap that of another one, with 95 % confidence for all together.
    pub differ: bool,
}

/// Read latency of written and of discarded data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Discarded {
    /// Median latency of written data in nanoseconds.
    pub written: Estimate,
    /// Median latency of discarded data in nanoseconds.
    pub discarded: Estimate,
}

impl Discarded {
    /// Returns whether discarded data is read in another time than written data.
    pub fn differ(&self) -> bool {
        self.written.low > self.discarded.high || self.written.high < self.discarded.low
    }
}

/// Returns the latencies of `by_region` (offset and latencies in nanoseconds); `None` if a region has fewer than six
/// reads.
pub fn regions(by_region: &[(u64, Vec<f64>)]) -> Option<Regions> {
    let all: Vec<f64> = by_region.iter().flat_map(|(_, times)| times.iter().copied()).collect();
    let mut regions = Vec::new();
    for (offset, times) in by_region {
        regions.push(Region { offset: *offset, median: sample::median(times)? });
    }
    Some(Regions { differ: unequal(by_region), regions, all: sample::median(&all)? })
}

/// Returns whether the regions differ (Kruskal and Wallis's test at 0.1 %, with the normal approximation of Wilson and
/// Hilferty for the quantile of chi-squared).
fn unequal(by_region: &[(u64, Vec<f64>)]) -> bool {
    let mut all: Vec<(f64, usize)> = Vec::new();
    for (region, (_, times)) in by_region.iter().enumerate() {
        all.extend(times.iter().map(|time| (*time, region)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n = all.len() as f64;
    let mut sums = vec![0.0; by_region.len()];
    let (mut at, mut tied) = (0, 0.0);
    while at < all.len() {
        let same = all[at..].iter().take_while(|(time, _)| *time == all[at].0).count();
        let rank = at as f64 + (same as f64 + 1.0) / 2.0;
        all[at..at + same].iter().for_each(|(_, region)| sums[*region] += rank);
        tied += (same as f64).powi(3) - same as f64;
        at += same;
    }
    let parts: f64 =
        sums.iter().zip(by_region).map(|(sum, (_, times))| sum * sum / times.len().max(1) as f64).sum();
    let correction = 1.0 - tied / (n * n * n - n);
    if correction <= 0.0 {
        return false;
    }
    let h = (12.0 / (n * (n + 1.0)) * parts - 3.0 * (n + 1.0)) / correction;
    let freedom = by_region.len() as f64 - 1.0;
    let ninth = 2.0 / (9.0 * freedom);
    // 3.09 is the quantile of the normal distribution at 0.999.
    h > freedom * (1.0 - ninth + 3.09 * ninth.sqrt()).powi(3)
}

/// Returns the latencies of written and discarded data in nanoseconds; `None` with fewer than six reads of either.
pub fn discarded(written: &[f64], discarded: &[f64]) -> Option<Discarded> {
    Some(Discarded { written: sample::median(written)?, discarded: sample::median(discarded)? })
}
