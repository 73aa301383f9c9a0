//! The file system of a directory, and the options of its mount that change rates of operations on names.

use facts::SysRoot;
use facts::layers::{Layer, Stack};
use stats::files::FilesMount;
use std::path::Path;

/// Options that are shown, without their values.
const OPTIONS: [&str; 61] = [
    // Any file system.
    "ro",
    "sync",
    "dirsync",
    "noatime",
    "relatime",
    "strictatime",
    "nodiratime",
    "lazytime",
    // ext4, xfs, btrfs, f2fs.
    "data",
    "commit",
    "barrier",
    "nobarrier",
    "nojournal_checksum",
    "journal_async_commit",
    "nodelalloc",
    "wsync",
    "logbsize",
    "logbufs",
    "inode32",
    "compress",
    "compress-force",
    "flushoncommit",
    "notreelog",
    "space_cache",
    "fsync_mode",
    "checkpoint",
    // NFS, SMB.
    "vers",
    "proto",
    "hard",
    "soft",
    "softerr",
    "ac",
    "noac",
    "actimeo",
    "acregmin",
    "acregmax",
    "acdirmin",
    "acdirmax",
    "lookupcache",
    "nocto",
    "nconnect",
    "max_connect",
    "rsize",
    "wsize",
    "nolock",
    "local_lock",
    "sec",
    "nordirplus",
    "cache",
    "nosharecache",
    // Ceph.
    "nowsync",
    "rbytes",
    "norbytes",
    "dcache",
    "nodcache",
    "noasyncreaddir",
    "caps_max",
    "readdir_max_entries",
    // FUSE, overlay.
    "default_permissions",
    "volatile",
    "metacopy",
];

/// Returns the file system of a directory, and its storage stack as text.
pub fn mount(root: &SysRoot, directory: &Path) -> (FilesMount, Vec<String>) {
    let stack = Stack::under(root, directory).unwrap_or_default();
    let words = stack.words();
    let Some(Layer::FileSystem(found)) = stack.layers.into_iter().next() else {
        return (FilesMount::default(), words);
    };
    let mut options: Vec<String> = Vec::new();
    for option in found.flags.split(',').chain(found.options.split(',')) {
        let name = option.split_once('=').map_or(option, |(name, _)| name);
        if OPTIONS.contains(&name) && !options.iter().any(|known| known == option) {
            options.push(option.to_owned());
        }
    }
    let mount = FilesMount {
        file_system: found.kind,
        source: found.source,
        at: found.at.to_string_lossy().into_owned(),
        options,
    };
    (mount, words)
}
