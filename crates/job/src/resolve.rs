//! JobSpec -> Job: every default filled in, every implicit change made, everything checked that needs no file.

use crate::errnos;
use crate::job::*;
use crate::priority::{self, PriorityShare};
use crate::spec::{Chosen, JobSpec, Nanos, Typed};
use crate::spread::{self, Law, Places, Sizes, Zones};
use crate::unit;
use stats::note::NoteKind;
use stats::unit::{MILLISECOND, SECOND};
use stats::{Direction, Note};
use std::path::PathBuf;

/// fio's list of percentiles.
const PERCENTILES: [f64; 17] =
    [1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99];
/// Clones of one job at most: each is a thread.
pub const MOST_CLONES: i64 = 65_536;
/// Files of one clone at most.
pub const MOST_FILES: i64 = 1 << 20;
/// I/Os in flight at most: a slot number has 16 bits.
pub const MOST_IN_FLIGHT: i64 = 65_535;

/// What a job gets from the program rather than from its section.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Reporting group.
    pub group: u32,
    /// Waits for all earlier jobs.
    pub stonewall: bool,
    /// `--readonly`.
    pub readonly: bool,
    /// A seed that no other run has, for `randrepeat=0`.
    pub entropy: u64,
    /// Options of global sections, which `job options` does not repeat, came first: so many of `typed`.
    pub inherited: usize,
}

/// A job that cannot be: fio's lines for stderr, and what would be right, with the place where it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// fio's lines.
    pub fio: String,
    /// Ours.
    pub ours: String,
    /// fio finds it while parsing, so `--parse-only` fails too.
    pub while_parsing: bool,
}

/// A job and the lines that fio prints on stderr about it.
pub struct Resolved {
    /// The job.
    pub job: Job,
    /// Warnings.
    pub warnings: String,
}

fn refuse(spec: &JobSpec, option: &str, fio: impl Into<String>, right: impl Into<String>) -> Refusal {
    let right = right.into();
    let ours = match spec.place_of(option) {
        Some(typed) => format!("{}: {typed}: {right}", typed.place),
        None => format!("job {}: {option}: {right}", spec.name.as_deref().unwrap_or_default()),
    };
    Refusal { fio: fio.into(), ours, while_parsing: false }
}

/// Fills in what was not typed.
///
/// # Errors
/// Options that cannot go together, or that ask for more than fathom can hold.
pub fn resolve(spec: &JobSpec, around: &Surroundings) -> Result<Resolved, Refusal> {
    let name = spec.name.clone().unwrap_or_default();
    let mut notes: Vec<Note> =
        spec.remarks.iter().map(|text| Note::new(NoteKind::Remark, &name, text)).collect();
    let mut warnings = String::new();
    let pattern = pattern(spec, around, &mut warnings)?;
    let engine = engine(spec)?;
    if around.readonly && !matches!(pattern.mix, Mix::Read) {
        let typed = spec.place_of("rw").map(Typed::to_string).unwrap_or_default();
        let fio = format!(
            "fio: job <{name}> has write or trim bit set, but fio is in read-only mode\nfio: failed parsing {typed}\n"
        );
        let refusal = refuse(spec, "rw", fio, "--readonly allows reads only");
        return Err(Refusal { while_parsing: true, ..refusal });
    }
    if around.readonly && matches!(engine, EngineChoice::Names(NameCall::Create | NameCall::Delete)) {
        let ours = format!("--readonly, and {} changes what files there are", engine.name());
        return Err(refuse(spec, "ioengine", "", ours));
    }
    let target = target(spec, around, &pattern)?;
    blocks_of_pages(spec, &engine, &pattern)?;
    let queue = queue(spec, &engine, &mut notes)?;
    let mut limits = limits(spec)?;
    if limits.time_based && limits.runtime == 0 {
        limits.time_based = false;
        warnings += "fio: time_based requires a runtime/timeout setting\n";
    }
    let by_name = matches!(engine, EngineChoice::Names(_));
    check_dedupe(spec, &target)?;
    let numjobs = bounded(spec, "numjobs", spec.numjobs, 1, MOST_CLONES)?;
    let on = |field: Option<bool>| field.unwrap_or(false);
    let job = Job {
        description: spec.description.clone(),
        numjobs,
        group: around.group,
        stonewall: around.stonewall,
        ties: ties(spec),
        target,
        measure: measure(spec, &engine, queue),
        queue,
        engine,
        limits,
        priorities: priorities(spec)?,
        memory: memory(spec),
        payload: payload(spec, &pattern),
        pattern,
        durability: Durability {
            fsync: spec.fsync.unwrap_or(0).max(0) as u64,
            fdatasync: spec.fdatasync.unwrap_or(0).max(0) as u64,
            end_fsync: on(spec.end_fsync),
            fsync_on_close: on(spec.fsync_on_close),
        },
        // fio lets no call on a name fail.
        tolerance: if by_name { Tolerance::default() } else { tolerance(spec)? },
        host: host(spec)?,
        options: spec.typed[around.inherited.min(spec.typed.len())..].iter().map(echo).collect(),
        notes,
        name,
    };
    Ok(Resolved { job, warnings })
}

/// An option as the report repeats it; a flag without a value has an empty one.
pub fn echo(typed: &Typed) -> (String, String) {
    (typed.option.name.to_owned(), typed.value.clone().unwrap_or_default())
}

fn word(chosen: &Option<Chosen>) -> Option<&'static str> {
    chosen.as_ref().map(|chosen| chosen.word)
}

fn is(chosen: &Option<Chosen>, name: &str) -> bool {
    word(chosen) == Some(name)
}

/// A number that fio takes 0 for "the least that makes sense".
fn bounded(spec: &JobSpec, option: &str, value: Option<i64>, least: i64, most: i64) -> Result<u32, Refusal> {
    let value = value.unwrap_or(least);
    if value > most {
        let fio = if option == "numjobs" { "error: maximum number of jobs reached.\n" } else { "" };
        return Err(refuse(spec, option, fio, format!("must be at most {most}")));
    }
    Ok(value.max(least) as u32)
}

fn pattern(spec: &JobSpec, around: &Surroundings, warnings: &mut String) -> Result<PatternSpec, Refusal> {
    let rw = word(&spec.rw).unwrap_or("read");
    let reads = spec.reads.unwrap_or(50).clamp(0, 100) as u8;
    let mix = match rw {
        "read" | "randread" => Mix::Read,
        "write" | "randwrite" => Mix::Write,
        "trim" | "randtrim" => Mix::Trim,
        "trimwrite" | "randtrimwrite" => Mix::TrimWrite,
        _ => Mix::ReadWrite { reads },
    };
    let random = rw.starts_with("rand");
    let tail = spec.rw.as_ref().and_then(|chosen| chosen.tail.as_deref());
    let order = match tail {
        None if random => Order::Random { run: 1 },
        None => Order::Sequential { skip: 0 },
        // fio reads this one with atoi: what is no number is no run.
        Some(run) if random => {
            Order::Random { run: unit::integer(run, 1024).map_or(1, |n| n.value.clamp(1, 1 << 31) as u32) }
        }
        Some(skip) => match unit::integer(skip, spec.base()) {
            Ok(n) => Order::Sequential { skip: n.value },
            Err(_) => {
                let typed = spec.place_of("rw").map(Typed::to_string).unwrap_or_default();
                let fio = format!("fio: rw postfix parsing failed\nfio: failed parsing {typed}\n");
                return Err(refuse(
                    spec,
                    "rw",
                    fio,
                    format!("after `:` must come bytes to skip, e.g. {rw}:8k"),
                ));
            }
        },
    };
    let one = |size: Option<i64>| size.map_or((4096, 4096), |n| (n.unsigned_abs(), n.unsigned_abs()));
    let mut block = spec.bs.unwrap_or_default().map(one);
    let ranges = block.iter_mut().zip(spec.block.unwrap_or_default());
    ranges.for_each(|(size, range)| *size = range.unwrap_or(*size));
    let mut sizes = Sizes {
        unaligned: spec.bs_unaligned.unwrap_or(false),
        seq_rand: spec.bs_is_seq_rand.unwrap_or(false),
        ..Sizes::default()
    };
    // What could not be read was refused where it was typed.
    if let Some(Ok(split)) = spec.bssplit.as_deref().map(|text| spread::split(text, spec.base())) {
        sizes.split = split.map(Option::unwrap_or_default);
    }
    let law = spec.random_distribution.as_ref().and_then(|law| spread::law(law, spec.base()).ok());
    let places = Places {
        align: spec.ba.unwrap_or_default().map(|n| n.unwrap_or(0).unsigned_abs()),
        law: law.filter(|_| random).unwrap_or_default(),
        ordered: spec
            .percentage_random
            .unwrap_or_default()
            .map(|percent| if random { (100 - percent.unwrap_or(100).clamp(0, 100)) as u8 } else { 0 }),
        identical: is(&spec.rw_sequencer, "identical"),
        each_once: is(&spec.random_generator, "lfsr"),
        zones: zones(spec)?,
    };
    let aligned = block.iter().zip(places.align).any(|(range, align)| align != 0 && align != range.0);
    let mut random_map =
        random && places.law == Law::Even && (places.each_once || !spec.norandommap.unwrap_or(false));
    if aligned && random_map {
        warnings.push_str("fio: Any use of blockalign= turns off randommap\n");
        random_map = false;
    }
    let repeat = spec.allrandrepeat.or(spec.randrepeat).unwrap_or(true);
    let seed = match spec.randseed {
        Some(seed) => seed as u64,
        None if repeat => 0x89,
        None => around.entropy,
    };
    Ok(PatternSpec {
        rw: if rw == "readwrite" { "rw" } else { rw }.to_owned(),
        mix,
        order,
        block,
        sizes,
        places,
        random_map,
        seed,
    })
}

/// `zonemode` and what belongs to it.
fn zones(spec: &JobSpec) -> Result<Option<Zones>, Refusal> {
    let size = spec.zonesize.unwrap_or(0).max(0) as u64;
    if !is(&spec.zonemode, "strided") {
        return if size == 0 {
            Ok(None)
        } else {
            let fio = "fio: --zonemode=none and --zonesize are not compatible.\n";
            Err(refuse(spec, "zonesize", fio, "needs zonemode=strided"))
        };
    }
    if size == 0 {
        let fio = "fio: --zonesize must be specified when using --zonemode=strided.\n";
        return Err(refuse(spec, "zonemode", fio, "strided needs zonesize=, e.g. zonesize=256m"));
    }
    let range = spec.zonerange.filter(|range| *range > 0).map_or(size, |range| range as u64);
    let skip = spec.zoneskip.as_deref().and_then(|text| spread::zone_skip(text, spec.base(), size).ok());
    Ok(Some(Zones { size, range, skip: skip.unwrap_or(0) }))
}

/// Smallest block of the directions that a pattern uses.
pub fn smallest_block(pattern: &PatternSpec) -> u64 {
    let used = Direction::ALL.iter().filter(|d| pattern.mix.has(**d));
    used.map(|d| pattern.block[*d as usize].0).min().unwrap_or(4096).max(1)
}

fn engine(spec: &JobSpec) -> Result<EngineChoice, Refusal> {
    let on = |field: Option<bool>| field.unwrap_or(false);
    let not_zero = |field: Option<i64>| field.unwrap_or(0) != 0;
    let (nowait, uncached) = (on(spec.nowait), not_zero(spec.uncached));
    Ok(match spec.engine() {
        "sync" => EngineChoice::Sync,
        "vsync" => EngineChoice::Vsync,
        "pvsync" => EngineChoice::Pvsync,
        "pvsync2" => EngineChoice::Pvsync2(Pvsync2Spec {
            hipri_percent: if on(spec.hipri) { spec.hipri_percentage.unwrap_or(100) as u8 } else { 0 },
            uncached,
            nowait,
        }),
        "mmap" => EngineChoice::Mmap { huge: not_zero(spec.thp) },
        "falloc" => EngineChoice::Falloc,
        "ftruncate" => EngineChoice::Ftruncate,
        "splice" => EngineChoice::Splice,
        "posixaio" => EngineChoice::Posixaio,
        "filecreate" => EngineChoice::Names(NameCall::Create),
        "filedelete" => EngineChoice::Names(NameCall::Delete),
        "filestat" => EngineChoice::Names(NameCall::Stat(match word(&spec.stat_type) {
            Some("lstat") => StatCall::Lstat,
            Some("statx") => StatCall::Statx,
            _ => StatCall::Stat,
        })),
        "null" => EngineChoice::Null { jitter: spec.null_jitter.unwrap_or(false) },
        "libaio" => EngineChoice::Libaio(AioSpec { userspace_reap: on(spec.userspace_reap), nowait }),
        "io_uring" => {
            let vectored = spec.nonvectored == Some(0);
            let fixed_buffers = spec.fixedbufs.unwrap_or(!vectored);
            EngineChoice::IoUring(UringSpec {
                fixed_buffers,
                fixed_files: spec.registerfiles.unwrap_or(true),
                vectored: vectored && !fixed_buffers,
                polled: on(spec.hipri),
                thread: on(spec.sqthread_poll),
                thread_cpu: spec.sqthread_poll_cpu.map(|cpu| cpu as u32),
                force_async: spec.force_async.unwrap_or(0) as u32,
                uncached,
                nowait,
            })
        }
        "model" => {
            let law = spec.model_law.as_deref().unwrap_or("constant:100us");
            let law = service_law(law).map_err(|right| refuse(spec, "model_law", "", right))?;
            EngineChoice::Model(ModelSpec {
                servers: spec.model_servers.unwrap_or(1).clamp(1, 1 << 20) as u32,
                law,
            })
        }
        _ => EngineChoice::Psync,
    })
}

/// What is synced to the device by the mapping's pages is whole pages.
fn blocks_of_pages(spec: &JobSpec, engine: &EngineChoice, pattern: &PatternSpec) -> Result<(), Refusal> {
    const PAGE: u64 = 4096;
    let synced =
        spec.direct == Some(true) || [spec.fsync, spec.fdatasync].into_iter().flatten().any(|n| n > 0);
    if !matches!(engine, EngineChoice::Mmap { .. }) || !synced || smallest_block(pattern).is_multiple_of(PAGE)
    {
        return Ok(());
    }
    let fio = format!(
        "fio: mmap options dictate a minimum block size of {PAGE} bytes\nfio: io engine mmap init failed.\n"
    );
    Err(refuse(spec, "bs", fio, format!("with direct, fsync or fdatasync a multiple of {PAGE} is needed")))
}

/// Reads `model_law`.
///
/// # Errors
/// What would be right.
pub fn service_law(text: &str) -> Result<ServiceLaw, String> {
    const RIGHT: &str = "must be constant:T, uniform:A-B, exponential:MEAN or mixture:PERCENT/T:PERCENT/T:..., e.g. mixture:90/10ms:10/100ms";
    let wrong = || RIGHT.to_owned();
    let time = |text: &str| match unit::time(text, SECOND) {
        Ok(n) if n.rest.is_empty() && n.value >= 0 => Ok(n.value as u64),
        _ => Err(wrong()),
    };
    let (law, of) = text.split_once(':').ok_or_else(wrong)?;
    match law {
        "constant" => Ok(ServiceLaw::Constant(time(of)?)),
        "exponential" => Ok(ServiceLaw::Exponential(time(of)?)),
        "uniform" => {
            let (a, b) = of.split_once('-').ok_or_else(wrong)?;
            let (a, b) = (time(a)?, time(b)?);
            Ok(ServiceLaw::Uniform(a.min(b), a.max(b)))
        }
        "mixture" => {
            let mut parts = Vec::new();
            for part in of.split(':') {
                let (percent, t) = part.split_once('/').ok_or_else(wrong)?;
                let percent: f64 = percent.parse().map_err(|_| wrong())?;
                if !(0.0..=100.0).contains(&percent) {
                    return Err(wrong());
                }
                parts.push(((percent * 10_000.0).round() as u32, time(t)?));
            }
            match parts.iter().map(|(share, _)| u64::from(*share)).sum::<u64>() {
                1_000_000 => Ok(ServiceLaw::Mixture(parts)),
                sum => Err(format!("percents must add up to 100, not {}", sum as f64 / 10_000.0)),
            }
        }
        _ => Err(wrong()),
    }
}

fn target(spec: &JobSpec, around: &Surroundings, pattern: &PatternSpec) -> Result<Target, Refusal> {
    let on = |field: Option<bool>, default: bool| field.unwrap_or(default);
    let paths = |list: &Option<Vec<String>>| list.iter().flatten().map(PathBuf::from).collect::<Vec<_>>();
    let mut filenames = paths(&spec.filename);
    if filenames.iter().any(|path| path.as_os_str() == "-") {
        return Err(refuse(spec, "filename", "", "standard input or output as a target: not built yet"));
    }
    let given = |size: Option<Size>| size.filter(|size| !matches!(size, Size::Bytes(0) | Size::Percent(0)));
    let size = given(spec.size);
    let (block, needed) = (smallest_block(pattern), size.or_else(|| given(spec.io_size)));
    if let Some(Size::Bytes(n)) = needed.filter(|size| matches!(size, Size::Bytes(n) if *n < block)) {
        let fio = format!("fio: size too small, must not be less than minimum block size: {n} < {block}\n");
        return Err(refuse(spec, "size", fio, format!("must be at least one block ({block} bytes)")));
    }
    let asked = bounded(spec, "nrfiles", spec.nrfiles, 1, MOST_FILES)?;
    let mut found: Vec<PathBuf> = spec.found.iter().map(PathBuf::from).collect();
    let names = filenames.len() + found.len();
    // The later one counts: nrfiles behind the names cuts them short, before them it is overruled.
    let typed = |name: &str| spec.typed.iter().rposition(|typed| typed.option.name == name);
    let cut = typed("nrfiles") > typed("filename").max(typed("opendir"));
    let nrfiles = match names {
        0 => asked,
        names if cut => asked.min(names as u32),
        names => names as u32,
    };
    filenames.truncate(nrfiles as usize);
    found.truncate(nrfiles as usize - filenames.len());
    let openfiles = bounded(spec, "openfiles", spec.openfiles, 0, i64::from(u32::MAX))?;
    let per_file = |chosen: &Chosen| match chosen.tail.as_deref().map(|n| unit::integer(n, 1024)) {
        Some(Ok(n)) => n.value.clamp(1, i64::from(u32::MAX)) as u32,
        _ => 1,
    };
    // What could not be read was refused where it was typed.
    let law = spec.file_service_type.as_ref().and_then(|chosen| spread::law_of_files(chosen).ok().flatten());
    let file_service = match &spec.file_service_type {
        _ if law.is_some() => FileService::Law(law.unwrap_or_default()),
        Some(chosen) if chosen.word == "random" => FileService::Random(per_file(chosen)),
        Some(chosen) if chosen.word == "sequential" => FileService::Sequential,
        Some(chosen) => FileService::RoundRobin(per_file(chosen)),
        None => FileService::RoundRobin(1),
    };
    let fallocate = match word(&spec.fallocate) {
        Some("none" | "0") => Fallocate::None,
        Some("posix" | "1") => Fallocate::Posix,
        Some("keep") => Fallocate::Keep,
        Some("truncate") => Fallocate::Truncate,
        _ => Fallocate::Native,
    };
    let sync = match word(&spec.sync) {
        Some("sync" | "1") => SyncMode::Sync,
        Some("dsync") => SyncMode::Dsync,
        _ => SyncMode::None,
    };
    let pre_read = on(spec.pre_read, false);
    let fill = on(spec.fill_device, false);
    if fill && (pattern.mix != Mix::Write || on(spec.overwrite, false)) {
        let right = "fill_device with anything but writes, or with overwrite: not built yet";
        return Err(refuse(spec, "fill_device", "", right));
    }
    if fill && size.is_none() && matches!(pattern.order, Order::Random { .. }) {
        return Err(refuse(spec, "fill_device", "", "random writes need size=, e.g. size=1t"));
    }
    let zero = Size::Bytes(0);
    Ok(Target {
        directories: paths(&spec.directory),
        filenames,
        found,
        filename_format: spec
            .filename_format
            .clone()
            .filter(|f| !f.is_empty())
            .unwrap_or_else(|| "$jobname.$jobnum.$filenum".into()),
        nrfiles,
        openfiles: if openfiles >= nrfiles { 0 } else { openfiles },
        filesize: spec.filesize.filter(|(_, high)| *high > 0),
        size,
        io_size: given(spec.io_size),
        offset: spec.offset.unwrap_or(zero),
        offset_align: spec.offset_align.unwrap_or(0).max(0) as u64,
        offset_increment: spec.offset_increment.unwrap_or(zero),
        direct: on(spec.direct, false),
        sync,
        // What was read for its sake should stay in the cache.
        invalidate: on(spec.invalidate, true) && !pre_read,
        fallocate,
        // What is read must have been written.
        overwrite: on(spec.overwrite, false) || pattern.mix.has(Direction::Read),
        fadvise: match word(&spec.fadvise_hint) {
            Some("0") => Fadvise::Nothing,
            Some("random") => Fadvise::Random,
            Some("sequential") => Fadvise::Sequential,
            Some("noreuse") => Fadvise::NoReuse,
            _ => Fadvise::Pattern,
        },
        pre_read,
        write_hint: word(&spec.write_hint).map(|hint| match hint {
            "short" => 2,
            "medium" => 3,
            "long" => 4,
            "extreme" => 5,
            _ => 1,
        }),
        append: on(spec.file_append, false),
        fill,
        file_service,
        allow_file_create: on(spec.allow_file_create, true),
        create_only: on(spec.create_only, false),
        create_on_open: on(spec.create_on_open, false),
        create_fsync: on(spec.create_fsync, true),
        unlink: on(spec.unlink, false),
        unlink_each_loop: on(spec.unlink_each_loop, false),
        readonly: around.readonly,
    })
}

fn queue(spec: &JobSpec, engine: &EngineChoice, notes: &mut Vec<Note>) -> Result<Queue, Refusal> {
    let iodepth = spec.iodepth.unwrap_or(1).max(1);
    if iodepth > MOST_IN_FLIGHT && !engine.is_sync() {
        return Err(refuse(spec, "iodepth", "", format!("must be at most {MOST_IN_FLIGHT}")));
    }
    let iodepth = iodepth.min(i64::from(u32::MAX)) as u32;
    if engine.is_sync() && iodepth > 1 {
        let text = "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1";
        notes.push(Note::new(NoteKind::Fio, spec.name.clone().unwrap_or_default(), text));
    }
    let effective = if engine.is_sync() { 1 } else { iodepth };
    let any = [
        spec.iodepth_batch,
        spec.iodepth_batch_complete_min,
        spec.iodepth_batch_complete_max,
        spec.iodepth_low,
    ];
    let most =
        |value: Option<i64>, default: i64| value.unwrap_or(default).clamp(0, i64::from(effective)) as u32;
    // 0, and more than iodepth, stand for iodepth.
    let whole = |value: Option<i64>, default: i64| match value.unwrap_or(default) {
        n if n <= 0 || n > i64::from(effective) => effective,
        n => n as u32,
    };
    let batch = any.iter().any(Option::is_some).then(|| {
        let complete_min = most(spec.iodepth_batch_complete_min, 1);
        let complete_max =
            most(spec.iodepth_batch_complete_max, i64::from(complete_min)).max(complete_min).max(1);
        Batch {
            submit: whole(spec.iodepth_batch, 1),
            complete_min,
            complete_max,
            low: whole(spec.iodepth_low, 0),
        }
    });
    Ok(Queue { iodepth, effective, batch })
}

fn limits(spec: &JobSpec) -> Result<Limits, Refusal> {
    let nanos = |field: Option<Nanos>| field.map_or(0, |n| n.0);
    Ok(Limits {
        runtime: nanos(spec.runtime),
        time_based: spec.time_based.unwrap_or(false),
        ramp_time: nanos(spec.ramp_time),
        startdelay: spec.startdelay.map_or(0, |(low, _)| low.0),
        startdelay_most: spec.startdelay.map_or(0, |(_, high)| high.0),
        loops: spec.loops.unwrap_or(1).max(1) as u64,
        number_ios: spec.number_ios.unwrap_or(0).max(0) as u64,
    })
}

fn ties(spec: &JobSpec) -> Ties {
    let on = |field: Option<bool>| field.unwrap_or(false);
    Ties {
        wait_for: spec.wait_for.clone().filter(|name| !name.is_empty()),
        exitall: on(spec.exitall),
        exitall_on_error: on(spec.exitall_on_error),
        exit_what: match word(&spec.exit_what) {
            Some("all") => ExitWhat::All,
            Some("stonewall") => ExitWhat::Running,
            _ => ExitWhat::Group,
        },
        stats: spec.stats.unwrap_or(true),
    }
}

fn host(spec: &JobSpec) -> Result<HostSpec, Refusal> {
    let cpus = match (&spec.cpus_allowed, spec.cpumask) {
        (Some(cpus), _) => cpus.clone(),
        (None, Some(0)) => {
            let fio = "fio: pid=0, err=22/file:resolve.rs, func=cpu_set_affinity, error=Invalid argument\n";
            return Err(refuse(spec, "cpumask", fio, "names no CPU; right would be e.g. 3"));
        }
        (None, mask) => (0..32).filter(|cpu| mask.unwrap_or(0) >> cpu & 1 == 1).collect(),
    };
    if !cpus.is_empty() && spec.numa_cpu_nodes.is_some() {
        return Err(refuse(spec, "numa_cpu_nodes", "", "cannot go together with cpus_allowed or cpumask"));
    }
    // fio: a level without a class is of the best-effort class, 2.
    let ioprio = (spec.prio.is_some() || spec.prioclass.is_some())
        .then(|| ((spec.prioclass.unwrap_or(2) << 13) | spec.prio.unwrap_or(0)) as u16);
    let text = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    Ok(HostSpec {
        cpus,
        cpus_split: is(&spec.cpus_allowed_policy, "split"),
        lockmem: spec.lockmem.unwrap_or(0).max(0) as u64,
        nice: spec.nice.unwrap_or(0) as i32,
        ioprio,
        uid: spec.uid.map(|id| id as u32),
        gid: spec.gid.map(|id| id as u32),
        numa_cpu_nodes: text(&spec.numa_cpu_nodes),
        numa_mem_policy: text(&spec.numa_mem_policy),
        cgroup: text(&spec.cgroup).map(|name| Cgroup {
            name,
            weight: spec.cgroup_weight.map(|weight| weight as u32),
            keep: spec.cgroup_nodelete.unwrap_or(false),
        }),
        ioscheduler: text(&spec.ioscheduler),
        prerun: text(&spec.exec_prerun),
        postrun: text(&spec.exec_postrun),
        thread: spec.thread.unwrap_or(false),
    })
}

/// Priorities of reads and writes. Without a class they are of the real-time class.
fn priorities(spec: &JobSpec) -> Result<[Vec<PriorityShare>; 2], Refusal> {
    let percent = spec.cmdprio_percentage.unwrap_or_default().map(|n| n.unwrap_or(0));
    if percent.iter().any(|n| *n > 0) && spec.cmdprio_bssplit.is_some() {
        return Err(refuse(spec, "cmdprio_bssplit", "", "cannot go together with cmdprio_percentage"));
    }
    let (class, level) = (spec.cmdprio_class.unwrap_or_default(), spec.cmdprio.unwrap_or_default());
    let usual = |at: usize| priority::value(class[at].unwrap_or(1), level[at].unwrap_or(0));
    let mut shares = [Vec::new(), Vec::new()];
    let parts: Vec<&str> = spec.cmdprio_bssplit.iter().flat_map(|text| text.split(',')).collect();
    for (at, shares) in shares.iter_mut().enumerate() {
        if percent[at] > 0 {
            shares.push(PriorityShare { bytes: None, percent: percent[at].min(100) as u8, value: usual(at) });
        }
        if let Some(part) = parts.get(at).or(parts.last()) {
            *shares = priority::shares(part, spec.base(), usual(at))
                .map_err(|(fio, ours)| refuse(spec, "cmdprio_bssplit", fio, ours))?;
        }
    }
    Ok(shares)
}

fn memory(spec: &JobSpec) -> MemorySpec {
    let kind = word(&spec.mem).unwrap_or("malloc");
    // Only mappings have files; fio takes what follows another word for nothing.
    let file = spec.mem.as_ref().and_then(|chosen| chosen.tail.clone()).filter(|_| kind.starts_with("mmap"));
    MemorySpec {
        segment: kind.starts_with("shm"),
        huge: kind.ends_with("huge"),
        shared: kind == "mmapshared",
        file: file.map(PathBuf::from),
        align: spec.iomem_align.unwrap_or(0).max(0) as u64,
        huge_page: spec.hugepage_size.unwrap_or(2 << 20).max(0) as u64,
    }
}

fn payload(spec: &JobSpec, pattern: &PatternSpec) -> PayloadSpec {
    let (compress, repeats) = (spec.buffer_compress_percentage, spec.dedupe_percentage);
    let bytes = spec.buffer_pattern.as_ref().map_or(Vec::new(), |pattern| pattern.bytes.clone());
    let zero = spec.zero_buffers.unwrap_or(false);
    let dedupe = repeats.filter(|percent| *percent > 0).map(|percent| Dedupe {
        percent: percent.min(100) as u8,
        piece: pattern.block[Direction::Write as usize].0.max(1),
        working_set: is(&spec.dedupe_mode, "working_set")
            .then(|| spec.dedupe_working_set_percentage.unwrap_or(5).clamp(0, 100) as u8),
        global: spec.dedupe_global.unwrap_or(false),
    });
    let percent = match compress {
        Some(percent @ 1..=99) => percent as u8,
        // Pieces that repeat each other but hold nothing would all be one: fio makes them of noise.
        Some(100) if dedupe.is_none() => 100,
        None | Some(0) if dedupe.is_none() && (zero || !bytes.is_empty()) => 100,
        None | Some(0) if dedupe.is_some_and(|d| d.percent < 100) && !bytes.is_empty() => 100,
        _ => 0,
    };
    let refill = spec.refill_buffers.unwrap_or(matches!(compress, Some(0..=99)) || repeats.is_some());
    let scramble = compress.is_none() && repeats.is_none() && spec.scramble_buffers.unwrap_or(!zero);
    PayloadSpec {
        percent,
        chunk: spec.buffer_compress_chunk.unwrap_or(512).clamp(0, i64::from(u32::MAX)) as u32,
        pattern: bytes,
        renewal: match (refill, scramble) {
            (true, _) => Renewal::Refill,
            (false, true) => Renewal::Scramble,
            (false, false) => Renewal::Never,
        },
        dedupe,
    }
}

/// A working set is a share of a size that must be known, and leaves room for pieces outside of it.
fn check_dedupe(spec: &JobSpec, target: &Target) -> Result<(), Refusal> {
    let percent = spec.dedupe_percentage.unwrap_or(0);
    if percent == 0 || !is(&spec.dedupe_mode, "working_set") {
        return Ok(());
    }
    if target.size.is_none() {
        let fio = "fio: pregenerated dedupe working set requires size to be set\n";
        return Err(refuse(spec, "dedupe_mode", fio, "working_set needs size=, e.g. size=1g"));
    }
    if target.nrfiles > 1 {
        let fio = format!(
            "fio: dedupe working set mode supported with single file per job, but {} files provided\n",
            target.nrfiles
        );
        return Err(refuse(spec, "dedupe_mode", fio, "working_set needs a single file"));
    }
    let set = spec.dedupe_working_set_percentage.unwrap_or(5);
    if percent + set > 100 {
        let fio = format!(
            "fio: impossible to reach expected dedupe percentage {percent} since {set} percentage of size is reserved to dedupe working set (those are unique pages)\n"
        );
        let right = format!("must be at most {} with dedupe_percentage={percent}", 100 - percent);
        return Err(refuse(spec, "dedupe_working_set_percentage", fio, right));
    }
    Ok(())
}

fn measure(spec: &JobSpec, engine: &EngineChoice, queue: Queue) -> Measure {
    let reduced = spec.gtod_reduce.unwrap_or(false);
    let kept = |disabled: Option<bool>| !reduced && !disabled.unwrap_or(false);
    // Where a thread of the kernel submits, what we wait for is no submission.
    let submits = !matches!(engine, EngineChoice::IoUring(UringSpec { thread: true, .. }));
    // Calls on names have one latency, which is measured always.
    let by_name = matches!(engine, EngineChoice::Names(_));
    let (slat, clat, lat) = (
        kept(spec.disable_slat) && submits,
        kept(spec.disable_clat) || by_name,
        kept(spec.disable_lat) && !by_name,
    );
    let samples = kept(spec.disable_bw);
    // The null engine at depth 1 completes inside the call, as a synchronous engine does.
    let in_call = engine.is_sync() || (matches!(engine, EngineChoice::Null { .. }) && queue.iodepth == 1);
    let shown_slat = slat && !in_call;
    let mut percentiles = spec.percentile_list.clone().unwrap_or_else(|| PERCENTILES.to_vec());
    percentiles.sort_by(f64::total_cmp);
    let period = |ms: Option<i64>| (ms.unwrap_or(500).max(1) as u64).saturating_mul(MILLISECOND);
    let unit_base = if is(&spec.unit_base, "1") { 1 } else { 8 };
    Measure {
        slat,
        clat,
        lat,
        samples,
        disks: spec.disk_util.unwrap_or(true),
        bw_period: period(spec.bwavgtime),
        iops_period: period(spec.iopsavgtime),
        shown: stats::Shown {
            slat: shown_slat,
            clat,
            lat,
            ranges: !by_name,
            samples,
            slat_percentiles: shown_slat && spec.slat_percentiles.unwrap_or(false),
            clat_percentiles: clat && spec.clat_percentiles.unwrap_or(true),
            lat_percentiles: !reduced && !by_name && spec.lat_percentiles.unwrap_or(false),
            percentiles,
            group_reporting: spec.group_reporting.unwrap_or(false),
            kb_base: spec.base(),
            unit_base,
            significant_figures: spec.significant_figures.unwrap_or(4).clamp(1, 10) as u32,
            errors: spec.errors_let_pass.unwrap_or(0) != 0,
            unified: match word(&spec.unified_rw_reporting) {
                Some("mixed" | "1") => stats::Unified::Mixed,
                Some("both" | "2") => stats::Unified::Both,
                _ => stats::Unified::None,
            },
        },
    }
}

fn tolerance(spec: &JobSpec) -> Result<Tolerance, Refusal> {
    let text = spec.ignore_error.as_deref().unwrap_or_default();
    let lists = errnos::lists(text).map_err(|bad| {
        let fio = format!("{}\nfio: failed parsing ignore_error={text}\n", bad.stderr.trim_end());
        refuse(spec, "ignore_error", fio, bad.right)
    })?;
    let kinds = spec.errors_let_pass.unwrap_or(0);
    let mut errnos = lists.map(|list| if list.is_empty() { errnos::USUAL.to_vec() } else { list });
    Ok(Tolerance {
        errnos: std::array::from_fn(|kind| {
            (kinds >> kind & 1 == 1).then(|| std::mem::take(&mut errnos[kind]))
        }),
        dump: spec.error_dump.unwrap_or(false),
    })
}
