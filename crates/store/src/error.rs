//! What can go wrong with a store, one clear line each.

use rusqlite::ErrorCode;
use rustix::fs::Access;
use stats::StoredId;
use std::io;
use std::path::{Path, PathBuf};

/// Extended codes of SQLite's: the index beside the journal could not be made as large as it must be; a row that is there;
/// a row whose owner is not.
const SHARED_MEMORY_SIZE: i32 = 4874;
const UNIQUE: i32 = 2067;
const FOREIGN_KEY: i32 = 787;

/// Why something is not stored or cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Where the store would be by default cannot be told.
    #[error("there is no place for the store: neither XDG_DATA_HOME nor HOME is set; --store FILE names one")]
    NoPlace,
    /// There is no store yet.
    #[error("{}: there is no store", path.display())]
    Absent {
        /// Where.
        path: PathBuf,
    },
    /// The file is not ours.
    #[error("{}: not a store of fathom's: {why}; it is left as it is", path.display())]
    Foreign {
        /// Where.
        path: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// A newer version wrote it.
    #[error(
        "{}: written by a newer fathom (its tables are version {found}, this one knows {known}); it is left as it is",
        path.display()
    )]
    Newer {
        /// Where.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// The file system is full.
    #[error("{}: no space is left for it; what was stored before is still there", path.display())]
    Full {
        /// Where.
        path: PathBuf,
    },
    /// File or directory may not be written, or not even opened.
    #[error("{}: cannot be written: {why}", path.display())]
    NotWritable {
        /// Where.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Somebody else writes and does not end.
    #[error("{}: another process keeps it locked", path.display())]
    Busy {
        /// Where.
        path: PathBuf,
    },
    /// SQLite finds it broken.
    #[error("{}: damaged: {why}", path.display())]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What is broken.
        why: String,
    },
    /// Nothing has this name.
    #[error("{}: there is no {id}; `fathom list` says what there is", path.display())]
    Unknown {
        /// Where.
        path: PathBuf,
        /// The name.
        id: StoredId,
    },
    /// The study has a point of this number.
    #[error("study S{study} has a point {ordinal} already")]
    Exists {
        /// The study.
        study: i64,
        /// The point's number.
        ordinal: u32,
    },
    /// JSON has no infinity.
    #[error("{what} is not stored: a figure in it is infinite or not a number")]
    NotFinite {
        /// What was to be stored.
        what: String,
    },
    /// What is stored was written in another form.
    #[error("{what} is stored in a form that this version cannot read: {why}")]
    Unreadable {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// Anything else.
    #[error("{}: {why}", path.display())]
    Other {
        /// Where.
        path: PathBuf,
        /// In the words of SQLite.
        why: String,
    },
}

impl StoreError {
    /// What SQLite says of the file `path`.
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
            ErrorCode::NotADatabase => StoreError::Foreign { path, why: "no SQLite database".into() },
            ErrorCode::DatabaseCorrupt => StoreError::Damaged { path, why },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => StoreError::Busy { path },
            ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
                in_the_way(&path).unwrap_or(StoreError::NotWritable { path, why })
            }
            _ => StoreError::Other { path, why },
        }
    }

    /// What the kernel says of the file `path` or the directories above it.
    pub(crate) fn of_file(path: &Path, e: &io::Error) -> StoreError {
        match e.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::Full { path: path.into() }
            }
            _ => StoreError::NotWritable { path: path.into(), why: reason(e) },
        }
    }

    /// The same of an insert of a point.
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

/// SQLite only says that it could not open a file: why, asked of the kernel. (Opening the file beside SQLite would lose
/// its locks when it is closed again.)
fn in_the_way(path: &Path) -> Option<StoreError> {
    if path.is_dir() {
        return Some(StoreError::NotWritable { path: path.into(), why: "it is a directory".into() });
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let denied = |place: &Path, whose: &str| {
        let errno = rustix::fs::access(place, Access::WRITE_OK).err()?;
        let why = format!("{whose}{}", reason(&errno.into()));
        Some(StoreError::NotWritable { path: path.into(), why })
    };
    let file = path.exists().then(|| denied(path, "")).flatten();
    // With the dot it must be a directory.
    file.or_else(|| denied(&directory.join("."), "its directory, where SQLite keeps a journal beside it: "))
}

/// The errno in words, without its number.
fn reason(e: &io::Error) -> String {
    let text = e.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}
