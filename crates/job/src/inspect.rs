//! Access of the plan to paths. The caller implements the trait, because this crate touches no device.

use crate::remote::RemoteSpec;
use serde::{Deserialize, Serialize};
use stats::plan_error::PathFault;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Kind of file at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FileKind {
    /// Regular file, or no file yet.
    Regular,
    /// Block device.
    Block,
    /// Character device.
    Char,
    /// Volume on a server: an image, an export or a LUN.
    Volume,
    /// File or object on a server.
    Object,
    /// Not a file (null and model engines).
    None,
}

impl FileKind {
    /// Returns the error for a path that `filetype` declares to be of this kind, and that is of another.
    pub fn mistaken(self) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidInput, NotOfKind(self))
    }
}

/// The path is not of the kind in `filetype`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{self:?}")]
pub(crate) struct NotOfKind(pub(crate) FileKind);

/// Returns the reason for an error of [`Inspect`].
pub(crate) fn path_fault(error: &std::io::Error) -> PathFault {
    match (error.raw_os_error(), error.get_ref().and_then(|inner| inner.downcast_ref::<NotOfKind>())) {
        (Some(errno), _) => PathFault::Errno(errno),
        (None, Some(NotOfKind(FileKind::Block))) => PathFault::NoBlockDevice,
        (None, Some(NotOfKind(FileKind::Char))) => PathFault::NoCharacterDevice,
        (None, Some(NotOfKind(_))) => PathFault::NoRegularFile,
        (None, None) => PathFault::Other(error.to_string()),
    }
}

/// Kind and size of the file or device at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathState {
    /// Kind of file; `Regular` if nothing exists at the path.
    pub kind: FileKind,
    /// Whether something exists at the path.
    pub exists: bool,
    /// Size in bytes of the file, the block device, or the namespace of an NVMe character device; 0 for other character
    /// devices.
    pub size: u64,
}

impl PathState {
    /// Returns whether the path is a device with a size, which cannot be extended.
    pub(crate) fn is_device(&self) -> bool {
        matches!(self.kind, FileKind::Block | FileKind::Volume)
            || self.kind == FileKind::Char && self.size > 0
    }
}

/// Device that the SCSI commands sent to a path reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScsiTarget {
    /// A disk of this size, whole.
    Disk {
        /// Size in bytes.
        bytes: u64,
    },
    /// The disk of a partition: addresses would count from the start of the disk.
    Partition,
    /// Something else, or a device below the device of the path.
    Other,
}

/// Queries of the plan about paths.
pub trait Inspect {
    /// Returns the kind and size of the file or device at `path`, following symbolic links.
    ///
    /// # Errors
    /// The path cannot be examined (EACCES, ...).
    fn inspect(&mut self, path: &Path) -> std::io::Result<PathState>;

    /// Returns the device that SCSI commands sent to the device at `path` reach.
    ///
    /// # Errors
    /// The device cannot be opened.
    fn scsi(&mut self, path: &Path) -> std::io::Result<ScsiTarget> {
        let _ = path;
        Ok(ScsiTarget::Other)
    }

    /// Returns the kind and size of the target `path` of an engine whose storage is on a server.
    ///
    /// # Errors
    /// The library of the engine is missing, or the server cannot be reached or refuses the target.
    fn remote(&mut self, spec: &RemoteSpec, path: &Path) -> std::io::Result<PathState> {
        let _ = (spec, path);
        Err(std::io::ErrorKind::Unsupported.into())
    }

    /// Opens the trace `path` (`-`: standard input) for reading. Returns also a path by which the same trace can be
    /// read again.
    ///
    /// # Errors
    /// The trace cannot be read.
    fn open_trace(&mut self, path: &Path) -> std::io::Result<(PathBuf, Box<dyn BufRead>)> {
        let _ = path;
        Err(std::io::ErrorKind::NotFound.into())
    }

    /// Returns the path of the block device with these numbers; `None` if there is none.
    fn device(&mut self, major: u32, minor: u32) -> Option<PathBuf> {
        let _ = (major, minor);
        None
    }

    /// Returns the kind and size of the file or device at `path`, which should be of this kind (`filetype`).
    ///
    /// # Errors
    /// The path is of another kind, or cannot be examined.
    fn inspect_as(&mut self, path: &Path, kind: FileKind) -> std::io::Result<PathState> {
        let state = self.inspect(path)?;
        match state.exists {
            true if state.kind != kind => Err(kind.mistaken()),
            false if kind != FileKind::Regular => Err(std::io::ErrorKind::NotFound.into()),
            _ => Ok(state),
        }
    }
}
