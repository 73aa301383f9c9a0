//! Changes settings of the kernel's block queues, and restores them when the run ends or, after a fathom that was
//! killed, when the next fathom starts.
//!
//! Before a setting is changed, its old value is written to a record in `/run/fathom/settings`, together with the
//! process that changes it. The directory is kept in memory until the next boot, exactly as the settings are.
//! [`put_back_left`] looks for records whose process has ended.

use crate::job_error::errno_of;
use facts::SysRoot;
use facts::layers::{Device, DeviceNumber};
use job::plan::{Plan, PlannedJob};
use rustix::fs::{Access, FlockOperation};
use rustix::io::Errno;
use stats::note::NoteFact;
use stats::setting_fault::SettingFault;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Directory of the records.
const RECORDS: &str = "/run/fathom/settings";
/// Environment variable with another directory for the records; tests use their own.
const RECORDS_VARIABLE: &str = "FATHOM_SETTINGS_DIR";
/// Longest wait for another process that changes or restores settings.
const LOCK_WAIT: Duration = Duration::from_secs(3);
/// Setting whose change also resets [`REQUESTS`].
const SCHEDULER: &str = "scheduler";
/// Volatile write cache of an NVMe controller (feature 06h), [`ENABLED`] or [`DISABLED`].
pub const NVME_WRITE_CACHE: &str = "nvme_write_cache";
/// Write cache of a SCSI or ATA disk, [`ENABLED`] or [`DISABLED`].
pub const SCSI_WRITE_CACHE: &str = "cache_type";
/// Value of an enabled write cache, as the kernel names it.
pub const ENABLED: &str = "write back";
/// Value of a disabled write cache.
pub const DISABLED: &str = "write through";
/// Size of the queue, which the kernel resets when the scheduler changes.
const REQUESTS: &str = "nr_requests";

/// The settings that this process has changed; they are restored on drop.
#[derive(Debug)]
pub struct KernelSettings {
    root: SysRoot,
    records: PathBuf,
    changed: Vec<Record>,
}

/// Value of a setting before its change, and the process that changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    disk: String,
    setting: String,
    value: String,
    /// Value that fathom set: another one is that of somebody else, and stays. `None` if it is not known: the kernel
    /// changes the size of the queue with the scheduler.
    set: Option<String>,
    owner: Process,
    /// The kernel's sequence number of the disk: another disk with the same name has another number. `None` if it is
    /// unknown, and for loop devices.
    sequence: Option<u64>,
}

/// What became of a changed setting.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PutBack {
    /// It has the old value; before, it had this one.
    Restored(String),
    /// It has this value, which neither fathom set nor is the old one, and keeps it.
    Foreign(String),
}

/// A process; the start time distinguishes it from a later process with the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Process {
    pid: u32,
    /// Start of the process in clock ticks since boot.
    start: u64,
}

impl Process {
    fn of(root: &SysRoot, pid: u32) -> Option<Process> {
        let stat = root.read(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program may contain blanks; the start time is the 20th word after it.
        let start = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
        Some(Process { pid, start })
    }

    /// Returns whether the process runs; true if that cannot be determined.
    fn runs(self, root: &SysRoot) -> bool {
        match Process::of(root, std::process::id()) {
            None => true,
            Some(_) => Process::of(root, self.pid) == Some(self),
        }
    }
}

impl Record {
    fn file(&self) -> String {
        format!("{}:{}", self.disk, self.setting)
    }

    fn path(&self, root: &SysRoot) -> PathBuf {
        setting_path(root, &self.disk, &self.setting)
    }

    fn text(&self) -> String {
        let Record { value, set, owner, sequence, .. } = self;
        let sequence = sequence.map_or_else(|| "-".into(), |n| n.to_string());
        let set = set.as_ref().map_or_else(String::new, |set| format!("set {set}\n"));
        format!("value {value}\n{set}pid {}\nstart {}\nsequence {sequence}\n", owner.pid, owner.start)
    }

    /// Reads a record from its file name and text; `None` if it is incomplete.
    fn parse(name: &str, text: &str) -> Option<Record> {
        let (disk, setting) = name.split_once(':')?;
        let of = |key: &str| {
            text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).map(str::to_owned)
        };
        Some(Record {
            disk: disk.into(),
            setting: setting.into(),
            value: of("value")?,
            set: of("set"),
            owner: Process { pid: of("pid")?.parse().ok()?, start: of("start")?.parse().ok()? },
            sequence: of("sequence")?.parse().ok(),
        })
    }

    /// Writes the record completely or not at all, for any end of this process.
    ///
    /// # Errors
    /// The record cannot be written.
    fn write(&self, records: &Path) -> Result<(), SettingFault> {
        let path = records.join(self.file());
        let failed =
            |e: io::Error| SettingFault::File { path: path.display().to_string(), errno: errno_of(&e) };
        let beside = records.join(format!(".{}.new", self.file()));
        let mut file = File::create(&beside).map_err(failed)?;
        file.write_all(self.text().as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        std::fs::rename(&beside, &path).map_err(failed)
    }

    /// Writes the old value, unless it is already set or the value is somebody else's. `others` are the disks whose
    /// scheduler somebody else has changed since: the size of the queue belongs to that scheduler.
    ///
    /// # Errors
    /// The setting cannot be read or written.
    fn put_back(&self, root: &SysRoot, others: &mut BTreeSet<String>) -> io::Result<PutBack> {
        let now = value(root, &self.disk, &self.setting)?;
        let foreign = match &self.set {
            Some(set) => now != self.value && now != *set,
            None => now != self.value && others.contains(&self.disk),
        };
        if foreign {
            if self.setting == SCHEDULER {
                others.insert(self.disk.clone());
            }
            return Ok(PutBack::Foreign(now));
        }
        if now != self.value {
            write_value(root, &self.disk, &self.setting, &self.value)?;
        }
        Ok(PutBack::Restored(now))
    }
}

/// Returns the file of a setting: in the `queue` directory of the disk, except for the two settings of a write cache.
fn setting_path(root: &SysRoot, disk: &str, setting: &str) -> PathBuf {
    match setting {
        NVME_WRITE_CACHE => root.path(format!("/dev/{disk}")),
        SCSI_WRITE_CACHE => {
            let disks = format!("/sys/block/{disk}/device/scsi_disk");
            let address = root.names(&disks).into_iter().next().unwrap_or_default();
            root.path(format!("{disks}/{address}/{setting}"))
        }
        _ => root.path(format!("/sys/block/{disk}/queue/{setting}")),
    }
}

/// Returns the value of a setting.
///
/// # Errors
/// The setting does not exist, or cannot be read.
pub fn value(root: &SysRoot, disk: &str, setting: &str) -> io::Result<String> {
    let path = setting_path(root, disk, setting);
    if setting == NVME_WRITE_CACHE {
        let enabled = sys::nvme_admin::write_cache(&File::open(path)?)?;
        return Ok(if enabled { ENABLED } else { DISABLED }.into());
    }
    std::fs::read_to_string(path).map(|text| in_force(&text))
}

fn write_value(root: &SysRoot, disk: &str, setting: &str, value: &str) -> io::Result<()> {
    let path = setting_path(root, disk, setting);
    if setting == NVME_WRITE_CACHE {
        return sys::nvme_admin::set_write_cache(&File::open(path)?, value == ENABLED);
    }
    std::fs::write(path, value)
}

/// Returns the current value of a setting: the value in brackets if the kernel lists several, else the whole text.
pub fn in_force(text: &str) -> String {
    let inner = text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(inner, _)| inner);
    inner.unwrap_or(text).trim().to_string()
}

fn sequence(root: &SysRoot, disk: &str) -> Option<u64> {
    // A loop device gets a new number with each file, but keeps its settings.
    if disk.starts_with("loop") { None } else { root.number(format!("/sys/block/{disk}/diskseq")) }
}

fn records_dir(root: &SysRoot) -> PathBuf {
    std::env::var_os(RECORDS_VARIABLE).map_or_else(|| root.path(RECORDS), PathBuf::from)
}

/// Takes the lock that keeps other processes from changing settings; held until the file is dropped.
///
/// # Errors
/// The lock file cannot be opened, or another process holds the lock for longer than [`LOCK_WAIT`].
fn lock(dir: &Path) -> io::Result<File> {
    let path = dir.join(".lock");
    let file = match File::options().create(true).append(true).open(&path) {
        Err(e) if matches!(e.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            File::open(&path)?
        }
        opened => opened?,
    };
    let began = Instant::now();
    loop {
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(file),
            Err(Errno::WOULDBLOCK) if began.elapsed() < LOCK_WAIT => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(e) => return Err(e.into()),
        }
    }
}

/// Returns all records, those of schedulers first: settings that a scheduler resets are restored after it.
fn records(dir: &Path) -> Vec<Record> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut found: Vec<Record> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Record::parse(&name, &std::fs::read_to_string(entry.path()).ok()?)
        })
        .collect();
    found.sort_by_key(|record| (record.disk.clone(), record.setting != SCHEDULER));
    found
}

impl KernelSettings {
    /// Returns the state without changed settings.
    pub fn of(root: &SysRoot) -> KernelSettings {
        KernelSettings { root: root.clone(), records: records_dir(root), changed: Vec::new() }
    }

    /// Sets `setting` of the queue of `disk` to `value`. Its current value is recorded before.
    ///
    /// # Errors
    /// The kernel refuses the value, the old value cannot be recorded, or another process has changed this setting.
    pub fn set(&mut self, disk: &str, setting: &str, value: &str) -> Result<(), SettingFault> {
        let path = setting_path(&self.root, disk, setting);
        let shown = path.display().to_string();
        let file = |e: io::Error| SettingFault::File { path: shown.clone(), errno: errno_of(&e) };
        if self::value(&self.root, disk, setting).map_err(file)? == value {
            return Ok(());
        }
        let recorded = |e: io::Error| SettingFault::NotRecorded {
            path: shown.clone(),
            directory: self.records.display().to_string(),
            errno: errno_of(&e),
        };
        std::fs::DirBuilder::new().recursive(true).mode(0o755).create(&self.records).map_err(recorded)?;
        let lock = lock(&self.records).map_err(recorded)?;
        let mut new = Vec::new();
        new.extend(self.record(disk, setting, Some(value))?);
        if setting == SCHEDULER {
            new.extend(self.record(disk, REQUESTS, None)?);
        }
        drop(lock);
        let written = write_value(&self.root, disk, setting, value).map_err(|e| SettingFault::Value {
            path: shown.clone(),
            value: value.to_owned(),
            errno: errno_of(&e),
        });
        match written {
            Ok(()) => {
                self.changed.extend(new);
                // The kernel rounds some values.
                let kept = self::value(&self.root, disk, setting);
                if let Some(kept) = kept.ok().filter(|kept| kept != value) {
                    self.record(disk, setting, Some(&kept))?;
                }
            }
            Err(_) => {
                new.iter().for_each(|record| _ = std::fs::remove_file(self.records.join(record.file())))
            }
        }
        written
    }

    /// Records the value of a setting before `set` is written. Returns `None` if this process has already recorded it,
    /// with another value to set now, or the setting does not exist.
    ///
    /// # Errors
    /// The record cannot be written, or another process has changed this setting.
    fn record(
        &mut self,
        disk: &str,
        setting: &str,
        set: Option<&str>,
    ) -> Result<Option<Record>, SettingFault> {
        let mut known = self.changed.iter_mut();
        if let Some(known) = known.find(|known| known.disk == disk && known.setting == setting) {
            known.set = set.map(str::to_owned);
            return known.write(&self.records).map(|()| None);
        }
        let Ok(now) = value(&self.root, disk, setting) else { return Ok(None) };
        let owner = Process::of(&self.root, std::process::id());
        let record = Record {
            disk: disk.into(),
            setting: setting.into(),
            value: now,
            set: set.map(str::to_owned),
            owner: owner.unwrap_or(Process { pid: std::process::id(), start: 0 }),
            sequence: sequence(&self.root, disk),
        };
        let mut record = record;
        if let Some(other) = records(&self.records).into_iter().find(|other| other.file() == record.file()) {
            if other.owner.runs(&self.root) {
                let Process { pid, .. } = other.owner;
                return Err(SettingFault::Busy { disk: disk.into(), setting: setting.into(), pid });
            }
            // The change of a killed process could not be restored yet: its old value is kept.
            record.value = other.value;
        }
        record.write(&self.records)?;
        Ok(Some(record))
    }

    /// Restores the old value of every setting that still has a value of fathom's. Returns a note for each setting that
    /// cannot be restored, whose record is kept, or that somebody else has changed since.
    pub fn put_back(&mut self) -> Vec<NoteFact> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_by_key(|record| (record.disk.clone(), record.setting != SCHEDULER));
        let (mut failed, mut others) = (Vec::new(), BTreeSet::new());
        for record in changed {
            match record.put_back(&self.root, &mut others) {
                Ok(done) => {
                    failed.extend(changed_since(&record, done));
                    let _ = std::fs::remove_file(self.records.join(record.file()));
                }
                Err(e) => failed.push(not_put_back(&record, &self.root, &e)),
            }
        }
        failed
    }
}

impl Drop for KernelSettings {
    fn drop(&mut self) {
        // The record of a setting that cannot be restored is kept for the next fathom, which reports it.
        self.put_back();
    }
}

/// Returns the note about a setting that somebody else has changed since.
fn changed_since(record: &Record, done: PutBack) -> Option<NoteFact> {
    let PutBack::Foreign(now) = done else { return None };
    Some(NoteFact::SettingChangedSince {
        disk: record.disk.clone(),
        setting: record.setting.clone(),
        now,
        before: record.value.clone(),
        pid: record.owner.pid,
    })
}

fn not_put_back(record: &Record, root: &SysRoot, e: &io::Error) -> NoteFact {
    let path = record.path(root);
    NoteFact::SettingNotRestored {
        disk: record.disk.clone(),
        setting: record.setting.clone(),
        now: value(root, &record.disk, &record.setting).ok(),
        before: record.value.clone(),
        pid: record.owner.pid,
        path: path.display().to_string(),
        errno: errno_of(e),
    }
}

/// Restores settings that ended processes left changed. Returns a note for each setting that was restored or cannot
/// be restored.
pub fn put_back_left(root: &SysRoot) -> Vec<NoteFact> {
    let dir = records_dir(root);
    if !records(&dir).iter().any(|record| !record.owner.runs(root)) {
        return Vec::new();
    }
    // The lock is held by another fathom, which restores and reports the settings.
    let Ok(_lock) = lock(&dir) else { return Vec::new() };
    let (mut lines, mut others) = (Vec::new(), BTreeSet::new());
    for record in records(&dir).iter().filter(|record| !record.owner.runs(root)) {
        let Record { disk, setting, value, owner, .. } = record;
        let gone = !record.path(root).exists()
            || record.sequence.is_some_and(|known| sequence(root, disk).is_some_and(|now| now != known));
        let done =
            if gone { Ok(PutBack::Restored(value.clone())) } else { record.put_back(root, &mut others) };
        match done {
            Ok(done) => {
                lines.extend(match done {
                    PutBack::Restored(was) if was == *value => None,
                    PutBack::Restored(was) => Some(NoteFact::SettingRestored {
                        disk: disk.clone(),
                        setting: setting.clone(),
                        changed: was,
                        before: value.clone(),
                        pid: owner.pid,
                    }),
                    foreign => changed_since(record, foreign),
                });
                let _ = std::fs::remove_file(dir.join(record.file()));
            }
            Err(e) => lines.push(not_put_back(record, root, &e)),
        }
    }
    lines
}

/// Returns the names of the disks below the files of a clone; files without a disk are skipped.
fn disks(root: &SysRoot, clone: &PlannedJob) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for file in &clone.files {
        // A file that does not exist yet will be on the device of its directory.
        let Some(meta) = file.path.ancestors().find_map(|path| {
            std::fs::metadata(if path.as_os_str().is_empty() { Path::new(".") } else { path }).ok()
        }) else {
            continue;
        };
        seen.insert(if meta.file_type().is_block_device() { meta.rdev() } else { meta.dev() });
    }
    let disk = |number: &u64| Device::of(root, DeviceNumber::from_raw(*number))?.whole(root);
    let disks = seen.iter().filter_map(disk).map(|disk| disk.name);
    disks.filter(|disk| setting_path(root, disk, SCHEDULER).exists()).collect()
}

/// Reason why the I/O scheduler that a job requests (`ioscheduler`) cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub enum SchedulerError {
    /// This process may not change the scheduler of the disk.
    Forbidden {
        /// Name of the job (`name=`).
        job: String,
        /// Requested scheduler.
        scheduler: String,
        /// Kernel name of the disk.
        disk: String,
        /// errno of the access check.
        errno: Errno,
    },
    /// The disk does not have the requested scheduler.
    Unknown {
        /// Name of the job (`name=`).
        job: String,
        /// Requested scheduler.
        scheduler: String,
        /// Kernel name of the disk.
        disk: String,
        /// Schedulers that the disk has.
        known: Vec<String>,
    },
    /// The scheduler could not be set when the job started.
    NotSet(SettingFault),
}

/// Checks that every scheduler that a job requests can be set.
///
/// # Errors
/// The first scheduler that cannot be set.
pub(crate) fn check_schedulers(plan: &Plan, settings: &mut KernelSettings) -> Result<(), SchedulerError> {
    let mut seen = BTreeSet::new();
    for clone in &plan.clones {
        let Some(job) = plan.jobs.get(clone.job) else { continue };
        let Some(scheduler) = job.host.ioscheduler.as_deref() else { continue };
        for disk in disks(&settings.root, clone) {
            if !seen.insert((disk.clone(), scheduler)) {
                continue;
            }
            let path = setting_path(&settings.root, &disk, SCHEDULER);
            let listed = || std::fs::read_to_string(&path).unwrap_or_default();
            let has = |text: &str| text.split_whitespace().any(|n| n.trim_matches(['[', ']']) == scheduler);
            let text = listed();
            if in_force(&text) == scheduler {
                continue;
            }
            if let Err(errno) = rustix::fs::access(&path, Access::WRITE_OK) {
                let (job, scheduler) = (job.name.clone(), scheduler.to_owned());
                return Err(SchedulerError::Forbidden { job, scheduler, disk, errno });
            }
            if has(&text) {
                continue;
            }
            // The kernel may have to load the module of a scheduler before it lists it.
            let tried = settings.set(&disk, SCHEDULER, scheduler).is_ok() && has(&listed());
            settings.put_back();
            if !tried {
                let known = text.split_whitespace().map(|n| n.trim_matches(['[', ']']).to_owned()).collect();
                let (job, scheduler) = (job.name.clone(), scheduler.to_owned());
                return Err(SchedulerError::Unknown { job, scheduler, disk, known });
            }
        }
    }
    Ok(())
}

/// Sets the scheduler that the job of a clone requests, on the disks below the clone's files.
///
/// # Errors
/// [`SchedulerError::NotSet`] if the kernel refuses the scheduler.
pub(crate) fn switch_scheduler(
    plan: &Plan,
    clone: &PlannedJob,
    settings: &mut KernelSettings,
) -> Result<(), SchedulerError> {
    let Some(scheduler) = plan.jobs.get(clone.job).and_then(|job| job.host.ioscheduler.as_deref()) else {
        return Ok(());
    };
    let root = settings.root.clone();
    let mut set = |disk: &String| settings.set(disk, SCHEDULER, scheduler);
    disks(&root, clone).iter().try_for_each(&mut set).map_err(SchedulerError::NotSet)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    fn machine() -> (Sandbox, SysRoot) {
        let sandbox = Sandbox::in_memory().unwrap();
        sandbox.put("sys/block/sda/queue/read_ahead_kb", "128\n").unwrap();
        sandbox.put("sys/block/sda/queue/scheduler", "[none] mq-deadline\n").unwrap();
        sandbox.put("sys/block/sda/queue/nr_requests", "64\n").unwrap();
        let stat = |start: u32| format!("1 (a b) c) S {} {start} 0 0", "0 ".repeat(18).trim());
        sandbox.put(&format!("proc/{}/stat", std::process::id()), &stat(77)).unwrap();
        let root = SysRoot::at(sandbox.path());
        (sandbox, root)
    }

    #[test]
    fn a_changed_setting_is_recorded_and_put_back() {
        let (_sandbox, root) = machine();
        let now = |name: &str| root.read(format!("/sys/block/sda/queue/{name}")).unwrap();
        let mut settings = KernelSettings::of(&root);
        settings.set("sda", "read_ahead_kb", "0").unwrap();
        settings.set("sda", "read_ahead_kb", "1024").unwrap();
        assert_eq!(now("read_ahead_kb"), "1024");
        let record = root.read("/run/fathom/settings/sda:read_ahead_kb").unwrap();
        assert!(record.starts_with("value 128\n") && record.contains("start 77\n"), "{record}");
        // The fathom that made the record still runs, and restores the value itself.
        assert_eq!(put_back_left(&root), []);
        let busy = KernelSettings::of(&root).set("sda", "read_ahead_kb", "4").unwrap_err();
        assert!(matches!(busy, SettingFault::Busy { .. }), "{busy:?}");
        assert_eq!(settings.put_back(), []);
        assert_eq!(now("read_ahead_kb"), "128");
        assert!(records(&root.path(RECORDS)).is_empty());
    }

    /// What an administrator sets after fathom was killed stays.
    #[test]
    fn a_value_of_somebody_else_stays() {
        let (sandbox, root) = machine();
        let now = |name: &str| root.read(format!("/sys/block/sda/queue/{name}")).unwrap();
        let mut settings = KernelSettings::of(&root);
        settings.set("sda", "read_ahead_kb", "0").unwrap();
        settings.set("sda", "read_ahead_kb", "4096").unwrap();
        settings.set("sda", "scheduler", "mq-deadline").unwrap();
        std::mem::forget(settings);
        let stat = format!("1 (other) S {} 78 0 0", "0 ".repeat(18).trim());
        sandbox.put(&format!("proc/{}/stat", std::process::id()), &stat).unwrap();
        sandbox.put("sys/block/sda/queue/read_ahead_kb", "512\n").unwrap();
        sandbox.put("sys/block/sda/queue/scheduler", "none mq-deadline [bfq]\n").unwrap();
        sandbox.put("sys/block/sda/queue/nr_requests", "256\n").unwrap();
        let lines = put_back_left(&root);
        let since = |line: &NoteFact| matches!(line, NoteFact::SettingChangedSince { .. });
        assert!(lines.len() == 3 && lines.iter().all(since), "{lines:?}");
        assert_eq!((now("read_ahead_kb").trim(), now("nr_requests").trim()), ("512", "256"));
        assert!(now("scheduler").contains("[bfq]"));
        assert_eq!(put_back_left(&root), []);
    }

    #[test]
    fn what_a_killed_process_changed_is_put_back_by_the_next() {
        let (sandbox, root) = machine();
        let now = |name: &str| root.read(format!("/sys/block/sda/queue/{name}")).unwrap();
        let mut settings = KernelSettings::of(&root);
        settings.set("sda", "scheduler", "mq-deadline").unwrap();
        // As the kernel does when the scheduler changes.
        sandbox.put("sys/block/sda/queue/nr_requests", "256\n").unwrap();
        std::mem::forget(settings);
        // A later process has the same id.
        let stat = format!("1 (other) S {} 78 0 0", "0 ".repeat(18).trim());
        sandbox.put(&format!("proc/{}/stat", std::process::id()), &stat).unwrap();
        let lines = put_back_left(&root);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(
            matches!(&lines[0], NoteFact::SettingRestored { setting, changed, before, .. }
                if setting == "scheduler" && changed == "mq-deadline" && before == "none"),
            "{lines:?}"
        );
        assert_eq!((now("scheduler").as_str(), now("nr_requests").as_str()), ("none", "64"));
        assert_eq!(put_back_left(&root), []);
    }
}
