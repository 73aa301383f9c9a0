//! Error that ended a job, as data.

use crate::output_fault::OutputFault;
use serde::{Deserialize, Serialize};

/// Error that ended a job, or the first tolerated error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobError {
    /// Errno of the failed operation, positive.
    pub errno: i32,
    /// Failed operation, as in fio's `func=` (`io_u error`, `open`, ...).
    pub function: String,
    /// Message of the C library for the errno. In results of older versions text of fathom follows.
    pub text: String,
    /// Cause beyond the errno; `None` if not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<ErrorCause>>,
}

/// Cause of an error beyond its errno.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCause {
    /// The engine could not be set up.
    EngineSetup {
        /// Name of the engine.
        engine: String,
    },
    /// A saved state of verification could not be used.
    StateFile {
        /// Path of the file.
        path: String,
    },
    /// The server of the target, or the library that reaches it, refused a call.
    Remote {
        /// Text of the server or the library, on one line.
        text: String,
    },
    /// libaio could not be set up; all requests that the kernel allows may be in use.
    LibaioSetup,
    /// posixaio could be set up neither on io_uring nor on kernel AIO.
    PosixaioSetup,
    /// The plan combines a simulated device with real engines.
    ModelWithOthers,
    /// `nice` could not be set.
    Nice,
    /// The path of a file cannot be passed to the kernel.
    FileName,
    /// The buffers need more memory than is available.
    Buffers,
    /// The control group has no `blkio.weight`.
    NoWeight,
    /// No blkio hierarchy of version 1 is mounted.
    NoBlkioHierarchy,
    /// The output of a program cannot be written to its file.
    Output(OutputFault),
    /// A program could not be started.
    Program {
        /// Path of the program.
        program: String,
    },
    /// `ioengine=cpuio` without `cpuload`.
    NoCpuload,
    /// `ioengine=exec` without `program`.
    NoProgram,
    /// `ioengine=e4defrag` without `donorname`.
    NoDonor,
    /// The worker panicked.
    Panicked,
    /// I/Os did not complete in time.
    NoAnswer,
    /// The device has no list of placement identifiers (`dataplacement=fdp`).
    NoPlacement,
    /// The device's list of placement identifiers does not have an index of the job.
    PlacementId {
        /// Index.
        id: u16,
        /// Number of identifiers of the device.
        count: u32,
    },
    /// A line of the file `dp_scheme` cannot be read.
    PlacementScheme {
        /// Path of the file.
        path: String,
        /// Number of the line, from 1.
        line: u32,
    },
    /// The device has no zones, and the job does not set their size (`zonemode=zbd`).
    NoZoneSize,
    /// The job sets another zone size than that of the device.
    OtherZoneSize {
        /// Size of the device's zones in bytes.
        device: u64,
    },
    /// `max_open_zones` is above the limit of the device.
    OpenZonesAboveLimit {
        /// Number of zones that the device allows to be open.
        limit: u32,
    },
    /// Writes are Zone Append commands, and the namespace has no zones.
    AppendWithoutZones,
    /// The file or device is smaller than a zone.
    BelowZone {
        /// Size of a zone in bytes.
        zone: u64,
    },
    /// The region of the job contains no whole zone.
    NoWholeZone {
        /// Size of a zone in bytes.
        zone: u64,
    },
    /// The simulated SSD has more pages than fathom keeps maps of.
    FlashTooLarge {
        /// Largest number of physical pages.
        pages: u64,
    },
    /// The target changed after it was checked.
    Changed(TargetChange),
}

/// A target that changed between its check and its use; nothing was written to it after the change was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetChange {
    /// Path of the target.
    pub path: String,
    /// Kind of the change.
    pub kind: TargetChangeKind,
}

/// Change of a target after the check of the target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetChangeKind {
    /// The path did not exist at the check.
    Appeared,
    /// The contents of the file changed.
    Content,
    /// The path leads to another file or device.
    Replaced,
    /// The file or device has another size.
    Resized,
    /// The path of a file to delete leads to another file.
    OtherFile,
    /// The file has become the backing file of a device.
    BackingFile {
        /// Name of the device.
        device: String,
    },
    /// The file has become swap space.
    Swap,
    /// A file system has been mounted on the file.
    Mounted {
        /// Mount point that covers the file.
        at: String,
    },
}
