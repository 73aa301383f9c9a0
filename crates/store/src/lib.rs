//! The store of results: every run, study, point and window, in one SQLite file that any SQL tool can read.
//!
//! Each result is stored whole as JSON, which is authoritative; columns hold the same figures for queries. A point is
//! on stable storage when [`Store::add_point`] returns, so that a study continues after fathom was killed. A run is
//! recorded without waiting for the disk: after a test that left gigabytes of dirty pages, a sync could take minutes.
#![forbid(unsafe_code)]

mod error;
mod export;
mod pts;
mod read_only;
mod runs;
mod schema;
mod studies;
mod study_lock;

pub use error::{Document, ForeignFile, FormFault, StoreError, WriteFault};
pub use export::{Exported, exported};
pub use runs::Recorded;
pub use study_lock::StudyLock;

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;
use serde::de::DeserializeOwned;
use stats::{Listed, StoredId};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time for which a lock of another process on the database is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// An open store.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// Directory of the temporary copy that is read instead of the store itself, if any; removed after the connection
    /// is closed.
    _copy: Option<read_only::Copy>,
}

impl Store {
    /// Returns the default path: `$XDG_DATA_HOME/fathom/store.sqlite`, else `~/.local/share/fathom/store.sqlite`.
    ///
    /// # Errors
    /// [`StoreError::NoPlace`] if neither `XDG_DATA_HOME` nor `HOME` is an absolute path.
    pub fn default_path() -> Result<PathBuf, StoreError> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
        Ok(data.ok_or(StoreError::NoPlace)?.join("fathom/store.sqlite"))
    }

    /// Opens the store at `path`; creates the file and the directories above it if they do not exist.
    ///
    /// # Errors
    /// [`StoreError::Foreign`] or [`StoreError::Newer`] for a file of another program or of a newer version, which is
    /// not changed; otherwise the reason for which the file cannot be opened or created.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty() && !p.exists()) {
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent);
            made.map_err(|e| StoreError::of_file(path, &e))?;
        }
        Self::with(path, OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens the existing store at `path` and creates nothing. A store that may not be written is opened for reading.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if no store exists, and those of [`Store::open`].
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        match path.symlink_metadata() {
            // Opening an empty file for reading must not turn it into a store.
            Ok(file) if file.is_file() && file.len() == 0 => Err(StoreError::Absent { path: path.into() }),
            Ok(_) => match Self::with(path, OpenFlags::empty()) {
                // A store that may not be written can still be read.
                Err(e @ (StoreError::NotWritable { .. } | StoreError::Full { .. })) => {
                    read_only::open(path).unwrap_or(Err(e))
                }
                opened => opened,
            },
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                Err(StoreError::Absent { path: path.into() })
            }
            Err(e) => Err(StoreError::of_file(path, &e)),
        }
    }

    fn with(path: &Path, more: OpenFlags) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
        let mut db = Connection::open_with_flags(path, flags).map_err(|e| StoreError::of(path, &e))?;
        db.busy_timeout(PATIENCE).map_err(|e| StoreError::of(path, &e))?;
        schema::prepare(&mut db, path)?;
        Ok(Store { db, path: path.into(), _copy: None })
    }

    /// Returns the path that the store was opened with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs SQLite's integrity check over the whole file.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with the first fault that SQLite reports.
    pub fn check(&self) -> Result<(), StoreError> {
        let first: String = self
            .db
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|e| StoreError::of(&self.path, &e))?;
        if first == "ok" { Ok(()) } else { Err(StoreError::Damaged { path: self.path.clone(), why: first }) }
    }

    /// Returns the newest `limit` runs, checks and studies, newest first, and the names of those among the newest whose
    /// rows are damaged.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn list(&self, limit: usize) -> Result<(Vec<Listed>, Vec<StoredId>), StoreError> {
        let wrong = |e| StoreError::of(&self.path, &e);
        let rows = studies::list(&self.db, limit).map_err(wrong)?.into_iter();
        let (mut listed, mut damaged) = (Vec::new(), Vec::new());
        for row in rows.chain(runs::list(&self.db, limit).map_err(wrong)?) {
            match row {
                Ok(one) => listed.push(one),
                Err(id) => damaged.push(id),
            }
        }
        listed.sort_by_key(|l: &Listed| std::cmp::Reverse((l.began_ms, l.id)));
        listed.truncate(limit);
        Ok((listed, damaged))
    }

    /// Returns the start time of a run, check or study in milliseconds since the epoch.
    ///
    /// # Errors
    /// `id` does not exist, or the store cannot be read.
    pub fn began_ms(&self, id: StoredId) -> Result<u64, StoreError> {
        let (table, number) = match id {
            StoredId::Study(n) => ("studies", n),
            StoredId::Run(n) => ("runs", n),
        };
        let sql = format!("SELECT began_ms FROM {table} WHERE id = ?1");
        let ms: i64 = self
            .db
            .query_row(&sql, [number], |row| row.get(0))
            .map_err(|e| StoreError::of(&self.path, &e))?;
        Ok(ms.unsigned_abs())
    }

    /// Moves the content of the journal into the file, which holds every result by itself then. Waits for the disk.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        let done = self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        done.map_err(|e| StoreError::of(&self.path, &e))
    }

    /// Returns the number of stored runs, checks and studies.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn count(&self) -> Result<usize, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM studies) + (SELECT count(*) FROM runs)";
        let n: i64 =
            self.db.query_row(sql, [], |row| row.get(0)).map_err(|e| StoreError::of(&self.path, &e))?;
        Ok(usize::try_from(n).unwrap_or(0))
    }
}

/// Serializes a value as JSON and verifies that the text can be read back: JSON has no infinity, and a value that
/// holds one could not be read again.
fn whole<T: Serialize + DeserializeOwned>(what: Document, value: &T) -> Result<String, StoreError> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|e| unreadable(what, &e))?;
    match serde_json::from_str::<T>(&text) {
        Ok(_) => Ok(text),
        Err(_) => Err(StoreError::NotFinite { what }),
    }
}

/// Reads a value from the JSON that [`whole`] wrote.
fn parsed<T: DeserializeOwned>(what: Document, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| unreadable(what, &e))
}

fn unreadable(what: Document, e: &serde_json::Error) -> StoreError {
    StoreError::Unreadable { what, why: FormFault::Json(e.to_string()) }
}

/// Converts a count to SQLite's signed integer, capped at its maximum; the JSON holds the exact number.
fn int(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
