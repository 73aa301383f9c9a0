//! Texts about the wear of flash drives.

use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::bytes;
use stats::wear::{DriveWear, Endurance, EnduranceBasis};

/// Amount of data whose share is stated if the writes of a plan are not known, bytes.
const UNIT: u64 = 100_000_000_000;

/// Returns the line about the writes to a drive, before they begin.
pub fn planned(lang: Lang, wear: &DriveWear) -> String {
    let name = &wear.name;
    let share = match (&wear.endurance, wear.planned.most) {
        (None, _) => word!(lang, "wear-no-flash").into(),
        (Some(endurance), Some(most)) => share(lang, endurance, most, true),
        (Some(endurance), None) => share(lang, endurance, UNIT, false),
    };
    match wear.planned.most {
        Some(most) if most == wear.planned.certain => {
            say!(lang, "wear-writes", name, bytes = bytes(most), share)
        }
        Some(most) => say!(lang, "wear-writes-at-most", name, bytes = bytes(most), share),
        None if wear.seconds > 0.0 => {
            say!(lang, "wear-writes-for", name, seconds = format!("{:.0}", wear.seconds.ceil()), share)
        }
        None => say!(lang, "wear-writes-on", name, share),
    }
}

/// Returns the share of the endurance that `written` bytes use: of the whole plan, or of [`UNIT`].
fn share(lang: Lang, endurance: &Endurance, written: u64, whole: bool) -> String {
    let [low, high] = endurance.share(written).map(percent);
    let percent = if low == high { high } else { format!("{low}-{high}") };
    let used = endurance.percentage_used.map(|used| say!(lang, "wear-used", used = used.to_string()));
    let source = match endurance.basis {
        EnduranceBasis::Health => word!(lang, "wear-basis-health").to_owned(),
        EnduranceBasis::Assumed { drive_writes } => {
            say!(lang, "wear-basis-assumed", writes = drive_writes.to_string())
        }
    };
    let basis = used.into_iter().chain([source]).collect::<Vec<_>>().join("; ");
    match whole {
        true => say!(lang, "wear-share", percent, basis),
        false => say!(lang, "wear-share-of-unit", percent, basis),
    }
}

/// Returns a percentage in one significant digit below 1, else in two: `0.002`, `0.4`, `1.2`, `34`.
fn percent(share: f64) -> String {
    if share < 1e-6 {
        return if share > 0.0 { "<0.000001".into() } else { "0".into() };
    }
    let digits = if share >= 10.0 {
        0
    } else if share >= 1.0 {
        1
    } else {
        (-share.log10()).ceil() as usize
    };
    format!("{share:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::wear::{DriveHealth, FlashClass, PlannedWrites};

    fn wear(health: Option<DriveHealth>, planned: PlannedWrites, seconds: f64) -> DriveWear {
        let endurance = Some(Endurance::of(1_000_000_000_000, FlashClass::Drive, health));
        DriveWear { name: "nvme0n1".into(), endurance, planned, seconds }
    }

    #[test]
    fn line_names_the_bytes_their_share_and_its_basis_in_80_columns() {
        let health = Some(DriveHealth { percentage_used: 7, written: 42_000_000_000_000 });
        let timed = PlannedWrites { certain: 0, most: None };
        let gigabytes = 12_000_000_000;
        let none = DriveWear { endurance: None, ..wear(None, PlannedWrites::exactly(4096), 0.0) };
        for (wear, line) in [
            (
                wear(None, PlannedWrites::exactly(gigabytes), 0.0),
                "nvme0n1: writes 12.0 GB, 0.002 % of its endurance (assumed: 600 drive writes)",
            ),
            (
                wear(health, PlannedWrites::at_most(gigabytes), 9.0),
                "nvme0n1: writes at most 12.0 GB, 0.002 % of its endurance (7 % used; health log)",
            ),
            (
                wear(health, PlannedWrites::exactly(12 * gigabytes), 9.0),
                "nvme0n1: writes 144 GB, 0.02-0.03 % of its endurance (7 % used; health log)",
            ),
            (none, "nvme0n1: writes 4.10 kB (no flash known, no wear)"),
        ] {
            assert_eq!(planned(Lang::En, &wear), line);
            assert!(line.len() <= 80, "{line}");
        }
        assert_eq!(
            planned(Lang::En, &wear(None, timed, 59.2)),
            "nvme0n1: writes for 60 s at the rate of the drive; 100 GB are 0.02 % of its endurance (assumed: 600 \
             drive writes)"
        );
        assert_eq!(["0.002", "1.2", "34"], [0.002, 1.24, 34.4].map(percent).as_slice());
    }
}
