//! Rows of the options for engines, queues and rates.

use crate::bad_value::BadValue;
use crate::max_latency;
use crate::option::*;
use crate::spec::*;
use crate::steady;
use crate::value::Value;
use stats::unit::{MICROSECOND, SECOND};

const ENGINES: &[Choice] = &[
    choice("sync", "lseek, read and write"),
    choice("psync", "pread and pwrite"),
    choice("vsync", "readv and writev"),
    choice("pvsync", "preadv and pwritev"),
    choice("pvsync2", "preadv2 and pwritev2"),
    choice("libaio", "Linux asynchronous I/O"),
    choice("io_uring", "io_uring"),
    choice("io_uring_cmd", "NVMe commands through io_uring"),
    choice("posixaio", "POSIX asynchronous I/O, by io_uring"),
    needs("solarisaio", "Solaris", "Solaris"),
    needs("windowsaio", "Windows", "Windows"),
    choice("mmap", "memory mapping and memcpy"),
    choice("splice", "splice and vmsplice"),
    choice("sg", "SCSI commands through the sg driver"),
    choice("null", "no I/O at all"),
    choice("net", "sockets"),
    choice("netsplice", "sockets, by splice and vmsplice"),
    choice("cpuio", "burns processor time"),
    needs("rdma", "RDMA", "librdmacm (RDMA)"),
    choice("e4defrag", "moves the blocks of files of ext4"),
    choice("falloc", "fallocate"),
    choice("ftruncate", "ftruncate"),
    choice("filecreate", "creates files"),
    choice("filestat", "stats files"),
    choice("filedelete", "deletes files"),
    choice("dircreate", "creates directories"),
    choice("dirstat", "stats directories"),
    choice("dirdelete", "deletes directories"),
    choice("exec", "runs a program"),
    needs("gfapi", "Gluster", "libgfapi (GlusterFS)"),
    needs("gfapi_async", "Gluster, asynchronous", "libgfapi (GlusterFS)"),
    choice("rbd", "Ceph block device"),
    choice("rados", "Ceph objects"),
    choice("http", "WebDAV, S3, Swift"),
    choice("nbd", "network block device"),
    choice("nfs", "NFS by libnfs"),
    needs("libhdfs", "Hadoop", "libhdfs (Hadoop)"),
    choice("libiscsi", "iSCSI"),
    choice("libpmem", "memory mapping of persistent memory, without the library"),
    needs("pmemblk", "persistent memory blocks", "libpmemblk (PMDK, unmaintained)"),
    choice("dev-dax", "memory mapping of a DAX device"),
    choice("mtd", "flash without a controller: reads, writes and erases of /dev/mtdN"),
    needs("libzbc", "zoned devices by libzbc; zonemode=zbd works with other engines", "libzbc"),
    needs("libcufile", "CUDA", "libcufile (CUDA)"),
    needs("libhipfile", "ROCm", "libhipfile (ROCm)"),
    needs("libblkio", "libblkio", "libblkio"),
    needs("xnvme", "xNVMe", "libxnvme (xNVMe)"),
    needs("dfs", "DAOS", "libdfs (DAOS)"),
    needs("guasi", "GUASI", "libguasi"),
    needs("binject", "block injection", "binject.ko"),
    needs("external", "an engine from a shared object", "struct ioengine_ops (fio)"),
    choice("model", "a simulated device with a known law (ours)"),
];

const SUBMIT_MODES: &[Choice] = &[
    choice("inline", "Submit and complete IO inline"),
    choice("offload", "Offload submit and complete to threads"),
];

const THINK_BLOCKS: &[Choice] = &[
    choice("complete", "thinktime_blocks counts completed I/Os"),
    choice("issue", "thinktime_blocks counts issued I/Os"),
];

const PROCESSES: &[Choice] =
    &[choice("linear", "Linear rate of IO"), choice("poisson", "Rate follows Poisson process")];

fn set_max_latency(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut text: Option<String> = None;
    store(&mut text, value)?;
    max_latency::times(text.as_deref().unwrap_or_default())?;
    job.max_latency = text;
    Ok(())
}

const STEADY: &[Choice] = &[
    choice("iops", "maximum mean deviation of IOPS measurements"),
    choice("iops_slope", "slope calculated from IOPS measurements"),
    choice("bw", "maximum mean deviation of bandwidth measurements"),
    choice("bw_slope", "slope calculated from bandwidth measurements"),
    choice("lat", "maximum deviation of mean completion latencies (newer than fio 3.33)"),
    choice("lat_slope", "slope of mean completion latencies (newer than fio 3.33)"),
];

fn set_steadystate(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut chosen: Option<Chosen> = None;
    store(&mut chosen, value)?;
    if let Some(chosen) = &chosen {
        steady::criterion(chosen, job.base())?;
    }
    job.steadystate = chosen;
    Ok(())
}

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "ioengine",
        section: Section::Queue,
        kind: Kind::Choice { choices: ENGINES, tail: false },
        default: "psync",
        help: "How I/O is issued",
        example: "libaio",
        compat: Compat::Differs(
            "`model` (a simulated device) is ours; vsync makes one call per I/O, fio merges neighbours where iodepth_batch is set; mmap: an I/O where the file is not there fails, fio is killed; posixaio: io_uring carries it out, and no threads of the C library do; filecreate, filestat, filedelete: a call that fails counts as issued, and --readonly refuses those that make or delete; dircreate, dirstat and dirdelete, which fio 3.33 has not, are built by the manual of newer ones; libpmem: the error for other memory names mmap, no non-temporal stores are used, and direct alone waits for the write-back, too; net: see protocol; engines that need other hardware, libraries or systems are refused by name (see Engines)",
        ),
        ..field!(ioengine)
    },
    Opt {
        name: "iodepth",
        section: Section::Queue,
        kind: Kind::Int { min: 1, max: i32::MAX as i64 },
        default: "1",
        help: "I/Os in flight; a synchronous engine holds one",
        example: "32",
        ..field!(iodepth)
    },
    Opt {
        name: "iodepth_batch",
        aliases: &["iodepth_batch_submit"],
        section: Section::Queue,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "I/Os per submit call",
        example: "8",
        ..field!(iodepth_batch)
    },
    Opt {
        name: "iodepth_batch_complete_min",
        aliases: &["iodepth_batch_complete"],
        section: Section::Queue,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Least completions per reap; 0 = do not wait",
        example: "8",
        ..field!(iodepth_batch_complete_min)
    },
    Opt {
        name: "iodepth_batch_complete_max",
        section: Section::Queue,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Most completions per reap",
        example: "32",
        ..field!(iodepth_batch_complete_max)
    },
    Opt {
        name: "iodepth_low",
        section: Section::Queue,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Once full, drain to this before filling again",
        example: "16",
        ..field!(iodepth_low)
    },
    Opt {
        name: "serialize_overlap",
        section: Section::Queue,
        kind: Kind::Bool,
        default: "0",
        help: "An I/O that overlaps one in flight waits for it, in jobs that write",
        example: "1",
        ..field!(serialize_overlap)
    },
    Opt {
        name: "io_submit_mode",
        section: Section::Queue,
        kind: Kind::Choice { choices: SUBMIT_MODES, tail: false },
        default: "inline",
        help: "offload: each I/O is given to a worker, so that synchronous engines have iodepth of them in flight",
        doc: "The workers are the kernel's own (io_uring): as many as iodepth, which read and write at an offset whatever the \
              engine is called. lat has the handing over in it, clat what comes after; there is no slat. serialize_overlap \
              is of one job, lockfile of none.",
        example: "offload",
        compat: Compat::Differs(
            "workers of the kernel do the I/O, not threads of the program; iodepth above 1 and fsync work, where fio 3.33 hangs \
             (and says that it caps the depth); null hands nothing over; mmap, splice, falloc, ftruncate and those on names \
             are refused, and so is hipri; serialize_overlap looks at one job; an asynchronous engine has no slat",
        ),
        ..field!(io_submit_mode)
    },
    Opt {
        name: "rate",
        section: Section::Rate,
        kind: Kind::Ints { min: 0, max: i64::MAX },
        help: "Most bytes per second of each clone: read,write,trim; 0 = any number",
        doc: "An I/O is due when all before it have had their time at that rate, whenever they were done: after a stall the job \
              catches up. Where reads and writes are both paced, whichever is due goes, whatever rwmixread says. fathom also \
              tells the latency since each I/O was due (`scheduled_ns` in JSON), where waiting for a free slot counts.",
        example: "10m,2m",
        ..field!(rate)
    },
    Opt {
        name: "rate_min",
        aliases: &["ratemin"],
        section: Section::Rate,
        kind: Kind::Ints { min: 0, max: i64::MAX },
        help: "Least bytes per second: read,write,trim; with less over rate_cycle the job fails with EIO",
        doc: "Looked at from two seconds after the start on.",
        example: "1m",
        ..field!(rate_min)
    },
    Opt {
        name: "rate_iops",
        section: Section::Rate,
        kind: Kind::Ints { min: 0, max: i64::MAX },
        help: "Maximum IOPS per clone: read,write,trim; of the smallest block where there are several sizes",
        example: "500",
        ..field!(rate_iops)
    },
    Opt {
        name: "rate_iops_min",
        section: Section::Rate,
        kind: Kind::Ints { min: 0, max: i64::MAX },
        help: "Least I/Os per second: read,write,trim; with less over rate_cycle the job fails with EIO",
        example: "400",
        ..field!(rate_iops_min)
    },
    Opt {
        name: "rate_process",
        section: Section::Rate,
        kind: Kind::Choice { choices: PROCESSES, tail: false },
        default: "linear",
        help: "How a rate is spread over time",
        doc: "poisson: the gaps are drawn, with the mean that the rate has for the smallest block, as of many users who know \
              nothing of each other.",
        example: "poisson",
        ..field!(rate_process)
    },
    Opt {
        name: "rate_cycle",
        aliases: &["ratecycle"],
        section: Section::Rate,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1000",
        help: "Milliseconds over which rate_min and rate_iops_min hold",
        example: "500",
        ..field!(rate_cycle)
    },
    Opt {
        name: "rate_ignore_thinktime",
        section: Section::Rate,
        kind: Kind::Bool,
        help: "Do not catch up with the rate after a think time",
        doc: "By default the I/Os that were due during a pause are issued after it in a burst. With 1, the rate stands still \
              during the pause and goes on with the first I/O after it.",
        example: "1",
        ..field!(rate_ignore_thinktime)
    },
    Opt {
        name: "thinktime",
        section: Section::Rate,
        kind: Kind::Time { unit: MICROSECOND },
        default: "0",
        help: "Pause after every thinktime_blocks I/Os, once no I/O is in flight; in microseconds without a unit",
        doc: "The pause ends with the runtime. A ramp has pauses too.",
        example: "5ms",
        compat: Compat::Differs("a pause ends with the runtime; fio 3.33 sleeps on, and the job runs longer"),
        ..field!(thinktime)
    },
    Opt {
        name: "thinktime_spin",
        section: Section::Rate,
        kind: Kind::Time { unit: MICROSECOND },
        default: "0",
        help: "First part of each thinktime that is spent with computing; in microseconds without a unit",
        doc: "At most thinktime.",
        example: "2ms",
        compat: Compat::Differs(
            "a pause is never longer than thinktime; fio 3.33 may sleep without end where the two are nearly equal",
        ),
        ..field!(thinktime_spin)
    },
    Opt {
        name: "thinkcycles",
        section: Section::Rate,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Cycles of a busy loop after each completed I/O, apart from thinktime",
        doc: "On the simulated device (ioengine=model), a cycle takes 1 ns.",
        example: "1000",
        compat: Compat::Newer,
        ..field!(thinkcycles)
    },
    Opt {
        name: "thinktime_blocks",
        section: Section::Rate,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Number of I/Os between two pauses; 0 = 1",
        doc: "Not more than that many I/Os are in flight with thinktime_blocks_type=issue, whatever iodepth is.",
        example: "64",
        ..field!(thinktime_blocks)
    },
    Opt {
        name: "thinktime_blocks_type",
        section: Section::Rate,
        kind: Kind::Choice { choices: THINK_BLOCKS, tail: false },
        default: "complete",
        help: "I/Os that thinktime_blocks counts",
        doc: "complete: the job looks at the number of completed I/Os when it has issued one. I/Os that complete while the \
              queue drains before a pause count for the next pause. With iodepth above 1, I/Os are submitted and reaped one by \
              one unless iodepth_batch* is set, as in fio.",
        example: "issue",
        ..field!(thinktime_blocks_type)
    },
    Opt {
        name: "thinktime_iotime",
        section: Section::Rate,
        kind: Kind::Time { unit: SECOND },
        default: "0",
        help: "Pause after so much time with I/O; in seconds without a unit",
        doc: "With thinktime_blocks, whichever comes first; without it, the number of I/Os does not matter.",
        example: "9s",
        ..field!(thinktime_iotime)
    },
    Opt {
        name: "max_latency",
        section: Section::Rate,
        help: "An I/O that takes longer ends the job with ETIMEDOUT (110): read,write,trim",
        doc: "In microseconds unless a unit is given; 0 = none does. It is lat that counts, from setting up to completion: \
              with disable_lat or gtod_reduce nothing is looked at, nor is it for engines that call names.",
        example: "50ms",
        set: set_max_latency,
        get: get!(max_latency),
        ..OPT
    },
    Opt {
        name: "latency_target",
        section: Section::Rate,
        kind: Kind::Time { unit: MICROSECOND },
        default: "0",
        help: "Search the deepest queue whose I/Os keep this latency; in microseconds without a unit",
        doc: "The queue depth starts at 1 and is judged once per latency_window: it doubles, up to iodepth, while \
              latency_percentile of the I/Os keep the latency, then the depth between the deepest good one and the lowest bad \
              one is tried. The last window at the depth that was found is the result. With latency_percentile=100, an I/O that \
              takes longer is enough to lower the depth, and at a depth of 1 it ends the job with ETIMEDOUT (110). With a \
              lower percentile, a job whose I/Os take longer at a depth of 1 goes on until another limit ends it.",
        example: "10ms",
        compat: Compat::Differs(
            "I/Os that were issued before the depth was lowered are not held against the lower depth; fio 3.33 counts them with \
             latency_percentile=100, ends at a lower depth than the device has, or fails; it also multiplies the target of \
             further clones (numjobs) by 1000",
        ),
        ..field!(latency_target)
    },
    Opt {
        name: "latency_window",
        section: Section::Rate,
        kind: Kind::Time { unit: MICROSECOND },
        default: "0",
        help: "Time over which latency_target judges a queue depth; in microseconds without a unit",
        doc: "Long enough for many I/Os; 0 = each completion.",
        example: "200ms",
        ..field!(latency_window)
    },
    Opt {
        name: "latency_percentile",
        section: Section::Rate,
        kind: Kind::Floats { max: 100.0, count: 1 },
        default: "100",
        help: "Percentage of I/Os that have to keep latency_target",
        example: "99.9",
        ..field!(latency_percentile)
    },
    Opt {
        name: "latency_run",
        section: Section::Rate,
        kind: Kind::Bool,
        default: "0",
        help: "Go on after the search for latency_target and adapt the queue depth",
        doc: "After three good windows next to a depth that was bad, that depth is tried again.",
        example: "1",
        ..field!(latency_run)
    },
    Opt {
        name: "steadystate",
        aliases: &["ss"],
        section: Section::Rate,
        kind: Kind::Choice { choices: STEADY, tail: true },
        default: "iops_slope:0.01%",
        help: "End the job once a quantity is steady: criterion:LIMIT, LIMIT in the unit of the quantity or in % of its mean",
        doc: "The samples of the last steadystate_duration are judged: each must deviate from their mean by less than the limit, \
              or the slope of the least-squares line through them must be below the limit (per second). With group_reporting \
              the rates of the whole group are judged, and the whole group ends. All jobs of a reporting group need the same \
              steadystate options.",
        example: "iops:2%",
        set: set_steadystate,
        get: get!(steadystate),
        compat: Compat::Differs(
            "samples are taken at whole multiples of the interval from the start of the job (fio: of the program); a slope of one \
             sample is 0; `lat` and `lat_slope` (mean clat; a limit without a unit is in nanoseconds) are those of newer fios, and \
             the line of the report about them is ours",
        ),
        ..OPT
    },
    Opt {
        name: "steadystate_duration",
        aliases: &["ss_dur"],
        section: Section::Rate,
        kind: Kind::Time { unit: SECOND },
        default: "0",
        help: "Length of the window that must be steady; 0 = the job does not wait for a steady state",
        example: "60s",
        compat: Compat::Differs("fio crashes on a negative time"),
        ..field!(steadystate_duration)
    },
    Opt {
        name: "steadystate_ramp_time",
        aliases: &["ss_ramp"],
        section: Section::Rate,
        kind: Kind::Time { unit: SECOND },
        default: "0",
        help: "Time from the start of the measurement to the first sample",
        example: "30s",
        ..field!(steadystate_ramp_time)
    },
    Opt {
        name: "steadystate_check_interval",
        aliases: &["ss_interval"],
        section: Section::Rate,
        kind: Kind::Time { unit: SECOND },
        default: "1",
        help: "Time between two samples; steadystate_duration must be a multiple of it",
        doc: "At least 1 ms; newer fios want at least 1 s.",
        example: "2s",
        compat: Compat::Newer,
        ..field!(steadystate_check_interval)
    },
];
