//! Rows of the options for engines, queues and rates.

use crate::bad_value::BadValue;
use crate::max_latency;
use crate::option::*;
use crate::spec::*;
use crate::value::Value;
use stats::unit::SECOND;

const ENGINES: &[Choice] = &[
    choice("sync", "lseek, read and write"),
    choice("psync", "pread and pwrite"),
    choice("vsync", "readv and writev"),
    choice("pvsync", "preadv and pwritev"),
    choice("pvsync2", "preadv2 and pwritev2"),
    choice("libaio", "Linux asynchronous I/O"),
    choice("io_uring", "io_uring"),
    not_built("io_uring_cmd", "NVMe commands through io_uring"),
    choice("posixaio", "POSIX asynchronous I/O, by io_uring"),
    needs("solarisaio", "Solaris", "Solaris"),
    needs("windowsaio", "Windows", "Windows"),
    choice("mmap", "memory mapping and memcpy"),
    choice("splice", "splice and vmsplice"),
    not_built("sg", "SCSI generic"),
    choice("null", "no I/O at all"),
    choice("net", "sockets"),
    choice("netsplice", "sockets, by splice and vmsplice"),
    choice("cpuio", "burns processor time"),
    needs("rdma", "RDMA", "librdmacm (RDMA)"),
    not_built("e4defrag", "ext4 defragmentation"),
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
    not_built("rbd", "Ceph block device"),
    not_built("rados", "Ceph objects"),
    not_built("http", "WebDAV, S3, Swift"),
    not_built("nbd", "network block device"),
    not_built("nfs", "NFS by libnfs"),
    needs("libhdfs", "Hadoop", "libhdfs (Hadoop)"),
    not_built("libiscsi", "iSCSI"),
    choice("libpmem", "memory mapping of persistent memory, without the library"),
    not_built("pmemblk", "persistent memory blocks"),
    not_built("dev-dax", "DAX device"),
    not_built("mtd", "flash by MTD"),
    not_built("libzbc", "zoned devices by libzbc"),
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

const PROCESSES: &[Choice] =
    &[choice("linear", "Linear rate of IO"), choice("poisson", "Rate follows Poisson process")];

fn set_max_latency(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut text: Option<String> = None;
    store(&mut text, value)?;
    max_latency::times(text.as_deref().unwrap_or_default())?;
    job.max_latency = text;
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
             are refused, and so is hipri; serialize_overlap looks at one job",
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
    later(Section::Rate, "rate_ignore_thinktime", Kind::Bool, "", "Do not try to catch up after thinktime"),
    later(
        Section::Rate,
        "thinktime",
        Kind::Int { min: 0, max: i64::MAX },
        "0",
        "Pause after thinktime_blocks IOs, queue drained first",
    ),
    later(
        Section::Rate,
        "thinktime_spin",
        Kind::Int { min: 0, max: i64::MAX },
        "0",
        "Busy part at the beginning of pause",
    ),
    later(Section::Rate, "thinkcycles", Kind::Text, "0", "Busy loop cycles per IO"),
    later(
        Section::Rate,
        "thinktime_blocks",
        Kind::Int { min: 0, max: i64::MAX },
        "1",
        "Number of IOs between pauses",
    ),
    later(Section::Rate, "thinktime_blocks_type", Kind::Time { unit: SECOND }, "complete", "What is counted"),
    later(
        Section::Rate,
        "thinktime_iotime",
        Kind::Int { min: 0, max: i64::MAX },
        "0",
        "Pause after this much IO time (or blocks, first wins)",
    ),
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
    later(
        Section::Rate,
        "latency_target",
        Kind::Time { unit: SECOND },
        "",
        "Search the deepest queue that keeps this latency",
    ),
    later(Section::Rate, "latency_window", Kind::Time { unit: SECOND }, "", "Evaluation window"),
    later(
        Section::Rate,
        "latency_percentile",
        Kind::Floats { max: 1e18, count: 64 },
        "100",
        "Share that must meet target",
    ),
    later(Section::Rate, "latency_run", Kind::Bool, "0", "Keep running and adapt the depth"),
    Opt {
        aliases: &["ss"],
        ..later(
            Section::Rate,
            "steadystate",
            Kind::Text,
            "iops_slope:0.01%",
            "Stop once a measure holds steady: its criterion and limit",
        )
    },
    Opt {
        aliases: &["ss_dur"],
        ..later(Section::Rate, "steadystate_duration", Kind::Time { unit: SECOND }, "0", "Rolling window")
    },
    Opt {
        aliases: &["ss_ramp"],
        ..later(
            Section::Rate,
            "steadystate_ramp_time",
            Kind::Time { unit: SECOND },
            "0",
            "Skip before collecting",
        )
    },
    Opt {
        aliases: &["ss_interval"],
        ..later(Section::Rate, "steadystate_check_interval", Kind::Text, "1", "Sample period ≥1 s")
    },
];
