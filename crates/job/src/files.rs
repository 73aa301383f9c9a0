//! What the parser asks of the machine: job files, directories, the environment. The caller answers, so that tests
//! and fuzzers need no disk and the parser can touch nothing else.

use std::io;
use std::path::{Path, PathBuf};

/// Answers the parser's questions.
pub trait Files {
    /// The whole content of a job file.
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>>;
    /// The first `most` bytes of a file, or all of it.
    ///
    /// # Errors
    /// The file cannot be read.
    fn head(&mut self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut whole = self.read(path)?;
        whole.truncate(most);
        Ok(whole)
    }
    /// The whole of standard input (a job file named `-`).
    fn stdin(&mut self) -> io::Result<Vec<u8>>;
    /// Whether `path` is a directory (`directory=` must be one).
    fn is_dir(&mut self, path: &Path) -> bool;
    /// Regular files below a directory (`opendir=`) with their sizes, in the order in which the file system names them;
    /// links are not followed.
    ///
    /// # Errors
    /// It is no directory, or one in it cannot be read.
    fn below(&mut self, directory: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
        let _ = directory;
        Err(io::ErrorKind::NotFound.into())
    }
    /// An environment variable (`${NAME}` in job files).
    fn env(&self, name: &str) -> Option<String>;
    /// CPUs that are online (`$ncpus`, and the bound of `cpus_allowed`).
    fn ncpus(&self) -> u32 {
        std::thread::available_parallelism().map_or(1, |n| n.get().min(1 << 20) as u32)
    }
    /// Bytes of a memory page (`$pagesize`).
    fn page_size(&self) -> u64 {
        4096
    }
    /// Memory of the machine in MiB (`$mb_memory`).
    fn memory_mb(&self) -> u64 {
        0
    }
    /// A seed for jobs that want other random numbers each time (`randrepeat=0`).
    fn entropy(&mut self) -> u64 {
        0
    }
}

/// Answers for command lines that the program makes itself: they name no job file, and directories that are there.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&mut self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn stdin(&mut self) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn is_dir(&mut self, _: &Path) -> bool {
        true
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
}
