//! Targets of checks and studies: a scratch file in a directory, a file, a device or a simulated device.

mod jobs;

use crate::host_jobs::{JobHosts, OnHosts};
use crate::objects::{ObjectPlace, ScratchObjects};
use crate::scratch::Scratch;
pub use crate::target_error::TargetError;
use crate::target_fault::TargetFault;
use facts::SysRoot;
use job::job::{EngineChoice, ModelSpec};
use job::remote::{RemoteSpec, is_remote_target, target_options, without_password};
use job::unit::Number;
use run::availability::{UsableEngine, best_engine};
use run::consent::{Consent, Policy};
use run::prepare::Host;
use run::wear::{self, WriteAllowance};
use run::{Models, RunError, StartGate, Watch};
use stats::QuickTarget;
use stats::note::NoteFact;
use stats::plan_error::{PlanError, PlanFault};
use stats::unit::{GIB, MIB};
use stats::wear::{DriveWear, PlannedWrites};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

/// Environment that all jobs of a check or study share.
#[derive(Clone, Debug)]
pub struct JobContext {
    /// Root of the file tree from which facts about the machine are read (sysfs, procfs).
    pub root: SysRoot,
    /// Number of the signal that requested an early end; 0 if none has arrived.
    pub interrupt: Arc<AtomicUsize>,
    /// Time without any completion after which a run stops waiting for a device (see [`Setup::patience`]).
    pub patience: Duration,
    /// Length of the windows in which a job's rate over time is recorded.
    pub window: Duration,
    /// Simulated devices, whose state persists from job to job.
    pub models: Models,
    /// Targets that may be overwritten.
    pub consent: Consent,
    /// Data that all jobs together may still write (`--wear-budget`); `None` without a budget.
    pub allowance: Option<Arc<WriteAllowance>>,
    /// Called with the beginning of the names of the scratch objects on a server, before the first job on them.
    pub scratch_named: fn(&str),
    /// Returns the message for an error that ends a point. A study stores the message if the error is not a [`Failure`]
    /// of its own.
    ///
    /// [`Failure`]: stats::failure::Failure
    pub words: fn(&TargetError) -> String,
    /// Hosts that run the jobs instead of this machine; `None` for this machine.
    pub hosts: Option<Arc<dyn JobHosts>>,
    /// Common start of the jobs with those of other hosts; `None` on one machine.
    pub gate: Option<Arc<dyn StartGate>>,
}

impl JobContext {
    /// Returns the environment of this machine, with windows of 50 ms; only files that fathom created may be written.
    pub fn here(interrupt: Arc<AtomicUsize>, patience: Duration, words: fn(&TargetError) -> String) -> Self {
        JobContext {
            root: SysRoot::machine(),
            interrupt,
            patience,
            window: Duration::from_millis(50),
            models: Models::default(),
            consent: Consent::new(Policy::Own, Vec::new()),
            allowance: None,
            scratch_named: |_| {},
            words,
            hosts: None,
            gate: None,
        }
    }
}

/// Returns the engine's options and the file of the target `name` on a server, which need not exist.
///
/// # Errors
/// The name lacks a part, or the server cannot be reached.
pub(crate) fn server_target(path: &Path, name: &str) -> Result<(RemoteSpec, PathBuf), TargetFault> {
    // A pool is asked through the name of an object that it need not have.
    let pool = name.strip_prefix("rados:").is_some_and(|pool| !pool.is_empty() && !pool.contains(['/', ':']));
    let object = if pool { format!("{name}/fathom") } else { name.to_owned() };
    let plan = Target::unopened(path, &object).and_then(|target| target.plan("target", &[]));
    let plan = plan.map_err(|error| match error {
        TargetError::Target { fault, .. } => fault,
        TargetError::Run(_) | TargetError::Hosts { .. } => TargetFault::ServerName,
    })?;
    let file = plan.clones.first().and_then(|clone| clone.files.first());
    let spec = plan.jobs.first().and_then(|job| job.engine.remote());
    spec.cloned().zip(file.map(|file| file.path.clone())).ok_or(TargetFault::ServerName)
}

/// Returns the names of the options of a simulated device except `size`.
pub fn model_options() -> impl Iterator<Item = &'static str> {
    job::table::rows().filter_map(|row| row.name.strip_prefix(PREFIX))
}

/// Largest size of the scratch file, in bytes. The size is also limited to a tenth of the free space, an eighth of the
/// available memory, and the data written within [`FILL`].
const SCRATCH: u64 = GIB;
/// Smallest size of a new scratch file, in bytes.
const LEAST: u64 = 16 * MIB;
/// Time limit for filling the scratch file.
const FILL: Duration = Duration::from_millis(3500);
/// Size of the region that jobs write in a bucket, in bytes: each block of it becomes an object, which has to be removed.
const WRITE_REGION: u64 = 16 * MIB;
/// End of the name of the objects that jobs write in a bucket; their offset and length follow.
const WRITTEN: &str = "written";
/// Prefix of the name of a simulated device, followed by `model_*` options without that prefix,
/// separated by semicolons, and `size`.
pub const MODEL: &str = "model:";
/// Prefix of the names of `model_*` options.
const PREFIX: &str = "model_";

/// The scratch file, file, device or simulated device under test.
#[derive(Debug)]
pub struct Target {
    /// Path as the user gave it, such as the directory of the scratch file.
    pub name: PathBuf,
    /// Path that jobs open; for a scratch file, a path below `/proc/self/fd`.
    pub path: PathBuf,
    /// Kind of target; `None` for a simulated device.
    pub kind: Option<QuickTarget>,
    /// Size in bytes; for files and devices rounded down to a multiple of 4096.
    pub size: u64,
    /// Value of `ioengine` for jobs on the target.
    pub engine: String,
    /// Reason why the engine is not io_uring; `None` with io_uring and for a simulated device.
    pub engine_note: Option<NoteFact>,
    /// Whether jobs open the target with O_DIRECT.
    pub direct: bool,
    /// Command line options that select a simulated device (`--model_*`) or a target on a server; empty for other targets.
    selection: Vec<String>,
    /// Access to a target on a server; `None` for other targets.
    pub remote: Option<RemoteSpec>,
    /// Name of the target on the server in the job: that of an object or file; empty for other targets.
    pub opened: PathBuf,
    /// The scratch file, which is deleted when this handle is dropped.
    scratch: Option<Scratch>,
    /// Scratch objects on a server, which are removed when this handle is dropped.
    objects: Option<ScratchObjects>,
    /// Whether the names of the scratch objects were reported.
    named: AtomicBool,
    /// Hosts that have opened the target; `None` on this machine.
    pub(crate) on_hosts: Option<OnHosts>,
}

/// Returns the options of a job at a place of objects, without the names of the objects. The account is not among them:
/// the engine finds it, so that it gets into no result.
fn place_options(place: &ObjectPlace) -> Vec<String> {
    match place {
        ObjectPlace::Rados(rados) => vec!["--ioengine=rados".into(), format!("--pool={}", rados.pool)],
        ObjectPlace::S3(s3) => {
            let mut options = vec!["--ioengine=http".into(), "--http_mode=s3".into()];
            options.extend(s3.endpoints.first().map(|of| format!("--http_host={}", of.host)));
            options.push(format!("--http_s3_region={}", s3.settings.region));
            let tls = s3.endpoints.first().is_some_and(::objects::Endpoint::is_https);
            options.push(format!("--https={}", if tls { "on" } else { "off" }));
            options
        }
    }
}

fn refuse(path: &Path, fault: TargetFault) -> TargetError {
    TargetError::Target { path: path.into(), fault }
}

fn system(path: &Path) -> impl Fn(io::Error) -> TargetError {
    move |e| refuse(path, TargetFault::of(&e))
}

impl Target {
    /// Examines the target `path` where the jobs of a study run: on the hosts of `context`, or on this machine ([`Target::open`]).
    ///
    /// # Errors
    /// Those of [`Target::open`], and what a host says.
    pub fn open_in(path: &Path, context: &JobContext, watch: &mut dyn Watch) -> Result<Target, TargetError> {
        let Some(hosts) = &context.hosts else { return Target::open(path, &context.root) };
        let opened = hosts.open(path, context.window, watch)?;
        let described = opened.described;
        Ok(Target {
            size: described.size,
            direct: described.direct.unwrap_or(true),
            engine: opened.engine,
            engine_note: opened.engine_note,
            on_hosts: Some(OnHosts { hosts: hosts.clone(), described, fresh: None }),
            ..Target::selected(path, opened.kind, Vec::new())
        })
    }

    /// Examines the target `path`. In a directory, creates a scratch file, which has to be filled ([`Target::fill`]).
    ///
    /// # Errors
    /// The target is unusable, smaller than 1 MiB, or a scratch file cannot be created.
    pub fn open(path: &Path, root: &SysRoot) -> Result<Target, TargetError> {
        if let Some(options) = path.to_str().and_then(|p| p.strip_prefix(MODEL)) {
            return Target::model(path, options);
        }
        if let Some(name) = path.to_str().filter(|name| is_remote_target(name)) {
            return Target::on_server(path, name, root);
        }
        let UsableEngine { engine, note } = best_engine();
        let engine = engine.to_string();
        let meta = std::fs::metadata(path).map_err(system(path))?;
        if meta.is_dir() {
            let (size, scratch) = scratch_in(path, root)?;
            let opened = scratch.path();
            return Ok(Target {
                name: path.into(),
                direct: accepts_direct(&opened),
                path: opened,
                kind: Some(QuickTarget::ScratchFile),
                size,
                engine,
                engine_note: note,
                selection: Vec::new(),
                remote: None,
                opened: PathBuf::new(),
                scratch: Some(scratch),
                objects: None,
                named: AtomicBool::new(false),
                on_hosts: None,
            });
        }
        use std::os::unix::fs::FileTypeExt;
        let kind = if meta.file_type().is_block_device() { QuickTarget::Device } else { QuickTarget::File };
        if kind == QuickTarget::File && !meta.is_file() {
            return Err(refuse(path, TargetFault::NotMeasurable));
        }
        let look = job::plan::Inspect::inspect(&mut Host, path).map_err(system(path))?;
        if look.size < MIB {
            let fault = match is_job_file(path) {
                true => TargetFault::JobFile,
                false => TargetFault::TooSmall { bytes: look.size },
            };
            return Err(refuse(path, fault));
        }
        Ok(Target {
            name: path.into(),
            path: path.into(),
            kind: Some(kind),
            size: look.size / 4096 * 4096,
            engine,
            engine_note: note,
            direct: accepts_direct(path),
            selection: Vec::new(),
            remote: None,
            opened: PathBuf::new(),
            scratch: None,
            objects: None,
            named: AtomicBool::new(false),
            on_hosts: None,
        })
    }

    /// Returns the target `name` on a server, whose engine and size are not known yet.
    fn unopened(path: &Path, name: &str) -> Result<Target, TargetError> {
        let shown = without_password(name);
        if shown != name {
            return Err(refuse(Path::new(shown.as_ref()), TargetFault::Password));
        }
        let selection = target_options(name).ok_or_else(|| refuse(path, TargetFault::ServerName))?;
        Ok(Target::selected(path, QuickTarget::Server, selection))
    }

    /// Returns a target on a server that these options of a job select.
    fn selected(path: &Path, kind: QuickTarget, selection: Vec<String>) -> Target {
        Target {
            name: path.into(),
            path: path.into(),
            kind: Some(kind),
            size: MIB,
            engine: String::new(),
            engine_note: None,
            direct: true,
            selection,
            remote: None,
            opened: PathBuf::new(),
            scratch: None,
            objects: None,
            named: AtomicBool::new(false),
            on_hosts: None,
        }
    }

    /// Returns the volume or file `name` on a server.
    fn on_server(path: &Path, name: &str, root: &SysRoot) -> Result<Target, TargetError> {
        let place = match target_options(name) {
            Some(_) => None,
            None => ObjectPlace::of_target(name).map_err(|e| refuse(path, TargetFault::NoAccess(e)))?,
        };
        let mut target = match place {
            Some(place) => {
                let selection = place_options(&place);
                let mut target = Target::selected(path, QuickTarget::ScratchObjects, selection);
                target.objects = Some(ScratchObjects::new(place, root));
                target
            }
            None => Target::unopened(path, name)?,
        };
        // Scratch objects are made later: a job that writes can be planned without them.
        let job = match &target.objects {
            Some(objects) => vec!["--rw=write".to_owned(), format!("--size={}", objects.bytes())],
            None => vec!["--size=100%".to_owned()],
        };
        let plan = target.plan("target", &job).map_err(|error| match error {
            TargetError::Target {
                fault: TargetFault::Plan(PlanError { fault: PlanFault::NoSize { .. }, .. }),
                ..
            } => refuse(path, TargetFault::NotOnServer),
            error => error,
        })?;
        let (Some(job), Some(file)) =
            (plan.jobs.first(), plan.clones.first().and_then(|clone| clone.files.first()))
        else {
            return Err(refuse(path, TargetFault::ServerName));
        };
        target.engine = job.engine.name().into();
        target.remote = job.engine.remote().cloned();
        target.opened.clone_from(&file.path);
        let size = target.objects.as_ref().map_or(file.size, ScratchObjects::bytes);
        target.size = size / 4096 * 4096;
        if target.size < MIB {
            return Err(refuse(path, TargetFault::TooSmall { bytes: file.size }));
        }
        Ok(target)
    }

    /// Returns a target on a server that these options of an engine select, of `bytes`.
    pub(crate) fn with_options(name: &str, selection: Vec<String>, bytes: u64) -> Target {
        Target { size: bytes, ..Target::selected(Path::new(name), QuickTarget::Server, selection) }
    }

    /// Returns a simulated device with the options of its name; rejects invalid options before anything is measured.
    fn model(path: &Path, options: &str) -> Result<Target, TargetError> {
        let mut size = 1u64 << 40;
        let mut model = Vec::new();
        for option in options.split(';').filter(|o| !o.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            if name == "size" {
                size = match job::unit::integer(value, 1024) {
                    Ok(Number { value: bytes @ 1.., rest: "" }) => bytes.unsigned_abs(),
                    _ => return Err(refuse(path, TargetFault::ModelSize { option: option.into() })),
                };
            } else if job::table::find(&format!("{PREFIX}{name}")).is_some() {
                model.push(format!("--{PREFIX}{name}={value}"));
            } else {
                return Err(refuse(path, TargetFault::ModelOption { name: name.into() }));
            }
        }
        let engine = "model".into();
        let name = path.into();
        let target = Target {
            name,
            path: path.into(),
            kind: None,
            size,
            engine,
            engine_note: None,
            direct: true,
            selection: model,
            remote: None,
            opened: PathBuf::new(),
            scratch: None,
            objects: None,
            named: AtomicBool::new(false),
            on_hosts: None,
        };
        target.line("model", &[])?;
        Ok(target)
    }

    /// Returns the specification of a simulated device; `None` for other targets.
    ///
    /// # Errors
    /// The options of the device cannot be used together.
    pub fn model_spec(&self) -> Result<Option<ModelSpec>, TargetError> {
        if self.kind.is_some() {
            return Ok(None);
        }
        let plan = job::plan(self.line("model", &[])?.jobs, &mut Host);
        let plan = plan.map_err(|e| refuse(&self.name, TargetFault::Plan(e)))?;
        Ok(plan.jobs.into_iter().find_map(|job| match job.engine {
            EngineChoice::Model(spec) => Some(spec),
            _ => None,
        }))
    }

    /// Returns whether the target is a scratch file, or scratch objects, created by fathom.
    pub fn is_scratch(&self) -> bool {
        let on_hosts = self.on_hosts.as_ref();
        self.scratch.is_some() || self.objects.is_some() || on_hosts.is_some_and(|on| on.described.scratch)
    }

    /// Writes the scratch objects, unless it was done.
    fn create_objects(&mut self, limit: Option<Duration>) -> Result<(), TargetError> {
        if let Some(objects) = &mut self.objects {
            let created = objects.create(limit);
            self.size = created.map_err(|error| refuse(&self.name, TargetFault::Objects(error)))?;
        }
        Ok(())
    }

    /// Fills the scratch file with incompressible data for at most 3.5 s and reduces its size to the data written.
    ///
    /// # Errors
    /// The file is larger than what `--wear-budget` leaves; the job that fills the file failed or wrote less than 1 MiB.
    pub fn fill(&mut self, context: &JobContext, watch: &mut dyn Watch) -> Result<(), TargetError> {
        self.fill_within(Some(FILL), context, watch)
    }

    /// Fills the scratch file of a study that goes on: `bytes`, as before, however long that takes, unless the file
    /// system has less room now.
    ///
    /// # Errors
    /// The same as those of [`Target::fill`].
    pub fn fill_again(
        &mut self,
        bytes: u64,
        context: &JobContext,
        watch: &mut dyn Watch,
    ) -> Result<(), TargetError> {
        self.size = self.size.min(bytes);
        self.fill_within(None, context, watch)
    }

    fn fill_within(
        &mut self,
        limit: Option<Duration>,
        context: &JobContext,
        watch: &mut dyn Watch,
    ) -> Result<(), TargetError> {
        // Each host has filled its own.
        if self.on_hosts.is_some() {
            return Ok(());
        }
        if self.objects.is_some() {
            return self.create_objects(limit);
        }
        let allowance = context.allowance.as_deref();
        wear::afford(allowance, &self.name, self.size, &context.root).map_err(RunError::Refused)?;
        let mut options = vec![
            "--rw=write".to_string(),
            "--bs=1M".into(),
            "--iodepth=8".into(),
            "--refill_buffers".into(),
            "--invalidate=0".into(),
        ];
        options.extend(limit.map(|limit| format!("--runtime={}ms", limit.as_millis())));
        let result = self.job("fill", context, &options, watch)?;
        if let Some(error) = result.jobs.iter().find_map(|j| j.error.clone()) {
            return Err(refuse(&self.name, TargetFault::ScratchNotFilled(error)));
        }
        self.size = result.jobs.iter().map(|j| j.directions[1].bytes).sum::<u64>() / MIB * MIB;
        if self.size < LEAST.min(MIB) {
            return Err(refuse(&self.name, TargetFault::ScratchTooSlow));
        }
        self.direct &= accepts_direct(&self.path);
        Ok(())
    }

    /// Empties the scratch file and allocates `bytes` that were never written; does nothing on other targets.
    ///
    /// # Errors
    /// The file system is full.
    pub fn renew(&mut self, bytes: u64) -> Result<(), TargetError> {
        if let Some(on_hosts) = &mut self.on_hosts {
            on_hosts.fresh = self.kind.filter(|kind| *kind == QuickTarget::ScratchFile).map(|_| bytes);
            return Ok(());
        }
        // The library creates objects in a pool as they are written, and a bucket has one for each block.
        self.create_objects(None)?;
        let Some(scratch) = &self.scratch else { return Ok(()) };
        scratch.renew(bytes).map_err(|e| refuse(&self.name, TargetFault::no_scratch(&e)))?;
        self.size = bytes;
        Ok(())
    }

    /// Returns the layers of a target on a server; `None` for other targets and if the server cannot be reached.
    pub fn layers(&self) -> Option<Vec<String>> {
        let spec = self.remote.as_ref()?;
        run::remote::open(spec, &self.opened).ok().map(|volume| volume.layers())
    }

    /// Returns the layers of a target on hosts, as the first host sees them; `None` for a target of this machine.
    pub(crate) fn layers_on_hosts(&self) -> Option<&[String]> {
        self.on_hosts.as_ref().map(|on_hosts| on_hosts.described.stack.as_slice())
    }

    /// Returns whether the target has an engine of its own, so that a job cannot choose another.
    pub fn has_own_engine(&self) -> bool {
        matches!(self.kind, None | Some(QuickTarget::Server | QuickTarget::ScratchObjects))
    }

    /// Returns whether the target is a volume on a server.
    pub fn is_volume_on_server(&self) -> bool {
        self.remote.as_ref().is_some_and(RemoteSpec::is_volume)
    }

    /// Returns whether the target is a simulated SSD with a flash translation layer.
    pub fn simulates_flash(&self) -> bool {
        self.selection.iter().any(|option| option.starts_with("--model_ftl="))
    }
}

/// Returns the writes of a study to each flash drive under the target `name`, for the line before it begins. Jobs that
/// write (`writes`) do so until their time is over, `seconds` in all; otherwise only a scratch file is filled.
pub fn planned_wear(name: &Path, writes: bool, seconds: f64, context: &JobContext) -> Vec<DriveWear> {
    if name.to_str().is_some_and(|name| name.starts_with(MODEL)) {
        return Vec::new();
    }
    let planned = match (writes, name.is_dir()) {
        (true, _) => PlannedWrites { certain: 0, most: None },
        (false, true) => PlannedWrites::at_most(SCRATCH),
        (false, false) => return Vec::new(),
    };
    wear::on_drives(&context.root, name, planned, seconds, context.allowance.as_deref())
}

/// Returns the size in bytes of a scratch file in the directory `path`; creates nothing.
///
/// # Errors
/// The file system is read-only or full.
pub(crate) fn scratch_size(path: &Path, root: &SysRoot) -> Result<u64, TargetError> {
    let space = rustix::fs::statvfs(path).map_err(|e| refuse(path, TargetFault::System(e)))?;
    if space.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY) {
        return Err(refuse(path, TargetFault::ReadOnly));
    }
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    // A file system on a sparse image allocates its blocks in the file system below, which may have less free space.
    let least = run::space::least_room(path, root).filter(|(_, room)| room.usable() < free);
    let usable = least.as_ref().map_or(free, |(_, room)| room.usable());
    let memory = facts::memory::available_bytes(root).unwrap_or(u64::MAX);
    let size = SCRATCH.min(usable / 10).min(memory / 8) / MIB * MIB;
    if size < LEAST {
        let image = least.map(|(directory, _)| directory).filter(|directory| directory != path);
        return Err(refuse(path, TargetFault::NoRoomForScratch { free: usable, memory, image }));
    }
    Ok(size)
}

/// Creates a scratch file in the directory `path`. Returns its size in bytes and the file.
fn scratch_in(path: &Path, root: &SysRoot) -> Result<(u64, Scratch), TargetError> {
    let size = scratch_size(path, root)?;
    let scratch = Scratch::new(path, size).map_err(|e| refuse(path, TargetFault::no_scratch(&e)))?;
    Ok((size, scratch))
}

fn accepts_direct(path: &Path) -> bool {
    use rustix::fs::{Mode, OFlags, open};
    open(path, OFlags::RDONLY | OFlags::DIRECT | OFlags::CLOEXEC, Mode::empty()).is_ok()
}

/// Returns whether a small file is a job file: by its name, or because its first line that is no comment begins a section.
fn is_job_file(path: &Path) -> bool {
    if path.extension().is_some_and(|e| e == "fio" || e == "icf") {
        return true;
    }
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', ';'])).unwrap_or_default();
    first.len() > 2 && first.starts_with('[') && first.ends_with(']')
}
