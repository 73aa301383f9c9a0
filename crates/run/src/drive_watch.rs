//! Temperature of the drives during a run, and throttling by temperature or by a CPU quota.

use facts::before::Before;
use facts::flash;
use facts::load::Load;
use stats::{LiveDrive, LiveEvent};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two readings: each is a command to the drive.
const PERIOD: Duration = Duration::from_secs(10);
/// Share of the time for which a CPU quota throttles the process, in percent, from which it is an event.
const THROTTLED_PERCENT: u64 = 1;

/// Drives and load of the host at one moment.
type Reading = (Vec<LiveDrive>, Vec<LiveEvent>, Load);

/// Readings of the drives, each in a thread of its own: a drive that does not answer must not delay the run.
#[derive(Debug, Default)]
pub(crate) struct DriveWatch {
    /// Drives at the latest reading.
    pub(crate) drives: Vec<LiveDrive>,
    load: Option<Load>,
    events: Vec<LiveEvent>,
    reading: Option<JoinHandle<Reading>>,
    began: Option<Instant>,
}

impl DriveWatch {
    /// Begins a reading if it is due, and returns the events of one that has ended.
    pub(crate) fn look(&mut self, targets: Option<&Before>) -> Vec<LiveEvent> {
        let ended = self.reading.take_if(|reading| reading.is_finished());
        let news = ended.and_then(|reading| reading.join().ok()).map(|reading| self.take(reading));
        let due = self.began.is_none_or(|began| began.elapsed() >= PERIOD) && self.reading.is_none();
        if let Some(targets) = targets.filter(|_| due) {
            self.began = Some(Instant::now());
            let ((root, devices), before) = (targets.drives(), self.load);
            let read = move || {
                let drives = devices.iter().filter_map(|device| flash::drive_now(&root, device)).collect();
                let load = Load::read(&root);
                let since = before.map(|before| load.since(&before, &root)).unwrap_or_default();
                let throttled =
                    since.throttled > 0 && since.throttled_ms * 100 >= since.watched_ms * THROTTLED_PERCENT;
                let events = throttled.then_some(LiveEvent::CpuThrottled { ms: since.throttled_ms });
                (drives, events.into_iter().collect(), load)
            };
            // Without a thread there are no temperatures.
            self.reading = std::thread::Builder::new().name("drives".into()).spawn(read).ok();
        }
        news.unwrap_or_default()
    }

    /// Stores a reading, and returns the events that did not go on at the one before it.
    fn take(&mut self, (drives, throttled, load): Reading) -> Vec<LiveEvent> {
        let all: Vec<LiveEvent> =
            LiveEvent::of_drives(&self.drives, &drives).into_iter().chain(throttled).collect();
        let kind = std::mem::discriminant::<LiveEvent>;
        let goes_on = |event: &LiveEvent| match event {
            LiveEvent::CpuThrottled { .. } => self.events.iter().any(|earlier| kind(earlier) == kind(event)),
            _ => self.events.contains(event),
        };
        let news = all.iter().filter(|event| !goes_on(event)).cloned().collect();
        (self.drives, self.load, self.events) = (drives, Some(load), all);
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::HeatCounters;

    #[test]
    fn throttling_that_goes_on_is_told_once() {
        let mut watch = DriveWatch::default();
        let mut reading = |slowed: u64, throttled: Option<u64>| {
            let heat = Some(HeatCounters { slowed, ..HeatCounters::default() });
            let drive = LiveDrive { name: "nvme0n1".into(), celsius: Some(80.0), heat };
            let throttled = throttled.map(|ms| LiveEvent::CpuThrottled { ms });
            watch.take((vec![drive], throttled.into_iter().collect(), Load::default()))
        };
        let slowed = LiveEvent::DriveSlowed { drive: "nvme0n1".into() };
        assert_eq!(reading(5, None), []);
        assert_eq!(reading(6, Some(900)), [slowed.clone(), LiveEvent::CpuThrottled { ms: 900 }]);
        assert_eq!(reading(9, Some(800)), []);
        assert_eq!(reading(9, None), []);
        assert_eq!(reading(10, None), [slowed]);
    }
}
