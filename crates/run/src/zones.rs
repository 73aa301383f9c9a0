//! Zones of a device that jobs with `zonemode=zbd` share: write pointers, open zones and I/Os in flight.

use crate::job_error::{failed, failed_because};
use job::job::{EngineChoice, Job};
use job::plan::{FileKind, PlannedFile};
use rustix::fd::OwnedFd;
use stats::JobError;
use stats::job_error::ErrorCause;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sys::nvme::Namespace;
use sys::nvme_zones;
use sys::zones::ZoneKind;

/// Number of a worker that does not exist: its zones may be finished by any job.
pub(crate) const NOBODY: u64 = u64::MAX;

/// A zone. Offsets are in bytes from the start of the device.
#[derive(Clone, Debug)]
pub(crate) struct Zone {
    pub(crate) start: u64,
    /// Number of bytes that can be read.
    pub(crate) length: u64,
    /// Offset behind the last writable byte.
    pub(crate) end: u64,
    /// Offset of the next write, after all writes in flight.
    pub(crate) write_pointer: u64,
    /// Whether the zone has no write pointer, so that any write is allowed.
    pub(crate) conventional: bool,
    /// Whether the zone accepts no I/O.
    pub(crate) dead: bool,
    /// Number of I/Os in flight; `writes` is the number of writes among them, `pending` their bytes.
    pub(crate) ios: u32,
    pub(crate) writes: u32,
    pub(crate) pending: u64,
    /// Worker whose command to the zone (reset or finish) has not been executed yet; [`NOBODY`] = there is none.
    pub(crate) commanded: u64,
    /// Whether a write has failed, and the device has not been asked for the write pointer since.
    pub(crate) lost: bool,
    /// Number of the worker that wrote to the zone last.
    pub(crate) owner: u64,
}

/// State of all zones of a device.
#[derive(Debug)]
pub(crate) struct ZoneTable {
    pub(crate) zones: Vec<Zone>,
    /// Indices of the zones that are partly written, or whose last write is in flight.
    pub(crate) open: Vec<usize>,
    /// Number of bytes before the write pointers.
    pub(crate) valid: u64,
    /// Number given to the last worker.
    workers: u64,
}

/// A device with zones, or a file or device that is treated like one.
#[derive(Debug)]
pub(crate) struct ZonedDevice {
    /// Distance between the starts of two zones in bytes.
    pub(crate) size: u64,
    /// Whether the device itself has write pointers: writes have to be in order, and resets are sent to the device.
    pub(crate) strict: bool,
    /// Largest number of partly written zones that the device allows; 0 = any number.
    pub(crate) most_open: u32,
    table: Mutex<ZoneTable>,
}

/// A device that has zones of its own, open for commands to them.
#[derive(Debug)]
pub(crate) struct ZoneControl {
    descriptor: OwnedFd,
    /// Namespace of a generic character device, whose zones are managed by NVMe commands; `None` for a block device.
    namespace: Option<Namespace>,
    /// Size of a zone in bytes.
    size: u64,
    /// Largest number of partly written zones; 0 = any number.
    most_open: u32,
}

impl ZoneControl {
    /// Returns the zones of the open device; `None` if it has none.
    pub(crate) fn of(descriptor: OwnedFd, kind: FileKind) -> Option<Self> {
        if kind == FileKind::Block {
            let size = sys::zones::zone_size(&descriptor).ok().filter(|size| *size > 0)?;
            let most_open = kernel_limit(&descriptor);
            return Some(Self { descriptor, namespace: None, size, most_open });
        }
        // With metadata in the data's buffer, offsets are not those of the data.
        let space = sys::nvme::namespace(&descriptor).ok().filter(|space| !space.extended)?;
        let limits = nvme_zones::limits(&descriptor, &space).ok()??;
        let limited = [limits.most_open, limits.most_active].into_iter().filter(|limit| *limit > 0).min();
        let most_open = limited.unwrap_or(0);
        Some(Self { descriptor, namespace: Some(space), size: limits.size, most_open })
    }

    fn report(&self) -> io::Result<Vec<sys::zones::Zone>> {
        match &self.namespace {
            None => sys::zones::report_zones(&self.descriptor),
            Some(space) => nvme_zones::report(&self.descriptor, space, self.size),
        }
    }

    /// Returns the write pointer of the zone that begins at byte `start`.
    pub(crate) fn write_pointer(&self, start: u64) -> io::Result<u64> {
        let zone = match &self.namespace {
            None => sys::zones::report_zone(&self.descriptor, start),
            Some(space) => nvme_zones::report_zone(&self.descriptor, space, start, self.size),
        };
        zone.map(|zone| zone.write_pointer)
    }

    /// Resets (`finish` = false) or finishes the zone that begins at byte `start`.
    pub(crate) fn manage(&self, start: u64, finish: bool) -> io::Result<()> {
        match &self.namespace {
            None if finish => sys::zones::finish_zones(&self.descriptor, start, self.size),
            None => sys::zones::reset_zones(&self.descriptor, start, self.size),
            Some(space) => nvme_zones::manage(&self.descriptor, space, start, finish),
        }
    }
}

/// Returns the error of a job whose zones cannot be used.
pub(crate) fn invalid(cause: ErrorCause) -> JobError {
    failed_because("zbd_init_files", &rustix::io::Errno::INVAL.into(), cause)
}

impl ZonedDevice {
    /// Returns the zones of `file` as the first job of the device sees them: those of the simulated or the zoned
    /// device, else zones of `zonesize` that are all empty.
    ///
    /// # Errors
    /// The file is smaller than a zone, the size of a zone is not known or not that of the device, or the kernel does
    /// not report the zones.
    pub(crate) fn new(
        job: &Job,
        file: &PlannedFile,
        control: Option<&ZoneControl>,
    ) -> Result<Self, JobError> {
        let spec = job.pattern.zoned.as_deref();
        let (size, capacity) = spec.map_or((0, 0), |spec| (spec.size, spec.capacity));
        match (&job.engine, control) {
            (EngineChoice::Model(model), _) if model.zones.is_some() => {
                let (known, capacity, most_open) =
                    model.zones.as_deref().map_or((0, 0, 0), |of| (of.size, of.capacity, of.most_open));
                if size != 0 && size != known {
                    return Err(invalid(ErrorCause::OtherZoneSize { device: known }));
                }
                Ok(Self { most_open, ..Self::uniform(file.size, known, capacity, true)? })
            }
            (_, Some(device)) if size != 0 && size != device.size => {
                Err(invalid(ErrorCause::OtherZoneSize { device: device.size }))
            }
            (_, Some(device)) => Self::reported(device),
            _ => Self::uniform(file.size, size, capacity, false),
        }
    }

    /// Returns zones of `size` bytes, all empty, of which `capacity` can be written (0 = all).
    ///
    /// # Errors
    /// The size of a zone is 0 or above that of the device.
    pub(crate) fn uniform(bytes: u64, size: u64, capacity: u64, strict: bool) -> Result<Self, JobError> {
        if size == 0 {
            return Err(invalid(ErrorCause::NoZoneSize));
        }
        if bytes < size {
            return Err(invalid(ErrorCause::BelowZone { zone: size }));
        }
        let capacity = if capacity == 0 { size } else { capacity.min(size) };
        let zone = |number: u64| {
            let start = number * size;
            Zone {
                start,
                length: size.min(bytes - start),
                end: (start + capacity).min(bytes),
                write_pointer: start,
                conventional: false,
                dead: false,
                ios: 0,
                writes: 0,
                pending: 0,
                commanded: NOBODY,
                lost: false,
                owner: NOBODY,
            }
        };
        let zones = (0..bytes.div_ceil(size)).map(zone).collect();
        Ok(Self::of(size, strict, zones))
    }

    fn reported(device: &ZoneControl) -> Result<Self, JobError> {
        let zones = device.report().map_err(|e| failed("zbd_report_zones", &e))?;
        let (size, most_open) = (device.size, device.most_open);
        let zone = |zone: &sys::zones::Zone| {
            let (start, end) = (zone.start, zone.start + zone.capacity);
            Zone {
                start,
                length: zone.length,
                end,
                // A full zone has no valid write pointer.
                write_pointer: zone.write_pointer.clamp(start, end),
                conventional: zone.kind == ZoneKind::Conventional,
                dead: zone.dead,
                ios: 0,
                writes: 0,
                pending: 0,
                commanded: NOBODY,
                lost: false,
                owner: NOBODY,
            }
        };
        Ok(Self { most_open, ..Self::of(size, true, zones.iter().map(zone).collect()) })
    }

    fn of(size: u64, strict: bool, zones: Vec<Zone>) -> Self {
        let written = |zone: &Zone| if zone.conventional { 0 } else { zone.write_pointer - zone.start };
        let partly = |zone: &Zone| !zone.conventional && written(zone) > 0 && zone.write_pointer < zone.end;
        let open = zones.iter().enumerate().filter(|(_, zone)| partly(zone)).map(|(at, _)| at).collect();
        let valid = zones.iter().map(written).sum();
        Self { size, strict, most_open: 0, table: Mutex::new(ZoneTable { zones, open, valid, workers: 0 }) }
    }

    /// Locks the table. Each I/O of a job with `zonemode=zbd` locks it twice.
    pub(crate) fn table(&self) -> MutexGuard<'_, ZoneTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of a new worker.
    pub(crate) fn new_worker(&self) -> u64 {
        let mut table = self.table();
        table.workers += 1;
        table.workers
    }
}

impl ZoneTable {
    /// Moves the write pointer of zone `at` to its start, for a worker that is about to reset the zone.
    pub(crate) fn reset(&mut self, at: usize, worker: u64) {
        let zone = &mut self.zones[at];
        zone.commanded = worker;
        self.valid -= zone.write_pointer - zone.start;
        zone.write_pointer = zone.start;
        self.open.retain(|open| *open != at);
    }

    /// Moves the write pointer of zone `at` to its end, for a worker that is about to finish the zone. It counts as open
    /// until that has been done.
    pub(crate) fn finish(&mut self, at: usize, worker: u64) {
        let zone = &mut self.zones[at];
        zone.commanded = worker;
        self.valid += zone.end - zone.write_pointer;
        zone.write_pointer = zone.end;
    }

    /// Records that the command to zone `at` has been executed.
    pub(crate) fn executed(&mut self, at: usize, finish: bool) {
        self.zones[at].commanded = NOBODY;
        if finish {
            self.open.retain(|open| *open != at);
        }
    }

    /// Moves the write pointer of zone `at` to where the device has it after a failed write, in offsets from the start of
    /// the device; a zone without I/O in flight.
    pub(crate) fn move_pointer(&mut self, at: usize, write_pointer: u64) {
        let zone = &mut self.zones[at];
        let known = zone.write_pointer;
        zone.write_pointer = write_pointer.clamp(zone.start, zone.end);
        zone.lost = false;
        self.valid = (self.valid + zone.write_pointer).saturating_sub(known);
        let partly = zone.write_pointer > zone.start && zone.write_pointer < zone.end;
        self.open.retain(|open| *open != at);
        if partly {
            self.open.push(at);
        }
    }

    /// Records a write of `bytes` bytes at the write pointer of zone `at`.
    pub(crate) fn write(&mut self, at: usize, bytes: u64, worker: u64) {
        let zone = &mut self.zones[at];
        zone.ios += 1;
        zone.writes += 1;
        zone.pending += bytes;
        zone.owner = worker;
        zone.write_pointer += bytes;
        self.valid += bytes;
        if !self.open.contains(&at) {
            self.open.push(at);
        }
    }
}

/// Returns the smaller of the limits of open and of active zones of a kernel device; 0 if it has none. A zone that is
/// partly written is active.
fn kernel_limit(device: &OwnedFd) -> u32 {
    let Ok(stat) = rustix::fs::fstat(device) else { return 0 };
    let (major, minor) = (rustix::fs::major(stat.st_rdev), rustix::fs::minor(stat.st_rdev));
    let limit = |name: &str| -> Option<u32> {
        let path = format!("/sys/dev/block/{major}:{minor}/queue/{name}");
        std::fs::read_to_string(path).ok()?.trim().parse().ok().filter(|limit| *limit > 0)
    };
    limit("max_open_zones").into_iter().chain(limit("max_active_zones")).min().unwrap_or(0)
}
