//! The files and properties of this machine, for the parser of job files.

use crate::iometer::Converter;
use facts::SysRoot;
use job::Files;
use std::io::{self, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Largest size of a job file, in bytes: a device such as /dev/zero has no end.
const LONGEST_JOB_FILE: u64 = 64 << 20;

/// Reads a job file to its end; fails beyond [`LONGEST_JOB_FILE`].
fn bounded(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LONGEST_JOB_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_JOB_FILE {
        return Err(io::Error::other("longer than 64 MiB, which no job file is"));
    }
    Ok(bytes)
}

/// The files and properties of this machine, for the parser of job files.
pub struct Machine<'a> {
    /// Conversion of Iometer's files, which `fathom run` takes for job files.
    pub iometer: Option<Converter<'a>>,
    /// Job files that were read, with those they include.
    pub job_files: Vec<PathBuf>,
}

impl Files for Machine<'_> {
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = bounded(std::fs::File::open(path)?)?;
        self.job_files.push(path.to_owned());
        Ok(match &mut self.iometer {
            Some(converter) => converter.job_file(path, bytes),
            None => bytes,
        })
    }

    fn head(&mut self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        // A device has no end.
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn stdin(&mut self) -> io::Result<Vec<u8>> {
        bounded(io::stdin())
    }

    fn is_dir(&mut self, path: &Path) -> bool {
        path.is_dir()
    }

    fn is_block_device(&mut self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|found| found.file_type().is_block_device())
    }

    fn below(&mut self, directory: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
        let mut found = Vec::new();
        walk(directory, &mut found)?;
        Ok(found)
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    // The CPUs of the machine rather than those this process may use: lists of CPUs in a job refer to the machine.
    fn ncpus(&self) -> u32 {
        facts::cpu::online(&SysRoot::machine()).last().map_or(1, |last| last + 1)
    }

    fn page_size(&self) -> u64 {
        rustix::param::page_size() as u64
    }

    fn memory_mb(&self) -> u64 {
        let info = rustix::system::sysinfo();
        (info.totalram as u64).saturating_mul(u64::from(info.mem_unit)) >> 20
    }

    fn entropy(&mut self) -> u64 {
        let mut bytes = [0; 8];
        match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
            Ok(8) => u64::from_le_bytes(bytes),
            _ => Instant::now().elapsed().as_nanos() as u64 ^ u64::from(std::process::id()),
        }
    }
}

fn walk(directory: &Path, found: &mut Vec<(PathBuf, u64)>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), found)?;
        } else if kind.is_file() {
            found.push((entry.path(), entry.metadata()?.len()));
        }
    }
    Ok(())
}
