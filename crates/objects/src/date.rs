//! Dates of requests, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the time as `YYYYMMDDTHHMMSSZ`, the format of `x-amz-date`.
pub(crate) fn basic(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    let of_day = seconds % 86_400;
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

/// Returns year, month and day of the day with this number since 1970-01-01, in the proleptic Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that the day of a leap year is the last of its year. 719,468 days lie between
    // 0000-03-01 and 1970-01-01, 146,097 days are 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_times_have_their_dates() {
        for (seconds, text) in [
            (0, "19700101T000000Z"),
            (951_782_400, "20000229T000000Z"),
            (1_369_353_600, "20130524T000000Z"),
            (1_735_689_599, "20241231T235959Z"),
            (4_107_542_400, "21000301T000000Z"),
        ] {
            assert_eq!(basic(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
