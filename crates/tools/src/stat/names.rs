//! Names of devices: those of the kernel, of the device mapper, and persistent ones.

use facts::SysRoot;
use rustix::fs::{major, minor, stat};
use std::path::Path;

/// How devices are named in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    /// By the kernel: `sda`, `dm-0`.
    #[default]
    Kernel,
    /// Devices of the device mapper by their names in `/dev/mapper`.
    Mapper,
    /// By the links in `/dev/disk/by-KIND`, KIND in lower case.
    Persistent(String),
}

/// Returns whether the machine has persistent names of this kind (ID, LABEL, PATH, UUID ...).
pub fn persistent_names_exist(root: &SysRoot, kind: &str) -> bool {
    !kind.is_empty() && root.path(by_kind(kind)).is_dir()
}

fn by_kind(kind: &str) -> String {
    format!("/dev/disk/by-{}", kind.to_lowercase())
}

/// Returns the name of the device that the user calls `word`: a path, a name below `/dev`, or a name of `naming`.
pub fn resolve(root: &SysRoot, naming: &Naming, word: &str) -> String {
    let path = std::fs::canonicalize(word).ok();
    let path = path.as_deref().and_then(Path::to_str);
    let name = path.map_or(word, |path| path.strip_prefix("/dev/").unwrap_or(path));
    let link = match naming {
        Naming::Kernel => None,
        Naming::Mapper => root.link_name(format!("/dev/mapper/{name}")),
        Naming::Persistent(kind) => root.link_name(format!("{}/{name}", by_kind(kind))),
    };
    link.unwrap_or_else(|| name.to_owned())
}

/// Returns the number of the device `/dev/NAME`; 0:0 if it does not exist.
pub fn number(root: &SysRoot, name: &str) -> (u32, u32) {
    stat(root.path("/dev").join(name.trim_start_matches('/')))
        .map_or((0, 0), |found| (major(found.st_rdev), minor(found.st_rdev)))
}

/// Major number of the device mapper.
fn mapper_major(root: &SysRoot) -> Option<u32> {
    let devices = root.read("/proc/devices").ok()?;
    let line = devices.lines().find(|line| line.trim_end().ends_with(" device-mapper"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the name under which the device `name` with this number is shown.
pub fn shown(root: &SysRoot, naming: &Naming, name: &str, device: (u32, u32)) -> String {
    let other = match naming {
        Naming::Kernel => None,
        Naming::Mapper if mapper_major(root) == Some(device.0) => {
            let names = root.names("/dev/mapper");
            names.into_iter().find(|mapped| number(root, &format!("mapper/{mapped}")) == device)
        }
        Naming::Mapper => None,
        Naming::Persistent(kind) => {
            let kernel = root.link_name(format!("/sys/dev/block/{}:{}", device.0, device.1));
            let directory = by_kind(kind);
            kernel.and_then(|kernel| {
                let is_link =
                    |name: &String| root.link_name(format!("{directory}/{name}")).as_ref() == Some(&kernel);
                root.names(&directory).into_iter().find(is_link)
            })
        }
    };
    other.unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use testbed::Sandbox;

    #[test]
    fn persistent_names_are_links_to_the_kernels() {
        let tree = Sandbox::in_memory().unwrap();
        for dir in ["dev/disk/by-id", "sys/dev/block"] {
            std::fs::create_dir_all(tree.join(dir)).unwrap();
        }
        let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, tree.join(at)).unwrap();
        link("../../sda", "dev/disk/by-id/ata-Foo_1");
        link("../../sda1", "dev/disk/by-id/ata-Foo_1-part1");
        link("../../block/sda/sda1", "sys/dev/block/8:1");
        let root = SysRoot::at(tree.path());
        let ids = Naming::Persistent("ID".into());
        assert!(persistent_names_exist(&root, "ID") && !persistent_names_exist(&root, "UUID"));
        assert!(!persistent_names_exist(&root, ""));
        assert_eq!(shown(&root, &ids, "sda1", (8, 1)), "ata-Foo_1-part1");
        assert_eq!(shown(&root, &ids, "sdb", (8, 16)), "sdb");
        assert_eq!(resolve(&root, &ids, "ata-Foo_1"), "sda");
        assert_eq!(resolve(&root, &Naming::Kernel, "/no/such/device"), "/no/such/device");
    }
}
