//! Simulated devices that outlive a run: their time goes on, and what they remember beside it is a few levels.

use engine::model::Memory;
use job::job::ModelSpec;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A handle on simulated devices: runs with the same one, one after the other, meet the same devices, each where the run
/// before left it. Nothing is in flight between runs, and a device's random numbers begin anew with each: what a run
/// sees depends on those before it by the time and the levels alone.
#[derive(Clone, Debug, Default)]
pub struct Models(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// Nanoseconds since the devices began.
    now: u64,
    /// Each device's name and what it remembers.
    devices: Vec<(u64, Memory)>,
}

/// Numbers of one device in [`Models::levels`].
const NUMBERS: usize = 6;

impl Models {
    /// The devices' time.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.known().now)
    }

    /// Lets the devices idle for `time`: caches drain and credits refill.
    pub fn rest(&self, time: Duration) {
        let mut known = self.known();
        known.now = known.now.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Everything that the next run depends on: whole numbers, the first of them the time.
    pub fn levels(&self) -> Vec<f64> {
        let known = self.known();
        let mut levels = vec![known.now as f64];
        for (name, Memory { at, spent, cached, written, head }) in &known.devices {
            levels.extend([*name, *at, *spent, *cached, *written, *head].map(|level| level as f64));
        }
        levels
    }

    /// Restores the devices to the state that [`Models::levels`] returned as `levels`.
    pub fn restore(&self, levels: &[f64]) {
        let mut levels = levels.iter().map(|level| *level as u64);
        let now = levels.next().unwrap_or(0);
        let levels: Vec<u64> = levels.collect();
        let device = |of: &[u64; NUMBERS]| {
            let [name, at, spent, cached, written, head] = *of;
            (name, Memory { at, spent, cached, written, head })
        };
        *self.known() = Known { now, devices: levels.as_chunks().0.iter().map(device).collect() };
    }

    /// What the device remembers; nothing if it was never met.
    pub(crate) fn of(&self, spec: &ModelSpec) -> Memory {
        let name = name(spec);
        self.known().devices.iter().find(|(known, _)| *known == name).map_or(Memory::default(), |(_, m)| *m)
    }

    /// Keeps what a device remembers at the end of a run.
    pub(crate) fn keep(&self, spec: &ModelSpec, memory: Memory) {
        let (name, mut known) = (name(spec), self.known());
        known.now = known.now.max(memory.at);
        match known.devices.iter_mut().find(|(other, _)| *other == name) {
            Some((_, old)) => *old = memory,
            None => known.devices.push((name, memory)),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the number that identifies a device: the FNV-1a hash of its law, in as many bits as a level keeps.
fn name(spec: &ModelSpec) -> u64 {
    let hash = format!("{spec:?}")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash >> (u64::BITS - f64::MANTISSA_DIGITS)
}
