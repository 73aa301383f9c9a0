//! Targets on servers: their size for the plan, their contents and users for the consent, their engine, and the errors of
//! their servers.

use crate::assignment::Assignment;
use crate::job_error::of_errno;
use crate::policy::Policy;
use crate::refusal::{Found, NotOurs};
use crate::server_lock;
use crate::targets::{self, TargetError, Targets};
use engine::remote::ceph::ClusterTarget;
use engine::remote::http::{Http, HttpTarget, HttpVolume, ObjectMode};
use engine::remote::iscsi::{Iscsi, IscsiTarget, IscsiVolume};
use engine::remote::nbd::{Nbd, NbdVolume};
use engine::remote::nfs::{Nfs, NfsAccess, NfsFile, NfsTarget, NfsVolume};
use engine::remote::rados::{Rados, RadosTarget, RadosVolume};
use engine::remote::rbd::{Encryption, EncryptionFormat, Rbd, RbdTarget};
use engine::remote::rbd_image::RbdVolume;
use engine::remote::{RemoteError, Volume};
use engine::{Blocks, Completion, Engine, Kind, Op};
use facts::device_users::{contents, ranges_read};
use facts::{SysRoot, network};
use job::job::{Job, SyncMode};
use job::plan::{FileKind, PathState, Plan, PlannedFile, PlannedJob};
use job::remote::{
    CephSpec, HttpMode, HttpSpec, Https, RadosSpec, RbdEncryption, RbdSpec, RemoteSpec, same_target,
    without_password,
};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use stats::job_error::{ErrorCause, TargetChangeKind};
use stats::remote::{RemoteClient, RemoteLayer};
use stats::server_fact::ServerFact;
use stats::{Direction, JobError, TargetLayers};
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time after which no further sample of a volume is read for the consent.
const SAMPLING: Duration = Duration::from_secs(3);

/// Time after which a server that sends nothing, although requests wait, has failed.
const SILENCE: Duration = Duration::from_secs(60);

/// Opens the target `path` of an engine outside a run.
///
/// # Errors
/// The library is missing, or the server cannot be reached or refuses the target.
pub fn open(spec: &RemoteSpec, path: &Path) -> Result<Box<dyn Volume>, RemoteError> {
    let name = path.to_string_lossy();
    Ok(match spec {
        RemoteSpec::Nfs { url } => Box::new(NfsVolume::open(&nfs_target(url), &name)?),
        RemoteSpec::Nbd { uri } => Box::new(NbdVolume::open(uri)?),
        RemoteSpec::Rbd(spec) => Box::new(open_image(spec)?),
        RemoteSpec::Rados(spec) => Box::new(RadosVolume::open(&objects(spec, Vec::new(), false), &name)?),
        RemoteSpec::Iscsi { initiator } => Box::new(IscsiVolume::open(&iscsi_target(initiator), &name)?),
        RemoteSpec::Http(spec) => Box::new(HttpVolume::open(&http_target(spec), &name)?),
    })
}

/// Opens an image of Ceph outside a run.
///
/// # Errors
/// As [`open`].
pub fn open_image(spec: &RbdSpec) -> Result<RbdVolume, RemoteError> {
    RbdVolume::open(&image(spec, true))
}

fn objects(spec: &RadosSpec, names: Vec<String>, unlink: bool) -> RadosTarget {
    RadosTarget {
        cluster: cluster(&spec.ceph),
        pool: spec.ceph.pool.clone(),
        objects: names,
        touch: spec.touch_objects,
        // fio leaves its objects.
        remove_created: unlink,
        busy_poll: spec.ceph.busy_poll,
    }
}

fn iscsi_target(initiator: &str) -> IscsiTarget {
    IscsiTarget { initiator: initiator.into(), timeout: SILENCE }
}

fn http_target(spec: &HttpSpec) -> HttpTarget {
    let (user, password) = spec.user.clone().unwrap_or_default();
    let (customer_algorithm, customer_key) = spec.customer_key.clone().unwrap_or_default();
    HttpTarget {
        host: spec.host.clone(),
        https: match spec.https {
            Https::Off => engine::remote::http::Https::Off,
            Https::On => engine::remote::http::Https::On,
            Https::Insecure => engine::remote::http::Https::Insecure,
        },
        mode: match spec.mode {
            HttpMode::Webdav => engine::remote::http::HttpMode::WebDav,
            HttpMode::S3 => engine::remote::http::HttpMode::S3,
            HttpMode::Swift => engine::remote::http::HttpMode::Swift,
        },
        objects: if spec.ranges { ObjectMode::Range } else { ObjectMode::Block },
        user,
        password,
        key_id: spec.key_id.clone(),
        key: spec.key.clone(),
        security_token: spec.security_token.clone().unwrap_or_default(),
        region: spec.region.clone(),
        customer_key,
        customer_algorithm,
        storage_class: spec.storage_class.clone(),
        swift_token: spec.swift_token.clone().unwrap_or_default(),
    }
}

fn nfs_target(url: &str) -> NfsTarget {
    NfsTarget { url: url.into(), timeout: SILENCE }
}

fn cluster(spec: &CephSpec) -> ClusterTarget {
    ClusterTarget { cluster: spec.cluster.clone(), client: spec.client.clone(), conf: spec.conf.clone() }
}

fn image(spec: &RbdSpec, read_only: bool) -> RbdTarget {
    let encryption = spec.encryption.as_ref().map(|(format, passphrase)| Encryption {
        format: match format {
            RbdEncryption::Luks1 => EncryptionFormat::Luks1,
            RbdEncryption::Luks2 => EncryptionFormat::Luks2,
        },
        passphrase: passphrase.clone(),
    });
    RbdTarget {
        cluster: cluster(&spec.ceph),
        pool: spec.ceph.pool.clone(),
        image: spec.image.clone(),
        encryption,
        read_only,
        busy_poll: spec.ceph.busy_poll,
    }
}

/// Returns the kind and size of the target `path` of an engine.
///
/// # Errors
/// As [`open`], with the text of the server.
pub(crate) fn inspect(spec: &RemoteSpec, path: &Path) -> io::Result<PathState> {
    let volume = open(spec, path).map_err(io::Error::other)?;
    let kind = if spec.is_volume() { FileKind::Volume } else { FileKind::Object };
    Ok(PathState { kind, exists: volume.size().is_some(), size: volume.size().unwrap_or(0) })
}

/// Volumes whose metadata did not change while an earlier job of the command watched them. Clones share the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched(Arc<Mutex<BTreeSet<String>>>);

/// The user's permissions, as far as they concern targets on servers.
pub(crate) struct RemoteConsent<'a> {
    /// Rules that decide which writes need consent.
    pub(crate) policy: Policy,
    /// Targets of `--allow-destroy=`.
    pub(crate) allow_destroy: &'a [PathBuf],
    /// Volumes that need not be watched again.
    pub(crate) watched: &'a Watched,
}

/// Checks the targets that a clone would overwrite, and stores those that it may.
///
/// # Errors
/// The first target that must not be overwritten, with what was found.
pub(crate) fn check(
    job: &Job,
    spec: &RemoteSpec,
    clone: &PlannedJob,
    consent: &RemoteConsent<'_>,
    targets: &mut Targets,
) -> Result<(), (PathBuf, Vec<Found>)> {
    let changes = job.pattern.mix.has(Direction::Write) || job.pattern.mix.has(Direction::Trim);
    if consent.policy == Policy::Unguarded || !changes {
        return Ok(());
    }
    for file in &clone.files {
        let name = spec.target(&file.path);
        let covered =
            consent.allow_destroy.iter().any(|allowed| same_target(&allowed.to_string_lossy(), &name));
        let shown = without_password(&name);
        let found = match open(spec, &file.path) {
            Err(_) if covered => Vec::new(),
            // The plan has reached the server. If it cannot be reached now, it may be when the job begins, with its contents
            // unseen.
            Err(e) => vec![unreadable(&e)],
            Ok(mut volume) => {
                // fio writes a file from several processes. A target that is permitted is held, too: others may not be.
                let locks = spec.is_volume() || consent.policy == Policy::Own;
                let held = !locks || server_lock::hold(&volume.server_id(), &shown);
                let mut found = match covered {
                    true => used_elsewhere(&mut *volume, spec, consent.watched).into_iter().collect(),
                    false => data_in(&mut *volume, spec, consent.policy),
                };
                if !held && !covered {
                    found.insert(0, Found::OtherRun);
                }
                found
            }
        };
        if !found.is_empty() {
            return Err((PathBuf::from(shown.into_owned()), found));
        }
        targets.examined_on_server(&name, covered);
        if spec.is_volume() {
            break;
        }
    }
    Ok(())
}

/// Returns how another client uses a volume that the user permits to overwrite. Its metadata is watched once per command.
fn used_elsewhere(volume: &mut dyn Volume, spec: &RemoteSpec, watched: &Watched) -> Option<Found> {
    if !spec.is_volume() {
        return None;
    }
    if let Ok(Some(reservation)) = volume.reservation() {
        return Some(reservation.into());
    }
    let name = volume.server_id();
    if watched.0.lock().is_ok_and(|known| known.contains(&name)) {
        return None;
    }
    let size = volume.size()?;
    let read = &mut |bytes: &mut [u8], at| match volume.read_at(at, bytes) {
        Ok(n) if n == bytes.len() => Ok(()),
        Ok(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        Err(e) => Err(io::Error::other(e)),
    };
    let changing = facts::changing::watch(read, size).ok().flatten();
    if let (None, Ok(mut known)) = (&changing, watched.0.lock()) {
        known.insert(name);
    }
    changing.map(Found::Changing)
}

/// Returns what a target has that must not be overwritten.
fn data_in(volume: &mut dyn Volume, spec: &RemoteSpec, policy: Policy) -> Vec<Found> {
    if spec.is_volume() {
        return in_volume(volume);
    }
    if policy != Policy::Own {
        return Vec::new();
    }
    if !volume.lists() {
        return vec![Found::CannotList];
    }
    let found = match (volume.size(), volume.first_object()) {
        (Some(bytes @ 1..), _) => Some(Found::Exists { bytes, because: NotOurs::OnServer }),
        (_, Ok(first)) => first.map(Found::Object),
        (_, Err(e)) => Some(unreadable(&e)),
    };
    found.into_iter().collect()
}

/// Opens the targets of a clone that changes them for writing ([`Targets::open_on_server`]): its job may begin long after the
/// check, and others may have written meanwhile.
///
/// # Errors
/// A target has changed since the check.
pub(crate) fn begin(a: &Assignment<'_>, spec: &RemoteSpec) -> Result<(), JobError> {
    if !a.changes() {
        return Ok(());
    }
    let policy = if a.targets.is_own() { Policy::Own } else { Policy::Fio };
    for file in &a.clone.files {
        let kind = if spec.is_volume() { TargetChangeKind::Content } else { TargetChangeKind::Appeared };
        let changed = || {
            let seen = open(spec, &file.path).map(|mut volume| data_in(&mut *volume, spec, policy));
            (!seen.is_ok_and(|found| found.is_empty())).then_some(kind)
        };
        match a.targets.open_on_server(&spec.target(&file.path), changed) {
            Err(TargetError::Refused(change)) => return Err(targets::refused(change)),
            Err(TargetError::System(errno)) => return Err(of_errno(errno.raw_os_error(), "open")),
            Ok(()) => {}
        }
    }
    Ok(())
}

fn unreadable(error: &RemoteError) -> Found {
    Found::CannotRead(Errno::from_raw_os_error(error.errno()))
}

/// Returns the clients and the data of a volume.
fn in_volume(volume: &mut dyn Volume) -> Vec<Found> {
    let mut found = Vec::new();
    match volume.users() {
        Ok(clients) if clients.is_empty() => {}
        Ok(clients) => found.push(Found::Clients(clients)),
        Err(e) => found.push(unreadable(&e)),
    }
    let size = volume.size().unwrap_or(0);
    match copy(volume, size) {
        Ok(copy) => match contents(&copy, size, true) {
            Ok(uses) => found.extend(uses.into_iter().map(Found::DeviceUse)),
            Err(_) => found.push(Found::CannotRead(Errno::IO)),
        },
        Err(e) => found.push(unreadable(&e)),
    }
    found
}

/// Returns a file in memory with the parts of a volume that the search for signatures and data reads, the rest zero.
fn copy(volume: &mut dyn Volume, size: u64) -> Result<File, RemoteError> {
    let no_memory = |e: io::Error| RemoteError::Refused {
        call: "memfd_create",
        errno: e.raw_os_error().unwrap_or(Errno::IO.raw_os_error()),
        text: e.to_string(),
    };
    let file = memfd_create("volume", MemfdFlags::CLOEXEC).map_err(|e| no_memory(e.into()))?;
    let file = File::from(file);
    file.set_len(size).map_err(no_memory)?;
    let began = Instant::now();
    let mut bytes = Vec::new();
    for (number, (at, length)) in ranges_read(size).enumerate() {
        // The ends are read whatever the time.
        if number > 1 && began.elapsed() > SAMPLING {
            break;
        }
        bytes.resize(length as usize, 0);
        let n = volume.read_at(at, &mut bytes)?;
        if bytes[..n].iter().any(|byte| *byte != 0) {
            file.write_all_at(&bytes[..n], at).map_err(no_memory)?;
        }
    }
    Ok(file)
}

/// Number of blocks that are read to see whether a volume was ever written, and their length in bytes.
const ZERO_SAMPLES: (u64, usize) = (64, 4096);

/// Returns the targets of the plan on servers, each once, and their servers. With `examine`, the servers are asked about the
/// targets, and blocks of what is read are examined for zeros, because servers answer reads of never-written blocks
/// without any access to storage.
pub(crate) fn layers(plan: &Plan, root: &SysRoot, examine: bool) -> (Vec<TargetLayers>, Vec<RemoteLayer>) {
    let mut all: Vec<TargetLayers> = Vec::new();
    let mut servers = Vec::new();
    for (spec, job, file) in targets(plan) {
        let path = without_password(&spec.target(&file.path)).into_owned();
        if all.iter().any(|known| known.path == path) || all.len() >= LAYERS {
            continue;
        }
        let mut target = TargetLayers { path, size: file.size, ..TargetLayers::default() };
        // The plan has reached the server: an error is rare, and the job reports it.
        if let Ok(mut volume) = open(spec, &file.path) {
            (target.stack, target.cap) = (volume.layers(), volume.cap());
            if examine {
                servers.push(layer(&mut *volume, target.path.clone(), root, false));
            }
            if examine && job.pattern.mix.has(Direction::Read) {
                let zeros = zeros(&mut *volume, file.start, file.length);
                (target.zero_blocks, target.sampled_blocks) = zeros.unzip();
            }
        }
        all.push(target);
    }
    (all, servers)
}

/// Returns the files of the plan on servers with their jobs.
fn targets(plan: &Plan) -> impl Iterator<Item = (&RemoteSpec, &Job, &PlannedFile)> {
    plan.clones.iter().flat_map(|clone| {
        let job = &plan.jobs[clone.job];
        let spec = job.engine.remote();
        clone.files.iter().filter_map(move |file| Some((spec?, job, file)))
    })
}

/// Returns the client, the servers and the network path of an open target; `all` is that of [`Volume::server_facts`].
pub fn layer(volume: &mut dyn Volume, name: String, root: &SysRoot, all: bool) -> RemoteLayer {
    let mut facts = volume.server_facts(all);
    let servers = volume.servers();
    let path = servers.first().and_then(|server| network::path_to(root, server));
    let address = |text: &String| network::address(text);
    let addresses: Vec<_> = servers.iter().filter_map(address).collect();
    // The connection that sent most: others only keep themselves alive.
    let connections = sys::tcp::own_connections().into_iter();
    let own = connections.filter(|one| addresses.contains(&one.peer.ip().to_canonical()));
    facts.extend(
        own.max_by_key(|one| one.sent)
            .map(|one| ServerFact::RoundTrip { mean_us: one.round_trip_us, least_us: one.least_us }),
    );
    let client = RemoteClient::Library { library: volume.library().into(), facts };
    RemoteLayer { name, client, servers, path, traffic: None }
}

/// Asks the servers of the layers again what they do beside the work for their clients: work that ended before or began
/// during the run counts as well.
pub(crate) fn look_again(plan: &Plan, layers: &mut [RemoteLayer]) {
    for layer in layers {
        let RemoteClient::Library { facts, .. } = &mut layer.client else { continue };
        let before = facts.iter_mut().find_map(|fact| match fact {
            ServerFact::Activity(activity) => Some(activity),
            _ => None,
        });
        let target =
            targets(plan).find(|(spec, _, file)| without_password(&spec.target(&file.path)) == layer.name);
        let Some((before, (spec, _, file))) = before.zip(target) else { continue };
        if let Some(now) = open(spec, &file.path).ok().and_then(|mut volume| volume.activity()) {
            *before = before.most(now);
        }
    }
}

/// Largest number of targets on servers that are examined for the report.
const LAYERS: usize = 16;

/// Returns the number of blocks with only zeros and the number of blocks examined in a region; `None` if it cannot be
/// read.
fn zeros(volume: &mut dyn Volume, start: u64, length: u64) -> Option<(u32, u32)> {
    let (samples, block) = ZERO_SAMPLES;
    let (mut zero, mut sampled) = (0, 0);
    let began = Instant::now();
    let mut bytes = vec![0; block];
    for sample in 0..samples {
        let at = start + (u128::from(length) * u128::from(sample) / u128::from(samples)) as u64;
        let at = at - at % block as u64;
        let n = volume.read_at(at, &mut bytes).ok().filter(|n| *n > 0)?;
        sampled += 1;
        zero += u32::from(bytes[..n].iter().all(|byte| *byte == 0));
        if began.elapsed() > SAMPLING {
            break;
        }
    }
    Some((zero, sampled))
}

/// Returns the engine of a clone on an NBD export.
///
/// # Errors
/// The server cannot be reached or refuses the export.
pub(crate) fn nbd(a: &Assignment<'_>, uri: &str, blocks: Blocks) -> Result<Nbd, JobError> {
    Nbd::open(uri, blocks, depth(a), a.changes()).map_err(|error| job_error(&error))
}

/// Returns the engine of a clone on an image of Ceph.
///
/// # Errors
/// The cluster cannot be reached or refuses the image.
pub(crate) fn rbd(a: &Assignment<'_>, spec: &RbdSpec, blocks: Blocks) -> Result<Rbd, JobError> {
    Rbd::open(&image(spec, !a.changes()), blocks, depth(a)).map_err(|error| job_error(&error))
}

/// Returns the engine of a clone on files of an NFS export.
///
/// # Errors
/// The server cannot be reached or refuses a file.
pub(crate) fn nfs(a: &Assignment<'_>, url: &str, blocks: Blocks) -> Result<Nfs, JobError> {
    let target = &a.job().target;
    let file =
        |f: &PlannedFile| NfsFile { name: f.path.to_string_lossy().into_owned(), size: f.start + f.length };
    let files: Vec<NfsFile> = a.clone.files.iter().map(file).collect();
    let access = NfsAccess {
        write: a.changes(),
        create: target.allow_file_create,
        sync: target.sync != SyncMode::None,
    };
    Nfs::open(&nfs_target(url), &files, access, blocks, depth(a)).map_err(|error| job_error(&error))
}

/// Returns the engine of a clone on objects of Ceph.
///
/// # Errors
/// The cluster cannot be reached or refuses an object.
pub(crate) fn rados(a: &Assignment<'_>, spec: &RadosSpec, blocks: Blocks) -> Result<Rados, JobError> {
    Rados::open(&objects(spec, names(a), a.job().target.unlink), blocks, depth(a))
        .map_err(|error| job_error(&error))
}

/// Returns the engine of a clone on LUNs.
///
/// # Errors
/// A target cannot be reached or refuses the login.
pub(crate) fn iscsi(a: &Assignment<'_>, initiator: &str, blocks: Blocks) -> Result<Iscsi, JobError> {
    Iscsi::open(&iscsi_target(initiator), &names(a), blocks, depth(a)).map_err(|error| job_error(&error))
}

/// Returns the engine of a clone on objects over HTTP.
///
/// # Errors
/// The options of the server are wrong.
pub(crate) fn http(a: &Assignment<'_>, spec: &HttpSpec, blocks: Blocks) -> Result<Http, JobError> {
    Http::open(&http_target(spec), &names(a), blocks, depth(a)).map_err(|error| job_error(&error))
}

fn names(a: &Assignment<'_>) -> Vec<String> {
    a.clone.files.iter().map(|file| file.path.to_string_lossy().into_owned()).collect()
}

fn depth(a: &Assignment<'_>) -> usize {
    a.job().queue.effective as usize
}

/// Flushes the first `targets` files of an idle engine; gives up when `stopped` returns true.
///
/// # Errors
/// The error of the first flush that failed.
pub(crate) fn flush<E: Engine>(
    engine: &mut E,
    targets: usize,
    stopped: &dyn Fn() -> bool,
) -> Result<(), JobError> {
    for file in 0..targets as u32 {
        engine.queue(&[Op { file, kind: Kind::Fsync, ..Op::NONE }]);
        engine.submit().map_err(|dead| of_errno(dead.errno, dead.call))?;
        let mut done = [Completion::default()];
        while engine.reap(1, &mut done).map_err(|dead| of_errno(dead.errno, dead.call))? == 0 {
            if stopped() {
                return Ok(());
            }
        }
        if done[0].res < 0 {
            let error = engine.remote_error().filter(|error| error.errno() == -done[0].res);
            return Err(error.map_or_else(|| of_errno(-done[0].res, "fsync"), job_error));
        }
    }
    Ok(())
}

/// Returns the error of a job for the error of its server.
pub fn job_error(error: &RemoteError) -> JobError {
    let text = error.to_string();
    JobError { cause: Some(Box::new(ErrorCause::Remote { text })), ..of_errno(error.errno(), error.call()) }
}
