//! What fathom has measured before: every run, study, point and window, in one SQLite file that any SQL tool reads.
//!
//! The truth of each thing is its whole as JSON; the columns beside it are the same figures for queries. A point is on
//! stable storage when [`Store::add_point`] returns, so that a study that was killed goes on where it was. A run is
//! recorded without waiting for the disk: after a test that left gigabytes of dirty pages that could take minutes.
#![forbid(unsafe_code)]

mod error;
mod export;
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

/// Longest wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// An open store.
#[derive(Debug)]
pub struct Store {
    db: Connection,
    path: PathBuf,
    /// The copy from which the store is read, if it is read from one; removed after the connection is closed.
    _copy: Option<read_only::Copy>,
}

impl Store {
    /// Returns `$XDG_DATA_HOME/fathom/store.sqlite`, else `~/.local/share/fathom/store.sqlite`.
    ///
    /// # Errors
    /// [`StoreError::NoPlace`] if neither XDG_DATA_HOME nor HOME is an absolute path.
    pub fn default_path() -> Result<PathBuf, StoreError> {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")));
        Ok(data.ok_or(StoreError::NoPlace)?.join("fathom/store.sqlite"))
    }

    /// Opens the store at `path`; creates the file and the directories above it if they are missing.
    ///
    /// # Errors
    /// The store cannot be opened or created. A file of another program or of a newer version is not changed.
    pub fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty() && !p.exists()) {
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent);
            made.map_err(|e| StoreError::of_file(path, &e))?;
        }
        Self::with(path, OpenFlags::SQLITE_OPEN_CREATE)
    }

    /// Opens the existing store at `path`; creates nothing.
    ///
    /// # Errors
    /// As [`Store::open`], and [`StoreError::Absent`].
    pub fn open_existing(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        match path.symlink_metadata() {
            // Looking into an empty file makes no store of it.
            Ok(file) if file.is_file() && file.len() == 0 => Err(StoreError::Absent { path: path.into() }),
            Ok(_) => match Self::with(path, OpenFlags::empty()) {
                // What may not be written can still be read.
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

    /// Returns the path of the store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks the whole file with SQLite's integrity check.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with the first fault.
    pub fn check(&self) -> Result<(), StoreError> {
        let first: String = self
            .db
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|e| StoreError::of(&self.path, &e))?;
        if first == "ok" { Ok(()) } else { Err(StoreError::Damaged { path: self.path.clone(), why: first }) }
    }

    /// Returns the newest `limit` results, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn list(&self, limit: usize) -> Result<Vec<Listed>, StoreError> {
        let wrong = |e| StoreError::of(&self.path, &e);
        let mut listed = studies::list(&self.db, limit).map_err(wrong)?;
        listed.extend(runs::list(&self.db, limit).map_err(wrong)?);
        listed.sort_by_key(|l| std::cmp::Reverse((l.began_ms, l.id)));
        listed.truncate(limit);
        Ok(listed)
    }

    /// Returns the start of a result, milliseconds since the epoch.
    ///
    /// # Errors
    /// The result does not exist or cannot be read.
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

    /// Returns the number of stored results.
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

/// Returns `value` as JSON after a check that it can be read back: JSON has no infinity, and a value with one would be
/// lost.
fn whole<T: Serialize + DeserializeOwned>(what: Document, value: &T) -> Result<String, StoreError> {
    let text = serde_json::to_string(value);
    let text = text.map_err(|e| unreadable(what, &e))?;
    match serde_json::from_str::<T>(&text) {
        Ok(_) => Ok(text),
        Err(_) => Err(StoreError::NotFinite { what }),
    }
}

/// Reads a value that [`whole`] has written.
fn parsed<T: DeserializeOwned>(what: Document, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| unreadable(what, &e))
}

fn unreadable(what: Document, e: &serde_json::Error) -> StoreError {
    StoreError::Unreadable { what, why: FormFault::Json(e.to_string()) }
}

/// Returns a count as an integer of SQLite, at most 2^63 - 1; the JSON has the exact count.
fn int(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
