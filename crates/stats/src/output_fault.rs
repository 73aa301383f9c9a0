//! Reasons why output cannot be written to a file, as data.

use crate::contents::Contents;
use serde::{Deserialize, Serialize};

/// Reason why output cannot be written to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputFault {
    /// The path is not a regular file, which the output requires.
    NotRegular,
    /// The path is a block device.
    BlockDevice,
    /// The path is a character device.
    CharacterDevice,
    /// The path is a character device that is no terminal.
    NoTerminal,
    /// The path is a named pipe, and the output requires a regular file.
    NamedPipe,
    /// The path is a socket, and the output requires a regular file.
    Socket,
    /// The file contains a file system, a partition table or a similar format.
    Holds {
        /// Contents of the file.
        contents: Contents,
        /// Byte offset of the signature.
        offset: u64,
    },
    /// The file contains an SQLite database.
    Database,
    /// The file is the backing file of a device.
    BackingFile {
        /// Name of the device.
        device: String,
    },
    /// The file is in use as swap space.
    Swap,
    /// The file is a job file of the run.
    JobFile,
    /// A job of the run reads or writes the file.
    FileOfJob,
    /// The file is a source of the report.
    ReportSource,
    /// The file is the store of the run.
    Store,
    /// It holds another text than the output would be.
    OtherText,
    /// It holds data that cannot be recognized as an earlier output, because a program wrote it.
    HoldsData,
    /// The path is a named pipe without a reader.
    NoReader,
    /// The path is a directory.
    Directory,
    /// The path is a socket, which cannot be opened.
    NotASocket,
    /// The path is of a kind that cannot be written.
    NotWritable,
    /// A system call failed.
    System {
        /// Errno of the failed call, positive.
        errno: i32,
    },
    /// Error of the standard library without errno, as text.
    Other(String),
}
