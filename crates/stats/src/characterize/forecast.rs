//! Time that the rest of a measurement takes, from the speed of the device so far.

use std::collections::VecDeque;

/// Time over which the progress of a part is extrapolated, in seconds: the rate of a part may fall on the way.
const RECENT_S: f64 = 10.0;

/// Work of one part of a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Bytes that are read in order.
    pub read_bytes: f64,
    /// Number of single random reads.
    pub reads: f64,
    /// Bytes that are written in order.
    pub written_bytes: f64,
    /// Time in seconds for which the device rests.
    pub idle_s: f64,
}

/// Speed of the device so far; `None` for what was not done yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Rate of reads in order, bytes per second.
    pub read_rate: Option<f64>,
    /// Time of a single random read in seconds.
    pub read_s: Option<f64>,
    /// Rate of writes in order, bytes per second.
    pub write_rate: Option<f64>,
}

impl Work {
    /// Returns the time that the work takes, in seconds; `None` if the speed of one of its kinds is not known.
    pub fn seconds(&self, pace: &Pace) -> Option<f64> {
        let of = |amount: f64, time: Option<f64>| if amount > 0.0 { Some(amount * time?) } else { Some(0.0) };
        let per_byte = |rate: Option<f64>| rate.filter(|rate| *rate > 0.0).map(|rate| 1.0 / rate);
        let read = of(self.read_bytes, per_byte(pace.read_rate))? + of(self.reads, pace.read_s)?;
        Some(read + of(self.written_bytes, per_byte(pace.write_rate))? + self.idle_s)
    }
}

/// Forecast of a measurement whose parts follow each other.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    works: Vec<Work>,
    part: usize,
    /// Times in seconds, and the share of the current part that was done.
    seen: VecDeque<(f64, f64)>,
}

impl Forecast {
    /// Returns the forecast of these parts.
    pub fn new(works: Vec<Work>) -> Self {
        Self { works, part: 0, seen: VecDeque::new() }
    }

    /// Returns the time left in seconds when `done` (0 to 1) of a part is done at `now_s`; `None` while the speed of a part is
    /// not known.
    pub fn left_s(&mut self, now_s: f64, (part, done): (usize, f64), pace: &Pace) -> Option<f64> {
        if part != self.part {
            self.seen.clear();
            self.part = part;
        }
        self.seen.push_back((now_s, done));
        while self.seen.len() > 2 && self.seen[1].0 <= now_s - RECENT_S {
            self.seen.pop_front();
        }
        let (then_s, before) = self.seen[0];
        let work = self.works.get(part).copied().unwrap_or_default();
        let here = match done - before {
            grown if grown > 0.0 => Some((now_s - then_s) / grown),
            _ => work.seconds(pace),
        };
        let later: Option<f64> = self.works.iter().skip(part + 1).map(|work| work.seconds(pace)).sum();
        Some((1.0 - done).max(0.0) * here? + later?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_without_a_known_speed_have_no_forecast() {
        let works = [
            Work { read_bytes: 1e9, ..Work::default() },
            Work { reads: 1000.0, idle_s: 2.0, ..Work::default() },
            Work { written_bytes: 4e9, ..Work::default() },
        ];
        let mut forecast = Forecast::new(works.to_vec());
        let pace = Pace { read_rate: Some(1e8), read_s: Some(0.01), write_rate: None };
        assert_eq!(forecast.left_s(0.0, (0, 0.0), &pace), None);
        let pace = Pace { write_rate: Some(1e8), ..pace };
        assert_eq!(forecast.left_s(0.0, (0, 0.0), &pace), Some(10.0 + 12.0 + 40.0));
        // The first part is half as fast as its bytes say.
        assert_eq!(forecast.left_s(5.0, (0, 0.25), &pace), Some(15.0 + 12.0 + 40.0));
    }

    #[test]
    fn a_part_that_becomes_slower_is_extrapolated_from_its_last_seconds() {
        let mut forecast = Forecast::new(vec![Work { written_bytes: 1e10, ..Work::default() }]);
        let pace = Pace { write_rate: Some(1e9), ..Pace::default() };
        let done = |second: u32| match second {
            0..50 => f64::from(second) / 100.0,
            _ => 0.5 + f64::from(second - 50) / 1000.0,
        };
        let left: Vec<Option<f64>> =
            (0..=70).map(|second| forecast.left_s(f64::from(second), (0, done(second)), &pace)).collect();
        assert!(left[40].is_some_and(|left| (left - 60.0).abs() < 0.1), "{left:?}");
        assert!(left[70].is_some_and(|left| (left - 480.0).abs() < 1.0), "{left:?}");
    }
}
