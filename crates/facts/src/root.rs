//! Directory below which `/proc`, `/sys` and `/dev` are read.

use std::io;
use std::path::{Path, PathBuf};

/// Directory that is used as `/`: the machine's own, or a tree of fixtures in a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SysRoot(PathBuf);

impl Default for SysRoot {
    fn default() -> Self {
        Self::machine()
    }
}

impl SysRoot {
    /// Returns the root of this machine.
    pub fn machine() -> Self {
        Self(PathBuf::from("/"))
    }

    /// Returns the root of a tree of fixtures.
    pub fn at(tree: impl Into<PathBuf>) -> Self {
        Self(tree.into())
    }

    /// Returns the absolute path `absolute` below this root.
    pub fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let path = absolute.as_ref();
        self.0.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Reads a file, without blanks at its start and end; invalid UTF-8 is replaced.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, absolute: impl AsRef<Path>) -> io::Result<String> {
        let bytes = std::fs::read(self.path(absolute))?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// Reads a file that contains one number; `None` if the file does not exist or contains other text.
    pub fn number<N: std::str::FromStr>(&self, absolute: impl AsRef<Path>) -> Option<N> {
        self.read(absolute).ok()?.parse().ok()
    }

    /// Returns the names in a directory, sorted; empty if the directory does not exist.
    pub fn names(&self, absolute: impl AsRef<Path>) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(absolute)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Returns the last component of a symbolic link's target; `None` if the path is not a symbolic link.
    pub fn link_name(&self, absolute: impl AsRef<Path>) -> Option<String> {
        let to = std::fs::read_link(self.path(absolute)).ok()?;
        Some(to.file_name()?.to_string_lossy().into_owned())
    }
}
