//! Names that files and devices have on every host that reaches them, so that hosts can find out that they use the same one.

use crate::SysRoot;
use crate::identity::Seen;
use crate::layers::{DeviceKind, Layer, Stack};
use crate::medium;
use std::path::Path;

/// Returns the names of the file or device at `path`: it is one that another host uses if a name of both is the same. Disks are
/// known by serial number or worldwide name, files by the server or disk of their file system and their inode; on the same kernel
/// all are known by their numbers. A file that does not exist yet is a name in its directory. Empty if nothing is known.
pub fn of(root: &SysRoot, path: &Path) -> Vec<String> {
    let Ok(seen) = Seen::at(path) else { return of_missing(root, path, 0) };
    names(root, path, &seen)
}

/// Links behind which a file may lie, as many as the kernel follows.
const MOST_LINKS: usize = 40;

fn of_missing(root: &SysRoot, path: &Path, links: usize) -> Vec<String> {
    let directory =
        path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    match (std::fs::read_link(path), directory, path.file_name()) {
        (Ok(target), Some(directory), _) if links < MOST_LINKS => {
            of_missing(root, &directory.join(target), links + 1)
        }
        (Err(_), Some(directory), Some(name)) => {
            // A directory that does not exist yet is made with the file.
            let names = match Seen::at(directory) {
                Ok(seen) => names(root, directory, &seen),
                Err(_) => of_missing(root, directory, links),
            };
            names.into_iter().map(|of_directory| format!("{of_directory}/{}", name.display())).collect()
        }
        _ => Vec::new(),
    }
}

fn names(root: &SysRoot, path: &Path, seen: &Seen) -> Vec<String> {
    let (device, inode) = seen.identity.number();
    let boot = root.read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    if !boot.is_empty() {
        names.push(format!("boot:{boot}:{device}:{inode}"));
    }
    // A loop device is its file.
    if inode == 0 && !boot.is_empty() {
        let files = medium::loop_files(root, path).into_iter();
        names.extend(files.map(|file| format!("boot:{boot}:{}:{}", file.device, file.inode)));
    }
    let stack = Stack::under(root, path).unwrap_or_default();
    match stack.layers.first() {
        // The source of a network file system is the same on all its clients.
        Some(Layer::FileSystem(mount)) if mount.source.contains(':') || mount.source.starts_with("//") => {
            names.push(format!("{}:{}:{inode}", mount.kind, mount.source));
        }
        Some(_) => {
            // A loop device of another host is another one.
            let disk = stack.devices().next().filter(|disk| !matches!(disk.kind, DeviceKind::Loop { .. }));
            let medium = disk.map(|disk| medium::of(root, disk)).filter(|medium| medium.own);
            names.extend(medium.map(|medium| match inode {
                0 => medium.identity,
                inode => format!("{}:{inode}", medium.identity),
            }));
        }
        None => {}
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that links are one file, that another file is another, and that a file has the same name before it exists whatever
    /// its path is.
    #[test]
    fn file_has_one_name_whatever_leads_to_it() {
        let root = SysRoot::machine();
        let directory = std::env::temp_dir().join(format!("fathom-shared-name-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let of = |name: &str| of(&root, &directory.join(name));
        let unwritten = of("f");
        std::os::unix::fs::symlink(".", directory.join("here")).unwrap();
        std::os::unix::fs::symlink("here/f", directory.join("link")).unwrap();
        assert!(!unwritten.is_empty() && unwritten == of("here/f") && unwritten == of("link"));
        std::fs::write(directory.join("f"), "").unwrap();
        std::fs::write(directory.join("g"), "").unwrap();
        assert!(!of("f").is_empty() && of("f") == of("link"));
        assert!(of("f").iter().all(|name| !of("g").contains(name)));
        assert_ne!(of("f"), unwritten);
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
