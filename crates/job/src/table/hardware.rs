//! Rows of the options of engines for passthrough, flash memory, defragmentation and other systems, and of profiles.

use crate::option::*;
use crate::spec::*;
use crate::table::nvme;
use stats::unit::SECOND;

/// Difference from the manual shared by tiobench's options: fio 3.33 accepts them anywhere and ignores them.
const UNHEARD: &str = "does what the manual says, behind --profile=tiobench; fio 3.33 takes it anywhere and uses its default all the same, and so it does with the profile's size";

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    needs_of(&["io_uring_cmd"], "cdb_len", Kind::Text, "0", "Length of SCSI commands (bsg)", nvme::BSG),
    needs_of(&["io_uring_cmd"], "verify_mode", Kind::Text, "read", "SCSI command of checks (bsg)", nvme::BSG),
    needs_of(&["io_uring_cmd"], "verify_bytchk", Kind::Text, "0", "Field BYTCHK of VERIFY (bsg)", nvme::BSG),
    needs_of(&["io_uring_cmd"], "read_mode", Kind::Text, "read", "SCSI command of reads (bsg)", nvme::BSG),
    Opt {
        name: "donorname",
        section: Section::Engine,
        engines: &["e4defrag"],
        help: "File that gives its blocks in exchange for those of the job's files",
        doc: "On the same ext4. It is created if it does not exist, and not deleted; what it holds is lost.",
        example: "/mnt/donor",
        ..field!(donorname)
    },
    Opt {
        name: "inplace",
        section: Section::Engine,
        engines: &["e4defrag"],
        kind: Kind::Int { min: 0, max: 1 },
        default: "0",
        help: "1: allocate the donor's blocks at each write and free them afterwards; 0: allocate them once",
        example: "1",
        compat: Compat::Differs(
            "inplace=0 without filesize: fio 3.33 allocates 0 bytes and fails with EINVAL; here the donor gets as many bytes as the files",
        ),
        ..field!(inplace)
    },
    needs_of(&["external"], "dummy", Kind::Flag, "", "Sample engine only", "struct ioengine_ops (fio)"),
    needs_of(
        &["windowsaio"],
        "no_completion_thread",
        Kind::Flag,
        "",
        "No completion thread (Windows)",
        "Windows",
    ),
    Opt {
        name: "skip_bad",
        section: Section::Engine,
        engines: &["mtd"],
        kind: Kind::Bool,
        default: "0",
        help: "Skip operations on blocks that the flash marks as bad; they count as done",
        example: "1",
        compat: Compat::Differs("fio 3.33 ends the job with EIO at the first such block"),
        ..field!(skip_bad)
    },
    needs_of(
        &["libcufile", "libhipfile"],
        "gpu_dev_ids",
        Kind::Text,
        "0",
        "GPUs round-robin",
        "libcufile (CUDA)",
    ),
    needs_of(&["libcufile"], "cuda_io", Kind::Text, "cufile", "Path", "libcufile (CUDA)"),
    needs_of(&["libhipfile"], "rocm_io", Kind::Text, "hipfile", "Path", "libhipfile (ROCm)"),
    needs_of(&["libblkio"], "libblkio_driver", Kind::Text, "", "Driver", "libblkio"),
    needs_of(&["libblkio"], "libblkio_path", Kind::Text, "", "Path property", "libblkio"),
    needs_of(&["libblkio"], "libblkio_pre_connect_props", Kind::Text, "", "Properties", "libblkio"),
    needs_of(&["libblkio"], "libblkio_num_entries", Kind::Text, "", "Queue entries of libblkio", "libblkio"),
    needs_of(&["libblkio"], "libblkio_queue_size", Kind::Text, "", "Queue size of libblkio", "libblkio"),
    needs_of(&["libblkio"], "libblkio_pre_start_props", Kind::Text, "", "Properties", "libblkio"),
    needs_of(&["libblkio"], "libblkio_vectored", Kind::Flag, "", "Vectored", "libblkio"),
    needs_of(&["libblkio"], "libblkio_write_zeroes_on_trim", Kind::Flag, "", "Trim as zeroes", "libblkio"),
    needs_of(&["libblkio"], "libblkio_wait_mode", Kind::Text, "block", "Wait kind", "libblkio"),
    needs_of(
        &["libblkio"],
        "libblkio_force_enable_completion_eventfd",
        Kind::Flag,
        "",
        "eventfd on",
        "libblkio",
    ),
    needs_of(&["xnvme"], "xnvme_be", Kind::Text, "", "Backend", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_mem", Kind::Text, "posix", "Memory backend", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_async", Kind::Text, "emu", "Async backend", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_sync", Kind::Text, "nvme", "Sync backend", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_admin", Kind::Text, "nvme", "Admin backend", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_dev_nsid", Kind::Text, "", "Namespace id", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_dev_subnqn", Kind::Text, "", "NQN", "libxnvme (xNVMe)"),
    needs_of(&["xnvme"], "xnvme_iovec", Kind::Flag, "", "Vectored", "libxnvme (xNVMe)"),
    Opt {
        name: "device-names",
        section: Section::Profile,
        engines: &["act"],
        help: "Devices or files to test, separated by commas",
        example: "/dev/nvme0n1,/dev/nvme1n1",
        ..field!(device_names)
    },
    Opt {
        name: "load",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Int { min: 1, max: i32::MAX as i64 },
        default: "1",
        help: "Multiplier of the load: 2000 reads per second and device, and writes of half as many bytes",
        example: "3",
        ..field!(load_of_profile)
    },
    Opt {
        name: "test-duration",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Time { unit: SECOND },
        default: "24h",
        help: "Duration of the test",
        example: "1h",
        compat: Compat::Differs("fio 3.33 takes a million times the duration"),
        ..field!(test_duration)
    },
    Opt {
        name: "threads-per-queue",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Int { min: 1, max: i32::MAX as i64 },
        default: "8",
        help: "Number of threads per device that read",
        example: "4",
        ..field!(threads_per_queue)
    },
    Opt {
        name: "read-req-num-512-blocks",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Int { min: 1, max: i32::MAX as i64 },
        default: "3",
        help: "Size of a read in blocks of 512 bytes",
        example: "8",
        ..field!(read_blocks)
    },
    Opt {
        name: "large-block-op-kbytes",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Int { min: 1, max: i32::MAX as i64 },
        default: "131072",
        help: "Size of a write in bytes, whatever the name says",
        example: "65536",
        ..field!(large_block)
    },
    Opt {
        name: "prep",
        section: Section::Profile,
        engines: &["act"],
        kind: Kind::Flag,
        help: "Prepare the devices: zeros in order, then random blocks of 4 KiB; without a verdict",
        example: "1",
        compat: Compat::Differs("fio 3.33 prints a verdict, without any I/O in it"),
        ..field!(prep)
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
