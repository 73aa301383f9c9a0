//! Reads a store that may not be written: on a file system mounted read-only, or of another user.
//!
//! SQLite keeps an index of its journal in a file beside the database, which it has to make even to read. Where it cannot,
//! the database is opened as immutable; and where the journal holds what was stored last, a copy of both is
//! read.

use crate::error::StoreError;
use crate::{Store, schema};
use rusqlite::{Connection, OpenFlags};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// A directory with the copy of a store; removed on drop.
#[derive(Debug)]
pub(crate) struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        // Nothing is lost with what stays of a copy.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The store at `path`, to be read; `None` where it cannot be read either.
pub(crate) fn open(path: &Path) -> Option<Result<Store, StoreError>> {
    std::fs::File::open(path).ok()?;
    let journal = beside(path, "-wal");
    let opened = match std::fs::metadata(&journal) {
        Ok(meta) if meta.len() > 0 => copied(path, &journal)?,
        _ => unchanging(path)?,
    };
    let (mut db, copy) = opened;
    Some(schema::check(&mut db, path).map(|()| Store { db, path: path.into(), _copy: copy }))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

type Opened = (Connection, Option<Copy>);

fn unchanging(path: &Path) -> Option<Opened> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    let escaped: String = std::path::absolute(path)
        .ok()?
        .as_os_str()
        .as_bytes()
        .iter()
        .map(|&byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    Some((Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags).ok()?, None))
}

fn copied(path: &Path, journal: &Path) -> Option<Opened> {
    let directory = std::env::temp_dir().join(format!("fathom-store-{}", std::process::id()));
    std::fs::DirBuilder::new().mode(0o700).create(&directory).ok()?;
    let copy = Copy(directory);
    let to = copy.0.join("store.sqlite");
    // The content alone: a file that may not be written would be copied as one.
    let content = |from: &Path, to: &Path| {
        std::io::copy(&mut std::fs::File::open(from).ok()?, &mut std::fs::File::create(to).ok()?).ok()
    };
    content(path, &to)?;
    content(journal, &beside(&to, "-wal"))?;
    Some((Connection::open(&to).ok()?, Some(copy)))
}
