//! Users of regular files: loop devices, swap, mounts, and other programs.

use crate::SysRoot;
use crate::identity::Seen;
use crate::layers::mounts;
use crate::usage::{loops, swaps};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Use of a file by the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// A loop device uses the file as its backing file.
    Loop {
        /// Kernel name of the loop device.
        by: String,
    },
    /// The file is a swap area.
    Swap,
    /// The file is bind-mounted over another file.
    Mounted {
        /// Mount point.
        at: PathBuf,
    },
}

/// Files that the system uses, by device and inode number, at the time of the call.
#[derive(Clone, Debug, Default)]
pub struct FilesInUse(HashMap<(u64, u64), FileUse>);

impl FilesInUse {
    /// Finds the files of all loop devices, swap areas and mounts.
    pub fn look(root: &SysRoot) -> FilesInUse {
        let mut found = HashMap::new();
        for mount in mounts(root).into_iter().filter(|m| m.within != Path::new("/")) {
            if let Ok(seen) = Seen::at(&root.path(&mount.at))
                && seen.identity.is_file()
            {
                found.insert(seen.identity.number(), FileUse::Mounted { at: mount.at });
            }
        }
        for path in swaps(root) {
            if let Ok(seen) = Seen::at(&root.path(&path))
                && seen.identity.is_file()
            {
                found.insert(seen.identity.number(), FileUse::Swap);
            }
        }
        let known = loops(root).into_iter().map(|(by, backing)| (by, Some(backing)));
        // Without sysfs, the kernel is queried about every loop device that has a node.
        let hidden = if root.names("/sys/block").is_empty() { root.names("/dev") } else { Vec::new() };
        let hidden = hidden.into_iter().filter(|name| is_loop(name)).map(|by| (by, None));
        for (by, backing) in known.chain(hidden) {
            // The kernel reports the file's device and inode number; the file's name may have changed.
            let asked = open_quietly(&root.path(Path::new("/dev").join(&by)))
                .ok()
                .and_then(|device| sys::inode::loop_backing(device).ok());
            let named = |path: &PathBuf| Some(Seen::at(&root.path(path)).ok()?.identity.number());
            if let Some(number) = asked.or_else(|| named(backing.as_ref()?)) {
                found.insert(number, FileUse::Loop { by });
            }
        }
        FilesInUse(found)
    }

    /// Returns the use of the file with this device and inode number; `None` if the system does not use the file.
    pub fn of(&self, number: (u64, u64)) -> Option<&FileUse> {
        self.0.get(&number)
    }
}

/// Returns whether this is the name of a loop device, but not of its control node or a partition.
fn is_loop(name: &str) -> bool {
    name.strip_prefix("loop").is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Returns whether another descriptor or mapping of a regular file exists, of any program; `file` must be the only one
/// of this process. `None` if the file system does not support leases.
pub fn has_other_openers(file: &File) -> Option<bool> {
    sys::lease::opened_by_others(file).ok()
}

/// Returns whether another program has a regular file open or mapped; `None` if this cannot be determined.
pub fn opened_elsewhere(path: &Path) -> Option<bool> {
    match open_quietly(path) {
        Ok(file) => has_other_openers(&file),
        // Another process holds a lease on the file.
        Err(Errno::AGAIN) => Some(true),
        Err(_) => None,
    }
}

fn open_quietly(path: &Path) -> Result<File, Errno> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::loopdev::Setup;
    use testbed::{LoopDevice, Need, Sandbox, skip_without};

    #[test]
    fn a_backing_file_is_found_after_it_was_renamed() {
        skip_without!(Need::Loop);
        let sandbox = Sandbox::in_memory().unwrap();
        let path = sandbox.sparse("backing", 1 << 20).unwrap();
        let number = Seen::at(&path).unwrap().identity.number();
        assert_eq!(FilesInUse::look(&SysRoot::machine()).of(number), None);
        let device = LoopDevice::from_file(&path, Setup::default()).unwrap();
        std::fs::rename(&path, sandbox.join("renamed")).unwrap();
        let found = FilesInUse::look(&SysRoot::machine());
        assert_eq!(found.of(number), Some(&FileUse::Loop { by: device.name() }));
        assert_eq!(opened_elsewhere(&sandbox.join("renamed")), Some(true));
    }

    #[test]
    fn a_reader_and_a_mapping_are_openers() {
        let sandbox = Sandbox::new().unwrap();
        let path = sandbox.file("f", 4096).unwrap();
        assert_eq!(opened_elsewhere(&path), Some(false));
        let reader = File::open(&path).unwrap();
        assert_eq!(opened_elsewhere(&path), Some(true));
        drop(reader);
        assert_eq!(opened_elsewhere(&path), Some(false));
    }
}
