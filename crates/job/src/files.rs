//! Access of the parser to the machine: job files, directories, environment variables. The caller implements the trait,
//! so that tests and fuzzers need no disk and the parser touches nothing else.

use std::io;
use std::path::{Path, PathBuf};

/// Queries of the parser about files, directories and the machine.
pub trait Files {
    /// Returns the whole content of a job file.
    ///
    /// # Errors
    /// The file cannot be read.
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>>;
    /// Returns the first `most` bytes of a file, or the whole file if it is shorter.
    ///
    /// # Errors
    /// The file cannot be read.
    fn head(&mut self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut whole = self.read(path)?;
        whole.truncate(most);
        Ok(whole)
    }
    /// Returns the whole of standard input (for a job file named `-`).
    ///
    /// # Errors
    /// Standard input cannot be read.
    fn stdin(&mut self) -> io::Result<Vec<u8>>;
    /// Returns whether `path` is a directory (required for `directory=`).
    fn is_dir(&mut self, path: &Path) -> bool;
    /// Returns whether `path` is a block device, which is no job file.
    fn is_block_device(&mut self, path: &Path) -> bool {
        let _ = path;
        false
    }
    /// Returns the regular files below a directory (`opendir=`) with their sizes in bytes, in the order of the file
    /// system; symbolic links are not followed.
    ///
    /// # Errors
    /// The path is not a directory, or a directory below it cannot be read.
    fn below(&mut self, directory: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
        let _ = directory;
        Err(io::ErrorKind::NotFound.into())
    }
    /// Returns the value of an environment variable (`${NAME}` in job files); `None` if not set.
    fn env(&self, name: &str) -> Option<String>;
    /// Returns the number of online CPUs (`$ncpus`, and the bound of `cpus_allowed`).
    fn ncpus(&self) -> u32 {
        std::thread::available_parallelism().map_or(1, |n| n.get().min(1 << 20) as u32)
    }
    /// Returns the size of a memory page in bytes (`$pagesize`).
    fn page_size(&self) -> u64 {
        4096
    }
    /// Returns the memory of the machine in MiB (`$mb_memory`); 0 if not known.
    fn memory_mb(&self) -> u64 {
        0
    }
    /// Returns a random seed for jobs whose random numbers differ from run to run (`randrepeat=0`).
    fn entropy(&mut self) -> u64 {
        0
    }
}

/// [`Files`] for command lines that the program generates itself: no job files, and every directory exists.
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
