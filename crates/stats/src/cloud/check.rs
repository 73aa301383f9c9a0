//! Whether a measured rate reaches the limits.

use super::limits::BEYOND;
use super::{CloudCap, CloudLimit, CloudLimits, CloudLoad};
use crate::estimate::Estimate;
use serde::{Deserialize, Serialize};

/// Share of the limit from which a rate is at the limit.
const AT: f64 = 0.95;
/// Share of the limit below which the promise is not kept.
const SHORT: f64 = 0.90;

/// Relation of a measured rate to the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudReach {
    /// The whole 95 % interval is within 95 to 105 % of the limit.
    AtLimit,
    /// The rate is above the limit and within that of a burst.
    Burst,
    /// The whole interval is above 105 %: a cache, an unknown burst or an outdated row.
    Above,
    /// The whole interval is below 90 %.
    Below,
    /// The interval is neither, or nothing was measured.
    Unclear,
}

/// Measured pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudCheck {
    /// Direction of the I/Os.
    #[serde(default)]
    pub load: CloudLoad,
    /// Bytes per I/O.
    pub block: u64,
    /// Whether offsets are random.
    pub random: bool,
    /// Queue depth.
    pub depth: u32,
    /// Measured I/Os per second with the 95 % interval; `None` if nothing was measured.
    pub measured: Option<Estimate>,
    /// Rate that the limits permit.
    pub cap: CloudCap,
    /// Rate that they permit during a burst.
    pub burst: Option<CloudCap>,
    /// Mean latency, nanoseconds.
    pub latency_ns: f64,
    /// Share of one CPU that the measuring thread used or waited for (0 to 1).
    pub cpu: f64,
    /// Relation of the rate to the limits.
    pub reach: CloudReach,
    /// Limit that binds; `None` if not known.
    pub binding: Option<CloudLimit>,
    /// Whether the rows behind the verdict are confirmed and dated.
    pub confirmed: bool,
}

impl CloudCheck {
    /// Share of a CPU from which the measuring thread binds.
    const BUSY: f64 = 0.9;
    /// Factor of the latency alone below which requests do not wait for a limit.
    const WAITS: f64 = 1.5;

    /// Sets reach, binding limit and strength from the measured rate. `alone_ns` is the mean latency at queue depth 1.
    pub fn judge(&mut self, limits: &CloudLimits, alone_ns: f64) {
        let within = |m: &Estimate, cap: f64| m.low >= AT * cap && m.high <= BEYOND * cap;
        self.reach = match &self.measured {
            Some(m) if !m.is_known() => CloudReach::Unclear,
            Some(m) if within(m, self.cap.iops) => CloudReach::AtLimit,
            Some(m) if m.high < SHORT * self.cap.iops => CloudReach::Below,
            Some(m) if m.low > BEYOND * self.cap.iops => {
                let burst = self.burst.filter(|burst| m.low <= BEYOND * burst.iops);
                if burst.is_some() { CloudReach::Burst } else { CloudReach::Above }
            }
            _ => CloudReach::Unclear,
        };
        self.binding = match self.reach {
            CloudReach::AtLimit => Some(self.cap.limit),
            CloudReach::Burst => self.burst.map(|burst| burst.limit),
            CloudReach::Below if self.cpu >= Self::BUSY => Some(CloudLimit::Cpu),
            CloudReach::Below if self.latency_ns < Self::WAITS * alone_ns => {
                Some(CloudLimit::DepthAndLatency)
            }
            CloudReach::Below => Some(CloudLimit::LowerCap),
            CloudReach::Above | CloudReach::Unclear => None,
        };
        // What an unconfirmed row of the machine might explain is not the fault of the volume.
        self.confirmed = limits.decides(self.cap.limit) && self.binding.is_none_or(|b| limits.decides(b));
        let rule = limits.volume.sharing.as_ref();
        self.confirmed &= self.load != CloudLoad::Mixed || rule.is_some_and(|rule| rule.row.decides());
    }

    /// Returns the measured rate as a share of the limit in percent; `None` if nothing was measured.
    pub fn share(&self) -> Option<f64> {
        self.measured.map(|m| 100.0 * m.value / self.cap.iops)
    }

    /// Returns whether the pattern counts in the answer. Reads and writes together can only show that less is reached
    /// than promised: more than that is no doubt about the limits of each.
    pub(super) fn counts(&self) -> bool {
        self.load != CloudLoad::Mixed || self.verdict() > CloudVerdict::NotSure
    }

    /// Returns the verdict on this pattern.
    pub fn verdict(&self) -> CloudVerdict {
        match (self.reach, self.binding) {
            (CloudReach::AtLimit, _) if self.confirmed => CloudVerdict::Kept,
            (CloudReach::AtLimit, _) => CloudVerdict::LikelyKept,
            (CloudReach::Below, Some(CloudLimit::Cpu | CloudLimit::DepthAndLatency)) => CloudVerdict::NotSure,
            (CloudReach::Below, _) if self.confirmed => CloudVerdict::NotKept,
            (CloudReach::Below, _) => CloudVerdict::LikelyNotKept,
            _ => CloudVerdict::NotSure,
        }
    }
}

/// Whether the promise of the provider is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloudVerdict {
    /// Every rate is at its limit.
    Kept,
    /// The same, by a row that is unconfirmed or has no date.
    LikelyKept,
    /// The measurement does not tell.
    NotSure,
    /// A rate is too low, by a row that is unconfirmed or has no date.
    LikelyNotKept,
    /// A rate is too low.
    NotKept,
}
