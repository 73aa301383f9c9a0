//! Options that only some engines or profiles have.

use crate::option::*;
use crate::spec::*;
use crate::value::*;

fn set_law(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    if let Value::Text(text) = &value {
        crate::resolve::service_law(text).map_err(BadValue::right)?;
    }
    hold(&mut job.model_law, value)
}

const PRIORITIES: &str = "the report does not tell latencies apart by priority (fio: `clat prio`, `prios`)";

/// The rows.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "fixedbufs",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Flag,
        help: "Registered buffers",
        example: "1",
        set: set!(fixedbufs),
        get: get!(fixedbufs),
        compat: Compat::Differs("on unless set to 0"),
        ..OPT
    },
    Opt {
        name: "registerfiles",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Flag,
        help: "Registered files",
        example: "1",
        set: set!(registerfiles),
        get: get!(registerfiles),
        compat: Compat::Differs("on unless set to 0"),
        ..OPT
    },
    Opt {
        name: "nonvectored",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        default: "-1",
        help: "Plain read and write commands rather than vectored ones",
        example: "1",
        set: set!(nonvectored),
        get: get!(nonvectored),
        compat: Compat::Differs(
            "0 also switches registered buffers off, which are on here unless fixedbufs says otherwise",
        ),
        ..OPT
    },
    Opt {
        name: "model_servers",
        section: Section::Engine,
        engines: &["model"],
        kind: Kind::Int { min: 1, max: 1 << 20 },
        default: "1",
        help: "Requests that the simulated device serves in parallel",
        example: "8",
        set: set!(model_servers),
        get: get!(model_servers),
        compat: Compat::Ours,
        ..OPT
    },
    Opt {
        name: "model_law",
        section: Section::Engine,
        engines: &["model"],
        default: "constant:100us",
        help: "Law of its service time",
        doc: "`constant:T`, `uniform:A-B`, `exponential:MEAN`, or `mixture:PERCENT/T:PERCENT/T:...` with percents adding up to 100.",
        example: "mixture:90/10ms:10/100ms",
        set: set_law,
        get: get!(model_law),
        compat: Compat::Ours,
        ..OPT
    },
    Opt {
        name: "null_jitter",
        section: Section::Engine,
        engines: &["null"],
        kind: Kind::Bool,
        default: "0",
        help: "Make every latency of the null engine differ",
        example: "1",
        set: set!(null_jitter),
        get: get!(null_jitter),
        compat: Compat::Ours,
        ..OPT
    },
    Opt {
        name: "cmdprio_percentage",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 0, max: 100 },
        help: "Share of IO issued with high IO priority",
        example: "50,20",
        set: set!(cmdprio_percentage),
        get: get!(cmdprio_percentage),
        compat: Compat::Differs(PRIORITIES),
        ..OPT
    },
    Opt {
        name: "cmdprio_class",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 1, max: 3 },
        help: "I/O priority class of the prioritised I/Os",
        example: "2",
        set: set!(cmdprio_class),
        get: get!(cmdprio_class),
        compat: Compat::Differs(PRIORITIES),
        ..OPT
    },
    Opt {
        name: "cmdprio_hint",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        default: "0",
        help: "I/O priority hint of the prioritised I/Os",
        ..LATER
    },
    Opt {
        name: "cmdprio",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        kind: Kind::Ints { min: 0, max: 7 },
        help: "I/O priority level of the prioritised I/Os",
        example: "3",
        set: set!(cmdprio),
        get: get!(cmdprio),
        compat: Compat::Differs(PRIORITIES),
        ..OPT
    },
    Opt {
        name: "cmdprio_bssplit",
        section: Section::Engine,
        engines: &["libaio", "io_uring"],
        help: "Priority share by block size",
        example: "4k/50/1/3:16k/20",
        set: set!(cmdprio_bssplit),
        get: get!(cmdprio_bssplit),
        compat: Compat::Differs(PRIORITIES),
        ..OPT
    },
    Opt {
        name: "userspace_reap",
        section: Section::Engine,
        engines: &["libaio"],
        kind: Kind::Flag,
        help: "Completions are read from the ring in shared memory where enough lie there",
        example: "1",
        set: set!(userspace_reap),
        get: get!(userspace_reap),
        compat: Compat::Differs("fio asks the ring only where it need not wait"),
        ..OPT
    },
    Opt {
        name: "nowait",
        section: Section::Engine,
        engines: &["libaio", "io_uring", "io_uring_cmd", "pvsync2"],
        kind: Kind::Bool,
        help: "RWF_NOWAIT: an I/O that would wait fails with EAGAIN",
        example: "1",
        set: set!(nowait),
        get: get!(nowait),
        ..OPT
    },
    Opt {
        name: "libaio_vectored",
        section: Section::Engine,
        engines: &["libaio"],
        kind: Kind::Bool,
        default: "0",
        help: "preadv/pwritev commands instead of pread/pwrite",
        ..LATER
    },
    Opt {
        name: "hipri",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "pvsync2", "sg", "xnvme", "libblkio"],
        kind: Kind::Flag,
        help: "Polled completions (pvsync2: RWF_HIPRI)",
        example: "1",
        set: set!(hipri),
        get: get!(hipri),
        ..OPT
    },
    Opt {
        name: "sqthread_poll",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "xnvme"],
        kind: Kind::Flag,
        help: "A thread of the kernel submits",
        example: "1",
        set: set!(sqthread_poll),
        get: get!(sqthread_poll),
        compat: Compat::Differs(
            "the submit line of the report counts our calls, fio counts none; fio's lat is wrong here, ours is slat + clat",
        ),
        ..OPT
    },
    Opt {
        name: "sqthread_poll_cpu",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "CPU of that thread",
        example: "1",
        set: set!(sqthread_poll_cpu),
        get: get!(sqthread_poll_cpu),
        ..OPT
    },
    Opt {
        name: "force_async",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "Every n-th request goes to a worker of the kernel at once",
        example: "4",
        set: set!(force_async),
        get: get!(force_async),
        ..OPT
    },
    Opt {
        name: "uncached",
        section: Section::Engine,
        engines: &["io_uring", "pvsync2"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "RWF_DONTCACHE: buffered I/O leaves nothing in the page cache",
        example: "1",
        set: set!(uncached),
        get: get!(uncached),
        compat: Compat::Differs(
            "fio 3.33 sets the bit of an older proposal (0x40), which kernels today take for an atomic write and refuse",
        ),
        ..OPT
    },
    Opt {
        name: "cmd_type",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        default: "nvme",
        help: "Passthrough kind",
        ..LATER
    },
    Opt {
        name: "cdb_len",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        default: "0",
        help: "SCSI CDB size, 0 = automatic",
        ..LATER
    },
    Opt {
        name: "readfua",
        section: Section::Engine,
        engines: &["io_uring_cmd", "sg"],
        kind: Kind::Bool,
        default: "0",
        help: "FUA on reads",
        ..LATER
    },
    Opt {
        name: "writefua",
        section: Section::Engine,
        engines: &["io_uring_cmd", "sg"],
        kind: Kind::Bool,
        default: "0",
        help: "FUA on writes",
        ..LATER
    },
    Opt {
        name: "write_mode",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        help: "Write command type",
        ..LATER
    },
    Opt {
        name: "verify_mode",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        default: "read",
        help: "Verify command",
        ..LATER
    },
    Opt {
        name: "verify_bytchk",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        default: "0",
        help: "BYTCHK field",
        ..LATER
    },
    Opt {
        name: "read_mode",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        default: "read",
        help: "Read or prefetch (bsg)",
        ..LATER
    },
    Opt {
        name: "md_per_io_size",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "xnvme"],
        default: "0",
        help: "Separate metadata bytes per IO",
        ..LATER
    },
    Opt {
        name: "pi_act",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "xnvme"],
        kind: Kind::Bool,
        default: "1",
        help: "PI action",
        ..LATER
    },
    Opt {
        name: "pi_chk",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "xnvme"],
        default: "none",
        help: "PI checks",
        ..LATER
    },
    Opt {
        name: "apptag",
        section: Section::Engine,
        engines: &["io_uring", "io_uring_cmd", "xnvme"],
        default: "0x1234",
        help: "App tag",
        ..LATER
    },
    Opt {
        name: "apptag_mask",
        section: Section::Engine,
        engines: &["io_uring_cmd", "xnvme"],
        default: "0xffff",
        help: "Mask",
        ..LATER
    },
    Opt {
        name: "deac",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Bool,
        default: "0",
        help: "Deallocate bit with Write Zeroes",
        ..LATER
    },
    Opt {
        name: "hipri_percentage",
        section: Section::Engine,
        engines: &["pvsync2"],
        kind: Kind::Int { min: 0, max: 100 },
        default: "100",
        help: "Percent of the calls that get RWF_HIPRI, with hipri",
        example: "50",
        set: set!(hipri_percentage),
        get: get!(hipri_percentage),
        ..OPT
    },
    Opt {
        name: "thp",
        section: Section::Engine,
        engines: &["mmap"],
        kind: Kind::Int { min: i64::MIN, max: i64::MAX },
        help: "Huge pages, in a private mapping",
        doc: "The mapping is private, as fio makes it: what is written stays in memory.",
        example: "1",
        set: set!(thp),
        get: get!(thp),
        ..OPT
    },
    Opt {
        name: "cpuload",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Busy share of one CPU",
        ..LATER
    },
    Opt {
        name: "cpumode",
        section: Section::Engine,
        engines: &["cpuio"],
        default: "noop",
        help: "Kind of work",
        ..LATER
    },
    Opt {
        name: "cpuchunks",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "50000",
        help: "Work cycle length",
        ..LATER
    },
    Opt {
        name: "exit_on_io_done",
        section: Section::Engine,
        engines: &["cpuio"],
        kind: Kind::Bool,
        default: "0",
        help: "End when other IO jobs ended",
        ..LATER
    },
    Opt { name: "program", section: Section::Engine, engines: &["exec"], help: "Program to start", ..LATER },
    Opt { name: "arguments", section: Section::Engine, engines: &["exec"], help: "Arguments", ..LATER },
    Opt {
        name: "grace_time",
        section: Section::Engine,
        engines: &["exec"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "SIGTERM→SIGKILL gap",
        ..LATER
    },
    Opt {
        name: "std_redirect",
        section: Section::Engine,
        engines: &["exec"],
        kind: Kind::Bool,
        default: "1",
        help: "stdout/stderr to <job>.stdout/.stderr",
        ..LATER
    },
    Opt {
        name: "stat_type",
        section: Section::Engine,
        engines: &["filestat"],
        kind: Kind::Words {
            words: &[word("stat", "stat"), word("lstat", "lstat"), word("statx", "statx")],
            tail: false,
        },
        default: "stat",
        help: "Call that is made",
        example: "statx",
        set: set!(stat_type),
        get: get!(stat_type),
        ..OPT
    },
    Opt {
        name: "donorname",
        section: Section::Engine,
        engines: &["e4defrag"],
        help: "File that donates blocks",
        ..LATER
    },
    Opt {
        name: "inplace",
        section: Section::Engine,
        engines: &["e4defrag"],
        kind: Kind::Int { min: 0, max: 1 },
        help: "File that donates blocks",
        ..LATER
    },
    Opt {
        name: "dummy",
        section: Section::Engine,
        engines: &["external"],
        kind: Kind::Flag,
        help: "Sample engine only",
        ..LATER
    },
    Opt {
        name: "no_completion_thread",
        section: Section::Engine,
        engines: &["windowsaio"],
        kind: Kind::Flag,
        help: "No completion thread (Windows)",
        ..LATER
    },
    Opt {
        name: "hostname",
        section: Section::Engine,
        engines: &["net", "netsplice", "rdma", "libhdfs"],
        help: "Peer / listen address / vsock cid / multicast group",
        ..LATER
    },
    Opt {
        name: "port",
        section: Section::Engine,
        engines: &["net", "netsplice", "rdma", "libhdfs"],
        kind: Kind::Int { min: 1, max: 65535 },
        help: "Port",
        ..LATER
    },
    Opt {
        name: "protocol",
        aliases: &["proto"],
        section: Section::Engine,
        engines: &["net", "netsplice"],
        default: "tcp",
        help: "Transport: tcp, udp, unix, vsock",
        ..LATER
    },
    Opt {
        name: "nodelay",
        section: Section::Engine,
        engines: &["net"],
        kind: Kind::Bool,
        help: "TCP_NODELAY",
        ..LATER
    },
    Opt {
        name: "listen",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Flag,
        help: "Passive side",
        ..LATER
    },
    Opt {
        name: "pingpong",
        section: Section::Engine,
        engines: &["net"],
        kind: Kind::Flag,
        help: "Echo each payload",
        ..LATER
    },
    Opt {
        name: "interface",
        section: Section::Engine,
        engines: &["net"],
        help: "Network interface for multicast",
        ..LATER
    },
    Opt {
        name: "ttl",
        section: Section::Engine,
        engines: &["net"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Hops of a multicast packet",
        ..LATER
    },
    Opt {
        name: "window_size",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Socket buffer",
        ..LATER
    },
    Opt {
        name: "mss",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Largest TCP segment",
        ..LATER
    },
    Opt {
        name: "clustername",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        help: "Name of the cluster",
        ..LATER
    },
    Opt { name: "rbdname", section: Section::Engine, engines: &["rbd"], help: "Name of the image", ..LATER },
    Opt {
        name: "pool",
        section: Section::Engine,
        engines: &["rbd", "rados", "dfs"],
        help: "Name of the image",
        ..LATER
    },
    Opt {
        name: "clientname",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        help: "Name of the image",
        ..LATER
    },
    Opt {
        name: "conf",
        section: Section::Engine,
        engines: &["rados"],
        default: "/etc/ceph/ceph.conf",
        help: "Name of the image",
        ..LATER
    },
    Opt {
        name: "busy_poll",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        kind: Kind::Bool,
        default: "0",
        help: "Spin for completion",
        ..LATER
    },
    Opt {
        name: "touch_objects",
        section: Section::Engine,
        engines: &["rados"],
        kind: Kind::Bool,
        default: "1",
        help: "Create objects at init",
        ..LATER
    },
    Opt {
        name: "rbd_encryption_format",
        section: Section::Engine,
        engines: &["rbd"],
        help: "Encrypted image",
        ..LATER
    },
    Opt {
        name: "rbd_encryption_passphrase",
        section: Section::Engine,
        engines: &["rbd"],
        help: "Passphrase",
        ..LATER
    },
    Opt { name: "cont", section: Section::Engine, engines: &["dfs"], help: "DAOS container", ..LATER },
    Opt {
        name: "chunk_size",
        aliases: &["chunck_size"],
        section: Section::Engine,
        engines: &["dfs", "libhdfs"],
        help: "DAOS container",
        ..LATER
    },
    Opt { name: "object_class", section: Section::Engine, engines: &["dfs"], help: "DAOS class", ..LATER },
    Opt { name: "svcl", section: Section::Engine, engines: &["dfs"], help: "DAOS service list", ..LATER },
    Opt {
        name: "volume",
        section: Section::Engine,
        engines: &["gfapi", "gfapi_async"],
        help: "Gluster volume",
        ..LATER
    },
    Opt {
        name: "brick",
        section: Section::Engine,
        engines: &["gfapi", "gfapi_async"],
        help: "Gluster server",
        ..LATER
    },
    Opt {
        name: "single-instance",
        section: Section::Engine,
        engines: &["gfapi"],
        kind: Kind::Bool,
        help: "One connection",
        ..LATER
    },
    Opt {
        name: "namenode",
        section: Section::Engine,
        engines: &["libhdfs"],
        default: "localhost",
        help: "Name node",
        ..LATER
    },
    Opt {
        name: "hdfsdirectory",
        section: Section::Engine,
        engines: &["libhdfs"],
        default: "/",
        help: "Directory",
        ..LATER
    },
    Opt {
        name: "single_instance",
        section: Section::Engine,
        engines: &["libhdfs"],
        kind: Kind::Bool,
        default: "1",
        help: "One handle",
        ..LATER
    },
    Opt {
        name: "hdfs_use_direct",
        section: Section::Engine,
        engines: &["libhdfs"],
        kind: Kind::Bool,
        default: "0",
        help: "Direct reads of Hadoop",
        ..LATER
    },
    Opt {
        name: "verb",
        section: Section::Engine,
        engines: &["rdma"],
        default: "write",
        help: "RDMA verb",
        ..LATER
    },
    Opt {
        name: "bindname",
        section: Section::Engine,
        engines: &["rdma"],
        help: "Local bind address",
        ..LATER
    },
    Opt { name: "https", section: Section::Engine, engines: &["http"], default: "off", help: "TLS", ..LATER },
    Opt {
        name: "http_host",
        section: Section::Engine,
        engines: &["http"],
        default: "localhost",
        help: "Host",
        ..LATER
    },
    Opt { name: "http_user", section: Section::Engine, engines: &["http"], help: "User", ..LATER },
    Opt { name: "http_pass", section: Section::Engine, engines: &["http"], help: "Password", ..LATER },
    Opt { name: "http_s3_key", section: Section::Engine, engines: &["http"], help: "S3 secret", ..LATER },
    Opt { name: "http_s3_keyid", section: Section::Engine, engines: &["http"], help: "S3 id", ..LATER },
    Opt {
        name: "http_s3_security_token",
        section: Section::Engine,
        engines: &["http"],
        help: "STS token",
        ..LATER
    },
    Opt {
        name: "http_swift_auth_token",
        section: Section::Engine,
        engines: &["http"],
        help: "Swift token",
        ..LATER
    },
    Opt {
        name: "http_s3_region",
        section: Section::Engine,
        engines: &["http"],
        default: "us-east-1",
        help: "Region",
        ..LATER
    },
    Opt {
        name: "http_s3_sse_customer_key",
        section: Section::Engine,
        engines: &["http"],
        help: "SSE-C key",
        ..LATER
    },
    Opt {
        name: "http_s3_sse_customer_algorithm",
        section: Section::Engine,
        engines: &["http"],
        default: "AES256",
        help: "SSE-C algorithm",
        ..LATER
    },
    Opt {
        name: "http_s3_storage_class",
        section: Section::Engine,
        engines: &["http"],
        default: "STANDARD",
        help: "Class header",
        ..LATER
    },
    Opt {
        name: "http_mode",
        section: Section::Engine,
        engines: &["http"],
        default: "webdav",
        help: "Protocol",
        ..LATER
    },
    Opt {
        name: "http_verbose",
        section: Section::Engine,
        engines: &["http"],
        default: "0",
        help: "Trace",
        ..LATER
    },
    Opt {
        name: "http_object_mode",
        section: Section::Engine,
        engines: &["http"],
        default: "block",
        help: "Object per block (<name>_<start>_<end>) or per file",
        ..LATER
    },
    Opt {
        name: "initiator",
        section: Section::Engine,
        engines: &["libiscsi"],
        default: "iqn.2019-04.org.fio:fio",
        help: "Initiator name",
        ..LATER
    },
    Opt { name: "nfs_url", section: Section::Engine, engines: &["nfs"], help: "libnfs URL", ..LATER },
    Opt { name: "uri", section: Section::Engine, engines: &["nbd"], help: "NBD URI", ..LATER },
    Opt {
        name: "skip_bad",
        section: Section::Engine,
        engines: &["mtd"],
        kind: Kind::Bool,
        default: "0",
        help: "Skip bad blocks",
        ..LATER
    },
    Opt {
        name: "sg_write_mode",
        section: Section::Engine,
        engines: &["sg"],
        default: "write",
        help: "SCSI write opcode",
        ..LATER
    },
    Opt {
        name: "stream_id",
        section: Section::Engine,
        engines: &["sg"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Stream for write_stream",
        ..LATER
    },
    Opt {
        name: "gpu_dev_ids",
        section: Section::Engine,
        engines: &["libcufile", "libhipfile"],
        default: "0",
        help: "GPUs round-robin",
        ..LATER
    },
    Opt {
        name: "cuda_io",
        section: Section::Engine,
        engines: &["libcufile"],
        default: "cufile",
        help: "Path",
        ..LATER
    },
    Opt {
        name: "rocm_io",
        section: Section::Engine,
        engines: &["libhipfile"],
        default: "hipfile",
        help: "Path",
        ..LATER
    },
    Opt {
        name: "libblkio_driver",
        section: Section::Engine,
        engines: &["libblkio"],
        help: "Driver",
        ..LATER
    },
    Opt {
        name: "libblkio_path",
        section: Section::Engine,
        engines: &["libblkio"],
        help: "Path property",
        ..LATER
    },
    Opt {
        name: "libblkio_pre_connect_props",
        section: Section::Engine,
        engines: &["libblkio"],
        help: "Properties",
        ..LATER
    },
    Opt {
        name: "libblkio_num_entries",
        section: Section::Engine,
        engines: &["libblkio"],
        help: "Queue entries of libblkio",
        ..LATER
    },
    Opt {
        name: "libblkio_queue_size",
        section: Section::Engine,
        engines: &["libblkio"],
        help: "Queue size of libblkio",
        ..LATER
    },
    Opt {
        name: "libblkio_pre_start_props",
        section: Section::Engine,
        engines: &["libblkio"],
        help: "Properties",
        ..LATER
    },
    Opt {
        name: "libblkio_vectored",
        section: Section::Engine,
        engines: &["libblkio"],
        kind: Kind::Flag,
        help: "Vectored",
        ..LATER
    },
    Opt {
        name: "libblkio_write_zeroes_on_trim",
        section: Section::Engine,
        engines: &["libblkio"],
        kind: Kind::Flag,
        help: "Trim as zeroes",
        ..LATER
    },
    Opt {
        name: "libblkio_wait_mode",
        section: Section::Engine,
        engines: &["libblkio"],
        default: "block",
        help: "Wait kind",
        ..LATER
    },
    Opt {
        name: "libblkio_force_enable_completion_eventfd",
        section: Section::Engine,
        engines: &["libblkio"],
        kind: Kind::Flag,
        help: "eventfd on",
        ..LATER
    },
    Opt { name: "xnvme_be", section: Section::Engine, engines: &["xnvme"], help: "Backend", ..LATER },
    Opt {
        name: "xnvme_mem",
        section: Section::Engine,
        engines: &["xnvme"],
        default: "posix",
        help: "Memory backend",
        ..LATER
    },
    Opt {
        name: "xnvme_async",
        section: Section::Engine,
        engines: &["xnvme"],
        default: "emu",
        help: "Async backend",
        ..LATER
    },
    Opt {
        name: "xnvme_sync",
        section: Section::Engine,
        engines: &["xnvme"],
        default: "nvme",
        help: "Sync backend",
        ..LATER
    },
    Opt {
        name: "xnvme_admin",
        section: Section::Engine,
        engines: &["xnvme"],
        default: "nvme",
        help: "Admin backend",
        ..LATER
    },
    Opt {
        name: "xnvme_dev_nsid",
        section: Section::Engine,
        engines: &["xnvme"],
        help: "Namespace id",
        ..LATER
    },
    Opt { name: "xnvme_dev_subnqn", section: Section::Engine, engines: &["xnvme"], help: "NQN", ..LATER },
    Opt {
        name: "xnvme_iovec",
        section: Section::Engine,
        engines: &["xnvme"],
        kind: Kind::Flag,
        help: "Vectored",
        ..LATER
    },
    Opt { name: "device-names", section: Section::Profile, engines: &["act"], help: "Devices", ..LATER },
    Opt {
        name: "load",
        section: Section::Profile,
        engines: &["act"],
        default: "1",
        help: "Load multiplier",
        ..LATER
    },
    Opt {
        name: "test-duration",
        section: Section::Profile,
        engines: &["act"],
        default: "24h",
        help: "Duration",
        ..LATER
    },
    Opt {
        name: "threads-per-queue",
        section: Section::Profile,
        engines: &["act"],
        default: "8",
        help: "Read threads per device",
        ..LATER
    },
    Opt {
        name: "read-req-num-512-blocks",
        section: Section::Profile,
        engines: &["act"],
        default: "3",
        help: "Read size in 512 B",
        ..LATER
    },
    Opt {
        name: "large-block-op-kbytes",
        section: Section::Profile,
        engines: &["act"],
        default: "131072",
        help: "Large op KiB",
        ..LATER
    },
    Opt {
        name: "prep",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Flag,
        help: "Prepare the devices",
        ..LATER
    },
    Opt {
        name: "block",
        section: Section::Profile,
        engines: &["tiobench"],
        default: "4096",
        help: "Block size",
        ..LATER
    },
    Opt { name: "numruns", section: Section::Profile, engines: &["tiobench"], help: "Loops", ..LATER },
    Opt { name: "dir", section: Section::Profile, engines: &["tiobench"], help: "Directory", ..LATER },
    Opt { name: "threads", section: Section::Profile, engines: &["tiobench"], help: "Jobs", ..LATER },
];
