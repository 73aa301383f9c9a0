//! Job files of a run on several hosts: read by the coordinator, which sends them, and by the agents, which get them.

use crate::machine::Machine;
use hosts::HostPlace;
use job::Files;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Path by which the contents of standard input are sent.
const STDIN: &str = "-";

/// The side that parses the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostSide {
    /// Reads the files of this machine, and keeps them. Targets are taken for what they may be on the hosts.
    Coordinator,
    /// Has the files that the coordinator sent; targets are those of this machine.
    Agent,
}

/// The files and properties of a machine, for the parser, with the job files of the coordinator, in which the names of the
/// host are filled in.
pub struct HostFiles<'a> {
    side: HostSide,
    place: &'a HostPlace,
    machine: Machine<'a>,
    /// Contents of the job files, as they are on the coordinator, by path.
    pub contents: BTreeMap<String, Vec<u8>>,
}

impl<'a> HostFiles<'a> {
    /// Returns the files of a side for the host at this place; an agent's `contents` are those that were sent.
    pub fn new(side: HostSide, place: &'a HostPlace, contents: BTreeMap<String, Vec<u8>>) -> Self {
        Self { side, place, machine: Machine { iometer: None, job_files: Vec::new() }, contents }
    }

    fn content(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Machine<'a>) -> io::Result<Vec<u8>>,
    ) -> io::Result<Vec<u8>> {
        if self.side == HostSide::Coordinator {
            let bytes = read(&mut self.machine)?;
            self.contents.insert(name.to_owned(), bytes);
        }
        let bytes = self.contents.get(name).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(self.place.fill_file(bytes))
    }
}

impl Files for HostFiles<'_> {
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.content(&path.to_string_lossy(), |machine| machine.read(path))
    }

    fn head(&mut self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        self.machine.head(path, most)
    }

    fn stdin(&mut self) -> io::Result<Vec<u8>> {
        self.content(STDIN, Machine::stdin)
    }

    fn is_dir(&mut self, path: &Path) -> bool {
        self.side == HostSide::Coordinator || self.machine.is_dir(path)
    }

    fn is_block_device(&mut self, path: &Path) -> bool {
        let may_be = || path.starts_with("/dev") && !path.starts_with("/dev/shm");
        self.machine.is_block_device(path) || self.side == HostSide::Coordinator && may_be()
    }

    fn below(&mut self, directory: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
        self.machine.below(directory)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.machine.env(name)
    }

    fn ncpus(&self) -> u32 {
        self.machine.ncpus()
    }

    fn page_size(&self) -> u64 {
        self.machine.page_size()
    }

    fn memory_mb(&self) -> u64 {
        self.machine.memory_mb()
    }

    fn entropy(&mut self) -> u64 {
        self.machine.entropy()
    }
}
