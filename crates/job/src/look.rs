//! What lies at a path: the plan asks, the caller answers, for this crate touches no device.

use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a path turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FileKind {
    /// A regular file, or nothing yet.
    Regular,
    /// A block device.
    Block,
    /// A character device.
    Char,
    /// No file at all (null and model engines).
    None,
}

impl FileKind {
    /// The error where `filetype` says this kind and the path is of another.
    pub fn mistaken(self) -> std::io::Error {
        let what = match self {
            FileKind::Block => "filetype=block, and it is no block device",
            FileKind::Char => "filetype=char, and it is no character device",
            FileKind::Regular | FileKind::None => "filetype=file, and it is no regular file",
        };
        std::io::Error::new(std::io::ErrorKind::InvalidInput, what)
    }
}

/// What `plan` must know of a path; the answer comes from the caller, for this crate touches no device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Kind; `Regular` when it does not exist.
    pub kind: FileKind,
    /// It exists.
    pub exists: bool,
    /// Bytes; the device's size for block devices.
    pub size: u64,
}

/// Looks at paths for `plan`.
pub trait Inspect {
    /// What lies at `path` (following symbolic links); an error only if it cannot be told (EACCES, ...).
    fn look(&mut self, path: &Path) -> std::io::Result<Look>;

    /// The same of a path that the user says is of this kind (`filetype`); an error if it can be seen that it is not.
    fn look_as(&mut self, path: &Path, kind: FileKind) -> std::io::Result<Look> {
        let look = self.look(path)?;
        match look.exists {
            true if look.kind != kind => Err(kind.mistaken()),
            false if kind != FileKind::Regular => Err(std::io::ErrorKind::NotFound.into()),
            _ => Ok(look),
        }
    }
}
