//! What the plan asks about paths. The caller answers, for this crate touches no device.

use serde::{Deserialize, Serialize};
use stats::plan_error::PathFault;
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
    /// Returns the error for a path whose kind is not this one, although `filetype` says so.
    pub fn mistaken(self) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, NotOfKind(self))
    }
}

/// A path is not of the kind that `filetype` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub(crate) struct NotOfKind(pub(crate) FileKind);

/// Returns the reason of an error of [`Inspect`].
pub(crate) fn path_fault(error: &std::io::Error) -> PathFault {
    match (error.raw_os_error(), error.get_ref().and_then(|inner| inner.downcast_ref::<NotOfKind>())) {
        (Some(errno), _) => PathFault::Errno(errno),
        (None, Some(NotOfKind(FileKind::Block))) => PathFault::NoBlockDevice,
        (None, Some(NotOfKind(FileKind::Char))) => PathFault::NoCharacterDevice,
        (None, Some(NotOfKind(FileKind::Regular | FileKind::None))) => PathFault::NoRegularFile,
        (None, None) => PathFault::Other(error.to_string()),
    }
}

/// Kind and size of what a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathState {
    /// Kind; `Regular` if nothing exists at the path.
    pub kind: FileKind,
    /// Whether something exists at the path.
    pub exists: bool,
    /// Size in bytes; that of the device for block devices.
    pub size: u64,
}

/// Answers what `plan` asks about paths.
pub trait Inspect {
    /// Returns the kind and size of what `path` names, following symbolic links.
    ///
    /// # Errors
    /// The answer cannot be known (EACCES, ...).
    fn inspect(&mut self, path: &Path) -> std::io::Result<PathState>;

    /// Returns the same for a path that should be of this kind (`filetype`).
    ///
    /// # Errors
    /// The path is visibly of another kind.
    fn inspect_as(&mut self, path: &Path, kind: FileKind) -> std::io::Result<PathState> {
        let state = self.inspect(path)?;
        match state.exists {
            true if state.kind != kind => Err(kind.mistaken()),
            false if kind != FileKind::Regular => Err(std::io::ErrorKind::NotFound.into()),
            _ => Ok(state),
        }
    }
}
