//! Drops of the rate of a run in progress, each told once at its start and once at its end.

use crate::live::LiveEvent;
use crate::rate_drops::{BLOCK_NS, rate_drops};
use crate::series::Series;

/// State of what was told so far.
#[derive(Clone, Debug, Default)]
pub struct DropWatch {
    /// Whether the start of a drop was told and its end was not.
    open: bool,
    /// Time until which everything was told, seconds.
    told_s: f64,
}

impl DropWatch {
    /// Returns the drops that began or ended since the preceding call with a shorter part of the same series.
    pub fn look(&mut self, series: &Series) -> Vec<LiveEvent> {
        let mut events = Vec::new();
        // The start of a drop is known to a block, and blocks grow with the run.
        let block_s = BLOCK_NS.max(series.period) as f64 / 1e9;
        for drop in rate_drops(series) {
            if drop.seconds.is_some_and(|seconds| drop.at_s + seconds < self.told_s + block_s) {
                continue;
            }
            if !self.open {
                self.open = true;
                events.push(LiveEvent::RateDropped(drop));
            }
            if let Some(seconds) = drop.seconds {
                self.open = false;
                self.told_s = drop.at_s + seconds;
                events.push(LiveEvent::RateRecovered(drop));
            }
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is told while `seconds` of these rates pass, looked at every second.
    fn told(rate: impl Fn(u64) -> u64, seconds: u64) -> Vec<(u64, LiveEvent)> {
        let (mut series, mut watch, mut ios) = (Series::default(), DropWatch::default(), 0);
        let mut told = Vec::new();
        for nth in 0..20 * seconds {
            ios += rate(nth / 20) / 20 + nth * 7919 % 5;
            series.look(nth * 50_000_000, [ios, 0, 0], [4096 * ios, 0, 0]);
            if nth % 20 == 0 {
                told.extend(watch.look(&series).into_iter().map(|event| (nth / 20, event)));
            }
        }
        told
    }

    #[test]
    fn each_drop_is_told_once_when_it_begins_and_when_it_ends() {
        let two = |second: u64| if matches!(second, 40..60 | 300..330) { 800 } else { 4000 };
        let events = told(two, 600);
        let [(at, began), (back, ended), (at_2, _), (back_2, _)] = &events[..] else { panic!("{events:?}") };
        let (LiveEvent::RateDropped(began), LiveEvent::RateRecovered(ended)) = (began, ended) else {
            panic!("{events:?}")
        };
        assert!((40..46).contains(at) && (60..70).contains(back), "{events:?}");
        assert!((300..306).contains(at_2) && (330..340).contains(back_2), "{events:?}");
        assert!(began.before > 3900.0 && began.during < 1500.0 && began.seconds.is_none(), "{events:?}");
        assert!(ended.seconds.is_some_and(|seconds| (18.0..22.0).contains(&seconds)), "{events:?}");
        assert_eq!(told(|_| 4000, 600), []);
    }
}
