//! Errors of the store.

use rusqlite::ErrorCode;
use rustix::fs::Access;
use rustix::io::Errno;
use stats::StoredId;
use std::io;
use std::path::{Path, PathBuf};

/// Extended result codes of SQLite: SQLITE_IOERR_SHMSIZE (the shared index of the journal cannot grow),
/// SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_FOREIGNKEY.
const SHARED_MEMORY_SIZE: i32 = 4874;
const UNIQUE: i32 = 2067;
const FOREIGN_KEY: i32 = 787;

/// Reason why a result cannot be stored or read.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum StoreError {
    /// The default path of the store cannot be determined.
    NoPlace,
    /// No store exists at the path.
    Absent {
        /// Path with which the store was to be opened.
        path: PathBuf,
    },
    /// The file is not a store of fathom.
    Foreign {
        /// Path with which the store was to be opened.
        path: PathBuf,
        /// Kind of the file at the path.
        is: ForeignFile,
    },
    /// A newer version of fathom wrote the store.
    Newer {
        /// Path with which the store was to be opened.
        path: PathBuf,
        /// Version of the tables in the file.
        found: i64,
        /// Newest version of the tables that this program can read.
        known: i64,
    },
    /// The file system is full.
    Full {
        /// Path with which the store was to be opened.
        path: PathBuf,
    },
    /// The file or its directory cannot be written, or the file cannot be opened.
    NotWritable {
        /// Path with which the store was to be opened.
        path: PathBuf,
        /// Reason for which the store cannot be written.
        why: WriteFault,
    },
    /// Another process held a lock on the store for longer than the busy timeout of 5 s.
    Busy {
        /// Path with which the store was to be opened.
        path: PathBuf,
    },
    /// SQLite reports the file as damaged.
    Damaged {
        /// Path with which the store was to be opened.
        path: PathBuf,
        /// The first fault, in SQLite's words.
        why: String,
    },
    /// No run or study has this number.
    Unknown {
        /// Path with which the store was to be opened.
        path: PathBuf,
        /// Requested run or study.
        id: StoredId,
    },
    /// The study already has a point with this number.
    Exists {
        /// Number of the study.
        study: i64,
        /// Number of the point in its study, from 0.
        ordinal: u32,
    },
    /// A value is infinite or NaN, which JSON cannot represent.
    NotFinite {
        /// Document that was to be stored.
        what: Document,
    },
    /// A stored document does not have the form that this version reads.
    Unreadable {
        /// Document that cannot be read.
        what: Document,
        /// Reason for which the document cannot be read.
        why: FormFault,
    },
    /// Another error of SQLite.
    Other {
        /// Path with which the store was to be opened.
        path: PathBuf,
        /// Message of SQLite.
        why: String,
    },
}

/// Kind of a file that is not a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFile {
    /// Not an SQLite database.
    NotSqlite,
    /// SQLite database of another program.
    OtherProgram,
}

/// Reason why a store cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteFault {
    /// The path is a directory.
    Directory,
    /// The kernel denies writing to the file.
    File(Errno),
    /// The kernel denies writing to the directory of the file, in which SQLite keeps its journal.
    JournalDirectory(Errno),
    /// The tables are of an older version, and the file may not be written, so that they cannot be upgraded.
    OlderTables {
        /// Version of the tables in the file.
        found: i64,
        /// Version of the tables that this program writes.
        known: i64,
    },
    /// Message of SQLite, if the kernel reports no reason.
    Sqlite(String),
}

/// A stored or exported document, for error messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A run that is being stored.
    NewRun,
    /// A check that is being stored.
    NewCheck,
    /// An answer that is being stored.
    NewAnswer,
    /// A study that is being stored.
    NewStudy,
    /// A point that is being stored.
    NewPoint {
        /// Number of the point in its study, from 0.
        ordinal: u32,
    },
    /// A stored run, check or study.
    Stored(StoredId),
    /// A stored point.
    StoredPoint {
        /// Number of the study.
        study: i64,
        /// Number of the point in its study, from 0.
        ordinal: usize,
    },
    /// A file written by `fathom export` or `--json`.
    Exported,
}

/// Reason why a stored document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormFault {
    /// Message of the JSON parser.
    Json(String),
    /// Kind of result that this version does not support.
    Kind(String),
}

impl StoreError {
    /// Converts an error of SQLite about the file `path`.
    pub(crate) fn of(path: &Path, e: &rusqlite::Error) -> StoreError {
        let path = path.to_path_buf();
        let rusqlite::Error::SqliteFailure(failure, text) = e else {
            return StoreError::Other { path, why: e.to_string() };
        };
        let why = text.clone().unwrap_or_else(|| failure.to_string());
        match failure.code {
            ErrorCode::DiskFull => StoreError::Full { path },
            ErrorCode::SystemIoFailure if failure.extended_code == SHARED_MEMORY_SIZE => {
                StoreError::Full { path }
            }
            ErrorCode::NotADatabase => StoreError::Foreign { path, is: ForeignFile::NotSqlite },
            ErrorCode::DatabaseCorrupt => StoreError::Damaged { path, why },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { path },
            ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
                in_the_way(&path).unwrap_or(StoreError::NotWritable { path, why: WriteFault::Sqlite(why) })
            }
            _ => StoreError::Other { path, why },
        }
    }

    /// Converts an error of the kernel about the file `path` or the directories above it.
    pub(crate) fn of_file(path: &Path, e: &io::Error) -> StoreError {
        match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::Full { path: path.into() }
            }
            _ => StoreError::NotWritable { path: path.into(), why: WriteFault::File(errno(e)) },
        }
    }

    /// Converts an error of SQLite about the insertion of a point.
    pub(crate) fn of_point(path: &Path, study: i64, ordinal: u32, e: &rusqlite::Error) -> StoreError {
        match e {
            rusqlite::Error::SqliteFailure(f, _) if f.extended_code == UNIQUE => {
                StoreError::Exists { study, ordinal }
            }
            rusqlite::Error::SqliteFailure(f, _) if f.extended_code == FOREIGN_KEY => {
                StoreError::Unknown { path: path.into(), id: StoredId::Study(study) }
            }
            _ => StoreError::of(path, e),
        }
    }
}

/// Returns the kernel's reason why SQLite could not open the file, which SQLite does not report. Only access(2) is
/// used: opening and closing the file here would release SQLite's locks on it.
fn in_the_way(path: &Path) -> Option<StoreError> {
    let not_writable = |why| Some(StoreError::NotWritable { path: path.into(), why });
    if path.is_dir() {
        return not_writable(WriteFault::Directory);
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let denied = |place: &Path| rustix::fs::access(place, Access::WRITE_OK).err();
    if let Some(errno) = path.exists().then(|| denied(path)).flatten() {
        return not_writable(WriteFault::File(errno));
    }
    // The trailing dot makes access(2) fail if the path is not a directory.
    not_writable(WriteFault::JournalDirectory(denied(&directory.join("."))?))
}

fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}
