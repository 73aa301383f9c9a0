//! Temporary directories, and the removal of directories, devices and mounts that killed tests left behind.
use crate::names::{own_name, stale};
use crate::undo::{backing_of, detach_loop, remove_zram, unmount};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Directory of a file system in memory.
const MEMORY: &str = "/dev/shm";

/// Initial state of the noise generator.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

static SWEEP: Once = Once::new();

/// A temporary directory; on drop it is removed, and everything mounted in it is unmounted.
#[derive(Debug)]
pub struct Sandbox {
    path: PathBuf,
}

impl Sandbox {
    /// Creates a directory below the system's temporary directory.
    ///
    /// # Errors
    /// The directory cannot be created.
    pub fn new() -> io::Result<Sandbox> {
        Self::below(&std::env::temp_dir())
    }

    /// Creates a directory in memory (`/dev/shm`) if the machine has this file system: files there are not cached,
    /// and loop devices over them support direct I/O.
    ///
    /// # Errors
    /// The directory cannot be created.
    pub fn in_memory() -> io::Result<Sandbox> {
        let memory = Path::new(MEMORY);
        if memory.is_dir() { Self::below(memory) } else { Self::new() }
    }

    /// Creates a directory below `parent`, for example in a file system that a test has mounted.
    ///
    /// # Errors
    /// The directory cannot be created.
    pub fn within(parent: &Path) -> io::Result<Sandbox> {
        Self::below(parent)
    }

    fn below(parent: &Path) -> io::Result<Sandbox> {
        SWEEP.call_once(sweep);
        let path = parent.join(own_name());
        fs::create_dir(&path)?;
        // mountinfo and sysfs have the real path, which is needed for comparisons.
        Ok(Sandbox { path: path.canonicalize()? })
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file and creates its parent directories, for trees that imitate `/proc` and `/sys`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn put(&self, name: &str, text: &str) -> io::Result<()> {
        let path = self.path.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)
    }

    /// Creates the files and symbolic links of a tree that was recorded on another machine, one per line: `PATH: TEXT`, with
    /// `\\n` for a newline, or `PATH -> TARGET`.
    ///
    /// # Errors
    /// A file or link cannot be created.
    pub fn put_tree(&self, lines: &str) -> io::Result<()> {
        for line in lines.lines().filter(|line| !line.is_empty()) {
            if let Some((name, target)) = line.split_once(" -> ") {
                let path = self.path.join(name);
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                std::os::unix::fs::symlink(target, path)?;
            } else {
                // Names of connections and devices contain colons, without a blank behind.
                let (name, text) = line
                    .split_once(": ")
                    .or_else(|| Some((line.strip_suffix(':')?, "")))
                    .unwrap_or((line, ""));
                self.put(name, &format!("{}\n", text.replace("\\n", "\n")))?;
            }
        }
        Ok(())
    }

    /// Returns the path of `name` in the directory.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates the file `name` with `size_bytes` of incompressible data, without holes or zeros.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn file(&self, name: &str, size_bytes: u64) -> io::Result<PathBuf> {
        let path = self.join(name);
        fill(&path, size_bytes)?;
        Ok(path)
    }

    /// Creates the sparse file `name` of `size_bytes`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn sparse(&self, name: &str, size_bytes: u64) -> io::Result<PathBuf> {
        let path = self.join(name);
        fs::File::create(&path)?.set_len(size_bytes)?;
        Ok(path)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        clear(&self.path);
    }
}

/// Fills the file `path`, which is created or truncated, with `size_bytes` of noise (xorshift64): no holes, no zeros,
/// incompressible.
///
/// # Errors
/// The file cannot be written.
pub fn fill(path: &Path, size_bytes: u64) -> io::Result<()> {
    use std::io::Write as _;
    let mut file = fs::File::create(path)?;
    let mut state = SEED;
    let mut chunk = vec![0u8; 1 << 20];
    let mut left = size_bytes;
    while left > 0 {
        state = noise(&mut chunk, state);
        let n = left.min(chunk.len() as u64);
        file.write_all(&chunk[..n as usize])?;
        left -= n;
    }
    Ok(())
}

/// Returns `bytes` bytes of noise.
pub fn noise_of(bytes: usize) -> Vec<u8> {
    let mut out = vec![0; bytes];
    noise(&mut out, SEED);
    out
}

/// Fills `bytes` with noise; returns the state of the generator afterwards.
pub(crate) fn noise(bytes: &mut [u8], mut state: u64) -> u64 {
    for word in bytes.as_chunks_mut::<8>().0 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *word = state.to_le_bytes();
    }
    state
}

/// Unmounts and detaches everything at or below `dir`, the newest mount first, then removes `dir`.
fn clear(dir: &Path) {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mut points: Vec<PathBuf> = mounts
        .lines()
        .filter_map(|l| l.split(' ').nth(4))
        .map(PathBuf::from)
        .filter(|p| p.starts_with(dir))
        .collect();
    points.reverse();
    for point in points {
        unmount(&point);
    }
    for device in loops_below(dir) {
        detach_loop(&device, dir);
    }
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        remove_zram(&entry.file_name().to_string_lossy());
    }
    let _ = fs::remove_dir_all(dir);
}

/// Returns the loop devices whose backing files are below `dir`.
fn loops_below(dir: &Path) -> Vec<PathBuf> {
    let Ok(blocks) = fs::read_dir("/sys/block") else { return Vec::new() };
    blocks
        .flatten()
        .map(|b| Path::new("/dev").join(b.file_name()))
        .filter(|device| backing_of(device).is_some_and(|file| file.starts_with(dir)))
        .collect()
}

/// Removes mounts, loop devices, cgroups and directories of killed test processes.
fn sweep() {
    for place in [std::env::temp_dir(), PathBuf::from(MEMORY)] {
        for entry in fs::read_dir(&place).into_iter().flatten().flatten() {
            if stale(&entry.file_name().to_string_lossy()) {
                clear(&entry.path().canonicalize().unwrap_or(entry.path()));
            }
        }
    }
    for place in crate::cgroup::places() {
        for entry in fs::read_dir(&place).into_iter().flatten().flatten() {
            if stale(&entry.file_name().to_string_lossy()) {
                crate::cgroup::remove(&entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::PREFIX;

    #[test]
    fn a_sandbox_is_removed_and_those_of_dead_makers_are_swept() {
        let dead = std::env::temp_dir().join(format!("{PREFIX}4194400-0"));
        fs::create_dir_all(&dead).unwrap();
        fs::write(dead.join("left"), b"x").unwrap();
        sweep();
        assert!(!dead.exists(), "a dead maker's directory stayed");
        let path = {
            let sandbox = Sandbox::new().unwrap();
            sandbox.file("noise", 3 << 20).unwrap();
            assert_eq!(fs::metadata(sandbox.join("noise")).unwrap().len(), 3 << 20);
            sandbox.path().to_path_buf()
        };
        assert!(!path.exists());
    }
}
