//! Where `/proc`, `/sys` and `/dev` are looked for.

use std::io;
use std::path::{Path, PathBuf};

/// The directory that stands for `/`: the machine itself, or a tree of fixtures in a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SysRoot(PathBuf);

impl Default for SysRoot {
    fn default() -> Self {
        Self::machine()
    }
}

impl SysRoot {
    /// The machine itself.
    pub fn machine() -> Self {
        Self(PathBuf::from("/"))
    }

    /// A tree that looks like one.
    pub fn at(tree: impl Into<PathBuf>) -> Self {
        Self(tree.into())
    }

    /// `absolute` below this root.
    pub fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let path = absolute.as_ref();
        self.0.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Text of a file, without blanks at its ends; bytes that are no UTF-8 are replaced.
    pub fn read(&self, absolute: impl AsRef<Path>) -> io::Result<String> {
        let bytes = std::fs::read(self.path(absolute))?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    /// The number in a file of one number; `None` if it is not there or not a number.
    pub fn number<N: std::str::FromStr>(&self, absolute: impl AsRef<Path>) -> Option<N> {
        self.read(absolute).ok()?.parse().ok()
    }

    /// Names in a directory, sorted; empty if there is no such directory.
    pub fn names(&self, absolute: impl AsRef<Path>) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(absolute)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Last part of what a symbolic link points to.
    pub fn link_name(&self, absolute: impl AsRef<Path>) -> Option<String> {
        let to = std::fs::read_link(self.path(absolute)).ok()?;
        Some(to.file_name()?.to_string_lossy().into_owned())
    }
}
