//! Engine of a job, its queue, and the memory of its buffers.

use super::{MOST_IN_FLIGHT, Refusal, chosen, positive, refuse, refuse_value};
use crate::bad_value::{BadValue, ModelFault};
use crate::defaults::{default_text, or_default};
use crate::job::*;
use crate::job_fault::JobFault;
use crate::model;
use crate::nvme::{self, Directive, NvmeFault, PlacementSelect, PlacementSpec};
use crate::priority::{self, PriorityShare};
use crate::refused_value::FioEnd;
use crate::spec::JobSpec;
use stats::Note;
use stats::note::{NoteFact, NoteKind};
use std::num::NonZeroU32;
use std::path::PathBuf;

pub(super) fn engine(spec: &JobSpec) -> Result<EngineChoice, Refusal> {
    let on = |field: Option<bool>| field.unwrap_or(false);
    let not_zero = |field: Option<i64>| field.unwrap_or(0) != 0;
    let (nowait, uncached) = (on(spec.nowait), not_zero(spec.uncached));
    let engine = spec.engine();
    if on(spec.atomic) && !matches!(engine, "pvsync2" | "libaio" | "io_uring") {
        return Err(refuse(spec, "atomic", JobFault::AtomicEngine { engine: engine.to_owned() }));
    }
    if on(spec.atomic) && on(spec.fixedbufs) {
        return Err(refuse(spec, "fixedbufs", JobFault::Excludes(&["atomic"])));
    }
    Ok(match spec.engine() {
        "sync" => EngineChoice::Sync,
        "vsync" => EngineChoice::Vsync,
        "pvsync" => EngineChoice::Pvsync,
        "pvsync2" => EngineChoice::Pvsync2(Pvsync2Spec {
            hipri_percent: if on(spec.hipri) {
                or_default(&spec.hipri_percentage, "hipri_percentage") as u8
            } else {
                0
            },
            uncached,
            nowait,
            atomic: on(spec.atomic),
        }),
        "mmap" => EngineChoice::Mmap { huge: not_zero(spec.thp) },
        "libpmem" => EngineChoice::Pmem,
        "dev-dax" => EngineChoice::Dax,
        "mtd" => EngineChoice::Mtd { skip_bad: on(spec.skip_bad) },
        "falloc" => EngineChoice::Falloc,
        "ftruncate" => EngineChoice::Ftruncate,
        "e4defrag" => EngineChoice::Defrag(DefragSpec {
            donor: spec.donorname.as_ref().filter(|path| !path.is_empty()).map(PathBuf::from),
            in_place: not_zero(spec.inplace),
        }),
        "splice" => EngineChoice::Splice,
        "posixaio" => EngineChoice::Posixaio,
        "filecreate" => EngineChoice::Names(Entry::File, NameCall::Create),
        "filestat" => EngineChoice::Names(Entry::File, stat(spec)),
        "filedelete" => EngineChoice::Names(Entry::File, NameCall::Delete),
        "dircreate" => EngineChoice::Names(Entry::Directory, NameCall::Create),
        "dirstat" => EngineChoice::Names(Entry::Directory, stat(spec)),
        "dirdelete" => EngineChoice::Names(Entry::Directory, NameCall::Delete),
        "null" => EngineChoice::Null { jitter: spec.null_jitter.unwrap_or(false) },
        "libaio" => EngineChoice::Libaio(AioSpec {
            userspace_reap: on(spec.userspace_reap),
            vectored: on(spec.libaio_vectored),
            nowait,
            atomic: on(spec.atomic),
        }),
        "io_uring_cmd" => EngineChoice::UringCmd(Box::new(commands(spec))),
        "sg" => EngineChoice::Sg(scsi(spec)),
        "io_uring" => EngineChoice::IoUring(ring(spec)),
        "model" => EngineChoice::Model(simulated(spec)?),
        "net" | "netsplice" => EngineChoice::Net(net(spec)?),
        "rbd" | "rados" | "nfs" | "libiscsi" | "nbd" | "http" => {
            EngineChoice::Remote(super::remote::remote(spec)?)
        }
        "cpuio" => EngineChoice::Cpu(CpuSpec {
            load: NonZeroU32::new(spec.cpuload.unwrap_or(0).clamp(0, 100) as u32),
            cycle_us: or_default(&spec.cpuchunks, "cpuchunks").max(0) as u64,
            sort: chosen(&spec.cpumode) == Some("qsort"),
            exit_on_io_done: on(spec.exit_on_io_done),
        }),
        "exec" => EngineChoice::Exec(ExecSpec {
            program: spec.program.clone(),
            arguments: spec.arguments.clone(),
            grace_s: or_default(&spec.grace_time, "grace_time").max(0) as u64,
            redirect: or_default(&spec.std_redirect, "std_redirect"),
        }),
        _ => EngineChoice::Psync,
    })
}

/// Returns the options of the ring.
fn ring(spec: &JobSpec) -> UringSpec {
    let on = |field: Option<bool>| field.unwrap_or(false);
    let vectored = spec.nonvectored == Some(0);
    // Registered memory saves pinning pages at each request. Buffered I/O pins none; the kernel copies from plain
    // memory faster. The kernel refuses atomic writes from registered memory.
    let fixed_buffers = spec.fixedbufs.unwrap_or(!vectored && spec.direct == Some(true) && !on(spec.atomic));
    UringSpec {
        fixed_buffers,
        fixed_files: spec.registerfiles.unwrap_or(true),
        vectored: vectored && !fixed_buffers,
        polled: on(spec.hipri),
        thread: on(spec.sqthread_poll),
        thread_cpu: spec.sqthread_poll_cpu.map(|cpu| cpu as u32),
        force_async: spec.force_async.and_then(|n| NonZeroU32::new(n as u32)),
        uncached: spec.uncached.unwrap_or(0) != 0,
        nowait: on(spec.nowait),
        atomic: on(spec.atomic),
    }
}

/// Returns the options of NVMe commands. No page cache is in between, and so registered memory is always the better
/// choice.
fn commands(spec: &JobSpec) -> UringCmdSpec {
    let on = |field: Option<bool>| field.unwrap_or(false);
    let mut ring = ring(spec);
    ring.fixed_buffers = spec.fixedbufs.unwrap_or(!ring.vectored) && !ring.vectored;
    let checks = chosen(&spec.pi_chk).unwrap_or("");
    UringCmdSpec {
        ring,
        writes: write_shares(spec),
        deallocate: on(spec.deac),
        fua: [on(spec.readfua), on(spec.writefua)],
        metadata: spec.md_per_io_size.unwrap_or(0) as u32,
        pi_action: or_default(&spec.pi_act, "pi_act"),
        pi_checks: ["GUARD", "REFTAG", "APPTAG"].map(|check| checks.contains(check)),
        app_tag: or_default(&spec.apptag, "apptag") as u16,
        app_mask: or_default(&spec.apptag_mask, "apptag_mask") as u16,
    }
}

/// Returns the shares of the commands of writes; what could not be read was refused where it was typed.
pub(super) fn write_shares(spec: &JobSpec) -> WriteShares {
    spec.write_mode.as_deref().and_then(|text| nvme::write_shares(text).ok()).unwrap_or_default()
}

/// Returns the options of SCSI commands.
fn scsi(spec: &JobSpec) -> SgSpec {
    let on = |field: Option<bool>| field.unwrap_or(false);
    SgSpec {
        write: match chosen(&spec.sg_write_mode) {
            Some("write_and_verify" | "verify") => ScsiWrite::WriteVerify,
            Some("write_same" | "same") => ScsiWrite::WriteSame,
            Some("write_same_ndob") => ScsiWrite::WriteSameNoData,
            Some("verify_bytchk_00") => ScsiWrite::Verify,
            Some("verify_bytchk_01") => ScsiWrite::VerifyBlocks,
            Some("verify_bytchk_11") => ScsiWrite::VerifySame,
            Some("write_stream") => ScsiWrite::Stream(spec.stream_id.unwrap_or(0) as u16),
            _ => ScsiWrite::Write,
        },
        fua: [on(spec.readfua), on(spec.writefua)],
        polled: on(spec.hipri),
        in_call: false,
    }
}

/// Returns the placement of the data of writes; `None` without directives.
pub(super) fn placement(spec: &JobSpec) -> Result<Option<PlacementSpec>, Refusal> {
    let (option, directive) = match chosen(&spec.dataplacement) {
        Some("fdp") => ("dataplacement", Directive::Placement),
        Some("streams") => ("dataplacement", Directive::Streams),
        _ if spec.fdp == Some(true) => ("fdp", Directive::Placement),
        _ => return Ok(None),
    };
    let wrong = |option, fault| Err(refuse(spec, option, JobFault::Nvme(fault)));
    if spec.engine() != "io_uring_cmd" {
        return wrong(option, NvmeFault::PlacementOfEngine { engine: spec.engine() });
    }
    if write_shares(spec).only() != Some(NvmeWrite::Write) {
        return Err(refuse(spec, option, JobFault::Excludes(&["write_mode"])));
    }
    let text = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    let select = match (chosen(&spec.plid_select), text(&spec.dp_scheme)) {
        (Some("scheme"), None) => return wrong("plid_select", NvmeFault::SchemeMissing),
        (Some("scheme"), Some(path)) => PlacementSelect::Scheme(path.into()),
        (Some("random"), _) => PlacementSelect::Random,
        _ => PlacementSelect::RoundRobin,
    };
    let ids = match text(&spec.plids).map(|text| nvme::placement_ids(&text)) {
        Some(None) => return wrong("plids", NvmeFault::PlacementIds),
        Some(Some(ids)) => ids,
        None => Vec::new(),
    };
    let listed = !matches!(select, PlacementSelect::Scheme(_));
    if directive == Directive::Streams && listed && ids.is_empty() {
        return wrong(option, NvmeFault::StreamsWithoutIds);
    }
    Ok(Some(PlacementSpec { directive, select, ids }))
}

/// Returns the options of sockets. fio finds their faults when it sets up the engine.
fn net(spec: &JobSpec) -> Result<NetSpec, Refusal> {
    let on = |field: Option<bool>| field.unwrap_or(false);
    let text = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    let protocol = match chosen(&spec.protocol) {
        Some("tcpv6") => Protocol::Tcp6,
        Some("udp") => Protocol::Udp,
        Some("udpv6") => Protocol::Udp6,
        Some("unix") => Protocol::Unix,
        _ => Protocol::Tcp,
    };
    let rw = chosen(&spec.rw).unwrap_or("read");
    let (random, reads) = (rw.starts_with("rand"), rw.contains("read") || rw.contains("rw"));
    if random || rw.contains("trim") || protocol.is_udp() && matches!(rw, "rw" | "readwrite") {
        return Err(refuse(spec, "rw", JobFault::NetDirection));
    }
    let (host, named) = (text(&spec.hostname), spec.filename.as_ref().is_some_and(|names| !names.is_empty()));
    let listens = on(spec.listen);
    if listens && matches!(protocol, Protocol::Udp | Protocol::Udp6 | Protocol::Unix) {
        return Err(refuse(spec, "listen", JobFault::NetListens));
    }
    if protocol == Protocol::Unix && spec.port.is_some() {
        return Err(refuse(spec, "port", JobFault::NetPortOfUnix));
    }
    if protocol != Protocol::Unix && spec.port.is_none() {
        return Err(refuse(spec, "port", JobFault::NetWithoutPort));
    }
    let passive = listens || reads && (protocol.is_udp() || protocol == Protocol::Unix);
    let group = |host: &str| host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_multicast());
    match &host {
        None if protocol == Protocol::Unix && !named => {
            return Err(refuse(spec, "filename", JobFault::NetWithoutPath));
        }
        None if !passive && protocol != Protocol::Unix => {
            return Err(refuse(spec, "hostname", JobFault::NetWithoutHost));
        }
        Some(host) if passive && protocol != Protocol::Unix && !(protocol.is_udp() && group(host)) => {
            return Err(refuse(spec, "hostname", JobFault::NetHostOfReceiver));
        }
        _ => {}
    }
    let size = |field: Option<i64>| positive(field).map(|n| n.get().min(1 << 30) as u32);
    Ok(NetSpec {
        splice: spec.engine() == "netsplice",
        protocol,
        host,
        port: spec.port.unwrap_or(0) as u16,
        passive,
        no_delay: on(spec.nodelay),
        echo: on(spec.pingpong),
        interface: text(&spec.interface),
        hops: or_default(&spec.ttl, "ttl").clamp(0, 255) as u32,
        buffer: size(spec.window_size),
        segment: size(spec.mss),
    })
}

/// Returns the options of the simulated device.
fn simulated(spec: &JobSpec) -> Result<ModelSpec, Refusal> {
    fn read<T>(
        spec: &JobSpec,
        name: &str,
        text: &Option<String>,
        read: impl FnOnce(&str, u32) -> Result<T, BadValue>,
    ) -> Result<Option<T>, Refusal> {
        let read = text.as_deref().map(|text| read(text, spec.base_of(name))).transpose();
        read.map_err(|bad| refuse_value(spec, name, bad, FioEnd::Silent))
    }
    let percent = |n: &Option<Vec<f64>>| n.as_ref().and_then(|n| n.first()).copied().unwrap_or(0.0);
    let disk = read(spec, "model_disk", &spec.model_disk, model::disk)?;
    if disk.is_some() && spec.model_servers.is_some_and(|servers| servers > 1) {
        return Err(refuse(spec, "model_servers", JobFault::OneHead));
    }
    let mut ftl = read(spec, "model_ftl", &spec.model_ftl, model::ftl)?;
    if ftl.is_some()
        && (disk.is_some() || spec.model_cache.is_some() || positive(spec.model_zone_size).is_some())
    {
        let others = &["model_disk", "model_cache", "model_zone_size"];
        return Err(refuse(spec, "model_ftl", JobFault::Excludes(others)));
    }
    let slc = read(spec, "model_slc", &spec.model_slc, model::slc)?;
    if slc.is_some() && spec.model_cache.is_some() {
        return Err(refuse(spec, "model_slc", JobFault::Excludes(&["model_cache"])));
    }
    let times = read(spec, "model_ftl_times", &spec.model_ftl_times, |text, _| model::ftl_times(text))?;
    if let (Some(ftl), Some(times)) = (&mut ftl, times) {
        ftl.times = times;
    }
    let device = ModelSpec {
        servers: or_default(&spec.model_servers, "model_servers").clamp(1, 1 << 20) as u32,
        law: read(spec, "model_law", &spec.model_law, |text, _| model::service_law(text))?
            .unwrap_or(ModelSpec::default().law),
        transfer: positive(spec.model_transfer),
        iops: positive(spec.model_iops),
        bandwidth: positive(spec.model_bw),
        burst: read(spec, "model_burst", &spec.model_burst, model::burst)?,
        cache: read(spec, "model_cache", &spec.model_cache, model::write_cache)?,
        cliff: read(spec, "model_cliff", &spec.model_cliff, model::cliff)?,
        drift: percent(&spec.model_drift),
        step: read(spec, "model_step", &spec.model_step, |text, _| model::step(text))?.map(Box::new),
        stall: read(spec, "model_stall", &spec.model_stall, |text, _| model::stall(text))?,
        disk,
        cpu: spec.model_cpu.map_or(0, |nanos| nanos.0),
        cores: NonZeroU32::new(spec.model_cores.unwrap_or(0).max(0) as u32),
        contention: percent(&spec.model_contention),
        hit: read(spec, "model_hit", &spec.model_hit, |text, _| model::hit(text).map(Box::new))?,
        zones: positive(spec.model_zone_size).map(|size| {
            let capacity = positive(spec.model_zone_capacity).unwrap_or(size).min(size).get();
            let most_open = spec.model_open_zones.unwrap_or(0).max(0) as u32;
            let errors = spec.model_zone_errors.unwrap_or(0).max(0) as u32;
            Box::new(ModelZones { size: size.get(), capacity, most_open, errors })
        }),
        ftl: ftl.map(Box::new),
        surface: read(spec, "model_surface", &spec.model_surface, model::surface)?.map(Box::new),
        slc: slc.map(Box::new),
        read_cache: read(spec, "model_read_cache", &spec.model_read_cache, model::read_cache)?.map(Box::new),
    };
    if device.takes_no_time() {
        let bad = BadValue::Model(ModelFault::NoTime);
        return Err(refuse_value(spec, "model_law", bad, FioEnd::Silent));
    }
    Ok(device)
}

/// Returns the engine according to `io_submit_mode`. Engines without real I/O do not change.
pub(super) fn submitted(spec: &JobSpec, engine: EngineChoice) -> Result<EngineChoice, Refusal> {
    if chosen(&spec.io_submit_mode) != Some("offload") {
        return Ok(engine);
    }
    match engine {
        EngineChoice::Null { .. } | EngineChoice::Model(_) | EngineChoice::Cpu(_) | EngineChoice::Exec(_) => {
            Ok(engine)
        }
        EngineChoice::Pvsync2(Pvsync2Spec { hipri_percent: 1.., .. })
        | EngineChoice::IoUring(UringSpec { polled: true, .. }) => {
            Err(refuse(spec, "io_submit_mode", JobFault::OffloadPolled))
        }
        EngineChoice::Psync
        | EngineChoice::Sync
        | EngineChoice::Vsync
        | EngineChoice::Pvsync
        | EngineChoice::Pvsync2(_)
        | EngineChoice::Posixaio
        | EngineChoice::Libaio(_)
        | EngineChoice::IoUring(_) => Ok(EngineChoice::Offload(Box::new(engine))),
        other => Err(refuse(spec, "io_submit_mode", JobFault::OffloadEngine { engine: other.name() })),
    }
}

fn stat(spec: &JobSpec) -> NameCall {
    NameCall::Stat(match chosen(&spec.stat_type) {
        Some("lstat") => StatCall::Lstat,
        Some("statx") => StatCall::Statx,
        _ => StatCall::Stat,
    })
}

/// Refuses blocks that are not whole pages if a mapped file is synced, because a sync writes whole pages.
pub(super) fn blocks_of_pages(
    spec: &JobSpec,
    engine: &EngineChoice,
    pattern: &PatternSpec,
) -> Result<(), Refusal> {
    const PAGE: u64 = 4096;
    let synced =
        spec.direct == Some(true) || [spec.fsync, spec.fdatasync].into_iter().flatten().any(|n| n > 0);
    if !matches!(engine, EngineChoice::Mmap { .. })
        || !synced
        || pattern.smallest_block().is_multiple_of(PAGE)
    {
        return Ok(());
    }
    Err(refuse(spec, "bs", JobFault::PartOfPage { page: PAGE }))
}

/// Returns the I/O priorities of single reads and writes. Without a class, the class is real-time.
pub(super) fn priorities(spec: &JobSpec) -> Result<[Vec<PriorityShare>; 2], Refusal> {
    let percent = spec.cmdprio_percentage.unwrap_or_default().map(|n| n.unwrap_or(0));
    if percent.iter().any(|n| *n > 0) && spec.cmdprio_bssplit.is_some() {
        return Err(refuse(spec, "cmdprio_bssplit", JobFault::Excludes(&["cmdprio_percentage"])));
    }
    let (class, level) = (spec.cmdprio_class.unwrap_or_default(), spec.cmdprio.unwrap_or_default());
    let hint = spec.cmdprio_hint.unwrap_or_default();
    let usual =
        |at: usize| priority::value(class[at].unwrap_or(1), level[at].unwrap_or(0), hint[at].unwrap_or(0));
    let mut shares = [Vec::new(), Vec::new()];
    let parts: Vec<&str> = spec.cmdprio_bssplit.iter().flat_map(|text| text.split(',')).collect();
    for (at, shares) in shares.iter_mut().enumerate() {
        if percent[at] > 0 {
            shares.push(PriorityShare { bytes: None, percent: percent[at].min(100) as u8, value: usual(at) });
        }
        if let Some(part) = parts.get(at).or(parts.last()) {
            *shares = priority::shares(part, spec.base_of("cmdprio_bssplit"), usual(at))
                .map_err(|bad| refuse_value(spec, "cmdprio_bssplit", bad, FioEnd::Silent))?;
        }
    }
    Ok(shares)
}

pub(super) fn memory(spec: &JobSpec) -> MemorySpec {
    let kind = chosen(&spec.mem).unwrap_or(default_text("mem"));
    // Only mappings have files; fio takes what follows another word for nothing.
    let file = spec.mem.as_ref().and_then(|chosen| chosen.tail.clone()).filter(|_| kind.starts_with("mmap"));
    MemorySpec {
        mapped: !kind.starts_with("malloc"),
        segment: kind.starts_with("shm"),
        huge: kind.ends_with("huge"),
        shared: kind == "mmapshared",
        file: file.map(PathBuf::from),
        align: spec.iomem_align.unwrap_or(0).max(0) as u64,
        huge_page: or_default(&spec.hugepage_size, "hugepage-size").max(0) as u64,
    }
}

pub(super) fn queue(
    spec: &JobSpec,
    engine: &EngineChoice,
    pattern: &PatternSpec,
    notes: &mut Vec<Note>,
) -> Result<Queue, Refusal> {
    let iodepth = or_default(&spec.iodepth, "iodepth").max(1);
    if iodepth > MOST_IN_FLIGHT && !engine.is_sync() {
        return Err(refuse(spec, "iodepth", JobFault::AboveMost(MOST_IN_FLIGHT)));
    }
    let iodepth = iodepth.min(i64::from(u32::MAX)) as u32;
    if engine.is_sync() && iodepth > 1 {
        notes.push(Note::new(
            NoteKind::FioStart,
            spec.name.clone().unwrap_or_default(),
            NoteFact::DepthOfOne,
        ));
    }
    let effective = if engine.is_sync() { 1 } else { iodepth };
    let any = [
        spec.iodepth_batch,
        spec.iodepth_batch_complete_min,
        spec.iodepth_batch_complete_max,
        spec.iodepth_low,
    ];
    let most = |value: i64| value.clamp(0, i64::from(effective)) as u32;
    // 0, and more than iodepth, stand for iodepth.
    let whole = |value: i64| match value {
        n if n <= 0 || n > i64::from(effective) => effective,
        n => n as u32,
    };
    let batch = any.iter().any(Option::is_some).then(|| {
        let complete_min = most(or_default(&spec.iodepth_batch_complete_min, "iodepth_batch_complete_min"));
        let complete_max =
            spec.iodepth_batch_complete_max.map_or(complete_min, most).max(complete_min).max(1);
        Batch {
            submit: whole(or_default(&spec.iodepth_batch, "iodepth_batch")),
            complete_min,
            complete_max,
            low: whole(or_default(&spec.iodepth_low, "iodepth_low")),
        }
    });
    // Reads alone overlap as they like, in fio too.
    let serialize = spec.serialize_overlap.unwrap_or(false) && effective > 1 && pattern.mix != Mix::Read;
    Ok(Queue { iodepth, effective, serialize, batch })
}
