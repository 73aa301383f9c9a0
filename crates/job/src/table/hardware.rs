//! Rows of the options of engines for passthrough, flash memory, defragmentation and other systems, and of profiles.

use crate::option::*;
use crate::spec::*;

/// Difference from the manual shared by tiobench's options: fio 3.33 accepts them anywhere and ignores them.
const UNHEARD: &str = "does what the manual says, behind --profile=tiobench; fio 3.33 takes it anywhere and uses its default all the same, and so it does with the profile's size";

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
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
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "4096",
        help: "Block size in bytes",
        example: "8192",
        compat: Compat::Differs(UNHEARD),
        ..field!(block_of_profile)
    },
    Opt {
        name: "numruns",
        section: Section::Profile,
        engines: &["tiobench"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Number of runs",
        example: "2",
        compat: Compat::Differs(UNHEARD),
        ..field!(numruns)
    },
    Opt {
        name: "dir",
        section: Section::Profile,
        engines: &["tiobench"],
        default: "./",
        help: "Test directory",
        example: "/mnt",
        compat: Compat::Differs(UNHEARD),
        ..field!(dir)
    },
    Opt {
        name: "threads",
        section: Section::Profile,
        engines: &["tiobench"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Number of threads",
        example: "2",
        compat: Compat::Differs(UNHEARD),
        ..field!(threads)
    },
];
