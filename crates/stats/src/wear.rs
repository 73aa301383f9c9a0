//! Wear of flash by a test: bytes that it will write, rated endurance of a drive, and the budget of `--wear-budget`.

use serde::{Deserialize, Serialize};

/// Largest amount of data that a command may write (`--wear-budget`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WearBudget {
    /// Number of bytes.
    Bytes(u64),
    /// Percentage of the endurance of the drive, above 0 and at most 100.
    Percent(f64),
}

impl WearBudget {
    /// Returns the budget in bytes for drives of these endurances: a percentage is that of the drive with the lowest
    /// endurance. `None` if a percentage has no drive.
    pub fn bytes<'a>(self, endurances: impl Iterator<Item = &'a Endurance>) -> Option<u64> {
        match self {
            WearBudget::Bytes(bytes) => Some(bytes),
            WearBudget::Percent(percent) => {
                let least = endurances.map(|endurance| endurance.least).min()?;
                Some((least as f64 * percent / 100.0) as u64)
            }
        }
    }
}

/// Bytes that a plan will write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlannedWrites {
    /// Bytes that are written unless the run ends early.
    pub certain: u64,
    /// Largest number of bytes; `None` if only a time ends the writes.
    pub most: Option<u64>,
}

impl PlannedWrites {
    /// Returns a plan that writes exactly `bytes` bytes.
    pub fn exactly(bytes: u64) -> Self {
        PlannedWrites { certain: bytes, most: Some(bytes) }
    }

    /// Returns a plan that writes at most `bytes` bytes.
    pub fn at_most(bytes: u64) -> Self {
        PlannedWrites { certain: 0, most: Some(bytes) }
    }

    /// Returns whether the plan writes nothing.
    pub fn is_none(self) -> bool {
        self.most == Some(0)
    }

    /// Returns the writes of both plans.
    pub fn and(self, other: PlannedWrites) -> PlannedWrites {
        PlannedWrites {
            certain: self.certain.saturating_add(other.certain),
            most: self.most.zip(other.most).map(|(one, another)| one.saturating_add(another)),
        }
    }
}

/// Kind of a flash drive whose health cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlashClass {
    /// NVMe, SATA or SAS drive.
    Drive,
    /// USB stick or SD card.
    Removable,
}

impl FlashClass {
    /// Returns the assumed endurance in multiples of the capacity. 600 is the rating of many consumer drives with three
    /// bits per cell (600 TBW per TB); drives with four bits per cell are rated at 200 to 370, enterprise drives for
    /// reads at 1825 (one drive write per day for five years). Sticks and cards rarely have a rating; 200 is the lowest
    /// of the above. Sources: docs/wear.md.
    pub fn drive_writes(self) -> u64 {
        match self {
            FlashClass::Drive => 600,
            FlashClass::Removable => 200,
        }
    }
}

/// Health of a drive as the drive reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveHealth {
    /// Estimate of the drive for the used part of its life, percent; 255 stands for 255 and more.
    pub percentage_used: u8,
    /// Bytes that hosts have written so far.
    pub written: u64,
}

/// Source of an endurance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnduranceBasis {
    /// Written bytes and used life, as the drive reports them.
    Health,
    /// Assumed number of drive writes.
    Assumed {
        /// Multiple of the capacity.
        drive_writes: u64,
    },
}

/// Number of bytes that can be written in the life of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endurance {
    /// Lower end in bytes; never 0.
    pub least: u64,
    /// Upper end in bytes; `None` if the basis gives none.
    pub most: Option<u64>,
    /// Source of both ends.
    pub basis: EnduranceBasis,
    /// Used part of the drive's life as the drive reports it, percent; `None` if it cannot be read.
    pub percentage_used: Option<u8>,
}

impl Endurance {
    /// Returns the endurance of a drive of `capacity` bytes. The percentage of a health log is a whole number rounded in
    /// an unknown direction, so that the endurance is an interval; with 0 % or a saturated 255 %, or if nothing was
    /// written, the endurance is assumed from the class.
    pub fn of(capacity: u64, class: FlashClass, health: Option<DriveHealth>) -> Endurance {
        let drive_writes = class.drive_writes();
        let assumed = capacity.saturating_mul(drive_writes).max(1);
        let percentage_used = health.map(|health| health.percentage_used);
        match health {
            Some(DriveHealth { percentage_used: used @ 1..=254, written: written @ 1.. }) => {
                let total = |percent: u64| u64::try_from(u128::from(written) * 100 / u128::from(percent));
                let used = u64::from(used);
                Endurance {
                    least: total(used + 1).unwrap_or(u64::MAX).max(1),
                    most: (used > 1).then(|| total(used - 1).unwrap_or(u64::MAX)),
                    basis: EnduranceBasis::Health,
                    percentage_used,
                }
            }
            _ => Endurance {
                least: assumed,
                most: Some(assumed),
                basis: EnduranceBasis::Assumed { drive_writes },
                percentage_used,
            },
        }
    }

    /// Returns the share of the endurance that `bytes` written bytes use, percent: lower and upper end.
    pub fn share(&self, bytes: u64) -> [f64; 2] {
        let of = |endurance: u64| 100.0 * bytes as f64 / endurance as f64;
        [self.most.map_or(0.0, of), of(self.least)]
    }
}

/// Writes of a plan to one drive.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveWear {
    /// Name of the flash drive; else the path of the target.
    pub name: String,
    /// Endurance of the drive; `None` if no flash is known under the target.
    pub endurance: Option<Endurance>,
    /// Bytes that will be written.
    pub planned: PlannedWrites,
    /// Longest time of the writes, seconds; 0 without a limit.
    pub seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TB: u64 = 1_000_000_000_000;

    fn worn(percentage_used: u8, written: u64) -> Endurance {
        Endurance::of(TB, FlashClass::Drive, Some(DriveHealth { percentage_used, written }))
    }

    #[test]
    fn endurance_without_health_is_a_multiple_of_the_capacity() {
        let drive = Endurance::of(TB, FlashClass::Drive, None);
        assert_eq!((drive.least, drive.most), (600 * TB, Some(600 * TB)));
        assert_eq!(drive.basis, EnduranceBasis::Assumed { drive_writes: 600 });
        assert_eq!(Endurance::of(TB, FlashClass::Removable, None).least, 200 * TB);
        // 12 GB of 600 TB.
        assert_eq!(drive.share(12_000_000_000), [0.002, 0.002]);
        assert_eq!(Endurance::of(0, FlashClass::Drive, None).least, 1);
    }

    /// 42 TB at 7 %: between 6 and 8 % of the life, thus 525 to 700 TB.
    #[test]
    fn endurance_from_health_is_the_interval_of_the_rounded_percentage() {
        let drive = worn(7, 42 * TB);
        assert_eq!((drive.least, drive.most), (525 * TB, Some(700 * TB)));
        assert_eq!(drive.basis, EnduranceBasis::Health);
        let [low, high] = drive.share(5_250_000_000);
        assert!((low - 0.00075).abs() < 1e-12 && (high - 0.001).abs() < 1e-12, "{low} {high}");
        // Up to 1 %: without an upper end.
        let fresh = worn(1, 6 * TB);
        assert_eq!((fresh.least, fresh.most), (300 * TB, None));
        assert_eq!(fresh.share(3 * TB), [0.0, 1.0]);
    }

    #[test]
    fn health_without_a_ratio_is_not_used() {
        for health in [(0, 5 * TB), (255, 5 * TB), (3, 0)] {
            let found = worn(health.0, health.1);
            assert_eq!(found.percentage_used, Some(health.0));
            let assumed = Endurance::of(TB, FlashClass::Drive, None);
            assert_eq!(Endurance { percentage_used: None, ..found }, assumed, "{health:?}");
        }
        assert_eq!(worn(2, u64::MAX).most, Some(u64::MAX));
    }

    #[test]
    fn budget_in_percent_is_that_of_the_least_endurance() {
        let drives = [worn(7, 42 * TB), Endurance::of(TB, FlashClass::Drive, None)];
        assert_eq!(WearBudget::Percent(0.1).bytes(drives.iter()), Some(525_000_000_000));
        assert_eq!(WearBudget::Percent(0.1).bytes([].iter()), None);
        assert_eq!(WearBudget::Bytes(5).bytes([].iter()), Some(5));
    }

    #[test]
    fn sum_with_an_unknown_plan_is_unknown_and_keeps_the_certain_bytes() {
        let fixed = PlannedWrites::exactly(10);
        assert_eq!(fixed.and(PlannedWrites::at_most(5)), PlannedWrites { certain: 10, most: Some(15) });
        let timed = PlannedWrites { certain: 0, most: None };
        assert_eq!(fixed.and(timed), PlannedWrites { certain: 10, most: None });
        assert!(PlannedWrites::at_most(0).is_none() && !timed.is_none() && !fixed.is_none());
        assert_eq!(PlannedWrites::exactly(u64::MAX).and(fixed).most, Some(u64::MAX));
    }
}
