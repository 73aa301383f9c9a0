//! Creation of the engine that the job selects, and start of the loop on it.

use crate::assignment::Assignment;
use crate::finish::Finish;
use crate::job_error::{errno_of, failed_because};
use crate::line::Line;
use crate::passes;
use crate::random::{stream, stream_seed};
use crate::remote;
use crate::sockets;
use crate::worker_setup::Prepared;
use engine::aio::Aio;
use engine::meta::{Meta, MetaCall};
use engine::mmap::{Mmap, Persistent};
use engine::mtd::Flash;
use engine::nvme::{Commands, Directive, Nvme, NvmeOptions, Protection, WriteCommand, WriteMix};
use engine::pipe::Pipe;
use engine::priority::{Priorities, Share};
use engine::sg::{Sg, SgCall};
use engine::space::Space;
use engine::sync::{Plain, Sync};
use engine::uring::{Uring, UringFeatures, UringOptions};
use engine::vector::{Flags, Vectored};
use facts::machine::{self, Available};
use job::job::{
    EngineChoice, Entry, Fadvise, Job, NameCall, NvmeWrite, Order, ScsiWrite, SgSpec, StatCall, SyncMode,
    UringCmdSpec, UringSpec,
};
use job::plan::PlannedFile;
use job::priority::PriorityShare;
use job::remote::RemoteSpec;
use rustix::io::Errno;
use stats::job_error::{ErrorCause, JobError};
use stats::note::NoteFact;
use std::ffi::CString;
use std::io;
use std::num::NonZeroU32;
use std::os::unix::ffi::OsStrExt;

/// Runs one clone on its engine, on the calling thread.
pub(crate) fn run(a: &Assignment<'_>, ready: Prepared, finish: &mut Finish) {
    let (depth, files) = (a.job().queue.effective as usize, a.clone.files.len());
    let blocks = ready.arena.blocks();
    let not_set_up = |e: io::Error, engine: &str| {
        failed_because("setup", &e, ErrorCause::EngineSetup { engine: engine.into() })
    };
    let forbidden = |e: &io::Error| {
        [Errno::PERM, Errno::NOSYS].iter().any(|f| e.raw_os_error() == Some(f.raw_os_error()))
    };
    let mut hints = Vec::new();
    let no_ring = |e: io::Error| {
        if forbidden(&e) {
            hints.push(Line::UringForbidden { job: a.job().name.clone() });
        }
        not_set_up(e, "io_uring")
    };
    macro_rules! run_on {
        ($engine:expr) => {
            match $engine {
                Ok(engine) => passes::run(a, engine, ready, finish),
                Err(error) => {
                    a.phase.wait_for_start();
                    finish.error = Some(error);
                }
            }
        };
    }
    let seed = stream_seed(a.clone.seed, stream::ENGINE);
    let priorities = priorities(a.job(), seed, depth);
    match &a.job().engine {
        EngineChoice::Null { jitter: false } => run_on!(Ok(engine::null::Null::<false>::new(depth))),
        EngineChoice::Null { jitter: true } => run_on!(Ok(engine::null::Null::<true>::new(depth))),
        EngineChoice::Psync => run_on!(Ok(Sync::calling(Plain::<false>::new(blocks), files))),
        EngineChoice::Sync => run_on!(Ok(Sync::calling(Plain::<true>::new(blocks), files))),
        EngineChoice::Vsync => {
            run_on!(Ok(Sync::calling(Vectored::<true, false>::new(blocks, Flags::default(), seed), files)))
        }
        EngineChoice::Pvsync => {
            run_on!(Ok(Sync::calling(Vectored::<false, false>::new(blocks, Flags::default(), seed), files)))
        }
        EngineChoice::Pvsync2(spec) => {
            let flags = Flags {
                always: rw_flags(spec.nowait, spec.uncached),
                sometimes: engine::RWF_HIPRI,
                percent: spec.hipri_percent,
                writes: write_flags(spec.atomic),
            };
            run_on!(Ok(Sync::calling(Vectored::<false, true>::new(blocks, flags, seed), files)))
        }
        EngineChoice::Mmap { huge } => {
            let made = Mmap::<false>::new(blocks, regions(a), mapping(a.job(), *huge, None));
            run_on!(made.map(Sync::new).map_err(|e| not_set_up(e, "mmap")))
        }
        EngineChoice::Pmem => {
            // The variable of libpmem for tests on other memory.
            let assumed = std::env::var_os("PMEM_IS_PMEM_FORCE").is_some_and(|value| value == "1");
            let drain = a.job().target.direct || a.job().target.sync != SyncMode::None;
            let options = mapping(a.job(), false, Some(Persistent { assumed, drain }));
            let made = Mmap::<true>::new(blocks, regions(a), options);
            run_on!(made.map(Sync::new).map_err(|e| not_set_up(e, "libpmem")))
        }
        EngineChoice::Dax => {
            let options = mapping(a.job(), false, Some(Persistent { assumed: true, drain: true }));
            // The kernel maps DAX devices in units of their alignment, often 2 MiB: the whole device is mapped.
            let whole = a.clone.files.iter().map(|file| (0, file.size)).collect();
            let made = Mmap::<true>::new(blocks, whole, options);
            run_on!(made.map(Sync::new).map_err(|e| not_set_up(e, "dev-dax")))
        }
        EngineChoice::Mtd { skip_bad: false } => {
            run_on!(Ok(Sync::calling(Flash::<false>::new(blocks), files)))
        }
        EngineChoice::Mtd { skip_bad: true } => run_on!(Ok(Sync::calling(Flash::<true>::new(blocks), files))),
        EngineChoice::Falloc => run_on!(Ok(Sync::calling(Space::<false>, files))),
        EngineChoice::Ftruncate => run_on!(Ok(Sync::calling(Space::<true>, files))),
        EngineChoice::Defrag(spec) => {
            let made = crate::donor::engine(a, spec, finish);
            run_on!(made.map(|moves| Sync::calling(moves, files)))
        }
        EngineChoice::Splice => {
            let made = Pipe::new(blocks).map_err(|e| not_set_up(e, "splice"));
            run_on!(made.map(|pipe| Sync::calling(pipe, files)))
        }
        EngineChoice::Names(entry, call) => run_on!(names(a, *entry, *call).map(Sync::new)),
        EngineChoice::Libaio(spec) => {
            let options = engine::aio::AioOptions {
                rw_flags: rw_flags(spec.nowait, false) as u32,
                write_flags: write_flags(spec.atomic) as u32,
                peek: spec.userspace_reap,
                vectored: spec.vectored,
            };
            let why = |e| failed_because("setup", &e, ErrorCause::LibaioSetup);
            if priorities.is_none() && !options.vectored && !spec.atomic {
                run_on!(Aio::<false>::new(blocks, depth, files, options).map_err(why))
            } else {
                let made = Aio::<true>::new(blocks, depth, files, options).map_err(why);
                run_on!(made.map(|aio| aio.prioritise(priorities)))
            }
        }
        EngineChoice::Offload(of) => {
            let mut options = offloaded(of);
            options.features.trims = a.job().trims();
            let made = Uring::<true>::new(blocks, depth, files, options).map_err(no_ring);
            run_on!(made.map(|ring| ring.prioritise(priorities)))
        }
        EngineChoice::Posixaio => {
            let options = UringOptions {
                fixed_buffers: a.job().target.direct,
                fixed_files: true,
                features: UringFeatures::default(),
            };
            let ring = match machine::io_uring() {
                Available::Yes => Uring::<false>::new(blocks, depth, files, options),
                Available::No(errno) => Err(io::Error::from_raw_os_error(errno)),
            };
            match ring {
                Ok(ring) => run_on!(Ok(ring)),
                Err(no_ring) => {
                    finish.notes.push(NoteFact::PosixaioOnKernelAio { errno: errno_of(&no_ring) });
                    let options = engine::aio::AioOptions::default();
                    let made = Aio::<false>::new(blocks, depth, files, options);
                    run_on!(made.map_err(|e| failed_because("setup", &e, ErrorCause::PosixaioSetup)))
                }
            }
        }
        EngineChoice::IoUring(spec) => {
            let mut options = ring_of(spec);
            options.features.rw_flags = rw_flags(spec.nowait, spec.uncached) as u32;
            options.features.write_flags = write_flags(spec.atomic) as u32;
            options.features.trims = a.job().trims();
            if options.features == UringFeatures::default() && priorities.is_none() {
                run_on!(Uring::<false>::new(blocks, depth, files, options).map_err(no_ring))
            } else {
                let made = Uring::<true>::new(blocks, depth, files, options).map_err(no_ring);
                run_on!(made.map(|ring| ring.prioritise(priorities)))
            }
        }
        EngineChoice::UringCmd(spec) => {
            let mut options = commands(spec, a.clone.seed);
            options.trim_ranges = a.job().pattern.trim_ranges;
            if let Some(placement) = &a.job().placement {
                options.commands.write = WriteCommand::Directed(match placement.directive {
                    job::nvme::Directive::Streams => Directive::Streams,
                    job::nvme::Directive::Placement => Directive::Placement,
                });
            }
            let made = Nvme::new(blocks, depth, files, ring_of(&spec.ring), options);
            run_on!(made.map_err(no_ring))
        }
        EngineChoice::Sg(spec) if spec.in_call => {
            run_on!(Ok(Sync::new(SgCall::new(blocks, files, scsi_commands(spec)))))
        }
        EngineChoice::Sg(spec) => run_on!(Ok(Sg::new(blocks, depth, files, scsi_commands(spec)))),
        EngineChoice::Net(spec) => run_on!(sockets::engine(a, spec, blocks).map(Sync::new)),
        EngineChoice::Remote(spec) => {
            let begun = remote::begin(a, spec);
            match spec {
                RemoteSpec::Nbd { uri } => run_on!(begun.and_then(|()| remote::nbd(a, uri, blocks))),
                RemoteSpec::Rbd(spec) => run_on!(begun.and_then(|()| remote::rbd(a, spec, blocks))),
                RemoteSpec::Nfs { url } => run_on!(begun.and_then(|()| remote::nfs(a, url, blocks))),
                RemoteSpec::Rados(spec) => run_on!(begun.and_then(|()| remote::rados(a, spec, blocks))),
                RemoteSpec::Iscsi { initiator } => {
                    run_on!(begun.and_then(|()| remote::iscsi(a, initiator, blocks)))
                }
                RemoteSpec::Http(spec) => run_on!(begun.and_then(|()| remote::http(a, spec, blocks))),
            }
        }
        EngineChoice::Cpu(_) | EngineChoice::Exec(_) => crate::no_io::run(a, finish),
        EngineChoice::Model(_) => {
            // The simulated device runs in `virtual_time`; plans that mix it with real engines are refused.
            a.phase.wait_for_start();
            let e = io::ErrorKind::Unsupported.into();
            finish.error = Some(failed_because("setup", &e, ErrorCause::ModelWithOthers));
        }
    }
    finish.lines.extend(hints);
}

fn names(a: &Assignment<'_>, entry: Entry, call: NameCall) -> Result<Meta, JobError> {
    let call = match (call, entry) {
        (NameCall::Create, Entry::File) => MetaCall::Create,
        (NameCall::Create, Entry::Directory) => MetaCall::Mkdir,
        (NameCall::Delete, Entry::File) => MetaCall::Delete,
        (NameCall::Delete, Entry::Directory) => MetaCall::Rmdir,
        (NameCall::Stat(StatCall::Stat), _) => MetaCall::Stat,
        (NameCall::Stat(StatCall::Lstat), _) => MetaCall::Lstat,
        (NameCall::Stat(StatCall::Statx), _) => MetaCall::Statx,
    };
    let name = |f: &PlannedFile| {
        CString::new(f.path.as_os_str().as_bytes())
            .map_err(|e| failed_because("open", &e.into(), ErrorCause::FileName))
    };
    let files: Result<Vec<_>, _> = a.clone.files.iter().map(|f| Ok((name(f)?, f.length))).collect();
    Ok(Meta::new(call, files?))
}

fn priorities(job: &Job, seed: u64, depth: usize) -> Option<Priorities> {
    let values = job.priority_values();
    let share = |s: &PriorityShare| Share {
        len: s.bytes.map(|n| n as u32),
        percent: s.percent,
        value: s.value,
        number: values.iter().position(|value| *value == s.value).unwrap_or(0) as u8,
    };
    let shares = job.priorities.each_ref().map(|list| list.iter().map(share).collect::<Vec<_>>());
    shares.iter().any(|list| !list.is_empty()).then(|| Priorities::new(shares, seed, depth))
}

/// Returns the io_uring options with which kernel workers do the I/O of the engine `of` (`io_submit_mode=offload`).
fn offloaded(of: &EngineChoice) -> UringOptions {
    let mut options =
        UringOptions { fixed_buffers: true, fixed_files: true, features: UringFeatures::default() };
    let (nowait, uncached) = match of {
        EngineChoice::Pvsync2(spec) => (spec.nowait, spec.uncached),
        EngineChoice::Libaio(spec) => (spec.nowait, false),
        EngineChoice::IoUring(spec) => {
            options.fixed_buffers = spec.fixed_buffers;
            options.fixed_files = spec.fixed_files;
            options.features.vectored = spec.vectored;
            (spec.nowait, spec.uncached)
        }
        _ => (false, false),
    };
    options.features.force_async = Some(NonZeroU32::MIN);
    options.features.rw_flags = rw_flags(nowait, uncached) as u32;
    options.features.write_flags = write_flags(of.is_atomic()) as u32;
    // The kernel refuses atomic writes from registered memory.
    options.fixed_buffers &= !of.is_atomic();
    options
}

/// Returns the options of a ring.
fn ring_of(spec: &UringSpec) -> UringOptions {
    let features = UringFeatures {
        polled: spec.polled,
        thread: spec.thread,
        thread_cpu: spec.thread_cpu,
        vectored: spec.vectored,
        force_async: spec.force_async,
        ..UringFeatures::default()
    };
    UringOptions { fixed_buffers: spec.fixed_buffers, fixed_files: spec.fixed_files, features }
}

fn commands(spec: &UringCmdSpec, seed: u64) -> NvmeOptions {
    let [guard, reference, application] = spec.pi_checks;
    let protection = Protection {
        action: spec.pi_action,
        guard,
        reference,
        application,
        tag: spec.app_tag,
        mask: spec.app_mask,
    };
    let command = |write: NvmeWrite| match write {
        NvmeWrite::Write => WriteCommand::Write,
        NvmeWrite::Uncorrectable => WriteCommand::Uncorrectable,
        NvmeWrite::Zeroes => WriteCommand::Zeroes { deallocate: spec.deallocate },
        NvmeWrite::Verify => WriteCommand::Verify,
        NvmeWrite::Append => WriteCommand::Append,
    };
    let only = spec.writes.only();
    let mut mix: WriteMix = [(WriteCommand::Write, 0); 5];
    for ((share, (_, write)), percent) in mix.iter_mut().zip(NvmeWrite::ALL).zip(spec.writes.0) {
        *share = (command(write), percent);
    }
    NvmeOptions {
        commands: Commands { write: only.map_or(WriteCommand::Write, command), fua: spec.fua, protection },
        metadata: spec.metadata,
        trim_ranges: 1,
        mix: only.is_none().then_some((mix, seed)),
    }
}

fn scsi_commands(spec: &SgSpec) -> engine::sg::Commands {
    use engine::sg::WriteCommand as Command;
    let (write, stream) = match spec.write {
        ScsiWrite::Write => (Command::Write, 0),
        ScsiWrite::WriteVerify => (Command::WriteVerify, 0),
        ScsiWrite::WriteSame => (Command::WriteSame, 0),
        ScsiWrite::WriteSameNoData => (Command::WriteSameNoData, 0),
        ScsiWrite::Verify => (Command::Verify, 0),
        ScsiWrite::VerifyBlocks => (Command::VerifyBlocks, 0),
        ScsiWrite::VerifySame => (Command::VerifySame, 0),
        ScsiWrite::Stream(stream) => (Command::Stream, stream),
    };
    engine::sg::Commands { write, fua: spec.fua, polled: spec.polled, stream }
}

/// Returns the RWF_* flags of a read or write call.
fn rw_flags(nowait: bool, uncached: bool) -> i32 {
    (if nowait { engine::RWF_NOWAIT } else { 0 }) | (if uncached { engine::RWF_DONTCACHE } else { 0 })
}

/// Returns the RWF_* flags of writes alone.
fn write_flags(atomic: bool) -> i32 {
    if atomic { engine::RWF_ATOMIC } else { 0 }
}

/// Returns the mapped region of each file: start and length in bytes. The last block of a sequential job may reach
/// beyond the job's region.
fn regions(a: &Assignment<'_>) -> Vec<(u64, u64)> {
    let block = a.largest_block();
    let length = |f: &PlannedFile| match f.length {
        0 => 0,
        n => n.saturating_add(block - 1).min(f.size.saturating_sub(f.start)),
    };
    a.clone.files.iter().map(|f| (f.start, length(f))).collect()
}

fn mapping(job: &Job, huge: bool, persistent: Option<Persistent>) -> engine::mmap::MapOptions {
    engine::mmap::MapOptions {
        read: job.pattern.mix.has(stats::Direction::Read) || job.verify.is_some(),
        write: job.pattern.mix.has(stats::Direction::Write),
        huge,
        sequential: match job.target.fadvise {
            Fadvise::Nothing | Fadvise::NoReuse => None,
            Fadvise::Pattern => Some(matches!(job.pattern.order, Order::Sequential { .. })),
            Fadvise::Random => Some(false),
            Fadvise::Sequential => Some(true),
        },
        through: job.target.direct,
        persistent,
    }
}
