//! `fathom pts`: carries out the steps of the SNIA tests on a device. What the next step is follows from the completed
//! steps alone (`stats::pts::PtsProtocol`), so that a study which was interrupted anywhere continues with the step in
//! which it stopped.

pub mod ata_erase;
pub mod claim;
pub mod device;
pub mod error;
pub mod purge;
mod sample;
pub mod several;
mod write_cache;

use crate::target::{JobContext, Target, TargetError};
use claim::Claim;
use error::{PtsError, PtsRefusal};
use facts::flash;
use purge::PurgeChoice;
use run::kernel_settings::KernelSettings;
use run::{RunError, Watch};
use stats::loop_file::LoopFile;
use stats::note::NoteFact;
use stats::pts::{
    PRECONDITION_ROUND, PtsAsked, PtsCacheControl, PtsDevice, PtsDeviceKind, PtsEvent, PtsOrder, PtsPhase,
    PtsPlace, PtsPoint, PtsProgress, PtsProtocol, PtsPurge, PtsPurgeMethod, PtsStep, PtsStudy, PtsTest,
    PtsWriteCache,
};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Time between two computations of the progress: samples may be short.
const PROGRESS: Duration = Duration::from_millis(500);
/// Time between two readings of the device's temperature.
const TEMPERATURE: Duration = Duration::from_secs(10);

/// Stores the steps of a study.
pub trait PtsJournal {
    /// Stores a step on stable storage before it returns; returns whether that succeeded.
    fn add(&mut self, point: &PtsPoint) -> bool;
}

/// Receives the progress of a study.
pub trait PtsWatch: Watch {
    /// Called before a sample is measured.
    fn measuring(&mut self, test: PtsTest, order: &PtsOrder, progress: &PtsProgress);
    /// Called before the device is purged.
    fn purging(&mut self, test: PtsTest);
    /// Called after the last step.
    fn ended(&mut self) {}
}

/// A device on which tests are carried out.
pub struct PtsBench {
    target: Target,
    /// Claim of the device; `None` for a simulated device.
    claim: Option<Claim>,
    context: JobContext,
    settings: KernelSettings,
    purge: PurgeChoice,
    /// End of the last step.
    ended: Option<Moment>,
    temperature: Option<(Instant, Option<f64>)>,
}

/// A time on the clock of the device.
#[derive(Clone, Copy)]
enum Moment {
    Real(Instant),
    Model(Duration),
}

impl PtsBench {
    /// Opens and claims a device, or a simulated device. Returns the bench and the description of the device.
    ///
    /// # Errors
    /// The device must not be overwritten, or cannot be used.
    pub fn open(
        name: &str,
        purge: PurgeChoice,
        context: JobContext,
    ) -> Result<(PtsBench, PtsDevice), PtsError> {
        let root = context.root.clone();
        let (claim, target) = claimed(name, purge, true, &context)?;
        let described = match &claim {
            Some(claim) => PtsDevice { bytes: target.size, ..device::described(name, claim, &root) },
            None => simulated_device(name, target.size),
        };
        if claim.is_none() {
            context.models.set_size(target.size);
        }
        let settings = KernelSettings::of(&root);
        let bench = PtsBench { target, claim, context, settings, purge, ended: None, temperature: None };
        Ok((bench, described))
    }

    /// Returns the name of the I/O engine.
    pub fn engine(&self) -> String {
        self.target.engine.clone()
    }

    /// Checks that this device is the one on which a study was begun.
    ///
    /// # Errors
    /// The device is another one or has another size.
    pub fn continues(&self, now: &PtsDevice, before: &PtsDevice) -> Result<(), PtsError> {
        let refused = |reason| Err(PtsError::Refused { path: now.name.clone().into(), reason });
        if now.bytes != before.bytes {
            return refused(PtsRefusal::AnotherSize { before: before.bytes, now: now.bytes });
        }
        if now.identity != before.identity || now.model != before.model || now.sector != before.sector {
            let name = |device: &PtsDevice| {
                let parts = [&device.name, &device.model, &device.identity];
                parts.into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ")
            };
            return refused(PtsRefusal::AnotherDevice { before: name(before), now: name(now) });
        }
        if !LoopFile::same(&before.loop_files, &now.loop_files) {
            return refused(PtsRefusal::AnotherFile);
        }
        Ok(())
    }

    /// Restores every changed setting of the device. Returns a note for each that could not be restored.
    pub fn restore_settings(&mut self) -> Vec<NoteFact> {
        self.settings.put_back()
    }

    /// Carries out the steps that are left of a study. `points` are its completed steps, to which the new ones are added.
    /// A signal ends the work without an error; the study is then not complete.
    ///
    /// # Errors
    /// The device is used by others or was replaced, a job failed, or a step could not be stored.
    pub fn run(
        &mut self,
        asked: &PtsAsked,
        device: &PtsDevice,
        points: &mut Vec<PtsPoint>,
        journal: &mut dyn PtsJournal,
        watch: &mut dyn PtsWatch,
    ) -> Result<(), PtsError> {
        let mut resumed = !points.is_empty();
        self.restore_simulated(asked, device, points, watch)?;
        for test in &asked.tests {
            let protocol = PtsProtocol::of(*test, asked, device);
            let mut first = true;
            let mut progress: Option<(Instant, (PtsPhase, u32, u32), PtsProgress)> = None;
            while !self.interrupted() {
                let mine: Vec<&PtsPoint> = points.iter().filter(|point| point.test == *test).collect();
                let Some(step) = protocol.next(&mine) else { break };
                if std::mem::take(&mut first) && mine.iter().any(|p| matches!(p.event, PtsEvent::CacheSet(_)))
                {
                    // The setting was restored when the study was interrupted.
                    self.set_cache(asked);
                }
                if let Some(claim) = &mut self.claim {
                    claim.check_before_step(match &step {
                        PtsStep::Purge => true,
                        PtsStep::SetCache => false,
                        PtsStep::Measure(order) => order.load.reads < 100,
                    })?;
                }
                let began_ms = self.now_ms();
                let event = match step {
                    PtsStep::Purge => {
                        watch.purging(*test);
                        Some(PtsEvent::Purged(self.purge(device)?))
                    }
                    PtsStep::SetCache => Some(PtsEvent::CacheSet(self.set_cache(asked))),
                    PtsStep::Measure(order) => {
                        let round = progress_round(order.place);
                        let known = progress.filter(|(at, of, _)| *of == round && at.elapsed() < PROGRESS);
                        let (_, _, now) = *progress.insert(known.unwrap_or_else(|| {
                            (Instant::now(), round, PtsProgress::of(&protocol, asked, device, points))
                        }));
                        watch.measuring(*test, &order, &now);
                        self.measure(&order, asked, device, points.len() as u64, watch)?
                    }
                };
                let Some(event) = event.filter(|_| !self.interrupted()) else { break };
                let state = match self.claim {
                    Some(_) => Vec::new(),
                    None => self.context.models.levels(),
                };
                let ordinal = points.len() as u32;
                let resumed = std::mem::take(&mut resumed);
                let point = PtsPoint { ordinal, test: *test, began_ms, event, resumed, state };
                if !journal.add(&point) {
                    return Err(PtsError::NotStored);
                }
                points.push(point);
            }
        }
        Ok(())
    }

    /// Restores the state of a simulated device after these steps. The state that a step stores has no map of the flash: the
    /// steps since the last purge are carried out again, in virtual time and with the same outcome.
    fn restore_simulated(
        &mut self,
        asked: &PtsAsked,
        device: &PtsDevice,
        points: &[PtsPoint],
        watch: &mut dyn PtsWatch,
    ) -> Result<(), PtsError> {
        let Some(last) = points.last().filter(|_| self.claim.is_none()) else { return Ok(()) };
        if self.target.simulates_flash() {
            let purged = points.iter().rposition(|point| matches!(point.event, PtsEvent::Purged(_)));
            let from = purged.map_or(0, |purged| purged + 1);
            self.context.models.restore(purged.map_or(&[], |purged| points[purged].state.as_slice()));
            for (nth, point) in points.iter().enumerate().skip(from) {
                let before =
                    points[..nth].iter().filter(|before| before.test == point.test).collect::<Vec<_>>();
                let protocol = PtsProtocol::of(point.test, asked, device);
                if let Some(PtsStep::Measure(order)) = protocol.next(&before) {
                    self.measure(&order, asked, device, nth as u64, watch)?;
                }
            }
        } else {
            self.context.models.restore(&last.state);
        }
        self.ended = last.sample().map(|_| self.moment());
        Ok(())
    }

    fn interrupted(&self) -> bool {
        self.context.interrupt.load(Relaxed) != 0
    }

    fn moment(&self) -> Moment {
        match self.claim {
            Some(_) => Moment::Real(Instant::now()),
            None => Moment::Model(self.context.models.now()),
        }
    }

    fn now_ms(&self) -> u64 {
        match self.claim {
            Some(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
            None => self.context.models.now().as_millis() as u64,
        }
    }

    fn purge(&mut self, device: &PtsDevice) -> Result<PtsPurge, PtsError> {
        self.ended = None;
        Ok(match &self.claim {
            Some(claim) if self.purge == PurgeChoice::AtaSecureErase => {
                let began = Instant::now();
                ata_erase::purge(Path::new(&device.name), claim)?;
                let seconds = began.elapsed().as_secs_f64();
                PtsPurge { method: PtsPurgeMethod::AtaSecureErase, seconds, ..PtsPurge::default() }
            }
            Some(claim) => purge::purge(claim, self.purge, &self.context.interrupt),
            None if self.purge == PurgeChoice::None => PtsPurge::default(),
            None => {
                // Only the time remains: caches are empty, and the flash is new.
                self.context.models.restore(&[self.context.models.now().as_nanos() as f64]);
                PtsPurge { method: PtsPurgeMethod::Simulated, ..PtsPurge::default() }
            }
        })
    }

    fn set_cache(&mut self, asked: &PtsAsked) -> PtsWriteCache {
        let required = asked.class.write_cache();
        match &self.claim {
            Some(claim) => write_cache::set(claim, &self.context.root, &mut self.settings, required),
            None => {
                let control = PtsCacheControl::Simulated;
                PtsWriteCache { required, control, before: None, during: None }
            }
        }
    }

    fn measure(
        &mut self,
        order: &PtsOrder,
        asked: &PtsAsked,
        device: &PtsDevice,
        nth: u64,
        watch: &mut dyn PtsWatch,
    ) -> Result<Option<PtsEvent>, PtsError> {
        sample::wait(order.idle_s, &self.target, &self.context);
        let idle_s = match (self.ended, self.moment()) {
            (Some(Moment::Real(ended)), Moment::Real(now)) => now.duration_since(ended).as_secs_f64(),
            (Some(Moment::Model(ended)), Moment::Model(now)) => now.saturating_sub(ended).as_secs_f64(),
            _ => 0.0,
        };
        let began_ms = self.now_ms();
        // Every sample draws other offsets.
        let mixed = asked.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let seed = (mixed >> 34).wrapping_add(nth * 7919 + 1);
        let (target, context) = (&self.target, &self.context);
        let Some(sample) = sample::measure(order, device.sector, seed, target, context, watch)? else {
            return Ok(None);
        };
        self.ended = Some(self.moment());
        let celsius = self.celsius();
        let mut sample = stats::pts::PtsSample { began_ms, idle_s, celsius, ..sample };
        if device.cached {
            // Writes of earlier steps leave the page cache during this one.
            sample.findings.retain(|finding| !matches!(finding.claim, stats::Claim::OtherLoad { .. }));
        }
        Ok(Some(PtsEvent::Measured(Box::new(sample))))
    }

    /// Returns the temperature of the device, which is read at most every ten seconds.
    fn celsius(&mut self) -> Option<f64> {
        let claim = self.claim.as_ref()?;
        if let Some((read, celsius)) = self.temperature
            && read.elapsed() < TEMPERATURE
        {
            return celsius;
        }
        let celsius = flash::celsius(&self.context.root, &claim.device);
        self.temperature = Some((Instant::now(), celsius));
        celsius
    }
}

/// Claims a device on which a study begins, or goes on; a simulated device is not claimed. `writes` is that of
/// [`Claim::of`].
fn claimed(
    name: &str,
    purge: PurgeChoice,
    writes: bool,
    context: &JobContext,
) -> Result<(Option<Claim>, Target), PtsError> {
    let (path, root) = (Path::new(name), &context.root);
    if job::remote::is_remote_target(name) {
        return Err(PtsError::Refused { path: path.into(), reason: error::PtsRefusal::OnServer });
    }
    let claim = match name.starts_with(crate::target::MODEL) {
        true => None,
        false => Some(Claim::of(path, writes, &context.consent, root)?),
    };
    if let (PurgeChoice::AtaSecureErase, Some(claim)) = (purge, &claim) {
        ata_erase::check(path, claim)?;
    }
    // A budget in percent of an endurance that is not known.
    run::wear::afford(context.allowance.as_deref(), path, u64::from(claim.is_some()), root)
        .map_err(|refusal| TargetError::from(RunError::Refused(refusal)))?;
    Ok((claim, Target::open(path, root)?))
}

/// Checks whether a study of the device could begin; changes nothing, and ends the claim of the device at once.
///
/// # Errors
/// The reason why the study would not begin.
pub fn may_begin(name: &str, purge: PurgeChoice, context: &JobContext) -> Result<(), PtsError> {
    claimed(name, purge, false, context).map(|_| ())
}

/// Returns what a known progress is valid for: the phase, the part, and the round or half hour.
fn progress_round(place: PtsPlace) -> (PtsPhase, u32, u32) {
    let round = match place.phase {
        PtsPhase::Round | PtsPhase::PreWrite | PtsPhase::Slice => place.round,
        _ => place.round.saturating_sub(1) / PRECONDITION_ROUND,
    };
    (place.phase, place.part, round)
}

/// Returns the description of a simulated device.
pub fn simulated_device(name: &str, bytes: u64) -> PtsDevice {
    PtsDevice {
        name: name.to_owned(),
        kind: PtsDeviceKind::Simulated,
        bytes,
        sector: 512,
        ..PtsDevice::default()
    }
}

/// Returns the study before its first step.
pub fn begin(asked: PtsAsked, device: PtsDevice, version: &str, began_ms: u64) -> PtsStudy {
    PtsStudy { version: version.to_owned(), began_ms, asked, device, ..PtsStudy::default() }
}
