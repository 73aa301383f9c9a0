//! Simulated devices that persist from run to run: their time continues, and their state is kept as a few whole
//! numbers.

use crate::job_error::failed_because;
use crate::model_laws::laws;
use engine::model::{Device, FlashRules, Ftl, MOST_PAGES, Memory};
use job::job::ModelSpec;
use stats::job_error::{ErrorCause, JobError};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use sys::fnv::fnv1a;

/// Handle of simulated devices. Consecutive runs with the same handle use the same devices, each in the state in
/// which the previous run left it. Nothing is in flight between runs, and the random numbers of a device start again
/// in each run: earlier runs affect a run only through the time and the levels.
#[derive(Clone, Debug, Default)]
pub struct Models(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// Time of the devices since their creation, in nanoseconds.
    now: u64,
    /// Smallest size of a device, in bytes.
    least_bytes: u64,
    /// Number that identifies each device ([`name`]), and its state.
    devices: Vec<(u64, Memory)>,
    /// Flash of each SSD, by the same number.
    flash: Vec<(u64, Ftl)>,
}

/// Returns a new simulated device of `bytes` bytes, for a caller that issues its operations itself. The size is explicit:
/// that of no file or offset decides it.
///
/// # Errors
/// An SSD has more than [`MOST_PAGES`] pages.
pub fn new_device(spec: &ModelSpec, bytes: u64, seed: u64) -> Result<Rc<RefCell<Device>>, JobError> {
    let device = Device::new(laws(spec, bytes), seed, Memory::default());
    if let Some(flash) = Models::default().take_flash(spec, bytes)? {
        device.borrow_mut().insert_flash(flash);
    }
    Ok(device)
}

/// Number of values per device in [`Models::levels`].
const NUMBERS: usize = 6;

impl Models {
    /// Returns the time of the devices since their creation.
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.known().now)
    }

    /// Makes every device at least `bytes` bytes large, so that jobs on different parts of a device share one device.
    pub fn set_size(&self, bytes: u64) {
        self.known().least_bytes = bytes;
    }

    /// Returns the size of a device whose files have `bytes` bytes.
    pub(crate) fn size(&self, bytes: u64) -> u64 {
        bytes.max(self.known().least_bytes)
    }

    /// Simulates an idle period of `time`: caches drain and credits refill.
    pub fn rest(&self, time: Duration) {
        let mut known = self.known();
        known.now = known.now.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Returns the complete state on which the next run depends, as whole numbers; the first is the time in
    /// nanoseconds. The data of SSDs is left out: they are new after [`Models::restore`].
    pub fn levels(&self) -> Vec<f64> {
        let known = self.known();
        let mut levels = vec![known.now as f64];
        for (name, Memory { at, spent, cached, written, head }) in &known.devices {
            levels.extend([*name, *at, *spent, *cached, *written, *head].map(|level| level as f64));
        }
        levels
    }

    /// Returns the flash of an SSD of `bytes` bytes as the previous run left it, new if no run has used it; `None` for
    /// other devices.
    ///
    /// # Errors
    /// The SSD has more than [`MOST_PAGES`] pages.
    pub(crate) fn take_flash(&self, spec: &ModelSpec, bytes: u64) -> Result<Option<Ftl>, JobError> {
        let Some(flash) = spec.ftl.as_deref() else { return Ok(None) };
        let [program, read, erase] = flash.times;
        let (over_provisioning, block_pages, page) = (flash.over_provisioning, flash.block_pages, flash.page);
        let rules = FlashRules { over_provisioning, block_pages, page, program, read, erase };
        let (name, mut known) = (name(spec), self.known());
        let at = known.flash.iter().position(|(other, _)| *other == name);
        let used = at.map(|at| known.flash.swap_remove(at).1);
        // Other files make it another device.
        let same = used.filter(|used| used.geometry() == (rules, bytes.div_ceil(u64::from(page)).max(1)));
        same.or_else(|| Ftl::new(rules, bytes)).map(Some).ok_or_else(|| {
            let cause = ErrorCause::FlashTooLarge { pages: MOST_PAGES };
            failed_because("model_ftl", &rustix::io::Errno::FBIG.into(), cause)
        })
    }

    /// Stores the flash of an SSD at the end of a run.
    pub(crate) fn keep_flash(&self, spec: &ModelSpec, flash: Ftl) {
        self.known().flash.push((name(spec), flash));
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
        let devices = levels.as_chunks().0.iter().map(device).collect();
        let mut known = self.known();
        let least_bytes = known.least_bytes;
        *known = Known { now, least_bytes, devices, flash: Vec::new() };
    }

    /// Returns the state of a device; the initial state if no run has used the device.
    pub(crate) fn of(&self, spec: &ModelSpec) -> Memory {
        let name = name(spec);
        self.known().devices.iter().find(|(known, _)| *known == name).map_or(Memory::default(), |(_, m)| *m)
    }

    /// Stores the state of a device at the end of a run.
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

/// Returns the number that identifies a device: the FNV-1a hash of its specification, in as many bits as an f64
/// represents exactly.
fn name(spec: &ModelSpec) -> u64 {
    fnv1a(&format!("{spec:?}")) >> (u64::BITS - f64::MANTISSA_DIGITS)
}
