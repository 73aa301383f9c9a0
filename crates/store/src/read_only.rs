//! Reads a store that may not be written: on a file system mounted read-only, or of another user.
//!
//! SQLite keeps an index of its journal in a file next to the database, which it must create even for reading. If it
//! cannot, the database is opened as immutable. If the journal holds recent changes, a copy of database and journal
//! is read instead. A copy that a killed fathom left is removed when the next copy is made.

use crate::error::StoreError;
use crate::{Store, schema};
use rusqlite::{Connection, OpenFlags};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// A directory with the copy of a store; removed on drop.
#[derive(Debug)]
pub(crate) struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        // A copy that cannot be removed loses no data.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Opens the store at `path` for reading; `None` if it cannot be read either.
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

/// Prefix of the name of a copy's directory; the process id follows.
const COPY: &str = "fathom-store-";

/// Removes the copies of this user's processes that have ended.
fn sweep(parent: &Path) {
    let user = rustix::process::geteuid().as_raw();
    let known = Path::new("/proc/self").exists();
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(COPY)?.parse::<u32>().ok());
        let ended = |pid: u32| known && !Path::new("/proc").join(pid.to_string()).exists();
        // A symbolic link of this name, or a directory of another user, is not a copy of this user.
        let ours = || entry.metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == user);
        if pid.is_some_and(ended) && ours() {
            // Only the files of a copy are removed.
            for file in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"] {
                let _ = std::fs::remove_file(entry.path().join(file));
            }
            let _ = std::fs::remove_dir(entry.path());
        }
    }
}

fn copied(path: &Path, journal: &Path) -> Option<Opened> {
    let parent = std::env::temp_dir();
    sweep(&parent);
    let directory = parent.join(format!("{COPY}{}", std::process::id()));
    std::fs::DirBuilder::new().mode(0o700).create(&directory).ok()?;
    let copy = Copy(directory);
    let to = copy.0.join("store.sqlite");
    // Copies the content alone: a copy of the permissions could not be written either.
    let content = |from: &Path, to: &Path| {
        std::io::copy(&mut std::fs::File::open(from).ok()?, &mut std::fs::File::create(to).ok()?).ok()
    };
    content(path, &to)?;
    content(journal, &beside(&to, "-wal"))?;
    Some((Connection::open(&to).ok()?, Some(copy)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_processes_that_have_ended_are_removed() {
        let sandbox = testbed::Sandbox::new().unwrap();
        // Process ids are lower than this number.
        let ended = "fathom-store-4194400";
        let own = format!("fathom-store-{}", std::process::id());
        for directory in [ended, &own, "fathom-store-x", "foreign"] {
            sandbox.put(&format!("{directory}/store.sqlite"), "text").unwrap();
        }
        sandbox.put("fathom-store-4194401/store.sqlite", "text").unwrap();
        sandbox.put("fathom-store-4194401/letter", "text").unwrap();
        std::os::unix::fs::symlink(sandbox.join("foreign"), sandbox.join("fathom-store-4194402")).unwrap();
        sweep(sandbox.path());
        assert!(!sandbox.join(ended).exists());
        assert!(sandbox.join("fathom-store-4194401/letter").exists(), "a file that is no part of a copy");
        for kept in [own.as_str(), "fathom-store-x", "foreign", "fathom-store-4194402"] {
            assert!(sandbox.join(kept).join("store.sqlite").exists(), "{kept}");
        }
    }
}
