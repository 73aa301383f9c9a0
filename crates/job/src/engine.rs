//! The I/O engine of a job and what each needs to know.

use crate::model::ModelSpec;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// The I/O engine and what it needs to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EngineChoice {
    /// Completes at once, touches nothing.
    Null {
        /// `null_jitter=1`: every latency differs (for measuring the tool itself).
        jitter: bool,
    },
    /// A simulated device in virtual time.
    Model(ModelSpec),
    /// pread, pwrite.
    Psync,
    /// lseek, read, write.
    Sync,
    /// lseek, readv, writev.
    Vsync,
    /// preadv, pwritev.
    Pvsync,
    /// preadv2, pwritev2.
    Pvsync2(Pvsync2Spec),
    /// A mapping and copies.
    Mmap {
        /// `thp`: huge pages, in a private mapping.
        huge: bool,
    },
    /// fallocate in place of transfers.
    Falloc,
    /// ftruncate in place of writes.
    Ftruncate,
    /// A call on the name of a file or directory.
    Names(Entry, NameCall),
    /// splice, through a pipe.
    Splice,
    /// POSIX asynchronous I/O: carried out by io_uring.
    Posixaio,
    /// Kernel AIO.
    Libaio(AioSpec),
    /// io_uring.
    IoUring(UringSpec),
    /// The I/O of that engine, each given to a worker of the kernel (`io_submit_mode=offload`).
    Offload(Box<EngineChoice>),
    /// No I/O: a CPU is kept busy.
    Cpu(CpuSpec),
    /// No I/O: a program runs.
    Exec(ExecSpec),
}

impl EngineChoice {
    /// The name in `ioengine=`.
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
            Self::Falloc => "falloc",
            Self::Ftruncate => "ftruncate",
            Self::Names(Entry::File, NameCall::Create) => "filecreate",
            Self::Names(Entry::File, NameCall::Stat(_)) => "filestat",
            Self::Names(Entry::File, NameCall::Delete) => "filedelete",
            Self::Names(Entry::Directory, NameCall::Create) => "dircreate",
            Self::Names(Entry::Directory, NameCall::Stat(_)) => "dirstat",
            Self::Names(Entry::Directory, NameCall::Delete) => "dirdelete",
            Self::Splice => "splice",
            Self::Posixaio => "posixaio",
            Self::Offload(of) => of.name(),
            Self::Libaio(_) => "libaio",
            Self::IoUring(_) => "io_uring",
            Self::Cpu(_) => "cpuio",
            Self::Exec(_) => "exec",
        }
    }

    /// A synchronous engine holds one I/O whatever iodepth says.
    pub fn is_sync(&self) -> bool {
        !matches!(
            self,
            Self::Null { .. }
                | Self::Model(_)
                | Self::Posixaio
                | Self::Libaio(_)
                | Self::IoUring(_)
                | Self::Offload(_)
        )
    }

    /// Whether the engine works on files that must be there.
    pub fn needs_files(&self) -> bool {
        match self {
            Self::Null { .. } | Self::Model(_) => false,
            Self::Names(entry, call) => *entry == Entry::File && *call != NameCall::Create,
            _ => self.does_io(),
        }
    }

    /// Whether a job on it does I/O at all.
    pub fn does_io(&self) -> bool {
        !matches!(self, Self::Cpu(_) | Self::Exec(_))
    }

    /// Whether the worker opens those files before the first I/O.
    pub fn opens_files(&self) -> bool {
        self.needs_files() && !matches!(self, Self::Names(..))
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Entry {
    /// A regular file.
    File,
    /// A directory.
    Directory,
}

/// What is done to a file or directory by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NameCall {
    /// It is made.
    Create,
    /// It is examined.
    Stat(StatCall),
    /// It is deleted.
    Delete,
}

/// `stat_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatCall {
    /// stat.
    Stat = 1,
    /// lstat.
    Lstat = 2,
    /// statx.
    Statx = 3,
}

/// Flags of preadv2 and pwritev2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pvsync2Spec {
    /// RWF_HIPRI on so many percent of the calls.
    pub hipri_percent: u8,
    /// RWF_DONTCACHE.
    pub uncached: bool,
    /// RWF_NOWAIT.
    pub nowait: bool,
}

/// How kernel AIO is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AioSpec {
    /// Events are taken from the shared ring where they lie there.
    pub userspace_reap: bool,
    /// Commands with a vector.
    pub vectored: bool,
    /// RWF_NOWAIT.
    pub nowait: bool,
}

/// How io_uring is set up; fio's jobs get the fast way where it is legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UringSpec {
    /// Registered buffers (`fixedbufs`); on by default.
    pub fixed_buffers: bool,
    /// Registered files (`registerfiles`); on by default.
    pub fixed_files: bool,
    /// Commands with a vector (`nonvectored=0`).
    pub vectored: bool,
    /// Polled completions (`hipri`).
    pub polled: bool,
    /// A kernel thread submits (`sqthread_poll`).
    pub thread: bool,
    /// The CPU of that thread.
    pub thread_cpu: Option<u32>,
    /// Every n-th request goes to a kernel worker.
    pub force_async: Option<NonZeroU32>,
    /// RWF_DONTCACHE.
    pub uncached: bool,
    /// RWF_NOWAIT.
    pub nowait: bool,
}

/// `ioengine=cpuio`: the time of a CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuSpec {
    /// Percent of the time that the CPU is busy, at most 100; without it the job fails.
    pub load: Option<NonZeroU32>,
    /// Microseconds that it is busy at a time.
    pub cycle_us: u64,
    /// It sorts rather than spins.
    pub sort: bool,
    /// It ends when the jobs that do I/O have ended.
    pub exit_on_io_done: bool,
}

impl CpuSpec {
    /// Microseconds of rest after each cycle.
    pub fn rest_us(&self) -> u64 {
        let load = u128::from(self.load.map_or(1, NonZeroU32::get).min(100));
        u64::try_from(u128::from(self.cycle_us) * (100 - load) / load).unwrap_or(u64::MAX)
    }
}

/// `ioengine=exec`: a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecSpec {
    /// The program; without one the job fails.
    pub program: Option<String>,
    /// Its arguments, with `%r` and `%n`.
    pub arguments: Option<String>,
    /// Seconds between SIGTERM and SIGKILL.
    pub grace_s: u64,
    /// Its output goes to files.
    pub redirect: bool,
}

impl ExecSpec {
    /// The arguments with the seconds of the runtime for `%r` and the name of the job for `%n`.
    pub fn expanded(&self, runtime_s: u64, name: &str) -> Option<String> {
        self.arguments.as_ref().map(|text| text.replace("%r", &runtime_s.to_string()).replace("%n", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// fio 3.33: at 30 percent the cycles of 50 ms begin 166.7 ms apart.
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
