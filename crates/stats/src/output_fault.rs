//! Why a file cannot take an output, as data.

use crate::contents::Contents;
use serde::{Deserialize, Serialize};

/// Why a file cannot take an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputFault {
    /// It is no regular file, and the output must be one.
    NotRegular,
    /// It is a block device.
    BlockDevice,
    /// It is a character device.
    CharacterDevice,
    /// It is a character device that is no terminal.
    NoTerminal,
    /// It is a named pipe, and the output must be a regular file.
    NamedPipe,
    /// It is a socket, and the output must be a regular file.
    Socket,
    /// It holds a file system, a partition table or the like.
    Holds {
        /// What it holds.
        contents: Contents,
        /// Byte offset of the signature.
        offset: u64,
    },
    /// It holds an SQLite database.
    Database,
    /// It is the backing file of a device.
    BackingFile {
        /// Name of the device.
        device: String,
    },
    /// It is in use as swap.
    Swap,
    /// It is a job file of the run.
    JobFile,
    /// A job of the run reads or writes it.
    FileOfJob,
    /// The report is made from it.
    ReportSource,
    /// It is the store of the run.
    Store,
    /// It is a named pipe that no process reads.
    NoReader,
    /// It is a directory.
    Directory,
    /// It is a socket, which cannot be opened.
    NotASocket,
    /// It is of a kind that cannot be written.
    NotWritable,
    /// A system call failed.
    System {
        /// Positive errno.
        errno: i32,
    },
    /// An error without an errno, in the words of the standard library.
    Other(String),
}
