//! `fathom ceph`: what a pool of Ceph reaches, compared with the disks of its OSDs.
//!
//! The disks of this host are read only; figures of writes come from the limits of the OSD's control group or from the
//! user. The pool is measured with scratch objects, a scratch image and a scratch file of this run.

mod cluster;
mod osd;
mod scratch;

use crate::target::{JobContext, Target, TargetError};
use engine::remote::RemoteError;
use engine::remote::ceph::Cluster;
pub use engine::remote::ceph::ClusterTarget;
use engine::remote::rbd::RbdTarget;
use engine::remote::rbd_image::RbdVolume;
use engine::remote::scratch_pool::{NAMESPACE, ScratchPool};
use osd::Sample;
use run::Watch;
use run::consent::{Consent, Policy};
use scratch::RunScratch;
use stats::RunResult;
use stats::ceph::{
    CephCard, CephClient, CephMeasurement, CephOsd, CephPattern, CephRow, DiskFigure, FigureSource, OsdLoad,
    OsdWork, advice, client_operations, counted_shares, expected, shares,
};
use stats::direction::Direction;
use stats::remote::InterfaceKind;
use stats::unit::MIB;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Size of a scratch object: that of the objects of an image.
const OBJECT: u64 = 4 * MIB;

/// Error of a measurement of a pool.
#[derive(Debug, thiserror::Error)]
pub enum CephError {
    /// The cluster refused a call, or its library is missing.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// A job could not be run.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The pool does not exist.
    #[error("{pool}: {pools:?}")]
    NoPool {
        /// Name of the pool.
        pool: String,
        /// Pools of the cluster.
        pools: Vec<String>,
    },
    /// A monitor's answer is not what this program knows.
    #[error("{command}")]
    Answer {
        /// Command.
        command: String,
    },
    /// The pool has the registrations of too many runs.
    #[error("{self:?}")]
    TooManyRuns,
    /// A figure or device was given for an OSD that the pool does not use.
    #[error("osd.{osd}")]
    NoOsd {
        /// Number of the OSD.
        osd: i32,
    },
    /// A job ended with an error.
    #[error("{error:?}")]
    Job {
        /// What was measured.
        target: String,
        /// Error.
        error: stats::JobError,
    },
}

impl CephError {
    /// Returns the exit status for the error.
    pub fn exit_code(&self) -> i32 {
        match self {
            CephError::Target(error) => error.exit_code(),
            CephError::NoOsd { .. } => 2,
            _ => 1,
        }
    }
}

/// What the user says about the disks of OSDs.
#[derive(Clone, Debug, PartialEq)]
pub struct DiskClaim {
    /// Number of the OSD; `None` = all.
    pub osd: Option<i32>,
    /// Device, which is read.
    pub device: Option<PathBuf>,
    /// Rates, in operations per second of the pattern's block size.
    pub rates: Vec<(CephPattern, f64)>,
}

/// What is measured, and how long.
pub struct CephRequest {
    /// Name of the pool.
    pub pool: String,
    /// Cluster.
    pub cluster: ClusterTarget,
    /// Directory on a CephFS mount.
    pub cephfs: Option<PathBuf>,
    /// Whether an image is measured.
    pub rbd: bool,
    /// What the user says about disks.
    pub disks: Vec<DiskClaim>,
    /// Patterns, in the order of [`CephPattern::ALL`].
    pub patterns: Vec<CephPattern>,
    /// Time of each measurement.
    pub seconds: Duration,
    /// Bytes of the scratch objects, and of the image; `None` = by the number of OSDs.
    pub size: Option<u64>,
    /// Environment of the jobs.
    pub context: JobContext,
}

/// Receiver of the progress.
pub trait Progress: Watch {
    /// Called before the scratch objects, image or file are written.
    fn filling(&mut self, target: &str);

    /// Called before each measurement.
    fn measuring(&mut self, target: &str, pattern: CephPattern);

    /// Called when scratch objects of an ended run were removed.
    fn leftover(&mut self, keys: &str);

    /// Called when the image of an ended run is waited for, because its client counts as alive.
    fn waiting(&mut self, image: &str, limit: Duration);
}

/// Tells the progress of the removal, which a signal ends.
struct Removal<'a> {
    progress: &'a mut dyn Progress,
    context: &'a JobContext,
}

impl scratch::Leftovers for Removal<'_> {
    fn removed(&mut self, keys: &str) {
        self.progress.leftover(keys);
    }

    fn watched(&mut self, image: &str, limit: Duration) {
        self.progress.waiting(image, limit);
    }

    fn stopped(&self) -> bool {
        self.context.interrupt.load(Relaxed) != 0
    }
}

/// Measures disks and pool.
///
/// # Errors
/// The cluster cannot be reached, the pool does not exist, or a job failed.
pub fn measure(request: &CephRequest, progress: &mut dyn Progress) -> Result<CephCard, CephError> {
    let began = Instant::now();
    let root = &request.context.root;
    let pool = ScratchPool::open(&request.cluster, &request.pool)?;
    let mut card = CephCard { pool: cluster::pool(pool.cluster(), &request.pool)?, ..CephCard::default() };
    let known = known_osds(pool.cluster())?;
    let objects = match request.size {
        Some(bytes) => bytes.div_ceil(OBJECT),
        None => (8 * known as u64).max(64),
    };
    let objects = u32::try_from(objects).unwrap_or(u32::MAX).clamp(1, scratch::OBJECTS);
    card.scratch_bytes = u64::from(objects) * OBJECT;
    let removal = &mut Removal { progress, context: &request.context };
    let scratch = RunScratch::begin(&pool, root, objects, removal)?;
    let measured =
        Session { request, pool: &pool, scratch: &scratch, card: &mut card, link: None }.measure(progress);
    let ended = scratch.end();
    measured?;
    ended?;
    cluster::state(pool.cluster(), &mut card.pool)?;
    card.advice = advice(&card.pool, &card.rows);
    card.seconds = began.elapsed().as_secs_f64();
    Ok(card)
}

/// Returns the number of OSDs of the cluster.
fn known_osds(cluster: &Cluster) -> Result<usize, CephError> {
    let answer = cluster.mon_command(r#"{"prefix":"osd ls","format":"json"}"#)?;
    let list: Result<Vec<i32>, _> = serde_json::from_str(answer.output.trim());
    list.map(|list| list.len()).map_err(|_| CephError::Answer { command: "osd ls".into() })
}

/// Target of one client: its name in messages, its kind, and the placement of its objects.
struct ClientTarget {
    target: Target,
    client: CephClient,
    name: String,
    acting: Vec<Vec<i32>>,
    options: Vec<String>,
    context: JobContext,
}

/// A measurement under way.
struct Session<'a> {
    request: &'a CephRequest,
    pool: &'a ScratchPool,
    scratch: &'a RunScratch<'a>,
    card: &'a mut CephCard,
    /// Payload of the link to the OSDs, bytes per second; `None` if an OSD is on this host, or not known.
    link: Option<u64>,
}

impl Session<'_> {
    fn cluster(&self) -> &Cluster {
        self.pool.cluster()
    }

    fn stopped(&mut self) -> bool {
        self.card.interrupted |= self.request.context.interrupt.load(Relaxed) != 0;
        self.card.interrupted
    }

    fn measure(mut self, progress: &mut dyn Progress) -> Result<(), CephError> {
        let mut clients = vec![self.objects()?];
        clients.extend(self.request.rbd.then(|| self.image()).transpose()?);
        let mut ids: Vec<i32> =
            clients.iter().flat_map(|client| client.acting.iter().flatten().copied()).collect();
        ids.sort_unstable();
        ids.dedup();
        self.examine(&ids)?;
        self.disks(progress)?;
        if let Some(dir) = &self.request.cephfs {
            if self.stopped() {
                return Ok(());
            }
            let target = Target::open(dir, &self.request.context.root)?;
            let name = format!("cephfs:{}", dir.display());
            self.card.scratch.push(name.clone());
            clients.push(ClientTarget {
                target,
                client: CephClient::CephFs,
                name,
                acting: Vec::new(),
                options: Vec::new(),
                context: self.request.context.clone(),
            });
        }
        for client in &mut clients {
            if self.stopped() {
                return Ok(());
            }
            progress.filling(&client.name);
            fill(client, progress)?;
        }
        for pattern in self.request.patterns.clone() {
            let at = CephPattern::ALL.iter().position(|of| *of == pattern).unwrap_or(0);
            let disks = self.card.osds.iter().map(|osd| osd.disk[at].map(|disk| disk.rate)).sum();
            self.card.rows.push(CephRow { pattern, disks, clients: Vec::new() });
            for client in &clients {
                if self.stopped() {
                    return Ok(());
                }
                let measured = self.pattern(client, pattern, progress)?;
                if let Some(row) = self.card.rows.last_mut() {
                    row.clients.push(measured);
                }
            }
        }
        self.stopped();
        Ok(())
    }

    /// Returns the options that select the cluster.
    fn access(&self) -> Vec<String> {
        let of = &self.request.cluster;
        let mut options = vec![format!("--clientname={}", of.client.as_deref().unwrap_or("admin"))];
        options.extend(of.cluster.as_ref().map(|name| format!("--clustername={name}")));
        options.extend(of.conf.as_ref().map(|path| format!("--conf={}", path.display())));
        options
    }

    /// Returns the environment of jobs that may overwrite these targets of this run.
    fn context(&self, own: impl Iterator<Item = String>) -> JobContext {
        let mut context = self.request.context.clone();
        // Nothing is read beside the jobs, not even samples for zeros: reads would be in the counters of the OSDs.
        context.consent = Consent::new(Policy::Fio, own.map(PathBuf::from).collect());
        context
    }

    /// Returns the scratch objects as a target.
    fn objects(&mut self) -> Result<ClientTarget, CephError> {
        let pool = &self.request.pool;
        let objects = self.scratch.objects();
        let acting: Result<Vec<Vec<i32>>, CephError> =
            objects.iter().map(|object| cluster::acting(self.cluster(), pool, object, true)).collect();
        let name = self.scratch.shown(pool);
        self.card.scratch.push(name.clone());
        let mut selection = vec!["--ioengine=rados".to_owned(), format!("--pool={pool}/{NAMESPACE}")];
        selection.extend(self.access());
        selection.push(format!("--filename={}", objects.join(":")));
        let context = self.context(objects.iter().map(|object| format!("rados:{pool}/{NAMESPACE}/{object}")));
        Ok(ClientTarget {
            target: Target::with_options(&name, selection, self.card.scratch_bytes),
            client: CephClient::Rados,
            name,
            acting: acting?,
            options: vec!["--file_service_type=roundrobin".into()],
            context,
        })
    }

    /// Creates the scratch image and returns it as a target.
    fn image(&mut self) -> Result<ClientTarget, CephError> {
        let (pool, image, bytes) = (&self.request.pool, self.scratch.image(), self.card.scratch_bytes);
        self.pool.create_image(&image, bytes)?;
        let of = RbdTarget {
            cluster: self.request.cluster.clone(),
            pool: pool.clone(),
            image: image.clone(),
            read_only: true,
            ..RbdTarget::default()
        };
        let facts = RbdVolume::open(&of)?.facts()?;
        let name = format!("rbd:{pool}/{image}");
        self.card.scratch.push(name.clone());
        let objects = bytes.div_ceil(facts.object_size.max(1));
        let object = |number: u64| format!("{}.{number:016x}", facts.object_prefix);
        let acting: Result<Vec<Vec<i32>>, CephError> = (0..objects)
            .map(|number| cluster::acting(self.cluster(), pool, &object(number), false))
            .collect();
        let mut selection =
            vec!["--ioengine=rbd".to_owned(), format!("--pool={pool}"), format!("--rbdname={image}")];
        selection.extend(self.access());
        let context = self.context(std::iter::once(name.clone()));
        Ok(ClientTarget {
            target: Target::with_options(&name, selection, bytes),
            client: CephClient::Rbd,
            name,
            acting: acting?,
            options: Vec::new(),
            context,
        })
    }

    /// Asks for the metadata of the OSDs, and takes what the user says about their disks.
    fn examine(&mut self, ids: &[i32]) -> Result<(), CephError> {
        let root = &self.request.context.root;
        let wanted = self.request.disks.iter().filter_map(|claim| claim.osd);
        if let Some(osd) = wanted.into_iter().find(|osd| !ids.contains(osd)) {
            return Err(CephError::NoOsd { osd });
        }
        let mut links = Vec::new();
        for id in ids {
            let mut metadata = cluster::osd(self.cluster(), *id)?;
            metadata.osd.pid = osd::process(root, &metadata);
            let server = metadata.address.split('/').next().unwrap_or_default();
            let path =
                facts::network::path_to(root, server).filter(|path| path.kind != InterfaceKind::Loopback);
            links.push(path.and_then(|path| path.payload_bytes_per_second()));
            let mut osd = metadata.osd;
            let claims = self.request.disks.iter().filter(|claim| claim.osd.is_none_or(|of| of == *id));
            for claim in claims {
                if let Some(device) = &claim.device {
                    osd.device = device.display().to_string();
                }
                for (pattern, rate) in &claim.rates {
                    osd.disk[position(*pattern)] =
                        Some(DiskFigure { rate: *rate, source: FigureSource::Given });
                }
            }
            osd.limits = osd::limits(root, &osd).unwrap_or_default();
            self.card.osds.push(osd);
        }
        self.link = links.into_iter().reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b))).flatten();
        Ok(())
    }

    /// Reads the disks of this host, and takes the limits of the control groups of their OSDs.
    fn disks(&mut self, progress: &mut dyn Progress) -> Result<(), CephError> {
        for at in 0..self.card.osds.len() {
            for pattern in &self.request.patterns {
                if self.stopped() {
                    return Ok(());
                }
                let osd = &self.card.osds[at];
                if osd.disk[position(*pattern)].is_some() {
                    continue;
                }
                let limit = osd.limits.rate(pattern.direction(), 1.0, pattern.block() as f64);
                let mut figure = limit.map(|rate| DiskFigure { rate, source: FigureSource::Limit });
                if pattern.direction() == Direction::Read && self.is_local(osd) {
                    let device = osd.device.clone();
                    progress.measuring(&device, *pattern);
                    let rate = self.read_disk(&device, *pattern, progress)?;
                    figure = match figure {
                        Some(limit) if limit.rate < rate => Some(limit),
                        _ => Some(DiskFigure { rate, source: FigureSource::Measured }),
                    };
                }
                self.card.osds[at].disk[position(*pattern)] = figure;
            }
        }
        Ok(())
    }

    /// Returns whether the device of an OSD is on this host: its process is, or the user says so.
    fn is_local(&self, osd: &CephOsd) -> bool {
        let named = |claim: &crate::ceph::DiskClaim| claim.osd == Some(osd.id) && claim.device.is_some();
        !osd.device.is_empty() && (osd.pid.is_some() || self.request.disks.iter().any(named))
    }

    /// Measures reads of a device, which is opened for reading only.
    fn read_disk(
        &self,
        device: &str,
        pattern: CephPattern,
        progress: &mut dyn Progress,
    ) -> Result<f64, CephError> {
        let target = Target::open(device.as_ref(), &self.request.context.root)?;
        let [ramp, time] = parts(self.request.seconds);
        let mut options = options(pattern, pattern.disk_depth(), time);
        options.push(format!("--ramp_time={}ms", ramp.as_millis()));
        // A map of the blocks of a large disk would take gigabytes of memory.
        options.push("--norandommap".into());
        // BlueStore uses libaio, too. Below a limit of a control group, io_uring gets about half (Linux 6.18).
        options.push("--ioengine=libaio".into());
        let result = target.job("disk", &self.request.context, &options, progress)?;
        Ok(outcome(&result, device, pattern)?.0)
    }

    /// Measures one pattern through one client.
    fn pattern(
        &self,
        client: &ClientTarget,
        pattern: CephPattern,
        progress: &mut dyn Progress,
    ) -> Result<CephMeasurement, CephError> {
        progress.measuring(&client.name, pattern);
        let depth = pattern.pool_depth(self.card.osds.len());
        let options = |time: Duration| {
            let mut options = options(pattern, depth, time);
            options.extend(client.options.iter().cloned());
            options
        };
        let root = &self.request.context.root;
        let sample = || -> Vec<Sample> {
            self.card.osds.iter().map(|osd| Sample::of(root, self.cluster(), osd)).collect()
        };
        // The warm-up is a job of its own: operations complete in bursts of all in flight, as commits of the log wait behind
        // the data, so that a rate between two times is off by a burst. From an idle pool to its last operation, it is not,
        // and the counters are those of the same operations.
        let [warm_up, time] = parts(self.request.seconds);
        failure(&client.target.job("warm-up", &client.context, &options(warm_up), progress)?, &client.name)?;
        let (before, idle, began) = (sample(), facts::cpu::idle(root), Instant::now());
        let result = client.target.job("pool", &client.context, &options(time), progress)?;
        let (wall, idle_after, after) = (began.elapsed(), facts::cpu::idle(root), sample());
        let (rate, mean_ns, p99_ns) = outcome(&result, &client.name, pattern)?;
        let work: Vec<OsdWork> = self
            .card
            .osds
            .iter()
            .zip(before.iter().zip(&after))
            .map(|(osd, (before, after))| after.since(before, osd.id))
            .collect();
        let at = usize::from(pattern.direction() != Direction::Read);
        let counted = result.jobs.first().map_or(0, |job| job.directions[at].ios);
        let loads = self.loads(client, pattern, &work, counted as f64);
        Ok(CephMeasurement {
            client: client.client,
            depth,
            rate,
            mean_ns,
            p99_ns,
            expected: expected(&loads),
            loads,
            work,
            cpu_busy: busy(&idle, &idle_after, wall),
            link_rate: self.link.map(|bytes| bytes as f64 / pattern.block() as f64),
        })
    }

    /// Returns the load of each OSD during a measurement in which the client counted this number of operations.
    fn loads(
        &self,
        client: &ClientTarget,
        pattern: CephPattern,
        work: &[OsdWork],
        counted: f64,
    ) -> Vec<OsdLoad> {
        let erasure = self.card.pool.erasure.filter(|_| !client.acting.is_empty());
        let per_osd = match &client.acting[..] {
            [] => counted_shares(work, pattern, counted),
            acting => shares(acting, pattern, erasure),
        };
        let all = client_operations(work, pattern);
        let osds = self.card.osds.iter().zip(work).filter(|_| !per_osd.is_empty());
        osds.map(|(osd, work)| {
            let share = per_osd.iter().find(|(id, _)| *id == osd.id).map_or(0.0, |(_, share)| *share);
            // OSDs do not count the chunks that they read and write for the primary OSD of an erasure-coded pool.
            let operations = match erasure {
                None => work.operations(pattern),
                Some(_) => all.map(|all| all * share),
            };
            let disk = osd.disk[position(pattern)].map(|disk| disk.rate);
            let factor = operations.and_then(|operations| match disk {
                Some(disk) => work.limited_factor(pattern, operations, disk, &osd.limits),
                None => work.device_factor(pattern, operations),
            });
            OsdLoad { id: osd.id, operations: share, device_factor: factor, disk }
        })
        .collect()
    }
}

fn position(pattern: CephPattern) -> usize {
    CephPattern::ALL.iter().position(|of| *of == pattern).unwrap_or(0)
}

/// Returns the part of the time that is not counted, a fifth, and the rest.
fn parts(time: Duration) -> [Duration; 2] {
    let time = time.max(Duration::from_millis(10));
    [time / 5, time - time / 5]
}

/// Returns the options of a job of a pattern. It hits each block once before any a second time, so that all objects of a
/// pool are hit equally often.
fn options(pattern: CephPattern, depth: u32, time: Duration) -> Vec<String> {
    let rw = if pattern.direction() == Direction::Read { "randread" } else { "randwrite" };
    vec![
        format!("--rw={rw}"),
        format!("--bs={}", pattern.block()),
        format!("--iodepth={depth}"),
        "--refill_buffers".into(),
        // What the warm-up read is not read again first.
        "--randrepeat=0".into(),
        "--time_based".into(),
        format!("--runtime={}ms", time.as_millis()),
    ]
}

/// Writes the whole target: reads of blocks that were never written reach no disk.
fn fill(client: &mut ClientTarget, progress: &mut dyn Progress) -> Result<(), CephError> {
    if client.target.is_scratch() {
        return Ok(client.target.fill(&client.context, progress)?);
    }
    let mut options: Vec<String> =
        ["--rw=write", "--bs=1M", "--iodepth=16", "--refill_buffers"].map(String::from).into();
    // Without an order of the files, each of several targets has a job of its own, with the whole size.
    options.extend((client.client == CephClient::Rados).then(|| "--file_service_type=roundrobin".into()));
    let result = client.target.job("fill", &client.context, &options, progress)?;
    failure(&result, &client.name)
}

fn failure(result: &RunResult, target: &str) -> Result<(), CephError> {
    match result.jobs.iter().find_map(|job| job.error.clone()) {
        Some(error) => Err(CephError::Job { target: target.into(), error }),
        None => Ok(()),
    }
}

/// Returns rate, mean and 99th percentile of the latency of a job.
fn outcome(
    result: &RunResult,
    target: &str,
    pattern: CephPattern,
) -> Result<(f64, f64, Option<u64>), CephError> {
    failure(result, target)?;
    let at = usize::from(pattern.direction() != Direction::Read);
    let Some(job) = result.jobs.first() else { return Ok((0.0, 0.0, None)) };
    let of = &job.directions[at];
    Ok((of.iops(), of.lat.moments.mean(), of.lat.percentile(99.0)))
}

/// Returns the share of the CPUs that were not idle.
fn busy(before: &[(u32, u64)], after: &[(u32, u64)], wall: Duration) -> Option<f64> {
    let idle: u64 = after
        .iter()
        .filter_map(|(cpu, now)| Some(now.saturating_sub(before.iter().find(|(of, _)| of == cpu)?.1)))
        .sum();
    let all = wall.as_nanos() as f64 * after.len() as f64;
    (all > 0.0).then(|| (1.0 - idle as f64 / all).clamp(0.0, 1.0))
}
