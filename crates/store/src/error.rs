//! Errors of the store.

use rusqlite::ErrorCode;
use rustix::fs::Access;
use rustix::io::Errno;
use stats::StoredId;
use std::io;
use std::path::{Path, PathBuf};

/// Extended codes of SQLite's: the index beside the journal could not be made as large as it must be; a row that is there;
/// a row whose owner is not.
const SHARED_MEMORY_SIZE: i32 = 4874;
const UNIQUE: i32 = 2067;
const FOREIGN_KEY: i32 = 787;

/// Why a result cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The default path of the store cannot be determined.
    #[error("{self:?}")]
    NoPlace,
    /// There is no store yet.
    #[error("{self:?}")]
    Absent {
        /// Path of the store.
        path: PathBuf,
    },
    /// The file is no store of fathom.
    #[error("{self:?}")]
    Foreign {
        /// Path of the store.
        path: PathBuf,
        /// Kind of the file.
        is: ForeignFile,
    },
    /// A newer version of fathom wrote the store.
    #[error("{self:?}")]
    Newer {
        /// Path of the store.
        path: PathBuf,
        /// Version of its tables.
        found: i64,
        /// Newest version that this fathom knows.
        known: i64,
    },
    /// The file system is full.
    #[error("{self:?}")]
    Full {
        /// Path of the store.
        path: PathBuf,
    },
    /// The file or its directory cannot be written or opened.
    #[error("{self:?}")]
    NotWritable {
        /// Path of the store.
        path: PathBuf,
        /// Why.
        why: WriteFault,
    },
    /// Another process is writing to the store and does not finish.
    #[error("{self:?}")]
    Busy {
        /// Path of the store.
        path: PathBuf,
    },
    /// SQLite reports that the database is damaged.
    #[error("{self:?}")]
    Damaged {
        /// Path of the store.
        path: PathBuf,
        /// The message of SQLite.
        why: String,
    },
    /// No stored result has this name.
    #[error("{self:?}")]
    Unknown {
        /// Path of the store.
        path: PathBuf,
        /// The name.
        id: StoredId,
    },
    /// The study already has a point with this number.
    #[error("{self:?}")]
    Exists {
        /// The study.
        study: i64,
        /// The point's number.
        ordinal: u32,
    },
    /// A figure is infinite or not a number, which JSON cannot hold.
    #[error("{self:?}")]
    NotFinite {
        /// The document that was to be stored.
        what: Document,
    },
    /// A stored document has a form that this version cannot read.
    #[error("{self:?}")]
    Unreadable {
        /// The document.
        what: Document,
        /// Why.
        why: FormFault,
    },
    /// Another error of SQLite.
    #[error("{self:?}")]
    Other {
        /// Path of the store.
        path: PathBuf,
        /// The message of SQLite.
        why: String,
    },
}

/// Kind of a file that is no store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignFile {
    /// Not a database of SQLite.
    NotSqlite,
    /// Database of another program.
    OtherProgram,
}

/// Why a store cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteFault {
    /// It is a directory.
    Directory,
    /// The kernel refuses the file.
    File(Errno),
    /// The kernel refuses the directory of the file, in which SQLite keeps its journal.
    JournalDirectory(Errno),
    /// The tables are of an older version, and the file may not be written.
    OlderTables {
        /// Version of the tables.
        found: i64,
        /// Version that this fathom writes.
        known: i64,
    },
    /// The message of SQLite.
    Sqlite(String),
}

/// A document in the store or in an exported file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// A run that is being stored.
    NewRun,
    /// A check that is being stored.
    NewCheck,
    /// A study that is being stored.
    NewStudy,
    /// A point that is being stored.
    NewPoint {
        /// Number of the point in its study.
        ordinal: u32,
    },
    /// A stored run, check or study.
    Stored(StoredId),
    /// A stored point.
    StoredPoint {
        /// Number of its study.
        study: i64,
        /// Number of the point in its study.
        ordinal: usize,
    },
    /// An exported file.
    Exported,
}

/// Why a stored document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormFault {
    /// The message of the JSON parser.
    Json(String),
    /// A kind of result that this version does not know.
    Kind(String),
}

impl StoreError {
    /// Returns the error for a result of SQLite on the file `path`.
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

    /// Returns the error for a system error on the file `path` or the directories above it.
    pub(crate) fn of_file(path: &Path, e: &io::Error) -> StoreError {
        match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::Full { path: path.into() }
            }
            _ => StoreError::NotWritable { path: path.into(), why: WriteFault::File(errno(e)) },
        }
    }

    /// Returns the error for a result of SQLite while a point is inserted.
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

/// Returns why SQLite could not open a file, which it does not report. (Opening the file here would release the locks of
/// SQLite when it is closed again.)
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
    // With the dot it must be a directory.
    not_writable(WriteFault::JournalDirectory(denied(&directory.join("."))?))
}

fn errno(e: &io::Error) -> Errno {
    Errno::from_io_error(e).unwrap_or(Errno::IO)
}
