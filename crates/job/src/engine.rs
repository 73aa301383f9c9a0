//! I/O engine of a job, with its options.

use crate::model::ModelSpec;
use crate::remote::RemoteSpec;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// I/O engine with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EngineChoice {
    /// Every I/O completes at once, without access to a device.
    Null {
        /// Whether latencies vary (`null_jitter=1`), for tests of fathom itself.
        jitter: bool,
    },
    /// Simulated device in virtual time.
    Model(ModelSpec),
    /// pread(2) and pwrite(2).
    Psync,
    /// lseek(2), read(2) and write(2).
    Sync,
    /// lseek(2), readv(2) and writev(2).
    Vsync,
    /// preadv(2) and pwritev(2).
    Pvsync,
    /// preadv2(2) and pwritev2(2).
    Pvsync2(Pvsync2Spec),
    /// Copies from and to a mapped file (mmap(2)).
    Mmap {
        /// Whether the mapping is private and uses transparent huge pages (`thp`).
        huge: bool,
    },
    /// Copies from and to mapped persistent memory (`libpmem`).
    Pmem,
    /// Copies from and to a mapped DAX device (`dev-dax`).
    Dax,
    /// pread(2), pwrite(2) and erases of an MTD device.
    Mtd {
        /// Whether operations on bad blocks are skipped (`skip_bad`).
        skip_bad: bool,
    },
    /// fallocate(2) instead of transfers.
    Falloc,
    /// ftruncate(2) instead of writes.
    Ftruncate,
    /// EXT4_IOC_MOVE_EXT: an exchange of blocks with a donor (`e4defrag`).
    Defrag(DefragSpec),
    /// System call on the name of a file or directory (engines `filecreate`, `dirstat` and similar).
    Names(Entry, NameCall),
    /// splice(2) through a pipe.
    Splice,
    /// POSIX asynchronous I/O, implemented with io_uring.
    Posixaio,
    /// Linux AIO (io_submit(2)).
    Libaio(AioSpec),
    /// io_uring.
    IoUring(UringSpec),
    /// NVMe commands through io_uring.
    UringCmd(Box<UringCmdSpec>),
    /// SCSI commands through the `sg` driver.
    Sg(SgSpec),
    /// I/O of this engine, with each request executed by a worker of the kernel (`io_submit_mode=offload`).
    Offload(Box<EngineChoice>),
    /// Sockets (`net`, `netsplice`).
    Net(NetSpec),
    /// Storage on a server (`rbd`, `rados`, `nfs`, `libiscsi`, `nbd`, `http`).
    Remote(RemoteSpec),
    /// No I/O: the job uses CPU time.
    Cpu(CpuSpec),
    /// No I/O: the job runs a program.
    Exec(ExecSpec),
}

impl EngineChoice {
    /// Returns the engine's name in `ioengine=`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Null { .. } => "null",
            Self::Model(_) => "model",
            Self::Psync => "psync",
            Self::Sync => "sync",
            Self::Vsync => "vsync",
            Self::Pvsync => "pvsync",
            Self::Pvsync2(_) => "pvsync2",
            Self::Mmap { .. } => "mmap",
            Self::Pmem => "libpmem",
            Self::Dax => "dev-dax",
            Self::Mtd { .. } => "mtd",
            Self::Falloc => "falloc",
            Self::Ftruncate => "ftruncate",
            Self::Names(Entry::File, NameCall::Create) => "filecreate",
            Self::Names(Entry::File, NameCall::Stat(_)) => "filestat",
            Self::Names(Entry::File, NameCall::Delete) => "filedelete",
            Self::Names(Entry::Directory, NameCall::Create) => "dircreate",
            Self::Names(Entry::Directory, NameCall::Stat(_)) => "dirstat",
            Self::Names(Entry::Directory, NameCall::Delete) => "dirdelete",
            Self::Defrag(_) => "e4defrag",
            Self::Splice => "splice",
            Self::Posixaio => "posixaio",
            Self::Offload(of) => of.name(),
            Self::Libaio(_) => "libaio",
            Self::IoUring(_) => "io_uring",
            Self::UringCmd(_) => "io_uring_cmd",
            Self::Sg(_) => "sg",
            Self::Net(NetSpec { splice: false, .. }) => "net",
            Self::Net(_) => "netsplice",
            Self::Remote(spec) => spec.engine(),
            Self::Cpu(_) => "cpuio",
            Self::Exec(_) => "exec",
        }
    }

    /// Returns whether the engine is synchronous, that is, has one I/O in flight whatever `iodepth` is.
    pub fn is_sync(&self) -> bool {
        !matches!(
            self,
            Self::Null { .. }
                | Self::Model(_)
                | Self::Posixaio
                | Self::Libaio(_)
                | Self::IoUring(_)
                | Self::UringCmd(_)
                | Self::Sg(SgSpec { in_call: false, .. })
                | Self::Offload(_)
                | Self::Remote(_)
        )
    }

    /// Returns whether the engine sends NVMe commands, for which the target has to be the generic character device of a
    /// namespace (`/dev/ngXnY`).
    pub fn is_nvme(&self) -> bool {
        matches!(self, Self::UringCmd(_))
    }

    /// Returns whether the target has to be a character device of storage: a namespace, flash or DAX memory.
    pub fn needs_character_device(&self) -> bool {
        matches!(self, Self::UringCmd(_) | Self::Mtd { .. } | Self::Dax)
    }

    /// Returns whether the engine sends SCSI commands, for which the target has to be a disk of the SCSI layer.
    pub fn is_scsi(&self) -> bool {
        matches!(self, Self::Sg(_))
    }

    /// Returns whether the engine's writes have the flag RWF_ATOMIC.
    pub fn is_atomic(&self) -> bool {
        match self {
            Self::Pvsync2(spec) => spec.atomic,
            Self::Libaio(spec) => spec.atomic,
            Self::IoUring(spec) => spec.atomic,
            Self::Offload(of) => of.is_atomic(),
            _ => false,
        }
    }

    /// Returns whether the engine accesses existing files.
    pub fn needs_files(&self) -> bool {
        match self {
            Self::Null { .. } | Self::Model(_) | Self::Net(_) | Self::Remote(_) => false,
            Self::Names(entry, call) => *entry == Entry::File && *call != NameCall::Create,
            _ => self.does_io(),
        }
    }

    /// Returns whether the engine maps the files, which have to be as long as their regions then.
    pub fn maps_files(&self) -> bool {
        matches!(self, Self::Mmap { .. } | Self::Pmem | Self::Dax)
    }

    /// Returns whether a write is in no cache when it is complete: moves of blocks carry no data of the job, and flash and
    /// DAX memory have no page cache.
    pub fn writes_past_caches(&self) -> bool {
        matches!(self, Self::Defrag(_) | Self::Mtd { .. } | Self::Dax)
    }

    /// Returns the options of an engine whose target is on a server; `None` for other engines.
    pub fn remote(&self) -> Option<&RemoteSpec> {
        match self {
            Self::Remote(spec) => Some(spec),
            _ => None,
        }
    }

    /// Returns whether jobs of the engine do I/O.
    pub fn does_io(&self) -> bool {
        !matches!(self, Self::Cpu(_) | Self::Exec(_))
    }

    /// Returns whether the worker opens the files before the first I/O.
    pub fn opens_files(&self) -> bool {
        self.needs_files() && !matches!(self, Self::Names(..))
    }
}

/// Protocol of a socket (`protocol`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Protocol {
    /// TCP on IPv4.
    Tcp,
    /// TCP on IPv6.
    Tcp6,
    /// UDP on IPv4.
    Udp,
    /// UDP on IPv6.
    Udp6,
    /// Stream in the Unix domain.
    Unix,
}

impl Protocol {
    /// Returns whether the protocol carries datagrams.
    pub fn is_udp(self) -> bool {
        matches!(self, Self::Udp | Self::Udp6)
    }

    /// Returns whether addresses are those of IPv6.
    pub fn is_v6(self) -> bool {
        matches!(self, Self::Tcp6 | Self::Udp6)
    }
}

/// Options of sockets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetSpec {
    /// Whether blocks of a TCP connection go through a pipe (`netsplice`).
    pub splice: bool,
    /// Protocol.
    pub protocol: Protocol,
    /// Peer, multicast group, or path of a Unix socket.
    pub host: Option<String>,
    /// Port of the first clone; each further clone uses the next port.
    pub port: u16,
    /// Whether the job is the passive side: it accepts connections, or receives datagrams.
    pub passive: bool,
    /// Whether TCP_NODELAY is set.
    pub no_delay: bool,
    /// Whether each block is sent back by its receiver (`pingpong`).
    pub echo: bool,
    /// Address of the interface for multicast.
    pub interface: Option<String>,
    /// Number of hops of a multicast datagram.
    pub hops: u32,
    /// Size of the socket buffer in bytes; `None` = the kernel's.
    pub buffer: Option<u32>,
    /// Maximum segment size of TCP in bytes; `None` = the kernel's.
    pub segment: Option<u32>,
}

/// Kind of directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// A regular file.
    File,
    /// A directory.
    Directory,
}

/// System call on the name of a file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NameCall {
    /// Creation of the entry.
    Create,
    /// Query of the entry's attributes.
    Stat(StatCall),
    /// Deletion of the entry.
    Delete,
}

/// System call that queries attributes (`stat_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatCall {
    /// stat(2).
    Stat = 1,
    /// lstat(2).
    Lstat = 2,
    /// statx(2).
    Statx = 3,
}

/// Options of `ioengine=e4defrag`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefragSpec {
    /// Path of the file that gives its blocks (`donorname`); `None` = not set, and the job fails.
    pub donor: Option<PathBuf>,
    /// Whether each write allocates the donor's blocks and frees them afterwards (`inplace`); else they are allocated
    /// once.
    pub in_place: bool,
}

/// Options of preadv2(2) and pwritev2(2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pvsync2Spec {
    /// Percentage of calls with RWF_HIPRI.
    pub hipri_percent: u8,
    /// Whether calls have the flag RWF_DONTCACHE.
    pub uncached: bool,
    /// Whether calls have the flag RWF_NOWAIT.
    pub nowait: bool,
    /// Whether writes have the flag RWF_ATOMIC (`atomic`).
    #[serde(default)]
    pub atomic: bool,
}

/// Options of Linux AIO.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AioSpec {
    /// Whether completions are read from the ring shared with the kernel, without a system call (`userspace_reap`).
    pub userspace_reap: bool,
    /// Whether requests are vectored (IOCB_CMD_PREADV and IOCB_CMD_PWRITEV).
    pub vectored: bool,
    /// Whether requests have the flag RWF_NOWAIT.
    pub nowait: bool,
    /// Whether writes have the flag RWF_ATOMIC (`atomic`).
    #[serde(default)]
    pub atomic: bool,
}

/// Options of io_uring. fio's jobs get registered buffers and files where the kernel allows this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UringSpec {
    /// Whether buffers are registered with the ring (`fixedbufs`, the default).
    pub fixed_buffers: bool,
    /// Whether files are registered with the ring (`registerfiles`, the default).
    pub fixed_files: bool,
    /// Whether requests are vectored (`nonvectored=0`).
    pub vectored: bool,
    /// Whether completions are polled (`hipri`).
    pub polled: bool,
    /// Whether a kernel thread submits the requests (`sqthread_poll`).
    pub thread: bool,
    /// CPU of the kernel thread; `None` = any.
    pub thread_cpu: Option<u32>,
    /// Interval of requests that go to a kernel worker (IOSQE_ASYNC): every n-th; `None` = none.
    pub force_async: Option<NonZeroU32>,
    /// Whether requests have the flag RWF_DONTCACHE.
    pub uncached: bool,
    /// Whether requests have the flag RWF_NOWAIT.
    pub nowait: bool,
    /// Whether writes have the flag RWF_ATOMIC (`atomic`).
    #[serde(default)]
    pub atomic: bool,
}

/// Command of a write (`write_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NvmeWrite {
    /// Write.
    #[default]
    Write,
    /// Write Uncorrectable.
    Uncorrectable,
    /// Write Zeroes.
    Zeroes,
    /// Verify.
    Verify,
    /// Zone Append.
    Append,
}

impl NvmeWrite {
    /// All commands of writes, with their names in `write_mode`, in the order of their numbers.
    pub const ALL: [(&'static str, NvmeWrite); 5] = [
        ("write", NvmeWrite::Write),
        ("uncor", NvmeWrite::Uncorrectable),
        ("zeroes", NvmeWrite::Zeroes),
        ("verify", NvmeWrite::Verify),
        ("zone_append", NvmeWrite::Append),
    ];
}

/// Shares of the commands of writes in percent, 100 in all; index = number of the [`NvmeWrite`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteShares(pub [u8; 5]);

impl Default for WriteShares {
    fn default() -> Self {
        Self([100, 0, 0, 0, 0])
    }
}

impl WriteShares {
    /// Returns the command of all writes; `None` if there are several.
    pub fn only(&self) -> Option<NvmeWrite> {
        NvmeWrite::ALL
            .iter()
            .zip(self.0)
            .find(|(_, percent)| *percent == 100)
            .map(|((_, command), _)| *command)
    }

    /// Returns whether some writes are this command.
    pub fn has(&self, command: NvmeWrite) -> bool {
        NvmeWrite::ALL.iter().zip(self.0).any(|((_, other), percent)| *other == command && percent > 0)
    }
}

/// Options of NVMe commands through io_uring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UringCmdSpec {
    /// Options of the ring.
    pub ring: UringSpec,
    /// Shares of the commands of writes.
    pub writes: WriteShares,
    /// Whether Write Zeroes deallocates its blocks (`deac`).
    pub deallocate: bool,
    /// Whether reads and writes force unit access.
    pub fua: [bool; 2],
    /// Bytes of separate metadata per I/O (`md_per_io_size`).
    pub metadata: u32,
    /// Whether the controller inserts and strips protection information (`pi_act`).
    pub pi_action: bool,
    /// Whether guard, reference tag and application tag are checked (`pi_chk`).
    pub pi_checks: [bool; 3],
    /// Application tag.
    pub app_tag: u16,
    /// Bits of the application tag that are checked.
    pub app_mask: u16,
}

/// Command of a write (`sg_write_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScsiWrite {
    /// WRITE.
    #[default]
    Write,
    /// WRITE AND VERIFY.
    WriteVerify,
    /// WRITE SAME.
    WriteSame,
    /// WRITE SAME(16) without data.
    WriteSameNoData,
    /// VERIFY without comparison (BYTCHK 00b).
    Verify,
    /// VERIFY with comparison of all blocks (BYTCHK 01b).
    VerifyBlocks,
    /// VERIFY with comparison of each block with the first (BYTCHK 11b).
    VerifySame,
    /// WRITE STREAM(16) with this stream (`stream_id`); 0 = a stream that is opened for the job.
    Stream(u16),
}

/// Options of SCSI commands through the `sg` driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SgSpec {
    /// Command of writes.
    pub write: ScsiWrite,
    /// Whether reads and writes force unit access.
    pub fua: [bool; 2],
    /// Whether completions of reads and writes are polled for (`hipri`).
    pub polled: bool,
    /// Whether each command ends in its call, because not all files are character devices; set by the plan.
    pub in_call: bool,
}

/// Options of `ioengine=cpuio`, which uses CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuSpec {
    /// Percentage of time for which the CPU is busy, at most 100; `None` = not set, and the job fails.
    pub load: Option<NonZeroU32>,
    /// Busy time per cycle in microseconds.
    pub cycle_us: u64,
    /// Whether the busy time is spent sorting instead of spinning.
    pub sort: bool,
    /// Whether the job ends when all jobs that do I/O have ended.
    pub exit_on_io_done: bool,
}

impl CpuSpec {
    /// Returns the idle time after each busy period, in microseconds.
    pub fn rest_us(&self) -> u64 {
        let load = u128::from(self.load.map_or(1, NonZeroU32::get).min(100));
        u64::try_from(u128::from(self.cycle_us) * (100 - load) / load).unwrap_or(u64::MAX)
    }
}

/// Options of `ioengine=exec`, which runs a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecSpec {
    /// Path of the program; `None` = not set, and the job fails.
    pub program: Option<String>,
    /// Arguments of the program; `%r` and `%n` are replaced.
    pub arguments: Option<String>,
    /// Time between SIGTERM and SIGKILL in seconds.
    pub grace_s: u64,
    /// Whether standard output and standard error of the program go to files.
    pub redirect: bool,
}

impl ExecSpec {
    /// Returns the arguments with `%r` replaced by the runtime in seconds and `%n` by the name of the job.
    pub fn expanded(&self, runtime_s: u64, name: &str) -> Option<String> {
        self.arguments.as_ref().map(|text| text.replace("%r", &runtime_s.to_string()).replace("%n", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 30 percent load, cycles of 50 ms start every 166.7 ms, as in fio 3.33.
    #[test]
    fn the_rest_makes_the_load() {
        let rest = |load, cycle_us| {
            CpuSpec { load: NonZeroU32::new(load), cycle_us, sort: false, exit_on_io_done: false }.rest_us()
        };
        assert_eq!(rest(30, 50_000), 116_666);
        assert_eq!((rest(50, 10_000), rest(100, 50_000), rest(50, 0)), (10_000, 0, 0));
        assert_eq!(rest(1, u64::MAX), u64::MAX);
    }

    #[test]
    fn arguments_know_the_job() {
        let exec = |arguments: &str| ExecSpec {
            program: None,
            arguments: Some(arguments.into()),
            grace_s: 1,
            redirect: true,
        };
        assert_eq!(exec("a %r%r %n-%n %x %%").expanded(1, "e").as_deref(), Some("a 11 e-e %x %%"));
    }
}
