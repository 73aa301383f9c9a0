//! Files of a trace.

use super::{MOST_FILES, TraceFaultKind};
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// File of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TraceFile {
    /// Path in a text log.
    Path(PathBuf),
    /// Block device in a blktrace file: major and minor number.
    Device(u32, u32),
    /// Volume of a public collection.
    Volume(String),
}

/// Files of a trace, numbered from 0 in the order in which the trace names them.
#[derive(Clone, Debug, Default)]
pub struct Names {
    files: Vec<TraceFile>,
    /// Numbers of the files by the bytes of their names.
    by_name: HashMap<Box<[u8]>, u32>,
    volumes: HashMap<Box<[u8]>, u32>,
    devices: HashMap<(u32, u32), u32>,
    /// Whether no file may be added.
    complete: bool,
}

impl Names {
    /// Returns the files in their order.
    pub fn files(&self) -> &[TraceFile] {
        &self.files
    }

    /// Returns the same files, to which none may be added: another file is [`TraceFaultKind::Changed`].
    pub fn completed(self) -> Self {
        Self { complete: true, ..self }
    }

    /// Returns the names of the files as [`Names::of_keys`] takes them.
    pub fn keys(&self) -> Vec<Vec<u8>> {
        self.files.iter().map(key).collect()
    }

    /// Returns the complete files whose names are `keys`, as [`Names::keys`] returned them.
    pub fn of_keys(keys: &[Vec<u8>]) -> Self {
        let mut names = Self::default();
        for key in keys {
            // More files than the limit were refused when the keys were made.
            let _ = match key.split_first() {
                Some((b'd', numbers)) if numbers.len() == 8 => {
                    let number = |at: usize| numbers[at..at + 4].try_into().map_or(0, u32::from_le_bytes);
                    names.add_device(number(0), number(4))
                }
                Some((b'v', name)) => names.add_volume(name),
                Some((_, name)) => names.add(name),
                None => names.add(&[]),
            };
        }
        names.completed()
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Returns the number of the file `name`, which is added if it is new.
    pub(super) fn add(&mut self, name: &[u8]) -> Result<u32, TraceFaultKind> {
        if let Some(number) = self.find(name) {
            return Ok(number);
        }
        let number = self.push(TraceFile::Path(OsString::from_vec(name.to_vec()).into()))?;
        self.by_name.insert(name.into(), number);
        Ok(number)
    }

    /// Returns the number of the volume, which is added if it is new.
    pub(super) fn add_volume(&mut self, name: &[u8]) -> Result<u32, TraceFaultKind> {
        if let Some(number) = self.volumes.get(name) {
            return Ok(*number);
        }
        let number = self.push(TraceFile::Volume(String::from_utf8_lossy(name).into_owned()))?;
        self.volumes.insert(name.into(), number);
        Ok(number)
    }

    /// Returns the number of the device, which is added if it is new.
    pub(super) fn add_device(&mut self, major: u32, minor: u32) -> Result<u32, TraceFaultKind> {
        if let Some(number) = self.devices.get(&(major, minor)) {
            return Ok(*number);
        }
        let number = self.push(TraceFile::Device(major, minor))?;
        self.devices.insert((major, minor), number);
        Ok(number)
    }

    fn push(&mut self, file: TraceFile) -> Result<u32, TraceFaultKind> {
        if self.complete {
            return Err(TraceFaultKind::Changed);
        }
        if self.files.len() as u64 >= MOST_FILES {
            return Err(TraceFaultKind::TooManyFiles { most: MOST_FILES });
        }
        self.files.push(file);
        Ok(self.files.len() as u32 - 1)
    }
}

fn key(file: &TraceFile) -> Vec<u8> {
    match file {
        TraceFile::Path(path) => {
            let name = path.clone().into_os_string().into_vec();
            [b"p".as_slice(), &name].concat()
        }
        TraceFile::Volume(name) => [b"v", name.as_bytes()].concat(),
        TraceFile::Device(major, minor) => {
            [b"d".as_slice(), &major.to_le_bytes(), &minor.to_le_bytes()].concat()
        }
    }
}
