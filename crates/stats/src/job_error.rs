//! The error that ended a job, as data.

use crate::output_fault::OutputFault;
use serde::{Deserialize, Serialize};

/// The error that ended a job, or the first one that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobError {
    /// Errno, positive.
    pub errno: i32,
    /// The operation, fio's `func=` (`io_u error`, `open`, ...).
    pub function: String,
    /// The words of the C library for the errno. In results of older versions our own words follow them.
    pub text: String,
    /// What is known beyond the errno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<ErrorCause>>,
}

/// What is known of an error beyond its errno.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCause {
    /// The engine could not be set up.
    EngineSetup {
        /// Name of the engine.
        engine: String,
    },
    /// libaio could not be set up; all requests that the kernel allows may be in use.
    LibaioSetup,
    /// posixaio could be set up neither on io_uring nor on kernel AIO.
    PosixaioSetup,
    /// A simulated device in a plan with real engines.
    ModelWithOthers,
    /// `nice` could not be set.
    Nice,
    /// The path of a file cannot be handed to the kernel.
    FileName,
    /// The buffers need more memory than can be had.
    Buffers,
    /// The control group has no `blkio.weight`.
    NoWeight,
    /// No blkio hierarchy of version 1 is mounted.
    NoBlkioHierarchy,
    /// The output of a program cannot go to its file.
    Output(OutputFault),
    /// A program could not be started.
    Program {
        /// Its path.
        program: String,
    },
    /// `ioengine=cpuio` without `cpuload`.
    NoCpuload,
    /// `ioengine=exec` without `program`.
    NoProgram,
    /// The worker panicked.
    Panicked,
    /// I/Os did not complete in time.
    NoAnswer,
    /// The target changed after it was checked.
    Changed(TargetChange),
}

/// A target that changed between its check and its use; nothing was written to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetChange {
    /// Path of the target.
    pub path: String,
    /// What changed.
    pub kind: TargetChangeKind,
}

/// What changed about a target after its check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetChangeKind {
    /// The path led to nothing when it was checked.
    Appeared,
    /// The content of the file.
    Content,
    /// The path leads to another file or device.
    Replaced,
    /// The path of a file that was to be deleted leads to another file.
    OtherFile,
    /// The file is the backing file of a device now.
    BackingFile {
        /// Name of the device.
        device: String,
    },
    /// The file is in use as swap now.
    Swap,
    /// Something is mounted on the file now.
    Mounted {
        /// Where.
        at: String,
    },
}
